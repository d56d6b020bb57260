"""The figures on the rules page of Bleven are those of its rules."""

import itertools
import re

import pytest

from games.bleven.rules.pack import POWER, VALUE, field_sum
from games.bleven.rules.scoring import triangular
from tests.bleven.shorthand import dealt, four, paid, passed, play, rules
from tests.rules_page import (
    NAMES,
    cards_of,
    hands_dealt,
    hands_on,
    page_of,
    rows_of,
    section,
    state_after,
    text_of,
    tricks_on,
    tricks_played,
)

CHANGED = 5  # moves of the example until both have changed a card
STAYED = 7  # and until Ana has declared, and Boris stays
FIRST_ROUND = 15


@pytest.fixture
def page(client):
    return page_of(client, "bleven")


def replayed(*moves):
    """The first round of the example from the prediction on, with other moves."""
    return passed(play(state_after("bleven", STAYED + 1), *moves))


def test_words_of_the_game_are_explained(page):
    words = set(re.findall(r'<dfn id="word-([\w-]+)">', page))

    assert words >= {"field", "reserve", "declare", "stay", "leave", "declarer", "prediction", "position", "deduce"}
    assert words >= {"suspect", "raise", "instead", "out", "stake", "side-bet", "in", "stone", "crown", "trick"}


def test_order_and_values_of_the_cards(page):
    ranks, suits = (re.search(rf'<ol[^>]*id="{name}">(.*?)</ol>', page, re.S)[1] for name in ("ranks", "ranks-equal"))

    assert [int(value) for value in re.findall(r"<b>(\d+)</b>", ranks)] == [VALUE[card] for card in cards_of(ranks)]
    for lower, higher in itertools.pairwise(cards_of(ranks)):
        assert POWER[lower] < POWER[higher]
    for lower, higher in itertools.pairwise(cards_of(suits)):
        assert POWER[lower] < POWER[higher]


def test_sums_of_the_fields_shown(page):
    sums = re.findall(r"= (\d+):", text_of(section(page, "cards")))

    assert [field_sum(hand) for _, _, hand, _ in hands_on(section(page, "cards"))] == [int(each) for each in sums]


def test_points(page):
    told = rows_of(page, "points")

    assert len(told) == 4
    for tricks, *points in told:
        worth = [str(triangular(int(tricks) + hits)) for hits in range(int(tricks) + 1)]
        assert points == worth + ["–"] * (4 - len(worth))


@pytest.mark.parametrize("answer", ["suspect", "deduce"])
@pytest.mark.parametrize("tricks", [2, 1], ids=["right", "wrong"])
def test_payments_of_a_round_played_to_the_end(page, answer, tricks):
    cells = {words.split("I ")[0].lower(): cells for words, *cells in rows_of(page, "answers")}
    state = play(state_after("bleven", STAYED), f"predict 3 {tricks} 3", answer, "pass", "bet 2", "in")
    got = {reason: NAMES[side] for side, _, reason in paid(passed(state))}

    cell = cells[answer][0 if tricks == 2 else 1]
    who = {"declarer": "Ana", "the others": "Boris"}
    told = {
        thing: who.get(payee)
        for things, payee in re.findall(r"([A-Z][a-z ]+): ([a-z ]+)", cell.replace(" for positions", ""))
        for thing in things.lower().split(" and ")
    }
    assert told["points"] == got["points"]
    assert told["bet"] == got.get("bet")
    assert got["side_bets"] == ("Ana" if tricks == 2 else "Boris")


def test_fields_of_the_example(page):
    shown = [set(hand) for _, _, hand, _ in hands_on(section(page, "example"))]

    assert shown == hands_dealt("bleven", 1)
    assert hands_dealt("bleven", CHANGED) == [{"4C", "QH", "KD"}, {"6D", "7S", "JH"}]
    assert [field_sum(hand) for hand in shown] == [14, 14]


def test_tricks_of_the_example_were_played_like_this(page):
    last = rules.view(state_after("bleven", FIRST_ROUND), None)["last_round"]

    assert tricks_on(section(page, "example")) == tricks_played(last["tricks"])


def test_stones_of_the_example(page):
    told = [int(stones) for _, stones in rows_of(page, "example-points")]
    row = rules.score_sheet(state_after("bleven"))["rounds"][0]

    assert told == [*(payment["stones"] for payment in row["paid"]), sum(row["stones"])]
    assert {payment["side"] for payment in row["paid"]} == {0}


def test_what_else_the_example_could_have_come_to(page):
    words = text_of(section(page, "example"))

    deduced = replayed("deduce 2", "accept", "pass", "bet 2", "in")
    assert sum(stones for side, stones, _ in paid(deduced)) == 8
    assert "the bet would have gone to nobody, and Ana would have got 8" in words
    assert paid(replayed("out")) == [(0, 4, "round"), (0, 1, "out")]
    assert "she would have got 5: 4 for the round and 1 for going out" in words


def test_under_15_one_can_win_by_the_others_going_out(page):
    short = play(dealt(rules.new_match(2, {}), "4S 5D 7H", "3H 4C 7D"), "declare", "stay", "predict 1 1 -", "suspect 1")

    assert paid(play(short, "out")) == [(1, 4, "round"), (1, 1, "out")]
    assert "you can’t win by the tricks then, only if the others go out" in text_of(section(page, "deal"))


def test_declarer_gets_the_points_when_the_other_has_less_than_15(page):
    short = play(dealt(rules.new_match(2, {}), "4S 5D 7H", "3H 4C 7D"), "declare", "stay", "predict 3 2 -", "deduce")

    assert paid(passed(short)) == [(0, 3, "points"), (0, 4, "round"), (0, 3, "bet")]
    assert "as the declarer, also the points of the prediction" in text_of(section(page, "scoring"))


def test_a_pair_pays_for_leaving_only_when_both_are_gone(page):
    state = dealt(rules.new_match(4, {}), "5D 7D QD", "4D 6D JD", "5C 7C QC", "4C 6C JC")
    one_left = play(state, "declare", "leave", "stay")

    assert rules.view(one_left, None)["last_round"] is None
    assert paid(play(one_left, "leave")) == [(0, 4, "round")]
    assert "costs stones only when your whole side is gone" in text_of(section(page, "deal"))


def test_going_out_costs_each_opponent_a_stone_more():
    assert paid(play(four(leave_cost=2), "predict 1 1 -", "out", "out")) == [(0, 4, "round"), (0, 2, "out")]


def test_another_number_costs_what_is_at_stake_and_is_answered_as_a_prediction(page):
    # Ana predicts two tricks and wins the first: she may now say three
    state = play(dealt(rules.new_match(2, {}), "5D 7D QD", "4D 6D JD"), "declare", "stay", "predict 2 2 -", "deduce")
    changes = [move for move in rules.legal_moves(state) if "tricks" in move]
    answered = play(state, "bet 2 3")

    assert min(move["bet"] for move in changes) == 2
    assert {move["tricks"] for move in changes} == {3}
    assert {move["type"] for move in rules.legal_moves(answered)} == {"deduce", "suspect", "out"}
    assert "It costs at least as many stones as are at stake already" in text_of(section(page, "play"))


def test_usual_prices_are_told_for_each_number_of_players(page):
    options = text_of(section(page, "options"))

    for seats, players in ((2, "two"), (4, "four")):
        price = next(field.default for field in rules.option_fields(seats) if field.name == "leave_cost")
        assert re.search(rf"{price} stones( \(usual\))?\s*The usual price with {players} players", options)
