"""What the coach of Bleven says: chances of a field, bluffs, and how often the solved strategy does what."""

import random

import pytest

from games.bleven.mixed import solved_shares
from games.catalog import get_bot, get_game, get_rules
from games.kit import coach
from games.kit.coach import Thought
from tests.bleven.test_bot import DECLARE, DRAW, MIDDLING, PASS, STAY, STRONG, WEAK, dealt, predicts
from tests.kit.test_bots import decisions

rules = get_rules("bleven")
COACH = get_game("bleven").coach


def told(state, move):
    """(the reasons for a move, why a bot made it) in this state."""
    table = rules.view(state, rules.to_act(state))
    return COACH.reasons(table, move), COACH.reason_alone(table, move)


def test_it_says_how_many_tricks_a_field_wins():
    reasons, _ = told(dealt(STRONG, WEAK), DECLARE)

    assert reasons[0] == (
        "Against all that your rival may hold, you win no trick 0% of the time, 1 trick 0%, 2 tricks 0% and all "
        "3 tricks 100%."
    )


def test_it_says_that_a_short_field_takes_no_trick():
    reasons, _ = told(dealt("AH 2D 3C", MIDDLING), DRAW)

    assert reasons == ["Your field adds up to 6, and with less than 15 you take no trick."]


def test_it_calls_a_bluff_a_bluff():
    predicting = dealt(WEAK, MIDDLING, said=[DECLARE, STAY])

    assert told(predicting, predicts(1, 3))[0][1].startswith("It is a bluff: it comes true only about ")
    assert told(predicting, predicts(1, 0))[0][1].startswith("It comes true about ")


def test_of_what_was_predicted_it_says_how_often_that_comes_true():
    hopeless = dealt(MIDDLING, STRONG, said=[DECLARE, STAY, predicts(1, 1)])

    assert told(hopeless, {"type": "suspect"})[0][1] == "The prediction comes true about 0% of the time."


def test_it_says_how_often_the_strategy_does_so():
    always = "With a field like this a perfect player always does this."
    state = dealt(STRONG, WEAK, said=[DECLARE, STAY])
    shares = solved_shares(rules.view(state, 0))

    assert sum(share for _, share in shares) == pytest.approx(1)
    for move, share in shares:
        sentence = told(state, move)[0][-1]
        assert sentence == always if share == 1 else f" {round(100 * share)}% of the time, at random." in sentence


def test_what_the_strategy_would_not_do_is_told_in_stones():
    state = dealt(STRONG, WEAK, said=[DECLARE, STAY])

    reasons, why = told(state, predicts(2, 0))

    assert len(reasons) == 2
    assert why.startswith("By its odds this promised \N{MINUS SIGN}")


@pytest.mark.parametrize("name", ["easy", "hard"])
def test_every_choice_is_told_of(name):
    bot, phases = get_bot("bleven", name), set()
    for state in decisions(rules, 200):
        table, moves = rules.view(state, rules.to_act(state)), rules.legal_moves(state)
        if len(moves) < 2 or (table["phase"], table["seats"]) in phases:
            continue
        phases.add((table["phase"], table["seats"]))
        thought = Thought(table, moves, bot.choose(table, moves, random.Random(1)), [])

        hint, why = coach.hint(COACH, thought), coach.explain(COACH, thought, None)

        assert all(sentence.endswith(".") for sentence in [hint["advice"], *hint["reasons"], why["sentence"]])
        assert [COACH.advice(move) for move in moves[:50]] != [COACH.name(move) for move in moves[:50]]
    assert len(phases) > 9


def test_shares_are_those_that_the_bot_draws_by():
    state = dealt("3C JS KD", WEAK)
    table, moves = rules.view(state, 0), rules.legal_moves(state)
    shares = {move["type"]: share for move, share in solved_shares(table)}
    drawn = [get_bot("bleven", "hard").choose(table, moves, random.Random(seed)) for seed in range(300)]

    assert 0 < shares["declare"] < 1
    assert drawn.count(DECLARE) / 300 == pytest.approx(shares["declare"], abs=0.1)
    assert PASS not in drawn


def contrast(state, made, better):
    return COACH.contrast(rules.view(state, rules.to_act(state)), made, better)


def test_of_two_predictions_the_likelier_one_is_better():
    state = dealt(STRONG, WEAK, said=[DECLARE, STAY])

    assert contrast(state, predicts(2, 0), predicts(2, 3)).startswith("It comes to 3 tricks about ")
    assert contrast(state, predicts(2, 3), predicts(2, 0)) == ""


def test_a_field_is_strong_or_weak_for_a_turn():
    strong, weak = dealt(STRONG, WEAK), dealt(WEAK, STRONG)

    assert contrast(strong, {"type": "draw"}, DECLARE) == "The field is strong enough to declare."
    assert contrast(weak, DECLARE, {"type": "draw"}).startswith("The field ")


def test_of_two_moves_perfect_play_may_never_make_one():
    sentence = "With a field like this a perfect player chooses: drawing a card 100% of the time, declaring never."

    assert contrast(dealt(STRONG, WEAK), DECLARE, DRAW) == sentence
    assert contrast(dealt(STRONG, WEAK), DRAW, DRAW) == ""


def test_of_two_bets_one_promises_more_stones():
    state = dealt(STRONG, WEAK, said=[DECLARE, STAY])

    assert contrast(state, predicts(1, 3), predicts(10, 3)) == (
        "Stones on average by the chances of the field: 10.0 for a bet of 10 stones on 3 tricks, 6.4 for a bet of 1 "
        "stone on 3 tricks."
    )
    assert contrast(state, predicts(10, 3), predicts(1, 3)) == ""
