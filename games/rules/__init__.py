"""The games and their rules. `get_rules` is where every other layer starts."""

from games.rules.base import (
    CHANCE,
    Choice,
    IllegalMove,
    InvalidOptions,
    OptionField,
    Preset,
    Rules,
    UnknownGame,
)
from games.rules.bleven import Bleven
from games.rules.oh_hell import OhHell

__all__ = [
    "CHANCE",
    "Choice",
    "IllegalMove",
    "InvalidOptions",
    "OptionField",
    "Preset",
    "Rules",
    "UnknownGame",
    "all_rules",
    "get_rules",
]

_GAMES = (OhHell(), Bleven())  # in the order they are shown


def all_rules():
    """The rules of every game, a tuple in the order the games are shown."""
    return _GAMES


def get_rules(slug):
    """The rules of the game of that slug. Raises `UnknownGame`."""
    for rules in _GAMES:
        if rules.slug == slug:
            return rules
    raise UnknownGame("There is no such game here.")
