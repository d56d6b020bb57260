"""Bleven, in the order of its rules page. E1 to E16 are the worked examples of that page."""

import json
import random
from collections import Counter
from functools import reduce
from itertools import combinations, islice

import pytest

from games.bleven.rules.pack import PACK, POWER, VALUE
from games.bleven.rules.scoring import triangular
from games.catalog import CHANCE, InvalidOptions, get_rules
from tests.bleven.shorthand import (
    FIRST,
    dealt,
    fields_for,
    four,
    move,
    of_type,
    paid,
    passed,
    play,
    refusal,
    row,
    shown,
    start,
    two,
)
from tests.kit.playing import played_on, random_options

rules = get_rules("bleven")
HOUSE = {
    "crowns": 1,
    "max_bet": 10,
    "deduced_miss": "nothing",
    "leave_cost": 4,
    "counter": "any",
    "side_changes": "closed",
    "five": "must",
    "rounds": 60,
}
every_number_of_seats = pytest.mark.parametrize("seats", rules.seat_counts)


# Options


def test_options_have_the_values_of_the_page():
    values = {field.name: [choice.value for choice in field.choices] for field in rules.option_fields()}

    assert values == {
        "crowns": [1, 2, 3],
        "max_bet": list(range(4, 31)),
        "deduced_miss": ["nothing", "bet"],
        "leave_cost": [1, 2, 3, 4, 5],
        "counter": ["any", "double"],
        "side_changes": ["closed", "open"],
        "five": ["must", "may"],
        "rounds": [0, 20, 40, 60, 100],
    }
    assert rules.clean_options(2, {}) == HOUSE
    assert rules.clean_options(4, {}) == HOUSE | {"leave_cost": 2}
    assert next(field.default for field in rules.option_fields() if field.name == "leave_cost") == 4


def test_presets_are_those_of_the_page():
    house, letter = rules.presets

    assert (house.name, house.options) == ("House rules", {})
    assert letter.name == "To the letter"
    assert rules.clean_options(4, letter.options) == {
        "crowns": 1,
        "max_bet": 30,
        "deduced_miss": "bet",
        "leave_cost": 1,
        "counter": "any",
        "side_changes": "open",
        "five": "may",
        "rounds": 0,
    }


def test_version_1_has_three_options():
    first = get_rules("bleven", 1)

    assert [field.name for field in first.option_fields(2)] == ["crowns", "max_bet", "deduced_miss"]
    assert first.clean_options(4, {}) == {"crowns": 1, "max_bet": 10, "deduced_miss": "nothing"}
    assert first.presets == ()
    with pytest.raises(InvalidOptions):
        first.clean_options(2, {"leave_cost": 1})


@pytest.mark.whole
@every_number_of_seats
def test_version_1_is_version_2_with_the_values_of_before(seats, rng):
    """Move for move, but for the new fields of the options; and its positions are stored as they were."""
    first = get_rules("bleven", 1)
    options = random_options(first, seats, rng)
    one, other = first.new_match(seats, options), rules.new_match(seats, FIRST | options)

    for before, made, after in islice(played_on(first, one, rng), 400):
        assert rules.legal_moves(other) == first.legal_moves(before)
        other = rules.apply(other, made)
        for seat in (None, *range(seats)):
            view = rules.view(other, seat)
            assert first.view(after, seat) == view | {"options": options}
            assert first.sample(first.view(after, seat), random.Random(1)) == rules.sample(view, random.Random(1))
        assert first.score_sheet(after) == rules.score_sheet(other)
        assert first.standings(after) == rules.standings(other)
        assert first.dump(after)["match"] == [seats, *options.values()]
        assert first.load(first.dump(after)) == after


