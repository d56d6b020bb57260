"""Speeds of tables, pauses that let people follow the play, and deadlines. All times are in seconds."""

from dataclasses import dataclass, replace
from functools import lru_cache

from django.conf import settings

from games.catalog import Rules, get_game
from games.kit.contract import Options
from games.kit.language import Lazy, lazy, lazy_count

DAY = 24 * 3600


@dataclass(frozen=True, slots=True)
class Speed:
    """The time of a player: `move` for each move, and a `reserve` for the whole match. None means no limit."""

    slug: str
    name: str
    help: str
    move: int | None
    reserve: int | None

    @property
    def is_timed(self) -> bool:
        return self.move is not None

    @property
    def is_slow(self) -> bool:
        """Whether players have days for each move, and need not be present."""
        return self.move is not None and self.move >= DAY

    def time_left(self, reserve: float, elapsed: float = 0.0) -> float:
        """Return the time left for a move at a timed table, reserve included; negative when it is overdue."""
        assert self.move is not None
        return self.move + reserve - elapsed


def _describe_clock(move: int, reserve: int) -> Lazy:
    """Describe a clock: "30 seconds a move, plus 5 minutes in reserve"."""
    one = "{number} second a move, plus {reserve} in reserve"
    many = "{number} seconds a move, plus {reserve} in reserve"
    return lazy_count(move, one, many, reserve=_describe_duration(reserve))


def _describe_duration(seconds: int) -> Lazy:
    """Return a duration in words: "1 minute", "90 seconds" or "2½ minutes". seconds: a multiple of 30."""
    minutes, rest = divmod(seconds, 60)
    if not rest:
        return lazy_count(minutes, "{number} minute", "{number} minutes")
    if minutes > 1:
        return lazy("{minutes}½ minutes", minutes=minutes)
    return lazy("{seconds} seconds", seconds=seconds)


SPEEDS = {
    speed.slug: speed
    for speed in (
        Speed("fast", lazy("Fast"), _describe_clock(10, 60), 10, 60),
        Speed("normal", lazy("Normal"), _describe_clock(20, 120), 20, 120),
        Speed("relaxed", lazy("Relaxed"), _describe_clock(45, 300), 45, 300),
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
    """Return the speed of that slug. If it is not available, return a stand-in to display."""
    return SPEEDS.get(slug) or Speed(slug, slug.capitalize(), lazy("not available at the moment"), None, None)


USUAL_CHOICES = 88  # SPEEDS fit a full match of Oh Hell, in which a player has this many choices.
LEAST_RESERVE = 0.5  # Short matches have at least this share of the reserve.


def speed_at(slug: str, rules: Rules | None, seats: int, options: Options) -> Speed:
    """Return the speed of that slug, with its times fitted to the game of a table and the length of its match.

    rules: of the game; None if they are not available. options: of the match; they include its length.
    """
    speed = find_speed(slug)
    has_clock_in_seconds = speed.is_timed and not speed.is_slow  # Days for a move are enough in any game.
    if rules is None or not has_clock_in_seconds:
        return speed
    match_format = rules.format_of(dict(options))  # A damaged row may have an empty list of options.
    # How many of a player's moves are a real choice, in a match of this length with that many seats.
    choices = match_format.choices.get(seats) if match_format else None
    return _fit_to_game(speed, get_game(rules.slug).pondering, choices)


@lru_cache(256)
def _fit_to_game(speed: Speed, pondering: float, choices: int | None) -> Speed:
    """Return a speed with its times fitted to a game, because the times of SPEEDS fit a full match of Oh Hell.

    A player has `move` seconds for each move, and a `reserve` of further seconds for the whole match. They are rounded
    to multiples of 5 and 30. pondering: how long a move of the game takes, compared to a move of Oh Hell. choices: how
    many moves with a choice a player has in a match; None if unknown, and then the reserve stays.
    """
    assert speed.move is not None
    assert speed.reserve is not None
    move = 5 * round(speed.move * pondering / 5)
    reserve = speed.reserve
    if choices is not None:
        share = max(LEAST_RESERVE, choices * pondering / USUAL_CHOICES)
        reserve = 30 * round(speed.reserve * share / 30)
    return replace(speed, move=move, reserve=reserve, help=_describe_clock(move, reserve))


BOT_PAUSE = 0.5 * settings.PACE  # At least this long between a move and the bot's move after it.
BOT_THOUGHT = 0.8 * settings.PACE  # The longest addition to that pause, for hard choices. The mean is below half.
TRICK_PAUSE = 1.1 * settings.PACE  # For players to see a finished trick.
SLOWNESS = 2  # Pauses are this many times longer in guides, and if the host wants slow bots.
ENTROPY_LIMIT = 10  # A full table waits this long for its browsers' shares in the shuffles.

PROGRAM_LIMIT = 30  # For a program's move at a table without a clock.

STAND_IN_AFTER = 2  # After this many missed turns in a row, the stand-in no longer waits for the clock.

AWAY_LIMIT = 120  # The others wait this long for an absent player to act. Then a bot plays for them.
VOTE_LIMIT = 10  # The same after a vote for a stand-in. Most lost connections are back sooner.
IDLE_ASK_AFTER = 180  # Without a clock, others may ask after this long whether a present player still plays.
ANSWER_LIMIT = 60  # The player has this long to answer. Then a bot plays for them.
ASKED_AGAIN_AFTER = 300  # After an answer, nobody may ask again for this long.
PAUSE_LIMIT = 15 * 60  # A pause lasts no longer than this.

HEAL_EVERY = 20.0  # How often a process confirms its connected players, and looks for players that no process has.
GONE_LIMIT = 3 * HEAL_EVERY  # A player without confirmation for this long counts as away.
READING_LIMIT = 180  # The same for pages without a socket, which confirm only when they are loaded.

GAP_LIMIT = 2  # Longer without a heartbeat of the site is a gap. Players get that time back.
COME_BACK_LIMIT = 20  # No bot stands in for a player this soon after a gap: browsers need the time to reconnect.
GAP_TO_SHOW, SHOW_GAP_FOR = 5, 60  # A table shows a gap of at least the first for as long as the second.
NEGLIGIBLE = 0.001  # A gap shorter than this share of a wait does not lengthen it.

OPEN_LIMIT = 2 * 3600  # A table that nobody starts is closed after this long.
SLOW_OPEN_LIMIT = 7 * DAY  # The same for tables with days for each move.
SCHEDULE_LIMIT = 14 * DAY  # A start may be set at most this far ahead.
VACATION_DAYS = 21  # For each calendar year.
IDLE_LIMIT = 14 * DAY  # A match that waits for one person without a clock is closed after this long.


def result_pause(game: str) -> float:
    """Return how long the result of a deal is shown if several people play and not all go on sooner."""
    return get_game(game).result_time * settings.PACE


def thought_limit(speed: Speed, *, guide: bool) -> float:
    """Return how long a bot seems to think about the hardest choice, after its pause: less at fast tables."""
    share = min(1.0, speed.move / 20) if speed.move else 1.0  # Bots hurry where a move has less than 20 seconds.
    return BOT_THOUGHT * share * (SLOWNESS if guide else 1)
