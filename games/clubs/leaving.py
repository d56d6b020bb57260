"""Leaving a club, by oneself, by being removed, or with one's account; and what becomes of it without its owner."""

from contextlib import suppress
from typing import Any

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
    """End a membership. Without its owner a club goes to `heir_of`, and without anybody it is no more."""
    club, user = membership.club, membership.user
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        if not Membership.objects.filter(pk=membership.pk).exists():
            return  # another click was quicker
        owned = Membership.objects.get(pk=membership.pk).owns
        membership.delete()
        _leave_waiting_tables(user, club)
        if owned and (heir := heir_of(club)):
            Membership.objects.filter(pk=heir.pk).update(role=Membership.Role.OWNER)
        elif owned:
            dissolve(club)
        rights_changed.send(Club, user_ids=[user.pk])


def heir_of(club: Club) -> Membership | None:
    """The officer who has been there longest, else the member; nobody who is banned while there is anybody else."""
    rank = Case(When(role=Membership.Role.MEMBER, then=Value(1)), default=Value(0))
    others = club.memberships.exclude(role=Membership.Role.OWNER).select_related("user")
    return others.order_by("-user__is_active", rank, "since", "pk").first()


def leave_all(user: User, **_: Any) -> None:
    """A receiver of `account_closing`: the user's clubs go on without them."""
    for membership in user.club_memberships.select_related("club", "user"):
        leave(membership)


@transaction.atomic
def dissolve(club: Club) -> None:
    """A club is no more: its waiting tables are closed, its running matches go on, without more people to watch them.

    What has been played there stays in the history of those who played it.
    """
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
    """Close the tables of a club that wait for players."""
    for code in Match.objects.filter(club=club, status=Match.Status.OPEN).values_list("code", flat=True):
        due.close_table(code)


def _leave_waiting_tables(user: User, club: Club) -> None:
    """Wait at none of the club's tables any more, and be invited to none. Matches that have begun go on."""
    waiting = Match.objects.filter(club=club, status=Match.Status.OPEN)
    for code in waiting.filter(seats__user=user).values_list("code", flat=True):
        with suppress(Refused):  # it has begun meanwhile
            seating.stand_up(user, code)
    for code in waiting.filter(invitations__user=user).values_list("code", flat=True):
        with suppress(Refused):
            seating.remove_invitation(code, user)
