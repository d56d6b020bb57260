"""Leave a club, be removed, or delete one's account. The club gets a new owner or is dissolved."""

from contextlib import suppress

from django.db import transaction
from django.db.models import Case, Value, When

from accounts.models import User
from accounts.signals import rights_changed
from games.clubs.models import Club, Membership
from games.models import Match
from games.play import due, seating
from games.play.changes import locked, save_change
from games.play.errors import Refused


def leave(membership: Membership) -> None:
    """End the membership of a user in a club. After the owner, another member owns it. An empty club is dissolved."""
    club, user = membership.club, membership.user
    with transaction.atomic():
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        if not Membership.objects.filter(pk=membership.pk).exists():
            return  # Another request has ended it before we had the lock.
        was_owner = Membership.objects.get(pk=membership.pk).owns
        membership.delete()
        _leave_waiting_tables(user, club)
        if was_owner and (heir := heir_of(club)):
            Membership.objects.filter(pk=heir.pk).update(role=Membership.Role.OWNER)
        elif was_owner:
            dissolve(club)
        rights_changed.send(Club, user_ids=[user.pk])


def heir_of(club: Club) -> Membership | None:
    """Return the member who owns a club after its owner: the officer who joined first, or else the first member.

    Banned users come last. Return None if the owner is alone.
    """
    officers_first = Case(When(role=Membership.Role.MEMBER, then=Value(1)), default=Value(0))
    others = club.memberships.exclude(role=Membership.Role.OWNER).select_related("user")
    return others.order_by("-user__is_active", officers_first, "since", "pk").first()


def leave_all(user: User, **_: object) -> None:
    """Let a user leave all clubs, because their account is being closed. A receiver of the signal `account_closing`."""
    for membership in user.club_memberships.select_related("club", "user"):
        leave(membership)


@transaction.atomic
def dissolve(club: Club) -> None:
    """Delete a club and close its waiting tables. Its matches stay in the history of their players.

    Running matches go on without spectators: only members were allowed to watch, and there are none any more.
    """
    Club.objects.select_for_update().get(pk=club.pk)  # From now on nobody can add rows that refer to it.
    members = list(club.memberships.values_list("user", flat=True))
    close_waiting_tables(club)
    for code in Match.objects.filter(club=club, status=Match.Status.PLAYING).values_list("code", flat=True):
        with locked(code) as match:
            match.club, match.watching = None, Match.Watching.OFF
            match.save(update_fields=["club", "watching"])
            save_change(match)
    club.delete()
    rights_changed.send(Club, user_ids=members)


def close_waiting_tables(club: Club) -> None:
    for code in Match.objects.filter(club=club, status=Match.Status.OPEN).values_list("code", flat=True):
        due.close_table(code)


def _leave_waiting_tables(user: User, club: Club) -> None:
    """Give up the seats and invitations of a user at tables of a club that have not started.

    They may finish the matches that they are playing.
    """
    waiting = Match.objects.filter(club=club, status=Match.Status.OPEN)
    for code in waiting.filter(seats__user=user).values_list("code", flat=True):
        with suppress(Refused):  # The match has begun since the query.
            seating.stand_up(user, code)
    for code in waiting.filter(invitations__user=user).values_list("code", flat=True):
        with suppress(Refused):
            seating.remove_invitation(code, user)
