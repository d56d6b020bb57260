"""Counts of a user's matches. The number of queries does not depend on the number of matches."""

from collections.abc import Mapping

from django.db.models import Case, Count, F, Q, QuerySet, Value, When

from accounts.models import User
from games.deal_index.models import PlayedMatch
from games.models import Seat, counting

PEOPLE = 50  # The most partners or opponents in a list.
LOOKED_AT = 200  # The most users that are looked up. Some may be guests or deleted.


def finished(user: User | int | None, game: str = "") -> QuerySet[Seat]:
    """Return a user's seats in finished matches, of one game or of all."""
    seats = Seat.objects.filter(counting("match__"), user=user, finish__isnull=False)
    return seats.filter(match__game=game) if game else seats


def games_played(user: User) -> dict[str, int]:
    """Return {game: number of finished matches}, most matches first."""
    rows = (
        PlayedMatch.objects.filter(user=user).values("game").annotate(played=Count("match")).order_by("-played", "game")
    )
    return {row["game"]: row["played"] for row in rows}


def elsewhere(other: str, place: str) -> Q:
    """Return the condition that a related seat of the same match is not at this place.

    A negated equality would become a subquery.
    """
    return Q(**{f"{other}__place__lt": F(place)}) | Q(**{f"{other}__place__gt": F(place)})


def beside(other: str) -> Case:
    """Return an expression: 1 if a related seat of the same match is on the same side, else 0."""
    return Case(When(Q(team=F(f"{other}__team")), then=Value(1)), default=Value(0))


def named[T](people: Mapping[int, T]) -> list[tuple[str, T]]:
    """Return [(name, value)] from {user key: value}, in the same order. Omits guests and deleted users."""
    users = list(people)[:LOOKED_AT]
    names = dict(User.objects.filter(pk__in=users, is_guest=False).values_list("pk", "username"))
    return [(names[user], people[user]) for user in users if user in names][:PEOPLE]
