"""What version 2 of the rules brought, in the order of the rules page. E17 to E31 are its worked examples."""

import pytest

from games.bleven.rules.state import POSITIONS
from tests.bleven.shorthand import (
    A,
    B,
    at_round,
    dealt,
    draw_and_discard,
    four,
    of_type,
    paid,
    passed,
    play,
    refusal,
    row,
    rules,
    shown,
    start,
    two,
    void,
    won_by_second,
)


def with_fields(fields, **options):
    """Two seats with these fields: seat 0 has declared, seat 1 stays."""
    return play(dealt(start(**options), *fields), "declare", "stay")


def counters(state):
    """What a replier may say for a new prediction: a set of (plus, tricks, positions)."""
    said = [
        {
            (answer["plus"], answer["tricks"], tuple(answer.get("positions", ())))
            for answer in of_type(state, kind)
            if "tricks" in answer
        }
        for kind in ("deduce", "suspect")
    ]
    assert said[0] == said[1]
    return said[0]


def predictions(least):
    """All predictions of at least so many tricks, as pairs."""
    return {(tricks, positions) for tricks in range(least, 4) for positions in POSITIONS[tricks]}


# Leaving


def test_leaving_and_going_out_cost_what_was_agreed():
    """E17."""
    declared = play(dealt(start(leave_cost=3), *A), "declare")
    assert paid(play(declared, "leave")) == [(0, 3, "round")]
    assert paid(play(declared, "stay", "predict 4 1 -", "out")) == [(0, 3, "round"), (0, 1, "out")]

    of_four = dealt(start(4, leave_cost=3), "5D 7D QD", "4D 6D JD", "5C 7C QC", "4C 6C JC")
    assert paid(play(of_four, "declare", "leave", "stay", "leave")) == [(0, 6, "round")]
    both_out = play(four(leave_cost=3), "predict 4 1 -", "out", "out")
    assert paid(both_out) == [(0, 6, "round"), (0, 2, "out")]


def test_being_short_of_fifteen_costs_the_same():
    """E18."""
    state = with_fields(("JC QD KS", "2C 4D 7S"), leave_cost=4)

    ended = passed(play(state, "predict 4 3 -", "suspect"))

    assert row(ended)["result"] == "under15"
    assert paid(ended) == [(0, 6, "points"), (0, 4, "round"), (0, 4, "bet")]


# Counter-predictions


def test_any_stones_make_a_counter_prediction():
    """E19."""
    state = play(two(counter="any"), "predict 6 2 2")

    assert counters(state) == {(plus, *said) for plus in range(1, 5) for said in predictions(2)}
    topped = play(state, "suspect 1 2 -")
    assert shown(topped, "declarer", "prediction") == [1, {"tricks": 2, "positions": []}]
    assert rules.view(topped, None)["bet"] == {"accepted": 0, "offered": 7, "side_bets": 0, "room": 3}

    high = play(two(counter="any"), "predict 9 2 12")
    assert counters(high) == {(1, *said) for said in predictions(2)}


@pytest.mark.parametrize(
    ("prediction", "count"), [("0 -", 19), ("2 -", 14), ("2 2", 11), ("2 12", 8), ("3 12", 1), ("3 123", 0)]
)
def test_without_room_a_counter_prediction_says_more_for_no_stone(prediction, count):
    """E20."""
    state = play(two(counter="any"), f"predict 10 {prediction}")

    assert len(counters(state)) == count
    assert {plus for plus, _, _ in counters(state)} <= {0}
    assert not [answer for answer in of_type(state, "deduce") if "plus" in answer and "tricks" not in answer]
    assert counters(play(two(counter="double"), f"predict 10 {prediction}")) == set()
    if prediction == "3 12":
        assert counters(state) == {(0, 3, (1, 2, 3))}


def test_the_longest_auction_ends():
    """E21."""
    state = play(two(counter="any", max_bet=4), "predict 1 0 -")
    for said in ("1 0 -", "1 0 -", "1 0 -", "0 1 -", "0 1 1", "0 2 -", "0 2 1", "0 2 12", "0 3 -", "0 3 1", "0 3 12"):
        state = play(state, f"suspect {said}")
    state = play(state, "deduce 0 3 123")

    assert counters(state) == set()
    assert rules.view(state, None)["bet"]["offered"] == 4


def test_a_counter_prediction_after_a_trick_stays_within_reach():
    """E22."""
    state = play(with_fields(A, counter="any"), "predict 1 1 -", "suspect")

    assert counters(play(state, "bet 1 2")) == {(plus, 2, ()) for plus in range(1, 9)}
    assert counters(play(state, "bet 9 2")) == set()


def test_a_replier_without_room_is_told_what_may_be_said():
    state = play(two(counter="any"), "predict 10 2 2")
    highest = play(two(counter="any"), "predict 10 3 123")
    topped = {"type": "suspect", "plus": 0, "tricks": 2, "positions": [1]}

    assert "name more than is predicted" in refusal(state, topped)
    assert "adds 0" in refusal(state, topped | {"plus": 1, "tricks": 3})
    assert "nothing is higher" in refusal(highest, topped | {"tricks": 3})
    assert "All 10 stones" in refusal(state, {"type": "suspect", "plus": 0})


