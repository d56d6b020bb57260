"""Positions of Bleven to look at, and the worlds that they are in the simulation."""

import random
from itertools import islice

from games.bleven.simulation import filled, read_world
from games.catalog import get_rules
from tests.kit.playing import played_on, random_options

rules = get_rules("bleven")
BETWEEN = ("deal", "over")
LETTER = rules.find_preset("letter").options


def positions(count, seed, played_by=rules):
    """Random states in which somebody is to act, as many of each number of seats."""
    rng = random.Random(seed)
    pools = {}
    for number in range(count):
        seats = played_by.seat_counts[number % len(played_by.seat_counts)]
        if not number % 40:
            pools = {}
        if seats not in pools:
            start = played_by.new_match(seats, random_options(played_by, seats, rng))
            pools[seats] = [
                state for state, _, _ in islice(played_on(played_by, start, rng), 400) if state.phase not in BETWEEN
            ]
        yield rng.choice(pools[seats])


def world_of(state):
    """The `World` of this very state."""
    return filled(read_world(rules.view(state, state.to_act)), state)


def told(world):
    """All that there is of a world."""
    return {name: getattr(world, name) for name in world.__slots__}
