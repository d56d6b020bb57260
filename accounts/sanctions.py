"""Warnings, suspensions and bans, which the site's staff impose and lift.

Every page shows a warning until the user has read it. A suspended user may log in, read, download their data and delete
their account, but neither play nor write. A banned user cannot log in. Receivers of the signal `barred` look after the
user's seats.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import lazy as deferred
from django.utils.translation import gettext, gettext_lazy

from accounts.models import Sanction, User, in_force
from accounts.services import end_sessions, send_rights_changed
from accounts.signals import barred

Kind = Sanction.Kind


@transaction.atomic
def impose(user: User, kind: str, reason: str, *, by: User | None = None, days: int | None = None) -> Sanction:
    """Warn, suspend or ban a user from now on. Return the sanction.

    kind: a value of Kind. reason: a text for the user. by: the host who does so. days: how long it lasts; None for a
    suspension or ban until it is lifted. Warnings ignore it.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # Taking a seat locks this row too.
    until = timezone.now() + timedelta(days=days) if days and kind != Kind.WARNING else None
    sanction = Sanction.objects.create(user=user, kind=kind, reason=reason, until=until, by=by)
    if kind == Kind.WARNING:
        return sanction
    if kind == Kind.BAN:
        user.is_active = False
        user.save(update_fields=["is_active"])
        end_sessions(user)
    else:
        send_rights_changed(user)
    barred.send(User, user=user)
    return sanction


@transaction.atomic
def lift(sanction: Sanction, *, by: User | None = None) -> None:
    """End a warning, a suspension or a ban. The user does not get lost seats back.

    by: the host who does so, or None if it has expired.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=sanction.user_id)
    unlifted = Sanction.objects.filter(pk=sanction.pk, lifted_at=None)
    if not unlifted.update(lifted_at=timezone.now(), lifted_by=by):  # It was lifted before.
        return
    if sanction.kind == Kind.BAN and not Sanction.objects.filter(in_force(Kind.BAN), user=user).exists():
        user.is_active = True
        user.save(update_fields=["is_active"])


def lift_expired_bans(user: User | None = None) -> int:
    """Lift expired bans, of one user or of all. Return their number."""
    expired = Sanction.objects.filter(kind=Kind.BAN, lifted_at=None, until__lte=timezone.now())
    bans = list(expired.filter(user=user) if user else expired)
    for ban in bans:
        lift(ban)
    return len(bans)


def is_suspended(user: str) -> Exists:
    """Return a condition for a query: the user in this field is suspended."""
    return Exists(Sanction.objects.filter(in_force(Kind.SUSPENSION), user=OuterRef(user)))


def why_suspended(user_id: int | None) -> str:
    """Return why a user may neither play nor write now, as a sentence for them, or "" if they may."""
    suspensions = Sanction.objects.filter(in_force(Kind.SUSPENSION), user=user_id) if user_id is not None else ()
    return sentence_lazily(_longest(suspensions)) if suspensions else ""


def why_banned(user: User) -> str:
    """Return why a user cannot log in, as a sentence for them."""
    bans = Sanction.objects.filter(in_force(Kind.BAN), user=user)
    return sentence_lazily(_longest(bans)) if bans else gettext_lazy("This account is closed.")


def longest_sanction(user_ids: Iterable[int]) -> Sanction | None:
    """Return the suspension or ban of any of these users that ends last, or None."""
    is_current = in_force(Kind.SUSPENSION) | in_force(Kind.BAN)
    sanctions = list(Sanction.objects.filter(is_current, user__in=list(user_ids)).select_related("user"))
    return _longest(sanctions) if sanctions else None


def current_sanctions(user: User) -> list[Sanction]:
    """Return a list for a user to read: their suspension that ends last, if any, and then their unread warnings."""
    is_unread = Q(kind=Kind.WARNING, lifted_at=None, read_at=None)
    sanctions = list(Sanction.objects.filter(is_unread | in_force(Kind.SUSPENSION), user=user).order_by("pk"))
    suspensions = [each for each in sanctions if each.kind == Kind.SUSPENSION]
    warnings = [each for each in sanctions if each.kind == Kind.WARNING]
    return [*([_longest(suspensions)] if suspensions else []), *warnings]


def mark_read(user: User, pk: int) -> None:
    """Mark a warning of a user as read."""
    Sanction.objects.filter(user=user, pk=pk, kind=Kind.WARNING, read_at=None).update(read_at=timezone.now())


def sentence(sanction: Sanction) -> str:
    """Return a warning, a suspension or a ban with its reason as a sentence for its user."""
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


sentence_lazily = deferred(sentence, str)


def describe(sanction: Sanction) -> str:
    """Describe a warning, suspension or ban to the staff: "Ban of 23 November 2026, 02:10 UTC, no end: Cheated." """
    if sanction.until:
        words = gettext("{kind} of {since}, until {until}: {reason}")
    else:
        words = gettext("{kind} of {since}, no end: {reason}")
    until = moment(sanction.until) if sanction.until else ""
    kind, since = sanction.get_kind_display(), moment(sanction.since)
    return words.format(kind=kind, since=since, until=until, reason=sanction.reason)


def moment(value: datetime) -> str:
    """Format a moment in the reader's time zone, or the site's: "3 December 2026, 14:05 UTC"."""
    return date_format(timezone.localtime(value), gettext("j F Y, H:i T"))


def _longest(sanctions: Iterable[Sanction]) -> Sanction:
    """Return the sanction that never ends, or the one that ends last."""
    return max(sanctions, key=lambda each: (each.until is None, each.until or each.since))
