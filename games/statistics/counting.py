"""What somebody's matches come to, counted by the database: in as many queries for many as for one."""

from django.db.models import Case, Count, F, Q, Value, When

from accounts.models import User
from games.deal_index.models import PlayedMatch
from games.models import Seat, counting

PEOPLE = 50  # partners or opponents that are listed, most matches first
LOOKED_AT = 200  # of whom some may be guests, or gone


def finished(user, game=""):
    """A user's seats at matches that are over, of one game or of all."""
    seats = Seat.objects.filter(counting("match__"), user=user, finish__isnull=False)
    return seats.filter(match__game=game) if game else seats


def games_played(user):
    """{game: matches that a user has finished}, most matches first."""
    played = (
        PlayedMatch.objects.filter(user=user).values("game").annotate(played=Count("match")).order_by("-played", "game")
    )
    return {row["game"]: row["played"] for row in played}


def elsewhere(other, place):
    """The condition that another seat of a match, a relation, is not one's own.

    (Negated, it would become a query of its own.)
    """
    return Q(**{f"{other}__place__lt": F(place)}) | Q(**{f"{other}__place__gt": F(place)})


def beside(other):
    """Whether a seat of the same match, a relation of a Seat's, is on the same side."""
    return Case(When(Q(team=F(f"{other}__team")), then=Value(1)), default=Value(0))


def named(people):
    """[(name, value)] of {user: value}, in this order: no guests, nobody who is gone, no more than PEOPLE."""
    users = list(people)[:LOOKED_AT]
    names = dict(User.objects.filter(pk__in=users, is_guest=False).values_list("pk", "username"))
    return [(names[user], people[user]) for user in users if user in names][:PEOPLE]
