"""The levels of Bleven: the solved strategy is whole, its players mix and bluff, and simple plans don't profit."""

import random
from collections import Counter
from itertools import combinations, product
from statistics import mean

import pytest

from games.bleven import bot as rule_of_thumb
from games.bleven import mixed
from games.bleven.classes import (
    CLASSES,
    EPOCHS,
    LETTERS,
    PREDICTIONS,
    TURN_COUNT,
    answers,
    class_of,
    most_similar,
    nearest,
    openings,
)
from games.bleven.pairs import drawn_fields, odds_of
from games.bleven.prospects import early_odds
from games.bleven.rules.pack import ASCENDING
from games.bleven.rules.state import Prediction
from games.bleven.simulation import RoundOptions, as_plain
from games.catalog import get_bot, get_rules, levels_of
from games.kit.arena import Pairing, contest
from tests.bleven.plans import PLANS
from tests.bleven.test_bot import DECLARE, DRAW, STAY, dealt, predicts
from tests.kit.test_bots import decisions

rules = get_rules("bleven")
STAKES = [mixed.Stakes(*each) for each in product(mixed.SOLVED_STAKES, mixed.SOLVED_COSTS, ("nothing", "bet"))]


def choices(name, state, times=200):
    """How often a bot does what in this state, by its type; predictions by their tricks."""
    table, moves = rules.view(state, rules.to_act(state)), rules.legal_moves(state)
    chosen = [get_bot("bleven", name).choose(table, moves, random.Random(seed)) for seed in range(times)]
    return Counter(move.get("tricks", move["type"]) for move in chosen)


# The table


def test_levels_are_offered():
    assert list(levels_of("bleven")) == ["easy", "normal", "hard"]


@pytest.mark.parametrize("stakes", STAKES)
def test_every_field_has_a_place_in_the_table(stakes):
    found = {class_of(field) for field in combinations(range(40), 3)}

    assert found == set(mixed.solution(stakes)["classes"])
    assert max(found) < CLASSES


@pytest.mark.parametrize("stakes", STAKES)
def test_table_says_for_every_class_what_may_be_done(stakes):
    solution = mixed.solution(stakes)
    assert {"turn", "poll", "predict"} < solution["nodes"].keys()
    for path, by_turn in solution["nodes"].items():
        count = len(choices_of(path, stakes.most))
        assert len(by_turn) in (1, len(EPOCHS), TURN_COUNT)
        for text in by_turn:
            words = text.split(" ")
            assert len(words) == len(solution["classes"])
            for word in words:
                assert {LETTERS.index(letter) for letter in word[::2]} <= set(range(count)), path
                assert len(word) == 1 or word[1::2].isdigit()


def choices_of(path, most):
    """What may be chosen at a node of the table, of this name. most: the most stones at stake."""
    kind, *names = path.split(" ")
    if kind == "predict":
        return openings(most)
    if kind != "reply":
        return "two"
    bet, _, words = names[-1].partition(":")
    tricks, _, positions = words.partition("@")
    return answers(int(bet), Prediction(int(tricks), tuple(map(int, positions))), most)


@pytest.mark.parametrize("stakes", STAKES)
def test_every_opening_has_its_answers(stakes):
    names = {f"reply {mixed.name_of(*opening)}" for opening in openings(stakes.most)}

    assert names <= mixed.solution(stakes)["nodes"].keys()


@pytest.mark.parametrize("most, solved", [(4, 4), (6, 4), (7, 10), (10, 10), (17, 10), (18, 30), (30, 30)])
def test_similar_stakes_have_the_same_strategy(most, solved):
    options = RoundOptions.of(2, rules.clean_options(2, {"max_bet": most, "leave_cost": 3}))

    assert mixed.most_similar_stakes(options) == (solved, 4, "nothing")
    for bet, prediction in openings(most):
        replies = mixed.strategy("reply", ((bet, prediction),), 0, options)
        for choices, _ in replies.values():
            assert set(choices) <= set(answers(bet, prediction, most))


