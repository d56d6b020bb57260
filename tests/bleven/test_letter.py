"""The hard bot of Bleven to the letter: it draws on, fears drawn fields, raises by belief, and simple plans lose."""

import random
from statistics import mean

import pytest

from games.bleven import bot as rule_of_thumb
from games.bleven.coach import ANALYST
from games.bleven.letter import LetterBot, best_believed, beyond_ready
from games.bleven.pairs import odds_of
from games.bleven.policy import choose
from games.catalog import get_bot, get_rules
from games.kit.arena import Pairing, contest
from tests.bleven.plans import PLANS
from tests.bleven.positions import LETTER, world_of
from tests.bleven.test_bot import DECLARE, DRAW, MIDDLING, STAY, STRONG, WEAK, dealt, predicts

rules = get_rules("bleven")


def chosen(state, level="hard"):
    return get_bot("bleven", level).choose(
        rules.view(state, rules.to_act(state)), rules.legal_moves(state), random.Random(1)
    )


def drawn_out(rounds):
    """The state in which the cutter is to act, all having so many discards: each threw away what it drew."""
    state = dealt(MIDDLING, WEAK, **LETTER)
    for _ in range(2 * rounds):
        state = rules.apply(rules.apply(state, DRAW), {"type": "discard", "card": state.pile[0]})
    return state


@pytest.mark.parametrize("discards", [0, 5, 8])
def test_middling_field_draws_on_as_long_as_there_is_a_pile(discards):
    state = drawn_out(discards)

    assert chosen(state) == DRAW
    assert choose(world_of(state), random.Random(1))[0] == "draw"


def test_at_the_last_call_less_is_enough_to_declare():
    even, likely = [0.5] + [0.0] * 6 + [0.5], [0.3] + [0.0] * 6 + [0.7]

    assert beyond_ready(even, 30, may_draw=False) < 0
    assert beyond_ready(likely, 30, may_draw=True) < 0 < beyond_ready(likely, 30, may_draw=False)


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_sure_field_is_declared_and_bets_all_so_that_nothing_can_be_raised(level):
    assert chosen(dealt(STRONG, WEAK, **LETTER), level) == DECLARE
    assert chosen(dealt(STRONG, WEAK, said=[DECLARE, STAY], **LETTER), level) == predicts(30, 3, 1, 2, 3)


def test_prediction_of_many_tricks_is_believed_with_all_the_room():
    state = dealt(MIDDLING, "JS QC KH", said=[DECLARE, STAY, predicts(4, 2, 2, 3)], **LETTER)

    assert chosen(state) == {"type": "deduce", "plus": 26}


def test_best_prediction_counts_what_is_lost_when_it_fails():
    all_three = [0.0] * 7 + [1.0]
    mostly = [0.2] + [0.0] * 6 + [0.8]

    assert best_believed(all_three, 30) == (21.0, (3, (1, 2, 3)))
    assert best_believed(mostly, 30)[0] == pytest.approx(0.8 * 21 - 0.2 * 30)


def test_rivals_are_feared_the_more_they_have_drawn():
    position = rule_of_thumb.read_table(rules.view(dealt(STRONG.replace("K", "Q"), WEAK, **LETTER), 0))
    worths = []
    for discards in (0, 2, 5):
        rivals = (position.rivals[0]._replace(discards=discards),)
        (odds,) = odds_of(position._replace(rivals=rivals), [position.hand], random.Random(1), 1)
        assert sum(odds) == pytest.approx(1)
        worths.append(best_believed(odds, 30)[0])

    assert worths == sorted(worths, reverse=True)


def test_analysis_goes_by_what_the_hard_bot_does():
    state = dealt(STRONG, WEAK, said=[DECLARE, STAY], **LETTER)
    table, moves = rules.view(state, 0), rules.legal_moves(state)

    assert isinstance(ANALYST.brain(table).rule_of_thumb(table), LetterBot)
    assert not ANALYST.agrees(table, moves, predicts(30, 3, 1, 2, 3), predicts(1, 3, 1, 2, 3))


@pytest.mark.whole
@pytest.mark.parametrize("seats, sets", [(2, 20), (4, 8)])
def test_who_draws_as_long_as_one_may_wins_less_than_half(seats, sets):
    """It won three matches of four before hard drew on too. Small errors: tests/benchmarks/bleven_probes.py."""
    plan = PLANS["draw as long as one may"]
    pairing = Pairing(rules, seats, LETTER, plan, get_bot("bleven", "hard"))

    results = [result for seed in range(sets) for result in contest(pairing, f"letter:{seed}")]

    assert mean(result.place == 1 for result in results) < 0.5
