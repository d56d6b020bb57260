"""How long things take: the speeds a table may be opened with, and the pauses that let people follow.

All times are seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.conf import settings

from games.catalog import Rules, get_game
from games.kit.language import Lazy, lazy, lazy_count

DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Speed:
    """What a player may spend: `move` on each move and beyond that `reserve` once a match; None is no limit."""

    slug: str
    name: str
    help: str
    move: int | None
    reserve: int | None

    @property
    def timed(self) -> bool:
        return self.move is not None

    @property
    def slow(self) -> bool:
        """Whether nobody has to be there: players have days for each move."""
        return self.move is not None and self.move >= DAY

    def time_left(self, reserve: float, elapsed: float = 0.0) -> float:
        """Seconds left of a move at a timed table, reserve included, after so many; negative when it is overdue."""
        assert self.move is not None
        return self.move + reserve - elapsed


def _clock(move: int, reserve: int) -> Lazy:
    """What a clock gives, in words. move, reserve: seconds."""
    one, many = (
        "{number} second a move, plus {reserve} in reserve",
        "{number} seconds a move, plus {reserve} in reserve",
    )
    return lazy_count(move, one, many, reserve=_span(reserve))


def _span(seconds: int) -> Lazy:
    """ "1 minute", "90 seconds", "2½ minutes"."""
    whole, half = divmod(seconds, 60)
    if half:
        return lazy("{minutes}½ minutes", minutes=whole) if whole > 1 else lazy("{seconds} seconds", seconds=seconds)
    return lazy_count(whole, "{number} minute", "{number} minutes")


SPEEDS = {
    speed.slug: speed
    for speed in (
        Speed("fast", lazy("Fast"), _clock(10, 60), 10, 60),
        Speed("normal", lazy("Normal"), _clock(20, 120), 20, 120),
        Speed("relaxed", lazy("Relaxed"), _clock(45, 300), 45, 300),
        Speed("untimed", lazy("Untimed"), lazy("no clock"), None, None),
        *(
            Speed(
                slug,
                lazy_count(days, "{number} day", "{number} days"),
                lazy_count(days, "{number} day for each move", "{number} days for each move"),
                days * DAY,
                0,
            )
            for slug, days in (("1-day", 1), ("2-days", 2), ("3-days", 3), ("7-days", 7))
        ),
    )
}


def find_speed(slug: str) -> Speed:
    """The speed of that slug; where it is not here, one of that name without limits, to show and not to play by."""
    return SPEEDS.get(slug) or Speed(slug, slug.capitalize(), lazy("not available at the moment"), None, None)


USUAL_CHOICES = 88  # of a player in a match of Oh Hell in full, for which SPEEDS are made
LEAST_RESERVE = 0.5  # of that of SPEEDS, however short a match is


def speed_at(slug: str, rules: Rules | None, seats: int, options: Mapping[str, Any]) -> Speed:
    """The speed of that slug at a table: time for each move as its game asks for, a reserve for so long a match."""
    speed = find_speed(slug)
    if rules is None or speed.slow or not speed.timed:
        return speed
    chosen = rules.format_of(dict(options))
    return _fitted(speed, get_game(rules.slug).pondering, chosen.choices.get(seats) if chosen else None)


@lru_cache(256)
def _fitted(speed: Speed, pondering: float, choices: int | None) -> Speed:
    """choices: of a player in a match; None where nobody knows, and the reserve is the usual one."""
    assert speed.move is not None
    assert speed.reserve is not None
    move, reserve = 5 * round(speed.move * pondering / 5), speed.reserve
    if choices is not None:
        share = max(LEAST_RESERVE, choices * pondering / USUAL_CHOICES)
        reserve = 30 * round(speed.reserve * share / 30)
    return replace(speed, move=move, reserve=reserve, help=_clock(move, reserve))


BOT_PAUSE = 0.5 * settings.PACE  # a bot's move comes this long after the one before it,
BOT_THOUGHT = 0.8 * settings.PACE  # and up to so much later, the harder its choice; on average not half of it
TRICK_PAUSE = 1.1 * settings.PACE  # the finished trick is looked at first
SLOWNESS = 2  # How many times longer pauses are in a guide's match, and where the host wants bots to be slow.
ENTROPY_LIMIT = 10  # a full table waits so long for its browsers' shares in the shuffles

PROGRAM_LIMIT = 30  # for a move of somebody's program at a table without a clock

STAND_IN_AFTER = 2  # moves in a row made for somebody who is not there, until the bot no longer waits for the clock

AWAY_LIMIT = 120  # for which others wait for somebody who is away and whose turn it is, until a bot plays for them,
VOTE_LIMIT = 10  # where they have voted for it: most connections that are lost come back sooner
IDLE_ASK_AFTER = (
    180  # in which who is there thinks without a clock, until all others together may ask whether they play,
)
ANSWER_LIMIT = 60  # for which a bot then waits for their answer,
ASKED_AGAIN_AFTER = 300  # and so long after it nobody asks them again
PAUSE_LIMIT = 15 * 60  # a pause that all have agreed to ends by itself

HEAL_EVERY = 20.0  # how often a process says who is connected, and looks for those of whom none says so
GONE_LIMIT = 3 * HEAL_EVERY  # without being heard of, until a player counts as away
READING_LIMIT = 180  # the same after a page without a socket was asked for: who reads and thinks asks for none

GAP_LIMIT = 2  # Longer without a heartbeat of the site is a gap. Players get that time back.
COME_BACK_LIMIT = 20  # No bot moves for anybody so soon after a gap: browsers need that long to connect again.
GAP_TO_SHOW, SHOW_GAP_FOR = 5, 60  # A table shows a gap at least that long, for that long.
NEGLIGIBLE = 0.001  # A gap shorter than this share of a wait does not lengthen it.

OPEN_LIMIT = 2 * 3600  # a table that nobody starts is closed,
SLOW_OPEN_LIMIT = 7 * DAY  # one at which players have days for each move later
SCHEDULE_LIMIT = 14 * DAY  # no later may a table's start be set
VACATION_DAYS = 21  # a year in which the clocks of slow matches stand still for a player
IDLE_LIMIT = 14 * 24 * 3600  # so is a match that waits for one person without a clock, and is not gone on with


def result_pause(game: str) -> float:
    """For how long the result of a deal stays where several people play, unless all of them go on sooner."""
    return get_game(game).result_time * settings.PACE


def thought_limit(speed: Speed, *, guide: bool) -> float:
    """For how long a bot is seen to think about the hardest choice, beyond its pause: less at a fast table."""
    hurry = min(1.0, speed.move / 20) if speed.move else 1.0
    return BOT_THOUGHT * hurry * (SLOWNESS if guide else 1)
