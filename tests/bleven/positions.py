"""Positions of Bleven to look at, and the worlds that they are in the simulation."""

from games.bleven.simulation import read_world, with_hidden_cards
from games.catalog import get_rules
from tests.kit import playing

rules = get_rules("bleven")
BETWEEN = ("deal", "over")
LETTER = rules.find_preset("letter").options


def positions(count, seed, played_by=rules):
    """Random states in which somebody is to act."""
    return playing.positions(played_by, count, seed, lambda state: state.phase not in BETWEEN, 40)


def world_of(state):
    """The `World` of this very state."""
    return with_hidden_cards(read_world(rules.view(state, state.to_act)), state)


def told(world):
    """All that there is of a world."""
    return {name: getattr(world, name) for name in world.__slots__}
