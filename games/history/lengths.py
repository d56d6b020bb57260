"""How long matches take: the median on this site, or the figures of the rules where too few have been played.

Pages refresh the medians once an hour and keep them in memory, so that drawing a table needs no query.
"""

import time
from statistics import median

from django.db.models import Exists, OuterRef

from games.catalog import Rules, all_games
from games.kit.contract import Format
from games.models import Match, Seat, counting

SAMPLE = 500  # The latest finished matches that are measured.
ENOUGH = 10  # Matches of one kind that make a median.
REFRESH_INTERVAL = 3600  # seconds

type Kind = tuple[str, int, str]  # game, number of seats, slug of the format

_medians: dict[Kind, float] = {}  # In minutes.
_refreshed_at: float | None = None  # In seconds of time.monotonic().


def minutes_of(rules: Rules, seats: int, format: Format | None) -> int | None:
    """Return about how many minutes a match takes, rounded, or None if that is unknown.

    It is the median of recent matches if there are enough of them, and otherwise an estimate in the game. format: how
    long the match is, such as one to 501 points; None if its options fit no format of the game.
    """
    if format is None:
        return None
    minutes = _medians.get((rules.slug, seats, format.slug), format.minutes.get(seats))
    return None if minutes is None else round_minutes(minutes)


def round_minutes(minutes: float) -> int:
    """Round minutes as people do: 7, 15, 20."""
    return max(1, round(minutes)) if minutes < 12.5 else 5 * round(minutes / 5)


def refresh() -> None:
    """Measure the latest matches again, at most once per `REFRESH_INTERVAL`."""
    global _medians, _refreshed_at
    if _refreshed_at is None or time.monotonic() - _refreshed_at > REFRESH_INTERVAL:
        _medians, _refreshed_at = _measure(), time.monotonic()


def forget() -> None:
    """Drop all medians. For tests."""
    global _medians, _refreshed_at
    _medians, _refreshed_at = {}, None


def _measure() -> dict[Kind, float]:
    """Return the median minutes of the latest matches with people, by game, number of seats and format.

    A format is a length of match with a name. Groups of fewer than ENOUGH matches are left out.
    """
    people = Seat.objects.filter(match=OuterRef("pk"), user__is_program=False, left_at=None)
    finished = Match.objects.filter(counting(), status=Match.Status.OVER).annotate(with_people=Exists(people))
    rows = finished.order_by("-id").values_list(
        "game", "seat_count", "options", "started_at", "ended_at", "with_people"
    )[:SAMPLE]
    games = {game.slug: game.newest for game in all_games()}
    minutes: dict[Kind, list[float]] = {}
    for game, seats, options, started_at, ended_at, with_people in rows:
        is_readable = game in games and isinstance(options, dict)
        if not (with_people and started_at and is_readable):
            continue
        if format := games[game].format_of(options):
            duration = (ended_at - started_at).total_seconds() / 60
            minutes.setdefault((game, seats, format.slug), []).append(duration)
    return {kind: median(durations) for kind, durations in minutes.items() if len(durations) >= ENOUGH}
