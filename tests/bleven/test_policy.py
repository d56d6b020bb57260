"""How seats play on in the search: legally, by what they know, by the solved strategy or the rule of thumb."""

import random
from collections import Counter

import pytest

from games.bleven import bot as rule_of_thumb
from games.bleven.mixed import solved_shares
from games.bleven.policy import choose
from games.bleven.rules.pack import ASCENDING
from games.bleven.simulation import as_plain
from games.catalog import get_rules
from tests.bleven.positions import positions, world_of
from tests.bleven.test_bot import DECLARE, STAY, predicts

rules = get_rules("bleven")


@pytest.mark.whole
def test_seats_make_legal_moves():
    rng = random.Random(5)
    for state in positions(400, 5):
        world = world_of(state)
        while world.phase:
            move = choose(world, rng)
            assert move in world.moves()
            world.make(move)


@pytest.mark.whole
def test_seats_go_by_what_they_know():
    """With the hidden cards dealt anew, and the same chances, a seat makes the same move."""
    rng = random.Random(6)
    for number, state in enumerate(positions(400, 6)):
        other = rules.sample(rules.view(state, state.to_act), rng)
        one, two = (choose(world_of(each), random.Random(number)) for each in (state, other))
        assert one == two


@pytest.mark.whole
def test_two_seats_draw_by_the_solved_strategy():
    known = 0
    for seed in range(12):
        deck = random.Random(seed).sample(ASCENDING, 40)
        state = rules.apply(rules.new_match(2, {}), {"type": "deal", "deck": deck})
        for move in (DECLARE, STAY, predicts(4, 2, 1, 2)):
            table = rules.view(state, state.to_act)
            shares = Counter()
            for choice, share in solved_shares(table):
                shares[as_plain(choice)] += share
            rng, world = random.Random(seed), world_of(state)
            chosen = Counter(choose(world, rng) for _ in range(400))

            assert chosen.keys() <= shares.keys()
            assert all(chosen[choice] / 400 == pytest.approx(share, abs=0.1) for choice, share in shares.items())
            known += len(shares) > 1
            if move not in rules.legal_moves(state):
                break
            state = rules.apply(state, move)
    assert known > 5


@pytest.mark.whole
def test_seats_do_about_what_promises_most():
    """Where nothing is solved, by the rule of thumb, whose odds are exact."""
    odd = asked = 0
    for state in positions(400, 7):
        table, moves = rules.view(state, state.to_act), rules.legal_moves(state)
        if table["phase"] in ("turn", "poll", "discard") or table["seats"] == 4 or solved_shares(table):
            continue
        position = rule_of_thumb.read_table(table)
        odds = rule_of_thumb.believed(position, rule_of_thumb.odds_of(position, [position.hand], None)[0])
        promises = {as_plain(move): rule_of_thumb.worth(position, odds, move) for move in moves}
        odd += promises[choose(world_of(state), random.Random(1))] < max(promises.values()) - 2.0
        asked += 1

    assert asked > 40
    assert odd <= asked / 5
