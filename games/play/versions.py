"""The rules that a match began under, by which it is played, replayed and checked for ever.

Another process of the same site may have rules that this one has not, after an update or before it; and a host may take
a game away. A match whose rules are not here is left as it is.
"""

from typing import Protocol

from games.catalog import Rules, find_rules, game_name
from games.play.errors import Refused


class HasRules(Protocol):
    """A match's row, or its snapshot."""

    @property
    def game(self) -> str: ...
    @property
    def rules_version(self) -> int: ...


class MissingRules(Refused):
    """What was asked for takes rules that are not here."""

    status = 409

    def __init__(self, match: HasRules):
        super().__init__(missing_rules(match))


def rules_of(match: HasRules) -> Rules:
    """The rules of a match. Raises MissingRules."""
    rules = find_rules(match.game, match.rules_version)
    if rules is None:
        raise MissingRules(match)
    return rules


def missing_rules(match: HasRules) -> str:
    """What is said of a match whose rules are not here."""
    return (
        f"This match is played by version {match.rules_version} of the rules of {game_name(match.game)}, which this "
        "site does not have now."
    )
