"""The odds by which seats play on: near those of the rule of thumb, and exact where they can be counted."""

import random
from itertools import combinations

import pytest

from games.bleven import bot as rule_of_thumb
from games.bleven.prospects import company, late_odds, prospect
from games.bleven.simulation import OUT
from games.catalog import get_rules
from tests.bleven.positions import world_of
from tests.bleven.test_bot import DECLARE, DEDUCE, STAY, dealt, predicts

rules = get_rules("bleven")


@pytest.mark.parametrize("fields", [("5H 7S KD", "6H JC QH"), ("5H 7S KD", "6H JC QH", "4S 6S 7C", "3D QD JH")])
def test_odds_before_the_tricks_are_near_those_of_the_rule_of_thumb(fields):
    state = dealt(*fields)
    position = rule_of_thumb.read_table(rules.view(state, 0))
    (odds,) = rule_of_thumb.odds_of(position, [position.hand], random.Random(1), 2000)
    world = world_of(state)

    assert prospect(world.fields[0], *company(world, 0)).odds == pytest.approx(odds, abs=0.12)


@pytest.mark.parametrize("played", [1, 2])
def test_odds_after_a_trick_count_all_higher_cards(played):
    state = dealt("5H 7S KD", "6H JC QH", said=[DECLARE, STAY, predicts(1, 2), DEDUCE])
    world = world_of(state)
    world.played, world.won = played, 0
    low = world.fields[1][played - 1]
    counts = [0] * 8
    for cards in combinations(range(low + 1, 40), 3 - played):
        for place, card in enumerate(cards):
            counts[1 << played + place] += world.fields[0][played + place] > card
    fields = len(list(combinations(range(low + 1, 40), 3 - played)))

    odds = late_odds(world, 0)

    for place in range(played, 3):
        chance = sum(share for won, share in enumerate(odds) if won >> place & 1)
        assert chance == pytest.approx(counts[1 << place] / fields)
    assert sum(odds) == pytest.approx(1)


@pytest.mark.parametrize("playing", [False, True])
def test_partners_may_win_what_the_own_card_does_not(playing):
    fields = ["5H 6D 7C", "6H 7D KH", "AS JS KS", "5S 7H QC"]
    state = dealt(*fields, said=[DECLARE, STAY, STAY, STAY, predicts(1, 2), DEDUCE])
    world = world_of(state)
    assert world.played == 1
    if not playing:
        world.status[2] = OUT

    chance = sum(share for won, share in enumerate(late_odds(world, 0)) if won >> 2)

    assert chance < 0.05 or playing
    assert chance > 0.1 or not playing
