"""Counts of a user's matches. The number of queries does not depend on the number of matches."""

from collections.abc import Mapping

from django.db.models import Case, Count, F, Q, QuerySet, Value, When

from accounts.models import User
from games.deal_index.models import PlayedMatch
from games.models import Seat, counting

PEOPLE = 50  # The most partners or opponents in a list.
MAX_LOOKUPS = 200  # The most users that are looked up. Some may be guests or deleted.


def finished(user: User | int | None, game: str = "") -> QuerySet[Seat]:
    """Return a user's seats in finished matches that count, of one game or of all (""). user: or their key."""
    seats = Seat.objects.filter(counting("match__"), user=user, finish__isnull=False)
    return seats.filter(match__game=game) if game else seats


def games_played(user: User) -> dict[str, int]:
    """Return the number of a user's finished matches by game, most matches first."""
    rows = (
        PlayedMatch.objects.filter(user=user).values("game").annotate(played=Count("match")).order_by("-played", "game")
    )
    return {row["game"]: row["played"] for row in rows}


def at_another_place(other: str, place: str) -> Q:
    """Return the query condition that a related seat of the same match is not the seat itself.

    A place, the order in which players sat down, identifies a seat. other: the relation to the other seat. place: the
    field with the place of the first one. We write "lower or higher", because Django makes a subquery of "not equal".
    """
    return Q(**{f"{other}__place__lt": F(place)}) | Q(**{f"{other}__place__gt": F(place)})


def is_partner(other: str) -> Case:
    """Return an expression: 1 if a related seat of the same match has the same side, else 0."""
    return Case(When(Q(team=F(f"{other}__team")), then=Value(1)), default=Value(0))


def with_names[T](people: Mapping[int, T]) -> list[tuple[str, T]]:
    """Return pairs of a user's name and their value, in the same order. Guests and deleted users are left out.

    people: values of any kind, by the key of the user.
    """
    users = list(people)[:MAX_LOOKUPS]
    names = dict(User.objects.filter(pk__in=users, is_guest=False).values_list("pk", "username"))
    return [(names[user], people[user]) for user in users if user in names][:PEOPLE]
