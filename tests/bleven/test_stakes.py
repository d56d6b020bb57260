"""What the calls of Bleven say that the round comes to is what the rules pay."""

import random

import pytest

from games.bleven.rules.pack import POWER
from games.bleven.table import stakes
from games.bleven.table.stakes import LOST, SURE, prospects
from games.catalog import CHANCE, get_rules
from tests.bleven.shorthand import dealt, play, rules, start
from tests.kit.playing import played_on, random_options

EDITIONS = [get_rules("bleven", 1), get_rules("bleven", 2)]
GOING_ON = ("accept", "in", "pass", "deduce")  # who does so adds no stones and gives nothing up


def random_positions(edition, seats, seed):
    """Every state in which a seat is to act, of a match played at random with random options."""
    rng = random.Random(seed)
    start = edition.new_match(seats, random_options(edition, seats, rng))
    for _, _, state in played_on(edition, start, rng):
        if edition.to_act(state) not in (None, CHANCE):
            yield state


def seen(edition, state):
    return edition.view(state, edition.to_act(state))


def paid(edition, state, seat):
    """Which case a round turned out to be for a seat, and its total: the round that is scored after `state`."""
    while edition.view(state, None)["last_round"] is None:
        kinds = {move["type"] for move in edition.legal_moves(state)}
        state = edition.apply(state, {"type": next(kind for kind in GOING_ON if kind in kinds)})
    row = edition.view(state, None)["last_round"]
    side = seat % 2
    ours = row["winner"] == side
    case = "right" if row["right"] else "wrong"
    if row["result"] == "void" or (row["result"] == "under15" and not ours and row["right"] is None):
        case = "alone"
    elif row["result"] == "under15" and ours:
        case = "short"
    return case, row["stones"][side] - row["stones"][1 - side]


def told(outcomes, case, added=0):
    """The totals that were named for a case, with so many stones added."""
    by_case = dict(outcomes)
    return [total + more * added for total, more in by_case.get(case, by_case.get("", []))]


def is_kept(edition, state, move, outcomes, added=0):
    seat = edition.to_act(state)
    case, total = paid(edition, edition.apply(state, move), seat)
    assert total in told(outcomes, case, added), (move, case, total, outcomes)


@pytest.mark.whole
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("edition", EDITIONS, ids=["first", "second"])
def test_totals_are_those_that_the_rules_pay(edition, seats):
    checked = set()
    for seed in range(8):
        for state in random_positions(edition, seats, f"{seats}{seed}"):
            table = seen(edition, state)
            situation = stakes.situation_of(table)
            for move in edition.legal_moves(state):
                kind, added = move["type"], move.get("plus", move.get("bet", 0))
                if "tricks" in move or added > 2 or kind in ("draw", "discard", "stay", "leave", "declare", "out"):
                    continue
                if kind in ("deduce", "suspect"):
                    outcomes = stakes.of_answer(situation, kind)
                elif kind in ("side_bet", "pass"):
                    outcomes = stakes.of_betting(situation)
                elif table["phase"] == "side_reply":
                    outcomes = stakes.of_side_bet(situation, table["side_offer"]["bet"])
                else:
                    outcomes = stakes.of_answer(situation, table["answer"])
                is_kept(edition, state, move, outcomes, added)
                checked.add((kind, bool(added), len(outcomes)))
    assert {kind for kind, *_ in checked} == {"deduce", "suspect", "accept", "in", "side_bet", "pass"}
    assert {cases for *_, cases in checked} >= {1, 2, 3}


@pytest.mark.whole
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("edition", EDITIONS, ids=["first", "second"])
def test_totals_of_a_prediction_are_those_that_the_rules_pay(edition, seats):
    checked = 0
    for seed in range(8):
        rng = random.Random(seed)
        for state in random_positions(edition, seats, f"{seats}{seed}"):
            moves = [move for move in edition.legal_moves(state) if "tricks" in move and not move.get("positions")]
            for move in rng.sample(moves, min(3, len(moves))):
                situation, predicted = stakes.situation_of(seen(edition, state)), edition.apply(state, move)
                for answer in ("deduce", "suspect"):
                    outcomes = stakes.of_predicting(situation, answer, move["tricks"])
                    case, total = paid(edition, edition.apply(predicted, {"type": answer}), edition.to_act(state))
                    assert total in told(outcomes, case, move.get("plus", move.get("bet"))), (move, answer)
                    checked += 1
    assert checked > 50


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("edition", EDITIONS, ids=["first", "second"])
def test_giving_up_costs_what_it_says(edition, seats):
    given_up = {"leave": 0, "out": 0}
    for seed in range(8):
        for state in random_positions(edition, seats, f"{seats}{seed}"):
            for kind in ("leave", "out"):
                if {"type": kind} not in edition.legal_moves(state):
                    continue
                after = edition.view(edition.apply(state, {"type": kind}), None)["last_round"]
                if after is None or after["result"] == "void":
                    continue
                situation, side = stakes.situation_of(seen(edition, state)), edition.to_act(state) % 2
                total = after["stones"][side] - after["stones"][1 - side]
                assert total == stakes.total_if_lost(situation, "left" if kind == "leave" else "out")
                given_up[kind] += 1
    assert all(given_up.values())


def test_the_other_side_giving_up_brings_what_it_says():
    state = play(dealt(start(leave_cost=4), "4S 5D 7H", "3H 6C QD"), "declare")
    situation = stakes.situation_of(rules.view(play(dealt(start(leave_cost=4), "4S 5D 7H", "3H 6C QD")), 0))

    assert rules.score_sheet(play(state, "leave"))["rounds"][0]["stones"] == [stakes.total_if_won(situation, "left"), 0]


# What the own cards are sure of


@pytest.mark.whole
@pytest.mark.parametrize("seats", [2, 4])
def test_sure_tricks_are_won_and_lost_ones_lost(seats):
    fates = {SURE: 0, LOST: 0}
    for seed in range(40):
        for state in random_positions(EDITIONS[1], seats, f"sure{seats}{seed}"):
            table = seen(EDITIONS[1], state)
            if table["phase"] not in ("predict", "reply", "side_bet"):
                continue
            for card, (number, fate) in prospects(table).items():
                won = _wins(state, table, card, number)
                assert not fate or won == (fate == SURE), (table["hand"], card)
                fates[fate] = fates.get(fate, 0) + 1
    assert fates[SURE]
    assert fates[LOST] or seats == 4


def _wins(state, table, card, number):
    """Whether a card beats those that the other side has for its trick."""
    rivals = [seat for seat in range(table["seats"]) if seat % 2 != table["seat"] % 2]
    return all(
        POWER[card] > POWER[state.fields[seat][number - 1]] for seat in rivals if table["status"][seat] == "stayed"
    )
