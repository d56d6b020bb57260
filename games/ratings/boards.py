"""Leaderboards, the ratings of a player, and the rating changes by a match, for pages."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from django.db.models import Case, Count, F, IntegerField, Q, Sum, When
from django.utils import timezone

from accounts.models import User
from accounts.time_zones import site_month
from games.catalog import all_games, game_name
from games.kit.words import with_sign
from games.models import Match
from games.ratings.models import Pace, RatedMatch, RatedPlayer, Rating, RatingChange
from games.ratings.strength import PROVISIONAL, UNIT, Strength
from games.ratings.updates import pace_of

MAX_LINES = 100
MAX_MONTHS = 24

type Line = dict[str, object]


class HostRating(NamedTuple):
    points: int
    is_provisional: bool


def board(game: str, pace: str, viewer: User) -> list[Line]:
    """Return the lines of a leaderboard, the strongest player first. Players with equal points have the same place.

    Lines have "place", "user_id", "name", "points", "error", "matches", "provisional" and "own" (whether the viewer's).
    Ratings that are hidden or provisional (based on few matches) are left out. pace: live, or days for each move.
    """
    # mu is the estimated strength, in the units of the rating model. The points follow from it.
    ratings = Rating.objects.filter(_is_visible(), board__game=game, board__pace=pace, matches__gte=PROVISIONAL)
    lines = [_line(rating) for rating in ratings.select_related("player__user").order_by("-mu", "pk")[:MAX_LINES]]
    return _add_places(lines, "points", viewer)


def gains(game: str, pace: str, month: date | None, seats: int | None, viewer: User) -> list[Line]:
    """Return the players who gained most rating points, the best first: lines for a table.

    Lines have "place", "user_id", "name", "gained", "gained_words", "matches", "won" and "own" (whether the viewer's).

    pace: live, or days for each move. month: the first day of a month, to count only matches that ended in it, or None.
    seats: a number of players, to count only matches of this size, or None.
    """
    changes = RatingChange.objects.filter(_is_visible(), rated__board__game=game, rated__board__pace=pace)
    if month is not None:
        begins, ends = site_month(month)
        changes = changes.filter(rated__ended_at__gte=begins, rated__ended_at__lt=ends)
    if seats is not None:
        changes = changes.filter(rated__match__seat_count=seats)
    rows = (
        changes.values("player__user", "player__user__username")
        .annotate(
            gained=Sum(F("mu") - F("mu_before")),
            matches=Count("pk"),
            # The finish is the place in the final standings.
            won=Sum(Case(When(seat__finish=1, then=1), default=0, output_field=IntegerField())),
        )
        .order_by("-gained", "player__user")[:MAX_LINES]
    )
    lines: list[Line] = [
        {
            "user_id": row["player__user"],
            "name": row["player__user__username"],
            "gained": (gained := round(UNIT * row["gained"])),  # From units of the rating model to points.
            "gained_words": with_sign(gained, plus=True),
            "matches": row["matches"],
            "won": row["won"],
        }
        for row in rows
    ]
    return _add_places(lines, "gained", viewer)


def months(game: str, pace: str) -> list[date]:
    """Return the first days of the latest months with rated matches, in the site's time zone, the newest first."""
    matches = RatedMatch.objects.filter(board__game=game, board__pace=pace)
    zone = timezone.get_default_timezone()
    first_days = matches.order_by().datetimes("ended_at", "month", order="DESC", tzinfo=zone)
    return [day.date() for day in first_days[:MAX_MONTHS]]


def ratings_of(user: User) -> list[Line]:
    """Return the ratings of a user by game and pace, in the site's order of games. Unknown games come last.

    Lines have "game", "slug", "pace", "points", "error", "matches" and "provisional".
    """
    ratings = Rating.objects.filter(player__user=user).select_related("board")
    index_of = {game.slug: index for index, game in enumerate(all_games())}
    return [
        _rating_figures(rating)
        | {"game": game_name(rating.board.game), "slug": rating.board.game, "pace": Pace(rating.board.pace)}
        for rating in sorted(ratings, key=lambda each: (index_of.get(each.board.game, len(index_of)), each.board.pace))
    ]


def host_ratings(matches: Iterable[Match]) -> dict[int, HostRating]:
    """Return what everybody may see of the ratings of hosts at rated matches, by match. At most one query."""
    rated = [match for match in matches if match.rated and match.host_id]
    hosts = {match.host_id for match in rated}
    ratings = Rating.objects.filter(_is_visible(), player__user__in=hosts).select_related("board", "player")
    by_board = {
        (rating.player.user_id, rating.board.game, rating.board.pace): HostRating(
            Strength(rating.mu, rating.sigma).points, rating.matches < PROVISIONAL
        )
        for rating in (ratings if hosts else ())
    }
    keys = {match.pk: (match.host_id, match.game, pace_of(match.speed)) for match in rated}
    return {match: by_board[key] for match, key in keys.items() if key in by_board}


def changes_of(match: Match, viewer: User) -> list[Line] | None:
    """Return how a match changed the ratings of its players, the winners first, or None if it is not rated yet.

    Lines have "name", the points "before" and "after", "gained" and "error", the likely error of the points. All but
    the name are None if the player hides ratings from others. The name of a deleted account is "".
    """
    changes = RatingChange.objects.filter(rated=match.pk).select_related("seat__user", "player")
    lines: list[Line] = []
    for change in changes.order_by("seat__finish", "seat__number"):
        before, after = Strength(change.mu_before, change.sigma_before), Strength(change.mu, change.sigma)
        user = change.seat.user
        is_hidden = change.player.hides_ratings and user != viewer
        lines.append(
            {
                "name": user.username if user else "",
                "before": None if is_hidden else before.points,
                "after": None if is_hidden else after.points,
                "gained": None if is_hidden else with_sign(after.points - before.points, plus=True),
                "error": None if is_hidden else after.error,
            }
        )
    return lines or None


def _is_visible() -> Q:
    """Return the query condition that others may see a player's rating."""
    return Q(player__hides_ratings=False, player__user__is_active=True)


def _rating_figures(rating: Rating) -> Line:
    strength = Strength(rating.mu, rating.sigma)
    return {
        "points": strength.points,
        "error": strength.error,
        "matches": rating.matches,
        "provisional": rating.matches < PROVISIONAL,
    }


def _line(rating: Rating) -> Line:
    user = rating.player.user
    return _rating_figures(rating) | {"user_id": user.pk, "name": user.username}


def _add_places(lines: list[Line], key: str, viewer: User) -> list[Line]:
    """Add to sorted lines their "place", and whether they are the viewer's "own".

    Lines with the same value of `key` have the same place, the best of them.
    """
    values = [line[key] for line in lines]
    return [line | {"place": 1 + values.index(line[key]), "own": line["user_id"] == viewer.pk} for line in lines]


def parse_month(text: str) -> date | None:
    """Return the first day of a month like "2026-11", or None if it is no month.

    Far years are refused, because computations with dates near the limit of `date` overflow.
    """
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
    return month if 1900 <= month.year <= 3000 else None


def hides_ratings(user: User) -> bool:
    return user.pk is not None and RatedPlayer.objects.filter(user=user, hides_ratings=True).exists()


def set_hides_ratings(user: User, hides: bool) -> None:
    RatedPlayer.objects.update_or_create(user=user, defaults={"hides_ratings": hides})