@pytest.mark.parametrize(
    ("seats", "options", "field"),
    [
        (3, {}, "seats"),
        (2, {"crowns": 4}, "crowns"),
        (2, {"crowns": True}, "crowns"),
        (2, {"max_bet": 3}, "max_bet"),
        (4, {"max_bet": 31}, "max_bet"),
        (4, {"max_bet": 10.0}, "max_bet"),
        (4, {"deduced_miss": None}, "deduced_miss"),
        (4, {"crown": 1}, "crown"),
    ],
)
def test_other_options_are_refused(seats, options, field):
    with pytest.raises(InvalidOptions) as caught:
        rules.clean_options(seats, options)

    assert caught.value.field == field


# Seats, pack and deal


def test_canonical_order_of_the_pack():
    assert " ".join(rules.deck(start())) == (
        "AC 2C 3C 4C 5C 6C 7C JC QC KC AD 2D 3D 4D 5D 6D 7D JD QD KD AH 2H 3H 4H 5H 6H 7H JH QH KH "
        "AS 2S 3S 4S 5S 6S 7S JS QS KS"
    )


def test_values_and_order_of_cards():  # E15
    assert [VALUE[rank + "C"] for rank in "A234567JQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert sorted(["QC", "QD", "QS", "QH", "KH", "JS"], key=POWER.get) == ["JS", "QH", "QD", "QC", "QS", "KH"]


@pytest.mark.parametrize("seats", rules.seat_counts)
def test_cards_are_dealt_singly_from_the_cutter(seats):
    deck = random.Random(3).sample(PACK, 40)
    first = rules.apply(start(seats), {"type": "deal", "deck": deck})
    ended = play(dealt(start(seats), *fields_for((1,)), *(["2C 3C KC", "2H 3H KH"][: seats - 2])), "declare")
    while rules.to_act(ended) != CHANCE:
        ended = play(ended, "leave")
    second = rules.apply(ended, {"type": "deal", "deck": deck})

    for state, cutter in ((first, 0), (second, 1)):
        assert shown(state, "dealer", "to_act", "pile") == [(cutter - 1) % seats, cutter, 40 - 3 * seats]
        for seat in range(seats):
            place = (seat - cutter) % seats
            assert set(rules.view(state, seat)["hand"]) == {deck[place + seats * number] for number in range(3)}
        drawn = play(state, "draw")
        assert rules.view(drawn, cutter)["drawn"] == deck[3 * seats]


# Discard phase


@pytest.mark.parametrize(("field", "may"), [("AD 4C KS", True), ("AD 3C KS", False)])
def test_fifteen_are_needed_to_declare(field, may):
    state = dealt(start(), field, "4D 6D JD")

    assert ({"type": "declare"} in rules.legal_moves(state)) == may


def with_full_reserves(*fields):
    """The state in which all have drawn five cards and discarded them at once."""
    state = dealt(start(len(fields)), *fields)
    for _ in range(5 * len(fields)):
        state = play(state, "draw")
        state = play(state, rules.view(state, rules.to_act(state))["drawn"])
    return state


def test_first_with_fifteen_from_the_cutter_must_declare_if_nobody_does():
    state = with_full_reserves("2S 3S 4S", "2H 3H KH", "5H 6H 7H", "JS QS KS")
    before = play(state, "stay", "leave", "stay")
    after = play(before, "stay")

    assert shown(after, "phase", "to_act", "declarer") == ["predict", 2, 2]
    assert rules.events(before, move("stay"), after) == [
        {"type": "said", "seat": 3, "move": {"type": "stay"}},
        {"type": "must_declare", "seat": 2},
    ]


def test_round_is_void_if_nobody_can_declare():
    state = play(with_full_reserves("2S 3S 4S", "2H 3H 4H"), "stay", "stay")

    assert [row(state)[key] for key in ("result", "winner", "declarer", "paid", "totals")] == [
        "void",
        None,
        None,
        [],
        [0, 0],
    ]
    assert shown(state, "phase", "dealer", "round") == ["deal", 0, 2]


def test_side_loses_when_all_its_seats_have_left_without_a_declaration():
    state = with_full_reserves("2S 3S 4S", "2H 3H KH", "5H 6H 7H", "JS QS KS")
    state = play(state, "leave", "stay", "leave")

    assert (row(state)["result"], row(state)["left"], paid(state)) == ("left", [0, 2], [(1, 2, "round")])


# Declaring


def test_leaving_costs_a_stone_for_each_opponent():  # E8
    alone = play(dealt(start(), *fields_for((1,))), "declare", "leave")
    state = dealt(start(4), "5D 7D QD", "4D 6D JD", "5C 7C QC", "4C 6C JC")
    pair = play(state, "declare", "leave", "stay", "leave")

    assert (row(alone)["result"], paid(alone)) == ("left", [(0, 1, "round")])
    assert (row(pair)["result"], row(pair)["left"], paid(pair)) == ("left", [1, 3], [(0, 2, "round")])


# Answers


@pytest.mark.parametrize("answer", ["deduce", "suspect"])
def test_answer_agrees_the_bet(answer):
    state = play(two(), "predict 4 2 1", answer)

    assert shown(state, "answer", "bet") == [answer, {"accepted": 4, "offered": 4, "side_bets": 0, "room": 6}]
    assert shown(state, "phase", "won") == ["side_bet", [1, 0]]


def test_longest_list_of_moves_is_below_two_thousand():
    assert len(rules.legal_moves(play(two(max_bet=30), "predict 1 0 -"))) == 1221


def test_raise_is_accepted_or_not_and_never_raised_again():  # E10
    raised = play(two(), "predict 3 2 -", "deduce 2")
    accepted, declined = play(raised, "accept"), play(raised, "out")

    assert shown(raised, "phase", "to_act", "answer") == ["raise", 0, "deduce"]
    assert rules.legal_moves(raised) == [{"type": "accept"}, {"type": "out"}]
    assert shown(accepted, "bet") == [{"accepted": 5, "offered": 5, "side_bets": 0, "room": 5}]
    assert paid(declined) == [(1, 1, "round"), (1, 1, "out")]
    assert [row(declined)[key] for key in ("result", "winner", "offered", "bet", "out")] == ["out", 1, 5, 0, [0]]


def test_new_prediction_makes_the_replier_declarer():  # E11
    state = play(two(), "predict 3 2 1", "suspect 3 3 12")

    assert shown(state, "phase", "to_act", "declarer", "replier", "answer") == ["reply", 0, 1, 0, None]
    assert shown(state, "prediction", "bet") == [
        {"tricks": 3, "positions": [1, 2]},
        {"accepted": 0, "offered": 6, "side_bets": 0, "room": 4},
    ]
    assert [move.get("plus") for move in of_type(state, "deduce")] == [None, 1, 2, 3, 4]


def test_going_out_of_two():  # E7
    state = play(two(), "predict 4 2 1", "out")

    assert paid(state) == [(0, 1, "round"), (0, 1, "out")]
    assert [row(state)[key] for key in ("result", "offered", "bet", "replier", "answer")] == ["out", 4, 0, 1, None]


def test_partner_answers_for_who_is_out():  # E9
    state = play(four(), "predict 4 2 1")
    first, both = play(state, "out"), play(state, "out", "out")

    assert shown(first, "phase", "to_act", "replier", "status") == [
        "reply",
        3,
        3,
        ["stayed", "out", "stayed", "stayed"],
    ]
    assert (row(both)["result"], row(both)["out"], paid(both)) == ("out", [1, 3], [(0, 2, "round"), (0, 2, "out")])


def test_partner_takes_over_the_declaration_and_the_raise():
    state = play(four(), "predict 4 2 1", "suspect 1", "out")
    agreed = play(state, "accept")

    assert shown(state, "phase", "to_act", "declarer", "bet") == [
        "raise",
        2,
        2,
        {"accepted": 0, "offered": 5, "side_bets": 0, "room": 5},
    ]
    assert shown(agreed, "bet", "declarer")[0]["accepted"] == 5
    assert rules.view(agreed, None)["tricks"][0]["leader"] == 2


# Trick phase


def test_seats_short_of_fifteen_are_faced():
    before = play(four("5D 7D QD", "AD 3D KD"), "predict 4 2 1")
    state = play(before, "suspect")

    assert shown(state, "faced", "status", "hand_counts") == [
        [None, ["AD", "3D", "KD"], None, None],
        ["stayed", "faced", "stayed", "stayed"],
        [2, 0, 2, 2],
    ]
    assert rules.events(before, move("suspect"), state)[1] == {"type": "faced", "seat": 1, "cards": ["AD", "3D", "KD"]}
    assert [play["seat"] for play in rules.view(state, None)["tricks"][0]["plays"]] == [0, 2, 3]
    assert row(passed(state))["faced"] == [1]


def test_side_that_is_all_faced_loses():
    state = play(four("5D 7D QD", "AD 3D KD", "5C 7C QC", "AC 3C KC"), "predict 4 2 1", "suspect")

    assert (row(state)["result"], row(state)["faced"]) == ("under15", [1, 3])
    assert paid(state) == [(0, 2, "round"), (0, 4, "bet")]
    assert rules.view(state, None)["last_round"]["shown"] == [None, ["AD", "3D", "KD"], None, ["AC", "3C", "KC"]]


def test_partner_of_a_faced_declarer_is_declarer():
    state = play(four("5D 7D QD", "AD 3D KD"), "predict 2 2 1", "deduce 2 2 -", "suspect")

    assert shown(state, "declarer") == [3]
    assert rules.view(state, None)["tricks"][0]["leader"] == 3


def test_round_is_void_if_both_sides_are_faced():
    fields = ("5D 7D QD", "AD 3D KD", "AC 3C KC", "AH 3H KH")
    state = play(four(*fields), "predict 2 2 1", "suspect 1", "out", "accept")

    assert (row(state)["result"], row(state)["winner"], row(state)["faced"], paid(state)) == (
        "void",
        None,
        [1, 2, 3],
        [],
    )


def test_cards_are_played_lowest_first():  # E15
    state = dealt(start(), "7S 7H QC", "2D JD QD")
    state = passed(play(state, "declare", "stay", "predict 1 3 -", "deduce"))

    tricks = [[play["card"] for play in trick["plays"]] for trick in row(state)["tricks"]]
    assert tricks == [["7H", "2D"], ["7S", "JD"], ["QD", "QC"]]
    assert [trick["winner"] for trick in row(state)["tricks"]] == [0, 1, 0]
    assert [trick["leader"] for trick in row(state)["tricks"]] == [0, 0, 1]


def test_next_in_turn_leads_if_the_winner_has_gone_out():
    state = play(four("5D 7D QD", "4D 6D JD", "6H 7S KS"), "predict 1 2 -", "deduce")
    assert rules.view(state, None)["tricks"][0]["winner"] == 2

    state = passed(play(state, "pass", "pass", "pass", "bet 1", "out", "in"))

    assert row(state)["out"] == [2]
    assert [trick["leader"] for trick in row(state)["tricks"]] == [0, 3, 0]


# Side bets


def test_side_bet_is_answered_and_goes_to_the_side_that_is_right():  # E12
    bet = play(two((1, 3)), "predict 4 2 1", "deduce", "bet 2")
    agreed = play(bet, "in")

    assert shown(bet, "phase", "to_act", "side_offer", "window") == ["side_reply", 1, {"seat": 0, "bet": 2}, [1]]
    assert rules.legal_moves(bet) == [{"type": "in"}, {"type": "out"}]
    assert shown(agreed, "phase", "to_act", "side_offer", "bet") == [
        "side_bet",
        1,
        None,
        {"accepted": 4, "offered": 4, "side_bets": 2, "room": 4},
    ]
    assert paid(passed(agreed)) == [(0, 6, "points"), (0, 2, "side_bets")]


def test_side_bet_on_a_prediction_that_fails():  # E12
    state = passed(play(two((1,)), "predict 4 2 1", "deduce", "bet 2", "in"))

    assert paid(state) == [(1, 2, "side_bets"), (0, 1, "points")]


def test_going_out_at_a_side_bet_loses_what_was_agreed():
    state = play(two(), "predict 4 2 1", "deduce", "bet 2", "in", "bet 1", "out")

    assert paid(state) == [(1, 1, "round"), (1, 4, "bet"), (1, 2, "side_bets"), (1, 1, "out")]
    assert (row(state)["right"], row(state)["counted"], len(row(state)["tricks"])) == (None, None, 1)


def test_declarer_who_goes_out_at_a_side_bet_hands_over_to_the_partner():
    before = play(four(), "predict 2 2 1", "suspect", "pass", "bet 2")
    state = play(before, "out")

    assert shown(before, "to_act", "declarer", "window") == [0, 0, [0, 1]]
    assert shown(state, "phase", "to_act", "declarer", "replier", "window") == ["side_reply", 2, 2, 1, [1]]
    assert shown(play(state, "in"), "phase", "to_act", "bet") == [
        "side_bet",
        1,
        {"accepted": 2, "offered": 2, "side_bets": 2, "room": 6},
    ]


def test_opponents_may_take_over_when_the_prediction_cannot_come_true():  # E13
    state = play(two((2, 3)), "predict 2 3 -", "suspect")

    assert rules.to_act(state) == 1
    bets = [(move["bet"], move["tricks"]) for move in of_type(state, "side_bet")]
    assert bets == [(bet, tricks) for bet in range(2, 9) for tricks in (1, 2, 3)]
    taken = play(state, "bet 2 1")
    assert shown(taken, "declarer", "replier", "to_act", "prediction") == [1, 0, 0, {"tricks": 1, "positions": []}]
    over = passed(play(taken, "suspect"))
    assert paid(over) == [(1, 1, "points"), (1, 4, "bet")]


def test_seat_without_a_bet_to_make_is_not_asked():
    state = play(two((1, 2)), "predict 2 0 -", "suspect")

    assert rules.to_act(state) == 1  # seat 0 won the trick, and with it lost its prediction
    assert row(play(state, "pass", "pass"))["result"] == "played"


# Scoring


@pytest.mark.parametrize(
    ("tricks", "positions", "points"),
    [(0, 0, 0), (1, 0, 1), (2, 0, 3), (3, 0, 6), (1, 1, 3), (2, 1, 6), (2, 2, 10), (3, 1, 10), (3, 2, 15), (3, 3, 21)],
)
def test_points_are_triangular(tricks, positions, points):  # E1
    won = range(1, tricks + 1)
    named = "".join(map(str, won[:positions])) or "-"
    state = passed(play(two(won), f"predict 1 {tricks} {named}", "deduce"))

    assert triangular(tricks + positions) == points
    assert row(state)["counted"] == {"tricks": tricks, "positions": positions}
    assert row(state)["points"] == points


@pytest.mark.parametrize(
    ("prediction", "wins", "answer", "deduced_miss", "payments"),
    [
        ("predict 4 2 1", (1, 3), "suspect", "nothing", [(0, 6, "points"), (0, 4, "bet")]),  # E2
        ("predict 4 2 1", (1, 3), "deduce", "nothing", [(0, 6, "points")]),
        ("predict 4 2 1", (1, 3), "deduce", "bet", [(0, 6, "points")]),
        ("predict 4 2 1", (2, 3), "suspect", "nothing", [(0, 3, "points"), (0, 4, "bet")]),  # E3
        ("predict 4 2 1", (2, 3), "deduce", "nothing", [(0, 3, "points")]),
        ("predict 4 2 1", (1,), "suspect", "nothing", [(1, 4, "bet"), (0, 1, "points")]),  # E4
        ("predict 4 2 1", (1,), "deduce", "nothing", [(0, 1, "points")]),
        ("predict 4 2 1", (), "suspect", "nothing", [(1, 4, "bet")]),  # E5
        ("predict 4 2 1", (), "deduce", "nothing", []),
        ("predict 4 2 1", (), "deduce", "bet", [(1, 4, "bet")]),
        ("predict 5 0 -", (), "suspect", "nothing", [(0, 5, "bet")]),  # E6
        ("predict 5 0 -", (1, 2), "suspect", "nothing", [(1, 5, "bet")]),
        ("predict 4 2 12", (1, 2, 3), "suspect", "nothing", [(1, 4, "bet"), (0, 3, "points")]),
    ],
)
def test_payments_of_a_round_played(prediction, wins, answer, deduced_miss, payments):
    state = passed(play(two(wins, deduced_miss=deduced_miss), prediction, answer))

    assert paid(state) == payments
    assert row(state)["winner"] == (0 if row(state)["right"] else 1)
    assert row(state)["stones"] == [sum(stones for payee, stones, _ in payments if payee == side) for side in (0, 1)]


def test_replier_short_of_fifteen_loses_after_the_third_trick():  # E14
    state = dealt(start(), "5D 7D QD", "AD 2D KD")
    right = passed(play(state, "declare", "stay", "predict 4 2 1", "deduce", "bet 1", "in"))
    wrong = passed(play(state, "declare", "stay", "predict 4 3 -", "suspect"))

    assert row(right)["result"] == row(wrong)["result"] == "under15"
    assert paid(right) == [(0, 6, "points"), (0, 1, "round"), (0, 4, "bet"), (0, 1, "side_bets")]
    assert paid(wrong) == [(0, 1, "round"), (0, 4, "bet")]
    assert (row(wrong)["right"], row(wrong)["winner"], row(wrong)["points"]) == (False, 0, 0)


def test_declarer_short_of_fifteen_loses_its_points_too():
    state = dealt(start(), "5D 7D QD", "AD 2D KD")
    state = passed(play(state, "declare", "stay", "predict 2 0 -", "suspect 2 1 3", "deduce"))

    assert (row(state)["result"], row(state)["declarer"], row(state)["right"]) == ("under15", 1, True)
    assert row(state)["counted"] == {"tricks": 1, "positions": 1}
    assert (row(state)["points"], paid(state)) == (0, [(0, 1, "round"), (0, 4, "bet")])


# End of the match


def with_totals(state, *totals):
    return rules.load(rules.dump(state) | {"totals": list(totals)})


def test_first_to_reach_the_target_in_the_order_of_payment_wins():  # E16
    state = with_totals(play(two((1,)), "predict 4 2 1"), 29, 27)
    over = passed(play(state, "suspect"))

    assert shown(over, "phase", "to_act", "winner", "totals") == ["over", None, 1, [30, 31]]
    assert rules.standings(over) == [
        {"seat": 1, "team": None, "score": 31, "place": 1},
        {"seat": 0, "team": None, "score": 30, "place": 2},
    ]


def test_winners_of_four_seats_stand_first():
    state = with_totals(play(four(), "predict 4 2 1"), 28, 3)
    before, over = play(state, "out"), play(state, "out", "out")

    assert rules.standings(before) == []
    assert [tuple(line.values()) for line in rules.standings(over)] == [
        (0, 0, 32, 1),
        (2, 0, 32, 1),
        (1, 1, 3, 2),
        (3, 1, 3, 2),
    ]


def test_crowns_are_told_before_they_win():
    state = with_totals(play(two(crowns=2), "predict 4 2 1"), 29, 58)
    after = play(state, "out")

    assert shown(after, "phase", "winner") == ["deal", None]
    assert rules.events(state, move("out"), after)[2:] == [{"type": "crowned", "side": 0, "crowns": 1}]


# Score sheet


def test_stones_left_after_whole_crowns():
    sides = rules.score_sheet(with_totals(start(crowns=3), 78, 17))["sides"]

    assert [[side[key] for key in ("total", "crowns", "stones", "black", "white")] for side in sides] == [
        [78, 2, 18, 3, 3],
        [17, 0, 17, 3, 2],
    ]


# Moves


DEALT = dealt(start(), *fields_for(()))
DRAWN = play(DEALT, "draw")
REPLY, TIGHT = (play(two(max_bet=most), "predict 3 2 -") for most in (10, 4))


def doubted(wins, *moves, tricks=2):
    return play(two(wins), f"predict 2 {tricks} -", "suspect", *moves)


@pytest.mark.parametrize(
    ("state", "moves", "text"),
    [
        (start(), [None, {"type": "bid"}, {"type": ["draw"]}], "no such move in Bleven"),
        (start(), ["draw"], "not dealt yet"),
        (start(), [{"type": "deal"}], 'Say "deal" with deck'),
        (start(), [{"type": "deal", "deck": ["AS"]}], "the 40 cards of the pack"),
        (DEALT, [{"type": "draw", "card": "AC"}], 'Say "draw" alone'),
        (DEALT, ["stay", "leave"], "with five cards in your reserve, not before"),
        (dealt(start(), "2S 3S 4S", "2H 3H KH"), ["declare"], "add up to 15 or more"),
        (with_full_reserves("2S 3S 4S", "2H 3H KH"), ["draw"], "you may draw no more"),
        (DRAWN, ["5D", {"type": "discard", "card": None}], "do not hold that card"),
        (DRAWN, ["declare"], "You have drawn a card"),
        (play(DEALT, "declare"), ["draw", "declare"], "whether you stay or leave"),
        (two(), [{"type": "predict", "bet": 4, "tricks": 2}], 'Say "predict" with bet, tricks and positions'),
        (two(), ["predict 0 1 -", "predict 11 1 -"], "stones from 1 to 10"),
        (two(), ["predict 1 4 -"], "tricks from 0 to 3"),
        (two(), ["predict 1 0 1", "predict 1 1 12", "predict 1 2 21", "predict 1 3 4"], "from 1 to 3, ascending"),
        (TIGHT, ["deduce 1 2"], 'Say "deduce" alone or with plus'),
        (TIGHT, ["accept"], "deduce, suspect or go out"),
        (TIGHT, ["deduce 2", "deduce 0"], "stones from 1 to 1"),
        (TIGHT, ["deduce 1 3 -"], "as many stones as are at stake, 3, and there is room for 1"),
        (REPLY, ["deduce 2 3 -", "deduce 8 3 -"], "a whole number from 3 to 7"),
        (REPLY, ["suspect 3 1 -"], "tricks from 2 to 3"),
        (play(two(max_bet=4), "predict 4 2 -"), ["suspect 1"], "All 4 stones of a round are at stake"),
        (play(TIGHT, "suspect 1"), ["suspect", "in"], "may not be raised again"),
        (doubted((1, 3)), ["out"], "time for side bets"),
        (doubted((2, 3)), ["bet 2 3"], "while its prediction can come true"),
        (doubted((2, 3), tricks=3), ["bet 2"], "can’t come true any more"),
        (doubted((1, 2, 3), "bet 2 3"), ["suspect 4 3"], "can’t win as many tricks"),
        (doubted((1, 3), "bet 2"), ["pass"], "in or out"),
        (play(with_totals(two(), 29, 29), "predict 2 2 -", "out"), ["out", None], "match is over"),
    ],
)
def test_refusals_say_why(state, moves, text):
    for made in moves:
        assert text in refusal(state, move(made) if isinstance(made, str) else made)


def test_equal_moves_lead_to_equal_states():
    state = two()

    one = rules.apply(state, {"type": "predict", "bet": 4, "tricks": 2, "positions": [1]})
    other = rules.apply(state, {"positions": [1], "tricks": 2, "bet": 4, "type": "predict"})

    assert one == other


# View


def test_number_of_hidden_cards():
    state = with_full_reserves("2S 3S 4S", "2H 3H KH", "5H 6H 7H", "JS QS KS")
    counts = [len(rules.hidden_from(state, seat)) for seat in (0, 1, 2, 3, None)]
    assert counts == [17, 17, 17, 17, 20]

    state = play(state, "stay", "stay", "stay", "declare", "predict 1 1 -", "deduce")
    counts = [len(rules.hidden_from(state, seat)) for seat in (0, 1, 2, 3, None)]
    assert counts == [14, 12, 12, 12, 14]  # seat 0 is faced, and of each other a card is played
    assert rules.hidden_from(start(), 0) == set()


# Sampling


@every_number_of_seats
def test_sampled_position_can_have_come_about_by_the_moves_made(seats, rng):
    options = random_options(rules, seats, rng)
    first, moves = start(seats, **options), []

    for _, made, state in played_on(rules, first, rng):
        moves.append(made)
        if rules.score_sheet(state)["rounds"]:
            break
        for seat in (None, *range(seats)):
            sampled = rules.sample(rules.view(state, seat), rng)
            assert reduce(rules.apply, [deal_of(sampled, moves), *moves[1:]], first) == sampled


def deal_of(state, moves):
    """The deal of the first round from which these moves lead to `state`: each seat draws what it then discards."""
    seats = state.match.seats
    fields = [[card for card in field if card != state.drawn] for field in state.fields]
    discards = [made["card"] for made in moves if made["type"] == "discard"]
    top = [card for cards in zip(*fields, strict=True) for card in cards] + discards
    top += [state.drawn] if state.drawn else []
    assert len(top) == 3 * seats + sum(made["type"] == "draw" for made in moves)
    return {"type": "deal", "deck": [*top, *state.pile]}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("state", "seat", "possible"),
    [
        pytest.param(
            play(two((1, 3)), "predict 1 2 1", "deduce", "pass", "pass"),
            0,
            lambda hand: hand[0] == "4D" and hand[1] == "7D",
            id="two-cards-played",
        ),
        pytest.param(
            play(dealt(start(), "5D 7D QD", "AD 3D KD"), "declare", "stay"),
            1,
            lambda hand: sum(map(VALUE.get, hand)) >= 15,
            id="declared",
        ),
        pytest.param(
            play(with_full_reserves("2S 3S 4S", "2H 3H KH"), "stay", "stay"),
            1,
            lambda hand: sum(map(VALUE.get, hand)) < 15,
            id="passed-over",
        ),
    ],
)
def test_all_fields_that_fit_are_equally_likely(state, seat, possible):
    other = 1 - seat
    hidden = rules.hidden_from(state, seat)
    known = [play["card"] for trick in rules.view(state, seat)["tricks"] for play in trick["plays"]]
    known = [card for card in known if card in state.fields[other]]
    fields = [
        field
        for rest in combinations(sorted(hidden), 3 - len(known))
        if possible(field := tuple(sorted([*known, *rest], key=POWER.get)))
    ]
    rng, view = random.Random(1), rules.view(state, seat)

    draws = min(20 * len(fields), 20000)
    drawn = Counter(rules.sample(view, rng).fields[other] for _ in range(draws))

    assert drawn.keys() <= set(fields)
    mean, freedom = draws / len(fields), len(fields) - 1
    chi_square = sum((drawn[field] - mean) ** 2 / mean for field in fields)
    assert chi_square <= freedom + 4 * (2 * freedom) ** 0.5  # four standard deviations


def test_sampled_state_leaves_what_it_cannot_know_blank():
    state = play(two(), "predict 4 2 1", "out", "JC 2C KC AD 2D KD", "declare", "leave", "AH 2H KH AS 2S KS")

    sampled = rules.sample(rules.view(state, 0), random.Random(1))

    sheet = rules.score_sheet(sampled)
    assert [side["total"] for side in sheet["sides"]] == [2, 1]
    assert [(line["round"], line["dealer"], line["result"]) for line in sheet["rounds"]] == [(1, 1, None), (2, 0, None)]


# Positions as stored


def test_position_grows_by_the_scored_lines_alone():
    sizes = [
        len(json.dumps(rules.dump(after) | {"lines": []}))
        for before, _, after in islice(played_on(rules, start(4, crowns=3), random.Random(1)), 600)
        if rules.to_act(before) == CHANCE
    ]

    assert len(sizes) > 5
    assert max(sizes) - min(sizes) <= 4  # the digits of the totals
