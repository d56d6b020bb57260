"""Rated matches: what may be one, and who may play in it. All else that ratings need follows from the record."""

from accounts.models import User
from games.catalog import Rules
from games.kit.contract import Options
from games.kit.language import lazy
from games.models import Match
from games.play.errors import NotAllowed, Refused
from games.play.pace import Speed

PEOPLE_ONLY = lazy("This match is rated, so only people can play in it. Choose an unrated table.")


def demand_rateable(user: User | None, speed: Speed, bots: int) -> None:
    """Raise Refused unless a table that `user` opens may be rated, whatever its rules."""
    if user is None or user.is_guest or user.is_program:
        raise NotAllowed(lazy("Only members can play rated matches. Sign up, or open the table unrated."))
    if bots:
        raise Refused(lazy("Rated matches are for people only. Remove the bots, or open the table unrated."))
    if not speed.timed:
        raise Refused(lazy("Rated matches are played with a clock. Choose another speed, or open the table unrated."))


def demand_standard(rules: Rules, seats: int, options: Options) -> None:
    """Raise Refused unless matches by these rules may be rated. options: all of them."""
    if not is_standard(rules, seats, options):
        raise Refused(
            lazy("Rated matches are played by one of the named sets of rules. Take it unchanged, or play unrated.")
        )


def is_standard(rules: Rules, seats: int, options: Options) -> bool:
    """Whether a match goes by the rules of a preset, or by the defaults; its length is free."""
    free = rules.length_options
    chosen = {name: value for name, value in options.items() if name not in free}
    return any(
        chosen == {name: value for name, value in rules.named_options(seats, preset).items() if name not in free}
        for preset in (None, *rules.presets)
    )


def demand_rated_player(match: Match, user: User | None) -> None:
    """Raises Refused where `user`, or a bot if it is None, may not sit at a match because that is rated."""
    if not match.rated:
        return
    if user is None or user.is_program:
        raise Refused(PEOPLE_ONLY)
    if user.is_guest:
        raise NotAllowed(lazy("This match is rated, so you need an account to join it. Sign up or log in first."))