# Side bets


def side_bets(state):
    """The side bets that are open: {tricks, None for a plain one: the stones}."""
    found = {}
    for bet in of_type(state, "side_bet"):
        found.setdefault(bet.get("tricks"), []).append(bet["bet"])
    return found


def test_open_side_bets_may_name_any_number_within_reach():
    """E23."""
    stones = list(range(1, 7))
    state = play(with_fields(A, side_changes="open"), "predict 4 2 12", "suspect")
    assert side_bets(state) == dict.fromkeys([None, 1, 3], stones)
    assert "1 or 3" in refusal(state, {"type": "side_bet", "bet": 1, "tricks": 2})

    other = play(state, "pass")
    assert side_bets(other) == dict.fromkeys([None, 0, 1, 2], stones)

    ended = passed(play(other, "bet 1 0", "suspect"))
    assert row(ended)["prediction"] == {"tricks": 0, "positions": []}
    assert (row(ended)["right"], paid(ended)) == (True, [(1, 5, "bet")])


def test_open_side_bets_mend_a_prediction_that_has_failed():
    """E24."""
    state = play(with_fields(A, side_changes="open"), "predict 4 0 -", "suspect")

    ended = passed(play(state, "bet 1 3", "suspect"))

    assert paid(ended) == [(0, 6, "points"), (0, 5, "bet")]


def test_open_side_bets_may_be_made_on_a_prediction_that_has_failed():
    """E25."""
    state = play(with_fields(B, side_changes="open"), "predict 2 3 -", "suspect")
    assert rules.to_act(state) == 1

    ended = passed(play(state, "bet 8", "in"))
    assert paid(ended) == [(1, 2, "bet"), (1, 8, "side_bets")]

    full = play(with_fields(B, side_changes="open"), "predict 10 3 -", "suspect")
    assert len(row(full)["tricks"]) == 3


# Five cards in the reserve


def test_one_may_draw_on_with_five_cards_in_the_reserve():
    """E26."""

    def types(state):
        return [legal["type"] for legal in rules.legal_moves(state)]

    state = dealt(start(five="may"), "2C 5D 7S", "3C 6D 7H")  # 14 and 16
    for _ in range(10):
        state = draw_and_discard(state)
    assert types(state) == ["draw", "stay", "leave"]
    state = play(state, "stay")
    assert types(state) == ["draw", "stay", "leave", "declare"]
    for _ in range(24):
        state = draw_and_discard(state)
    assert types(state) == ["stay", "leave", "declare"]
    assert "pile is empty" in refusal(state, {"type": "draw"})
    state = play(state, "stay")
    assert shown(state, "phase", "declarer") == ["predict", 1]


# The end by rounds


def test_the_higher_total_wins_after_the_last_round():
    """E27."""
    ended = won_by_second(at_round(20, 3, 9, rounds=20))

    assert shown(ended, "phase", "totals", "winner") == ["over", [4, 9], 1]
    assert [(standing["seat"], standing["place"]) for standing in rules.standings(ended)] == [(1, 1), (0, 2)]


def test_before_the_last_round_nothing_is_decided():
    assert shown(won_by_second(at_round(19, 9, 3, rounds=20)), "phase", "winner") == ["deal", None]
    assert shown(won_by_second(at_round(20, 3, 9, rounds=0)), "phase", "winner") == ["deal", None]


def test_level_totals_are_decided_by_who_wins_one_more_round():
    """E28."""
    state = void(at_round(20, 5, 5, rounds=20))
    assert shown(state, "phase", "round", "winner") == ["deal", 21, None]

    state = play(dealt(state, "4D 6D JD", "5D 7D QD"), "declare", "stay", "predict 5 0 -", "deduce")
    ended = passed(state)

    assert paid(ended) == []
    assert shown(ended, "phase", "totals", "winner") == ["over", [5, 5], 0]
    assert [standing["place"] for standing in rules.standings(ended)] == [1, 2]


def test_level_totals_are_the_dealers_where_one_more_round_is_void():
    """E29."""
    state = at_round(21, 5, 5, rounds=20)
    dealer = rules.view(state, None)["dealer"]

    ended = void(state)

    assert shown(ended, "phase", "totals", "winner") == ["over", [5, 5], dealer % 2]
    assert row(ended)["winner"] is None


def test_a_crown_in_the_last_round_wins_as_in_any():
    """E30."""
    ended = won_by_second(at_round(20, 29, 0, rounds=20))

    assert shown(ended, "phase", "totals", "winner") == ["over", [30, 0], 0]


def test_house_rules_from_prediction_to_going_out():
    """E31."""
    state = play(dealt(rules.new_match(2, {}), *A), "declare", "stay", "predict 3 1 3")
    state = play(state, "suspect 1 2 23", "suspect 6 3 123")
    assert counters(state) == set()
    assert rules.to_act(state) == 1

    ended = play(state, "out")

    assert paid(ended) == [(0, 4, "round"), (0, 1, "out")]
    assert (row(ended)["offered"], row(ended)["bet"]) == (10, 0)
