"""Found a club, and join one by its invitation link."""

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.people.blocks import has_blocked, is_apart
from accounts.sanctions import why_suspended
from games.chat.posting import demand_voice
from games.chat.wording import clean_text, without_unseen
from games.clubs.models import LONGEST_NAME, LONGEST_TEXT, Club, Membership, new_invitation
from games.kit.language import lazy, lazy_count
from games.play import newcomers
from games.play.errors import NotAllowed, Refused

MAX_CLUBS = 20  # per user
MAX_MEMBERS = 200
DEAD_LINK = lazy("This invitation doesn’t work any more. Ask somebody in the club for a new one.")


@transaction.atomic
def found(user: User, name: object, text: object = "") -> Club:
    """Create a club: a private group with a name. The user is its owner and only member. Raise Refused."""
    _check_member(user)
    clean_name, description = clean_words(user, name, text)
    _check_club_count(user)
    club = Club.objects.create(name=clean_name, text=description, written_by=user, invitation=new_invitation())
    Membership.objects.create(club=club, user=user, role=Membership.Role.OWNER)
    return club


def clean_words(user: User, name: object, text: object) -> tuple[str, str]:
    """Return the name and the description of a club without invisible characters. Raise Refused if they are forbidden.

    text: the description, which may be empty. user: the one who writes them.
    """
    demand_voice(user)  # Moderators can forbid a user to write anything.
    if not isinstance(name, str) or not without_unseen(name):
        raise Refused(lazy("A club needs a name. Type one."))
    has_text = isinstance(text, str) and without_unseen(text)
    if has_text and settings.TALK != "free":
        raise NotAllowed(lazy("On this site clubs have only a name. Leave the text empty."))
    clean_name = clean_text(name, LONGEST_NAME)
    description = clean_text(text, LONGEST_TEXT) if has_text else ""
    newcomers.demand_no_link(user, f"{clean_name}\n{description}")
    return clean_name, description


def find_by_invitation(user: User, invitation: str) -> Club | None:
    """Return the club of an invitation link, or None if the link does not work for this user, who may be anonymous.

    A link seems not to work for users whom the owner of the club has blocked, because blocks are secret. It does work
    for users who have blocked the owner themselves: `join` tells them that this is why they can't join.
    """
    club = Club.objects.filter(invitation=invitation, closed_at=None).first() if invitation else None
    if club is None or user.pk is None:
        return club
    owner = _owner_of(club)
    is_blocked_by_owner = is_apart(user.pk, [owner]) and not has_blocked(user.pk, [owner])
    return None if is_blocked_by_owner else club


@transaction.atomic
def join(user: User, invitation: str) -> Club:
    """Make a user a member of a club by its invitation link, unless they are one already. Return the club.

    invitation: the secret part of the link. Raise Refused.
    """
    _check_member(user)
    club = find_by_invitation(user, invitation)
    # Read it again with a lock: nobody must join at the moment when the club becomes full or the link is turned off.
    locked = Club.objects.select_for_update(no_key=True)
    club = club and locked.filter(pk=club.pk, invitation=invitation, closed_at=None).first()
    if club is None:
        raise Refused(DEAD_LINK)
    if club.memberships.filter(user=user).exists():
        return club
    if user.pk in club.removed:
        raise NotAllowed(
            lazy("You have been removed from this club. Only somebody who leads it can let you back in. Ask them.")
        )
    if has_blocked(user.pk, [_owner_of(club)]):
        raise Refused(lazy("You have blocked the owner of this club, so you can’t join it. Unblock them first."))
    _check_club_count(user)
    if club.memberships.count() >= MAX_MEMBERS:
        one, many = (
            "This club has {number} member, as many as we allow. Join another one, or found your own.",
            "This club has {number} members, as many as we allow. Join another one, or found your own.",
        )
        raise Refused(lazy_count(MAX_MEMBERS, one, many))
    Membership.objects.create(club=club, user=user)
    return club


def _owner_of(club: Club) -> int | None:
    return club.memberships.filter(role=Membership.Role.OWNER).values_list("user", flat=True).first()


def _check_member(user: User) -> None:
    if user.is_program:
        raise NotAllowed(lazy("Bots can’t belong to a club. Invite a person."))
    if user.is_guest:
        raise NotAllowed(lazy("Clubs are for people with an account. Guests can sign up first."))
    if why := why_suspended(user.pk):
        raise NotAllowed(why)


def _check_club_count(user: User) -> None:
    """Raise Refused if a user belongs to as many clubs as we allow. Lock the user until the transaction ends."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # Of two requests at once, the second waits here.
    if user.club_memberships.count() >= MAX_CLUBS:
        one = "You belong to {number} club, as many as we allow. Leave it first."
        many = "You belong to {number} clubs, as many as we allow. Leave one of them first."
        raise Refused(lazy_count(MAX_CLUBS, one, many))
