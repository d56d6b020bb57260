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

GONE = lazy("They aren’t in the club any more. Load the page again.")


@transaction.atomic
def write(membership: Membership, name: object, text: object) -> None:
    """Change the name and text of a club. Raises Refused."""
    club = lock_as_leader(membership)
    if (name, text) == (club.name, club.text):
        return
    club.name, club.text = clean_words(membership.user, name, text)
    club.written_by = membership.user
    club.save(update_fields=["name", "text", "written_by"])
    for code in Match.objects.filter(club=club, status=Match.Status.OPEN).values_list("code", flat=True):
        with locked(code) as match:
            save_change(match)  # The pages of its tables show the name.


@transaction.atomic
def set_invitation(membership: Membership, *, on: bool) -> None:
    """Replace the invitation link of a club, or turn it off. The old link stops working."""
    club = lock_as_leader(membership)
    club.invitation = new_invitation() if on else ""
    club.save(update_fields=["invitation"])


@transaction.atomic
def remove(membership: Membership, user_id: int) -> User:
    """Remove a member, who can't come back by the link. Return the user. Raises Refused."""
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
    """Allow a removed user to join by the link again."""
    club = lock_as_leader(membership)
    club.removed = [key for key in club.removed if key != user_id]
    club.save(update_fields=["removed"])


@transaction.atomic
def set_officer(membership: Membership, user_id: int, *, officer: bool) -> None:
    """Make a member an officer, or an officer a member again. Only the owner may do this."""
    _lock_as_owner(membership)
    other = _find_other(membership, user_id)
    other.role = Membership.Role.OFFICER if officer else Membership.Role.MEMBER
    other.save(update_fields=["role"])


@transaction.atomic
def hand_over(membership: Membership, user_id: int) -> None:
    """Make another member the owner. The present owner becomes an officer."""
    _lock_as_owner(membership)
    other = _find_other(membership, user_id)
    if not other.user.is_active:
        raise Refused(lazy("{name} can’t log in at present. Choose somebody else.", name=other.user.username))
    Membership.objects.filter(pk=membership.pk).update(role=Membership.Role.OFFICER)
    Membership.objects.filter(pk=other.pk).update(role=Membership.Role.OWNER)


@transaction.atomic
def close(membership: Membership) -> None:
    """Dissolve the club. Only the owner may do this."""
    leaving.dissolve(_lock_as_owner(membership))


# Moderation


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
    """Close a club to everybody, or open it again. Running matches go on."""
    Club.objects.filter(pk=club.pk).update(closed_at=timezone.now() if closed else None)
    if closed:
        leaving.close_waiting_tables(club)
        rights_changed.send(Club, user_ids=list(club.memberships.values_list("user", flat=True)))


def take_words_back(kind: str, key: str, hidden: bool, **_: object) -> None:
    """Receive `taken_back`: close a club whose name or text a moderator has hidden, or open it again."""
    if kind == "club" and (club := Club.objects.filter(pk=key).first()):
        set_closed(club, hidden)


def lock_as_leader(membership: Membership) -> Club:
    """Lock and return the club of a membership. Raises NotAllowed if the member does not lead it."""
    club = Club.objects.select_for_update().get(pk=membership.club_id)
    membership.refresh_from_db(fields=["role"])
    if not membership.leads:
        raise NotAllowed(lazy("Only the owner and the officers of the club can do that. Ask one of them."))
    return club


def _lock_as_owner(membership: Membership) -> Club:
    club = lock_as_leader(membership)
    if not membership.owns:
        raise NotAllowed(lazy("Only the owner of the club can do that. Ask them."))
    return club


def _find_other(membership: Membership, user_id: int) -> Membership:
    """Return the membership of another user in the same club. Raises Refused if there is none."""
    other = Membership.objects.filter(club=membership.club_id, user=user_id).select_related("user", "club").first()
    if other is None:
        raise Refused(GONE)
    if other.pk == membership.pk:
        raise Refused(lazy("That is you. Choose somebody else."))
    return other
