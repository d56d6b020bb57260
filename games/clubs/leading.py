"""What those do who lead a club: its owner everything, officers all but what is about the owner and the officers."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.signals import rights_changed
from games.chat.models import Report
from games.chat.reporting import report_words
from games.clubs import leaving
from games.clubs.joining import clean_words
from games.clubs.models import Club, Membership, new_invitation
from games.kit.language import lazy
from games.models import Match
from games.play.changes import locked, save_change
from games.play.errors import NotAllowed, Refused

GONE = lazy("They aren’t in the club any more. Load the page again.")


@transaction.atomic
def write(membership: Membership, name: object, text: object) -> None:
    """Give a club another name and text. Raises Refused."""
    club = led(membership)
    if (name, text) == (club.name, club.text):
        return
    club.name, club.text = clean_words(membership.user, name, text)
    club.written_by = membership.user
    club.save(update_fields=["name", "text", "written_by"])
    for code in Match.objects.filter(club=club, status=Match.Status.OPEN).values_list("code", flat=True):
        with locked(code) as match:
            save_change(match)  # its page names the club


@transaction.atomic
def set_invitation(membership: Membership, *, on: bool) -> None:
    """Make a new link, or none that leads into the club; the one before is dead."""
    club = led(membership)
    club.invitation = new_invitation() if on else ""
    club.save(update_fields=["invitation"])


@transaction.atomic
def remove(membership: Membership, user_id: int) -> User:
    """Remove somebody, who can't come back by the link. Returns them. Raises Refused."""
    club = led(membership)
    other = _other(membership, user_id)
    if other.owns or (other.leads and not membership.owns):
        raise NotAllowed(lazy("Only the owner can remove another leader. Ask them."))
    club.removed = [*club.removed, user_id]
    club.save(update_fields=["removed"])
    leaving.leave(other)
    return other.user


@transaction.atomic
def let_back(membership: Membership, user_id: int) -> None:
    """Somebody who was removed may come by the link again."""
    club = led(membership)
    club.removed = [key for key in club.removed if key != user_id]
    club.save(update_fields=["removed"])


@transaction.atomic
def set_officer(membership: Membership, user_id: int, *, officer: bool) -> None:
    """The owner lets a member lead the club with them, or no longer."""
    _owned(membership)
    other = _other(membership, user_id)
    other.role = Membership.Role.OFFICER if officer else Membership.Role.MEMBER
    other.save(update_fields=["role"])


@transaction.atomic
def hand_over(membership: Membership, user_id: int) -> None:
    """Another member owns the club from now on, and who did is an officer."""
    _owned(membership)
    other = _other(membership, user_id)
    if not other.user.is_active:
        raise Refused(lazy("{name} can’t log in at present. Choose somebody else.", name=other.user.username))
    Membership.objects.filter(pk=membership.pk).update(role=Membership.Role.OFFICER)
    Membership.objects.filter(pk=other.pk).update(role=Membership.Role.OWNER)


@transaction.atomic
def close(membership: Membership) -> None:
    """The owner ends the club for good."""
    leaving.dissolve(_owned(membership))


# What moderators do


def report(user: User, club: Club, reason: object, note: object) -> None:
    """Report the name and the text of a club to the moderators. Raises Refused."""
    owner = club.memberships.filter(role=Membership.Role.OWNER).select_related("user").first()
    author = club.written_by or (owner and owner.user)
    if author is None:
        raise Refused(lazy("Nobody leads this club any more. Start a new one."))
    words = f"{club.name}: {club.text}" if club.text else club.name
    report_words(user, Report(reported=author, about=f"club {club.pk}"), words, reason, note)


@transaction.atomic
def set_closed(club: Club, closed: bool) -> None:
    """A moderator keeps a club closed to everybody, or opens it again. Matches that have begun go on."""
    Club.objects.filter(pk=club.pk).update(closed_at=timezone.now() if closed else None)
    if closed:
        leaving.close_waiting_tables(club)
        rights_changed.send(Club, user_ids=list(club.memberships.values_list("user", flat=True)))


def take_words_back(kind: str, key: str, hidden: bool, **_: Any) -> None:
    """A receiver of `taken_back`: a club whose name or text is taken back is closed."""
    if kind == "club" and (club := Club.objects.filter(pk=key).first()):
        set_closed(club, hidden)


def led(membership: Membership) -> Club:
    """The club, held until the end of the transaction. Raises NotAllowed unless they lead it."""
    club = Club.objects.select_for_update().get(pk=membership.club_id)
    membership.refresh_from_db(fields=["role"])
    if not membership.leads:
        raise NotAllowed(lazy("Only the owner and the officers of the club can do that. Ask one of them."))
    return club


def _owned(membership: Membership) -> Club:
    club = led(membership)
    if not membership.owns:
        raise NotAllowed(lazy("Only the owner of the club can do that. Ask them."))
    return club


def _other(membership: Membership, user_id: int) -> Membership:
    other = Membership.objects.filter(club=membership.club_id, user=user_id).select_related("user", "club").first()
    if other is None:
        raise Refused(GONE)
    if other.pk == membership.pk:
        raise Refused(lazy("That is you. Choose somebody else."))
    return other