def test_odd_predictions_are_taken_for_those_of_the_table():
    assert most_similar(Prediction(2, (1,))) in ((2, (1, 2)), (2, (1, 3)))
    assert most_similar(Prediction(3, (2, 3))) == (3, (1, 2, 3))
    assert all(most_similar(prediction) == prediction for prediction in PREDICTIONS)
    assert [nearest(bet, 10) for bet in (1, 3, 6, 8, 10)] == [1, 4, 4, 10, 10]


# Play


def test_best_field_predicts_everything():
    assert choices("hard", dealt("KD KC KS", "5H 5D 5C", said=[DECLARE, STAY])).keys() == {3}


def test_sure_loser_goes_out():
    state = dealt("KS KC KD", "5H 5D 5C", said=[DECLARE, STAY, predicts(10, 3, 1, 2, 3)])

    assert choices("hard", state)["out"] > 150


def test_prediction_that_cannot_come_true_is_called():
    state = dealt("5H 5D 5C", "KS KC KD", said=[DECLARE, STAY, predicts(10, 3, 1, 2, 3)])

    assert "out" not in choices("hard", state)


@pytest.mark.whole
def test_fields_are_played_now_one_way_now_another():
    mixed_up = 0
    for seed in range(40):
        deck = random.Random(seed).sample(ASCENDING, 40)
        state = rules.apply(rules.new_match(2, {}), {"type": "deal", "deck": deck})
        if DECLARE in rules.legal_moves(state):
            state = rules.apply(rules.apply(state, DECLARE), STAY)
            table, moves = rules.view(state, 0), rules.legal_moves(state)
            bot = get_bot("bleven", "hard")
            mixed_up += len({str(bot.choose(table, moves, random.Random(each))) for each in range(20)}) > 1

    assert mixed_up >= 3


@pytest.mark.whole
def test_bluffs_happen():
    bluffs = 0
    for seed in range(300):
        deck = random.Random(seed).sample(ASCENDING, 40)
        state = rules.apply(rules.new_match(2, {}), {"type": "deal", "deck": deck})
        if DECLARE not in rules.legal_moves(state):
            continue
        state = rules.apply(rules.apply(state, DECLARE), STAY)
        table = rules.view(state, 0)
        move = get_bot("bleven", "hard").choose(table, rules.legal_moves(state), random.Random(seed))
        position = rule_of_thumb.read_table(table)
        (odds,) = rule_of_thumb.odds_of(position, [position.hand], None)
        right = sum(chance * comes for chance, comes in zip(odds, rule_of_thumb.IS_RIGHT[move["tricks"]], strict=True))
        bluffs += right < 0.35

    assert bluffs >= 5


def test_hard_bot_of_four_leaves_what_the_rule_of_thumb_plays():
    state = dealt("7H 7D JC", "4H 5D 6C", "JD QC KH", "4D 5S 6H", said=[DECLARE])

    assert set(choices("hard", state, 20)) == {"leave"}
    assert set(choices("sensible-1", state, 20)) == {"stay"}


def test_hard_bot_of_four_doubts_all_tricks_with_all_the_room():
    state = dealt("7H 7D JC", "JD QC KH", "4H 5D 6C", "4D 5S 6H", said=[DECLARE, STAY, STAY, STAY, predicts(4, 3)])
    table, moves = rules.view(state, 1), rules.legal_moves(state)

    assert get_bot("bleven", "hard").choose(table, moves, random.Random(1)) == {"type": "suspect", "plus": 6}


def drawn_out(seats, seed):
    """A state in which the cutter's reserve is full and nobody has said anything."""
    deck = random.Random(seed).sample(ASCENDING, 40)
    state = rules.apply(rules.new_match(seats, {}), {"type": "deal", "deck": deck})
    while DRAW in (moves := rules.legal_moves(state)) or state.phase == "discard":
        state = rules.apply(state, DRAW if DRAW in moves else moves[0])  # the lowest card goes
    return state


