"""How long matches take: as long as they took on this site, or, where too few were played, as the game's rules say.

What was played is looked at by pages, once an hour, and remembered: what sockets push asks no database.
"""

import time
from statistics import median

from django.db.models import Exists, OuterRef

from games.catalog import all_games
from games.models import Match, Seat, counting

LATEST = 500  # finished matches that are looked at
ENOUGH = 10  # of them, of one kind
KEPT = 3600  # seconds

_played = {}  # {(game, seats, slug of the format): minutes} of what was played here often enough of late
_looked_at = None  # time.monotonic()


def minutes_of(rules, seats, chosen):
    """About how many minutes a match for so many takes, as people say it; None where nobody knows.

    chosen: the Format, or None for a match whose length has no name.
    """
    if chosen is None:
        return None
    minutes = _played.get((rules.slug, seats, chosen.slug), chosen.minutes.get(seats))
    return None if minutes is None else in_round_figures(minutes)


def in_round_figures(minutes):
    """Minutes as people say them: 7, 15, 20."""
    return max(1, round(minutes)) if minutes < 12.5 else 5 * round(minutes / 5)


def refresh():
    """Look at what was played, unless that was done a short while ago."""
    global _played, _looked_at
    if _looked_at is None or time.monotonic() - _looked_at > KEPT:
        _played, _looked_at = _measured(), time.monotonic()


def forget():
    """As if nothing had been looked at, for tests."""
    global _played, _looked_at
    _played, _looked_at = {}, None


def _measured():
    people = Seat.objects.filter(match=OuterRef("pk"), user__is_program=False, left_at=None)
    finished = Match.objects.filter(counting(), status=Match.Status.OVER).annotate(with_people=Exists(people))
    rows = finished.order_by("-id").values_list(
        "game", "seat_count", "options", "started_at", "ended_at", "with_people"
    )[:LATEST]
    games = {game.slug: game.newest for game in all_games()}
    minutes = {}
    for game, seats, options, started_at, ended_at, with_people in rows:
        if not (with_people and started_at and game in games and isinstance(options, dict)):
            continue
        if chosen := games[game].format_of(options):
            lasted = (ended_at - started_at).total_seconds() / 60
            minutes.setdefault((game, seats, chosen.slug), []).append(lasted)
    return {kind: median(found) for kind, found in minutes.items() if len(found) >= ENOUGH}
