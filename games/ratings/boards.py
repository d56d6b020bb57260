"""Who is how strong: the boards, a player's own ratings, and what a match did."""

from datetime import date

from django.db.models import Case, Count, F, IntegerField, Q, Sum, When
from django.utils import timezone

from accounts.time_zones import site_month
from games.catalog import all_games, game_name
from games.kit.words import with_sign
from games.models import Match
from games.ratings.models import Pace, RatedMatch, RatedPlayer, Rating, RatingChange
from games.ratings.strength import PROVISIONAL, UNIT, Strength

SHOWN = 100  # lines of a board
MONTHS = 24


def board(game, pace, viewer):
    """The lines of a board, the strongest first; those whose rating is provisional are left out, and who hides theirs.

    [{"place", "user", "points", "error", "matches", "own"}]; equal points have the same place.
    """
    ratings = Rating.objects.filter(_shown(), board__game=game, board__pace=pace, matches__gte=PROVISIONAL)
    lines = [_line(rating) for rating in ratings.select_related("player__user").order_by("-mu", "pk")[:SHOWN]]
    return _placed(lines, "points", viewer)


def gains(game, pace, month, seats, viewer):
    """Who gained most: as `board`, with "gained", "matches" and "won".

    month: in matches that ended in it, given by its first day; None for all. seats: in matches of so many players.
    """
    changes = RatingChange.objects.filter(
        _shown(),
        rated__board__game=game,
        rated__board__pace=pace,
    )
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
            won=Sum(Case(When(seat__finish=1, then=1), default=0, output_field=IntegerField())),
        )
        .order_by("-gained", "player__user")[:SHOWN]
    )
    lines = [
        {
            "user_id": row["player__user"],
            "name": row["player__user__username"],
            "gained": (gained := round(UNIT * row["gained"])),
            "gained_words": with_sign(gained, plus=True),
            "matches": row["matches"],
            "won": row["won"],
        }
        for row in rows
    ]
    return _placed(lines, "gained", viewer)


def months(game, pace):
    """The months in which rated matches ended, by the site's clock, the newest first, as dates."""
    ended = RatedMatch.objects.filter(board__game=game, board__pace=pace)
    zone = timezone.get_default_timezone()
    begun = ended.order_by().datetimes("ended_at", "month", order="DESC", tzinfo=zone)
    return [month.date() for month in begun[:MONTHS]]


def ratings_of(user):
    """[{"game", "slug", "pace", "points", "error", "matches", "provisional"}]: a user's, in the order of games."""
    ratings = Rating.objects.filter(player__user=user).select_related("board")
    order = {game.slug: place for place, game in enumerate(all_games())}
    lines = [
        _figures(rating)
        | {
            "game": game_name(rating.board.game),
            "slug": rating.board.game,
            "pace": Pace(rating.board.pace),
            "order": (order.get(rating.board.game, len(order)), rating.board.pace),
        }
        for rating in ratings
    ]
    return sorted(lines, key=lambda line: line["order"])


def changes_of(match: Match, viewer):
    """What a match did, by its standings: [{"name", "before", "after", "gained", "error"}]; None before it is rated.

    The figures of who hides their ratings are None for others.
    """
    changes = RatingChange.objects.filter(rated=match.pk).select_related("seat__user", "player")
    lines = []
    for change in changes.order_by("seat__finish", "seat__number"):
        before, after = Strength(change.mu_before, change.sigma_before), Strength(change.mu, change.sigma)
        user = change.seat.user
        hidden = change.player.hides_ratings and user != viewer
        lines.append(
            {
                "name": user.username if user else "",
                "before": None if hidden else before.points,
                "after": None if hidden else after.points,
                "gained": None if hidden else with_sign(after.points - before.points, plus=True),
                "error": None if hidden else after.error,
            }
        )
    return lines or None


def _shown():
    return Q(player__hides_ratings=False, player__user__is_active=True)


def _figures(rating):
    strength = Strength(rating.mu, rating.sigma)
    return {
        "points": strength.points,
        "error": strength.error,
        "matches": rating.matches,
        "provisional": rating.matches < PROVISIONAL,
    }


def _line(rating):
    user = rating.player.user
    return _figures(rating) | {"user_id": user.pk, "name": user.username}


def _placed(lines, key, viewer):
    figures = [line[key] for line in lines]
    return [line | {"place": 1 + figures.index(line[key]), "own": line["user_id"] == viewer.pk} for line in lines]


def first_of(text):
    """The first day of a month written as "2026-11", or None. Months that no calendar reaches from here are none."""
    try:
        month = date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
    return month if 1900 <= month.year <= 3000 else None


def hides_ratings(user) -> bool:
    """Whether a user hides their ratings; nobody known hides none."""
    return user.pk is not None and RatedPlayer.objects.filter(user=user, hides_ratings=True).exists()


def set_hides_ratings(user, hides: bool) -> None:
    RatedPlayer.objects.update_or_create(user=user, defaults={"hides_ratings": hides})
