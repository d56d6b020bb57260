"""The fast Bleven against the rules, position by position."""

import random

import pytest

from games.bleven.classes import turn_of as turn_of_table
from games.bleven.policy import turn_of
from games.bleven.simulation import as_plain
from games.catalog import get_rules
from tests.bleven.positions import BETWEEN, positions, told, world_of
from tests.kit.playing import random_move

rules = get_rules("bleven")


def assert_same_to_the_end(state, rng):
    """From this position on the simulation offers the same moves as the rules, and the round is scored the same."""
    world, before = world_of(state), state.totals
    while state.phase not in BETWEEN:
        moves = rules.legal_moves(state)
        assert world.moves() == list(map(as_plain, moves))
        assert told(world) == told(world_of(state))
        assert turn_of(world) == turn_of_table(rules.view(state, state.to_act))
        move = random_move(rules, state, rng)
        state = rules.apply(state, move)
        world.make(as_plain(move))
    assert world.phase is None
    assert world.paid == tuple(after - total for after, total in zip(state.totals, before, strict=True))


def test_simulation_plays_by_the_rules():
    rng = random.Random(1)
    for state in positions(300, 1):
        assert_same_to_the_end(state, rng)


@pytest.mark.whole
@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.thorough)])
def test_simulation_plays_by_the_rules_in_many_positions(count):
    rng = random.Random(2)
    for state in positions(count, 2):
        assert_same_to_the_end(state, rng)


@pytest.mark.whole
def test_simulation_plays_by_the_first_rules_too():
    rng = random.Random(3)
    for state in positions(200, 3, get_rules("bleven", 1)):
        assert_same_to_the_end(state, rng)


def test_a_copy_is_no_part_of_the_position_that_it_is_of():
    rng = random.Random(4)
    for state in positions(40, 4):
        world = world_of(state)
        before = told(world.copy())
        other = world.copy()
        while other.phase:
            other.make(rng.choice(other.moves()))
        assert told(world) == before