def test_strategy_knows_what_to_do_with_a_full_reserve():
    spoken = set()
    for seed in range(40):
        state = drawn_out(2, seed)
        first = {move["type"] for move, _ in mixed.solved_shares(rules.view(state, 0))}
        assert first <= {"declare", "stay"}
        state = rules.apply(state, STAY)
        second = {move["type"] for move, _ in mixed.solved_shares(rules.view(state, 1))}
        assert second <= {"declare", "leave"}
        spoken |= first | second

    assert spoken >= {"declare", "stay"}


def test_fields_are_stronger_the_more_was_drawn():
    promises = []
    for fields in drawn_fields():
        assert all(field == tuple(sorted(set(field))) and len(field) == 3 for field in fields)
        promises.append(mean(rule_of_thumb.best_points(early_odds(field, True, 2)) for field in fields[:300]))

    assert promises == sorted(promises)


def test_hard_bot_of_four_thinks_less_of_a_field_the_more_others_have_drawn():
    position = rule_of_thumb.read_table(rules.view(dealt("7H JD QC", "4H 5D 6C", "JS QH KD", "4D 5S 6H"), 0))
    promises = []
    for discards in range(6):
        others = tuple(rival._replace(discards=discards) for rival in position.others if not rival.is_partner)
        (odds,) = odds_of(position._replace(others=others), [position.hand], random.Random(1), 400)
        promises.append(rule_of_thumb.best_points(odds))

    assert promises[0] > promises[2] > promises[5]


def test_where_nothing_was_solved_the_rule_of_thumb_plays():
    state = dealt("7H 7D JC", "JS QH KD", said=[DECLARE], deduced_miss="bet", five="may")

    assert choices("hard", state, 20) == choices("sensible-1", state, 20)


def test_hard_bot_raises_by_believing_where_believing_can_win_the_bet():
    state = dealt("5H JD QD", "4H QS KS", said=[DECLARE, STAY, predicts(1, 3)], deduced_miss="bet")

    assert get_bot("bleven", "hard").choose(rules.view(state, 1), rules.legal_moves(state), random.Random(1)) == {
        "type": "deduce",
        "plus": 9,
    }


def test_easy_makes_no_choice_that_is_much_worse_than_the_best():
    for state in decisions(rules, 60):
        table, moves = rules.view(state, rules.to_act(state)), rules.legal_moves(state)
        if len(moves) > 1 and table["seats"] == 2 and table["phase"] in ("predict", "reply", "raise", "side_bet"):
            move = get_bot("bleven", "easy").choose(table, moves, random.Random(1))
            position = rule_of_thumb.read_table(table)
            odds = rule_of_thumb.adjust_for_claim(
                position.world, rule_of_thumb.odds_of(position, [position.hand], None)[0]
            )
            promises = {
                str(each): rule_of_thumb.expected_stones(position.world, odds, as_plain(each)) for each in moves
            }

            assert promises[str(move)] >= max(promises.values()) - get_bot("bleven", "easy").tolerance


# Strength. Figures with small errors come from tests/benchmarks/bleven_probes.py and bot_strength.py.


def share_won(bot, rival, seats, sets):
    pairing = Pairing(rules, seats, {}, bot, rival)
    results = [result for seed in range(sets) for result in contest(pairing, f"probe:{seed}")]
    return mean(result.place == 1 for result in results)


@pytest.mark.thorough
@pytest.mark.parametrize("plan", PLANS.values(), ids=list(PLANS))
def test_no_simple_plan_profits(plan):
    assert share_won(plan, get_bot("bleven", "hard"), 2, 40) <= 0.6


@pytest.mark.thorough
@pytest.mark.parametrize(
    "weaker, stronger, seats",
    [("sensible-1", "hard", 2), ("easy", "hard", 2), ("easy", "normal", 2), ("sensible-1", "hard", 4)],
)
def test_levels_are_in_order(weaker, stronger, seats):
    assert share_won(get_bot("bleven", stronger), get_bot("bleven", weaker), seats, 60) >= 0.45
