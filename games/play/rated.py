"""Rated matches: which tables may be rated, and who may play there."""

from accounts.models import User
from games.catalog import Rules
from games.kit.contract import Options
from games.kit.language import lazy
from games.models import Match
from games.play.errors import NotAllowed, Refused
from games.play.pace import Speed

PEOPLE_ONLY = lazy("This match is rated, so only people can play in it. Choose an unrated table.")


def demand_rateable(user: User | None, speed: Speed, bots: int) -> None:
    """Raise Refused unless `user` may open a rated table at this speed with this many bots."""
    if user is None or user.is_guest or user.is_program:
        raise NotAllowed(lazy("Only members can play rated matches. Sign up, or open the table unrated."))
    if bots:
        raise Refused(lazy("Rated matches are for people only. Remove the bots, or open the table unrated."))
    if not speed.is_timed:
        raise Refused(lazy("Rated matches are played with a clock. Choose another speed, or open the table unrated."))


def demand_standard(rules: Rules, seats: int, options: Options) -> None:
    """Raise Refused unless matches with these options may be rated. options: complete."""
    if not is_standard(rules, seats, options):
        sentence = "Rated matches are played by one of the named sets of rules. Take it unchanged, or play unrated."
        raise Refused(lazy(sentence))


def is_standard(rules: Rules, seats: int, options: Options) -> bool:
    """Return whether the options are the defaults or those of a preset. The match may have any length."""

    def without_length(values: Options) -> Options:
        return {name: value for name, value in values.items() if name not in rules.length_options}

    # With the preset None, all options have their defaults.
    standards = (rules.named_options(seats, preset) for preset in (None, *rules.presets))
    return any(without_length(options) == without_length(standard) for standard in standards)


def demand_rated_player(match: Match, user: User | None) -> None:
    """Raise Refused if a match is rated and `user` may not play rated matches. user: None for a bot."""
    if not match.rated:
        return
    if user is None or user.is_program:
        raise Refused(PEOPLE_ONLY)
    if user.is_guest:
        raise NotAllowed(lazy("This match is rated, so you need an account to join it. Sign up or log in first."))
