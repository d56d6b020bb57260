"""How long things take: the speeds a table may be opened with, and the pauses that let people follow.

All times are seconds.
"""

from dataclasses import dataclass

from django.conf import settings

from games.catalog import get_game


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

    def time_left(self, reserve: float, elapsed: float = 0.0) -> float:
        """Seconds left of a move at a timed table, reserve included, after so many; negative when it is overdue."""
        assert self.move is not None
        return self.move + reserve - elapsed


SPEEDS = {
    speed.slug: speed
    for speed in (
        Speed("fast", "Fast", "10 seconds a move, plus 1 minute in reserve", 10, 60),
        Speed("normal", "Normal", "20 seconds a move, plus 2 minutes in reserve", 20, 120),
        Speed("relaxed", "Relaxed", "45 seconds a move, plus 5 minutes in reserve", 45, 300),
        Speed("untimed", "Untimed", "no clock", None, None),
    )
}
DEFAULT_SPEED = "normal"


def find_speed(slug: str) -> Speed:
    """The speed of that slug; where it is not here, one of that name without limits, to show and not to play by."""
    return SPEEDS.get(slug) or Speed(slug, slug.capitalize(), "not available at the moment", None, None)


BOT_PAUSE = 0.5 * settings.PACE  # a bot's move comes this long after the one before it,
BOT_THOUGHT = 0.8 * settings.PACE  # and up to so much later, the harder its choice; on average not half of it
TRICK_PAUSE = 1.1 * settings.PACE  # the finished trick is looked at first
GUIDE_SLOWNESS = 2  # so many times longer are the pauses of a guide's match
ENTROPY_LIMIT = 10  # a full table waits so long for its browsers' shares in the shuffles

PROGRAM_LIMIT = 30  # for a move of somebody's program at a table without a clock

STAND_IN_AFTER = 2  # moves in a row made for somebody who is not there, until the bot no longer waits for the clock

HEAL_EVERY = 20.0  # how often a process says who is connected, and looks for those of whom none says so
GONE_LIMIT = 3 * HEAL_EVERY  # without being heard of, until a player counts as away

OPEN_LIMIT = 2 * 3600  # a table that nobody starts is closed
IDLE_LIMIT = 14 * 24 * 3600  # so is a match that waits for one person without a clock, and is not gone on with


def result_pause(game: str) -> float:
    """For how long the result of a deal stays where several people play, unless all of them go on sooner."""
    return get_game(game).result_time * settings.PACE


def thought_limit(speed: Speed, *, guide: bool) -> float:
    """For how long a bot is seen to think about the hardest choice, beyond its pause: less at a fast table."""
    hurry = min(1.0, speed.move / 20) if speed.move else 1.0
    return BOT_THOUGHT * hurry * (GUIDE_SLOWNESS if guide else 1)
