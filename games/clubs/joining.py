"""Founding a club, and joining one by its invitation link."""

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.people.blocks import has_blocked, is_apart
from accounts.sanctions import why_barred
from games.chat.posting import demand_voice
from games.chat.wording import clean_text, without_unseen
from games.clubs.models import LONGEST_NAME, LONGEST_TEXT, Club, Membership, new_invitation
from games.kit.language import lazy, lazy_count
from games.play import newcomers
from games.play.errors import NotAllowed, Refused

MOST_CLUBS = 20  # that one person belongs to
MOST_MEMBERS = 200
DEAD_LINK = lazy("This invitation doesn’t work any more. Ask somebody in the club for a new one.")


@transaction.atomic
def found(user: User, name: object, text: object = "") -> Club:
    """A new club of a member of the site, who owns it. Raises Refused."""
    _demand_member(user)
    name, text = clean_words(user, name, text)
    _demand_room(user)
    club = Club.objects.create(name=name, text=text, written_by=user, invitation=new_invitation())
    Membership.objects.create(club=club, user=user, role=Membership.Role.OWNER)
    return club


def clean_words(user: User, name: object, text: object) -> tuple[str, str]:
    """The name and the text of a club, as they are stored. Raises Refused."""
    demand_voice(user)
    if not isinstance(name, str) or not without_unseen(name):
        raise Refused(lazy("A club needs a name."))
    has_text = isinstance(text, str) and without_unseen(text)
    if has_text and settings.TALK != "free":
        raise NotAllowed(lazy("On this site clubs have only a name. Leave the text empty."))
    cleaned = clean_text(name, LONGEST_NAME), clean_text(text, LONGEST_TEXT) if has_text else ""
    newcomers.demand_no_link(user, "\n".join(cleaned))
    return cleaned


def invited_to(user: User, invitation: str) -> Club | None:
    """The club that an invitation link leads somebody to; None for a link that is dead, to them or to all.

    user: may be nobody known. Of a block by the owner nobody is told: for them the link is dead.
    """
    club = Club.objects.filter(invitation=invitation, closed_at=None).first() if invitation else None
    if club is None or user.pk is None:
        return club
    owner = _owner_of(club)
    return None if is_apart(user.pk, [owner]) and not has_blocked(user.pk, [owner]) else club


@transaction.atomic
def join(user: User, invitation: str) -> Club:
    """Make `user` a member of the club that a link leads to. Joining twice changes nothing. Raises Refused."""
    _demand_member(user)
    club = invited_to(user, invitation)
    # Held, so that a link that is switched off, or a club that is full, lets nobody in who came at the same moment.
    club = club and Club.objects.select_for_update().filter(pk=club.pk, invitation=invitation, closed_at=None).first()
    if club is None:
        raise Refused(DEAD_LINK)
    if club.memberships.filter(user=user).exists():
        return club
    if user.pk in club.removed:
        raise NotAllowed(lazy("You have been removed from this club. Only somebody who leads it can let you back in."))
    if has_blocked(user.pk, [_owner_of(club)]):
        raise Refused(lazy("You have blocked the owner of this club, so you can’t join it."))
    _demand_room(user)
    if club.memberships.count() >= MOST_MEMBERS:
        one, many = (
            "This club has {number} member, as many as we allow.",
            "This club has {number} members, as many as we allow.",
        )
        raise Refused(lazy_count(MOST_MEMBERS, one, many))
    Membership.objects.create(club=club, user=user)
    return club


def _owner_of(club):
    return club.memberships.filter(role=Membership.Role.OWNER).values_list("user", flat=True).first()


def _demand_member(user):
    if user.is_program:
        raise NotAllowed(lazy("Bots can’t belong to a club. Invite a person."))
    if user.is_guest:
        raise NotAllowed(lazy("Clubs are for people with an account. Guests can sign up first."))
    if why := why_barred(user.pk):
        raise NotAllowed(why)


def _demand_room(user):
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two clicks are counted one after the other
    if user.club_memberships.count() >= MOST_CLUBS:
        one = "You belong to {number} club, as many as we allow. Leave it first."
        many = "You belong to {number} clubs, as many as we allow. Leave one of them first."
        raise Refused(lazy_count(MOST_CLUBS, one, many))
