"""Changes of a club by its leaders. Officers may do all that does not concern the owner or other officers."""

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

NO_MEMBER = lazy("You aren’t in this club any more, or it is closed. See your other clubs.")
LEADERS_ONLY = lazy("Only the owner and the officers of the club can do that. Ask one of them.")
GONE = lazy("They aren’t in the club any more. Load the page again.")


@transaction.atomic
def write(membership: Membership, name: object, text: object) -> None:
    """Change the name and the description of a club. Raise Refused.

    membership: of the leader who does it, and who answers for the words if somebody reports them.
    """
    club = lock_as_leader(membership)
    if (name, text) == (club.name, club.text):
        return
    club.name, club.text = clean_words(membership.user, name, text)
    club.written_by = membership.user
    club.save(update_fields=["name", "text", "written_by"])
    for code in Match.objects.filter(club=club, status=Match.Status.OPEN).values_list("code", flat=True):
        with locked(code) as match:
            save_change(match)  # The match is the same, but this sends the new name of the club to its open pages.


@transaction.atomic
def set_invitation(membership: Membership, *, on: bool) -> None:
    """Replace the invitation link of a club, or turn it off. The old link stops working.

    membership: of the leader who does it. Raise NotAllowed for other members.
    """
    club = lock_as_leader(membership)
    club.invitation = new_invitation() if on else ""
    club.save(update_fields=["invitation"])


@transaction.atomic
def remove(membership: Membership, user_id: int) -> User:
    """Remove a member from a club, and keep them from coming back by the invitation link. Return the user.

    membership: of the leader who does it. user_id: the member to remove. Raise Refused.
    """
    club = lock_as_leader(membership)
    other = _find_other(membership, user_id)
    if other.owns or (other.leads and not membership.owns):
        raise NotAllowed(lazy("Only the owner can remove another leader. Ask them."))
    club.removed = [*club.removed, user_id]
    club.save(update_fields=["removed"])
    leaving.leave(other)
    return other.user


@transaction.atomic
def let_back(membership: Membership, user_id: int) -> None:
    """Allow a removed user to join the club by its invitation link again. membership: of the leader who does it."""
    club = lock_as_leader(membership)
    club.removed = [key for key in club.removed if key != user_id]
    club.save(update_fields=["removed"])


@transaction.atomic
def set_officer(membership: Membership, user_id: int, *, officer: bool) -> None:
    """Make a member an officer (one more leader), or an officer a member again.

    membership: of the owner, as only the owner may do this. Raise Refused.
    """
    _lock_as_owner(membership)
    other = _find_other(membership, user_id)
    other.role = Membership.Role.OFFICER if officer else Membership.Role.MEMBER
    other.save(update_fields=["role"])


@transaction.atomic
def hand_over(membership: Membership, user_id: int) -> None:
    """Make another member the owner of a club. membership: of the present owner, who becomes an officer (a leader)."""
    _lock_as_owner(membership)
    other = _find_other(membership, user_id)
    if not other.user.is_active:
        raise Refused(lazy("{name} can’t log in at present. Choose somebody else.", name=other.user.username))
    # In this order, because a club can't have two owners.
    Membership.objects.filter(pk=membership.pk).update(role=Membership.Role.OFFICER)
    Membership.objects.filter(pk=other.pk).update(role=Membership.Role.OWNER)


@transaction.atomic
def close(membership: Membership) -> None:
    """Dissolve the club. Only the owner may do this."""
    leaving.dissolve(_lock_as_owner(membership))


# Moderation


def report(user: User, club: Club, reason: object, note: object) -> None:
    """Report the name and the description of a club to the moderators, as words of the member who wrote them last.

    If that account was deleted, the owner answers for them. note: what the user adds to the reason. Raise Refused.
    """
    owner = club.memberships.filter(role=Membership.Role.OWNER).select_related("user").first()
    author = club.written_by or (owner and owner.user)
    if author is None:
        raise Refused(lazy("Nobody leads this club any more. Start a new one."))
    words = f"{club.name}: {club.text}" if club.text else club.name
    report_words(user, Report(reported=author, about=f"club {club.pk}"), words, reason, note)


@transaction.atomic
def set_closed(club: Club, closed: bool) -> None:
    """Close a club to everybody, also its members, or open it again. Its running matches go on."""
    Club.objects.filter(pk=club.pk).update(closed_at=timezone.now() if closed else None)
    if closed:
        leaving.close_waiting_tables(club)
        rights_changed.send(Club, user_ids=list(club.memberships.values_list("user", flat=True)))


def take_words_back(kind: str, key: str, hidden: bool, **_: object) -> None:
    """Close a club if a moderator has hidden its reported name, or open it again.

    This is a receiver of the signal `taken_back`, which is sent for all reported words. kind, key: what was reported,
    here "club" and its primary key; comments, for example, have another receiver. hidden: whether it is hidden now.
    """
    if kind == "club" and (club := Club.objects.filter(pk=key).first()):
        set_closed(club, hidden)


def lock_as_leader(membership: Membership) -> Club:
    """Lock the club of a member, so that no other request changes it at the same time. Return it.

    Raise NotAllowed if the member is neither the owner nor an officer.
    """
    club = Club.objects.select_for_update(no_key=True).filter(pk=membership.club_id, closed_at=None).first()
    # It may have ended or changed before we had the lock.
    role = Membership.objects.filter(pk=membership.pk).values_list("role", flat=True).first()
    if club is None or role is None:
        raise NotAllowed(NO_MEMBER)
    membership.role = role
    if not membership.leads:
        raise NotAllowed(LEADERS_ONLY)
    return club


def _lock_as_owner(membership: Membership) -> Club:
    club = lock_as_leader(membership)
    if not membership.owns:
        raise NotAllowed(lazy("Only the owner of the club can do that. Ask them."))
    return club


def _find_other(membership: Membership, user_id: int) -> Membership:
    """Return the membership of another user in the same club. Raise Refused if they are no member, or the same user."""
    other = Membership.objects.filter(club=membership.club_id, user=user_id).select_related("user", "club").first()
    if other is None:
        raise Refused(GONE)
    if other.pk == membership.pk:
        raise Refused(lazy("That is you. Choose somebody else."))
    return other
