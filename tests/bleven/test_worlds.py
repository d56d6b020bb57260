"""The worlds that the search deals: positions that the seat may be in, the likelier ones more often."""

import random
from itertools import islice

import pytest

from games.bleven.brain import BlevenBrain
from games.bleven.rules.pack import ASCENDING, POWER, VALUES, in_order
from games.bleven.simulation import LEFT
from games.catalog import get_rules
from tests.bleven.positions import LETTER, positions, told, world_of
from tests.bleven.test_bot import DECLARE, STAY, dealt, predicts

rules = get_rules("bleven")


@pytest.mark.whole
def test_worlds_of_the_search_are_positions_that_the_seat_may_be_in():
    for seed, state in enumerate(positions(80, 8)):
        table = rules.view(state, state.to_act)
        for world in islice(BlevenBrain().worlds(table, random.Random(seed)), 10):
            fields = tuple(tuple(ASCENDING[card] for card in field) for field in world.fields)
            same = state._replace(fields=fields, pile=tuple(ASCENDING[card] for card in reversed(world.pile)))
            assert fields == tuple(map(in_order, fields))
            assert rules.view(same, table["seat"]) == table
            assert rules.hidden_from(same, table["seat"]) == rules.hidden_from(state, table["seat"])
            assert told(world) == told(world_of(same))


def mean_sums(state, count=400):
    """The mean sum of each field in the worlds of the seat to act, by seat."""
    table = rules.view(state, state.to_act)
    worlds = list(islice(BlevenBrain().worlds(table, random.Random(1)), count))
    return [
        sum(VALUES[card] for world in worlds for card in world.fields[seat]) / count
        for seat in range(table["seats"])
        if all(world.status[seat] < LEFT for world in worlds)
    ]


@pytest.mark.parametrize("options", [{}, LETTER])
def test_who_predicts_much_is_taken_to_hold_high_cards(options):
    said = [DECLARE, STAY]
    high = mean_sums(dealt("KS KC KD", "7H JH QD", said=[*said, predicts(10, 3, 1, 2, 3)], **options))
    low = mean_sums(dealt("KS KC KD", "7H JH QD", said=[*said, predicts(10, 0)], **options))

    assert high[0] > low[0] + 1.5
    assert high[1] == low[1] == sum(VALUES[POWER[card]] for card in ("7H", "JH", "QD"))


def test_who_threw_a_card_away_is_taken_to_hold_higher_ones():
    draw = {"type": "draw"}
    state = dealt("JS QC KD", "5H 6D JC", said=[draw, {"type": "discard", "card": "JS"}], pile="KS")
    other = dealt("2H QC KD", "5H 6D JC", said=[draw, {"type": "discard", "card": "2H"}], pile="KS")

    assert mean_sums(state)[0] > mean_sums(other)[0] + 1
