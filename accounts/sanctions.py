"""Warnings, suspensions and bans: made by those who work here, noted with who and when, lifted and never rewritten.

Who is warned is shown it until they say that they have read it. Who is suspended may log in, read, take their data
along and delete their account, but neither play nor write. Who is banned can't log in. What is done about their seats
is for whoever hears `barred`.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import lazy as deferred
from django.utils.translation import gettext, gettext_lazy

from accounts.models import Sanction, User, in_force
from accounts.services import end_sessions, tell_rights_changed
from accounts.signals import barred

Kind = Sanction.Kind


@transaction.atomic
def impose(user: User, kind: str, reason: str, *, by: User | None = None, days: int | None = None) -> Sanction:
    """Warn, suspend or ban a user from now on, for so many days or until it is lifted (None). Returns the Sanction.

    reason: shown to them. A warning has no end.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # whoever takes a seat holds this row as well
    until = timezone.now() + timedelta(days=days) if days and kind != Kind.WARNING else None
    made = Sanction.objects.create(user=user, kind=kind, reason=reason, until=until, by=by)
    if kind == Kind.WARNING:
        return made
    if kind == Kind.BAN:
        user.is_active = False
        user.save(update_fields=["is_active"])
        end_sessions(user)
    else:
        tell_rights_changed(user)
    barred.send(User, user=user)
    return made


@transaction.atomic
def lift(sanction: Sanction, *, by: User | None = None) -> None:
    """End a sanction. Seats that were lost by it are not given back. by: None where its time has come."""
    user = User.objects.select_for_update(no_key=True).get(pk=sanction.user_id)
    lifted = Sanction.objects.filter(pk=sanction.pk, lifted_at=None)
    if not lifted.update(lifted_at=timezone.now(), lifted_by=by):
        return
    if sanction.kind == Kind.BAN and not Sanction.objects.filter(in_force(Kind.BAN), user=user).exists():
        user.is_active = True
        user.save(update_fields=["is_active"])


def end_due(user: User | None = None) -> int:
    """Let in again whose bans have come to their end: of one user, or of all. Returns how many bans that were."""
    due = Sanction.objects.filter(kind=Kind.BAN, lifted_at=None, until__lte=timezone.now())
    ended = list(due.filter(user=user) if user else due)
    for ban in ended:
        lift(ban)
    return len(ended)


def is_suspended(user: str) -> Exists:
    """Of rows: whether the user whose key is in this field of theirs is suspended."""
    return Exists(Sanction.objects.filter(in_force(Kind.SUSPENSION), user=OuterRef(user)))


def why_barred(user_id: int | None) -> str:
    """Why somebody may neither play nor write now, and until when, as a sentence for them; "" where they may."""
    held = Sanction.objects.filter(in_force(Kind.SUSPENSION), user=user_id) if user_id is not None else ()
    return sentence_lazily(_longest(held)) if held else ""


def why_banned(user: User) -> str:
    """As `why_barred`, of a ban."""
    held = Sanction.objects.filter(in_force(Kind.BAN), user=user)
    return sentence_lazily(_longest(held)) if held else gettext_lazy("This account is closed.")


def longest_of(user_ids: Iterable[int]) -> Sanction | None:
    """Return the suspension or ban in force of any of these users that ends last, or None."""
    kept_out = in_force(Kind.SUSPENSION) | in_force(Kind.BAN)
    sanctions = list(Sanction.objects.filter(kept_out, user__in=list(user_ids)).select_related("user"))
    return _longest(sanctions) if sanctions else None


def shown_to(user: User) -> list[Sanction]:
    """What a user is shown on every page: the suspension that holds longest, then warnings they haven't read."""
    unread = Q(kind=Kind.WARNING, lifted_at=None, read_at=None)
    found = list(Sanction.objects.filter(unread | in_force(Kind.SUSPENSION), user=user).order_by("pk"))
    held = [each for each in found if each.kind == Kind.SUSPENSION]
    return [*([_longest(held)] if held else []), *(each for each in found if each.kind == Kind.WARNING)]


def note_read(user: User, pk: int) -> None:
    """A user has read a warning."""
    Sanction.objects.filter(user=user, pk=pk, kind=Kind.WARNING, read_at=None).update(read_at=timezone.now())


def sentence(sanction: Sanction) -> str:
    """A sanction and its reason, as whom it is about reads it."""
    if sanction.kind == Kind.WARNING:
        words = gettext("A moderator has warned you: {reason}")
    elif sanction.kind == Kind.SUSPENSION and sanction.until:
        words = gettext(
            "Your account is suspended until {moment}, so you can neither play nor write. The reason: {reason}"
        )
    elif sanction.kind == Kind.SUSPENSION:
        words = gettext(
            "Your account is suspended until a moderator lifts it, so you can neither play nor write. "
            "The reason: {reason}"
        )
    elif sanction.until:
        words = gettext("This account is banned until {moment}: {reason}")
    else:
        words = gettext("This account is banned until a moderator lifts it: {reason}")
    return words.format(moment=moment(sanction.until) if sanction.until else "", reason=sanction.reason)


sentence_lazily = deferred(sentence, str)  # in the language of the page that shows it


def noted(sanction: Sanction) -> str:
    """A sanction as those who work here note it: "Ban of 23 November 2026, 02:10 UTC, no end: Cheated." """
    if sanction.until:
        words = gettext("{kind} of {since}, until {until}: {reason}")
    else:
        words = gettext("{kind} of {since}, no end: {reason}")
    until = moment(sanction.until) if sanction.until else ""
    kind, since = sanction.get_kind_display(), moment(sanction.since)
    return words.format(kind=kind, since=since, until=until, reason=sanction.reason)


def moment(when) -> str:
    """Write a moment by the reader's clock, else the site's, with its zone: "3 December 2026, 14:05 UTC"."""
    return date_format(timezone.localtime(when), gettext("j F Y, H:i T"))


def _longest(held):
    """The one that ends last, or never, of some sanctions."""
    return max(held, key=lambda each: (each.until is None, each.until or each.since))
