"""What the levels call: in auctions that leave people little doubt, and what the table of calls is fitted by."""

import random

import pytest

from games.belot import calling
from games.belot.bot import read_auction
from games.catalog import get_bot, get_rules
from tests.belot.test_bot import WEAK, table
from tests.kit.test_bots import decisions
from tools import fit_belot_calls

rules = get_rules("belot")

CALLS = [
    ("bids a suit with its jack and nine", {"H"}, table(["JH 9H AH 7H AC", "", "", ""])),
    ("bids no trumps with aces and tens", {"NT"}, table(["AC TC AD TD AS", "", "", ""])),
    ("bids all trumps with jacks and nines", {"AT"}, table(["JC 9C JD 9D JS", "", "", ""])),
    ("passes with nothing", {"pass"}, table([WEAK, "", "", ""])),
    ("leaves the partner's suit alone", {"pass"}, table(["", "", WEAK, ""], "H pass")),
    ("does not double without defence", {"pass"}, table(["", WEAK, "", ""], "H")),
    ("does not open all trumps on two bare jacks", {"pass", "H", "D"}, table(["JD JH 8C 7C 7S", "", "", ""])),
    ("stays in its suit", {"pass", "redouble"}, table(["JH 9H AH TH KH", "", "", ""], "H double pass pass")),
]


@pytest.mark.parametrize("calls, state", [each[1:] for each in CALLS], ids=[each[0] for each in CALLS])
@pytest.mark.parametrize("name", ["easy", "hard"])
def test_calls(name, calls, state):
    move = get_bot("belot", name).choose(
        rules.view(state, rules.to_act(state)), rules.legal_moves(state), random.Random(1)
    )

    assert move.get("contract", move["type"]) in calls


def test_table_knows_the_usual_auctions():
    assert calling.WEIGHTS["4"].keys() >= {"suit first", "NT first", "AT first", "double over theirs", "NT over theirs"}


def test_numbers_are_as_many_as_the_weights():
    compared = 0
    for state in decisions(rules, 600):
        auction = state.phase == "bid" and read_auction(rules.view(state, state.to_act))
        if not auction or auction.seats != 4:
            continue
        for move in rules.legal_moves(state):
            weights = calling.WEIGHTS["4"].get(calling.weights_key(auction, move))
            if move["type"] != "pass" and weights:
                assert len(calling.call_features(auction, move)) == len(weights)
                compared += 1
    assert compared > 50


@pytest.mark.parametrize("seats", [2, 3])
def test_without_partners_the_rule_of_thumb_calls(seats):
    state = table(["JH 9H AH KC AC 9D", "", ""][:seats], seats=seats, dealer=seats - 1)
    seen, moves = rules.view(state, 0), rules.legal_moves(state)

    calls = [get_bot("belot", name).choose(seen, moves, random.Random(1)) for name in ("hard", "sensible-1")]

    assert calls[0] == calls[1]


def test_unnatural_bids_are_made_only_where_the_dealer_must_bid():
    hand = ("7C", "8D", "9S", "QH", "7H")
    nothing = {
        kind: calling.is_natural(hand, {"type": "bid", "contract": kind}) for kind in ("C", "H", "S", "NT", "AT")
    }

    assert not any(nothing.values())
    state = table(["", "", "", " ".join(hand)], "pass pass pass", dealer_pass="never")
    move = get_bot("belot", "hard").choose(rules.view(state, 3), rules.legal_moves(state), random.Random(1))
    assert move["type"] == "bid"


def test_regression_finds_what_made_the_numbers():
    rng = random.Random(1)
    examples = [([1.0, x, y], 2 + 3 * x - y) for x, y in ((rng.random(), rng.random()) for _ in range(20_000))]

    assert fit_belot_calls.fit(examples) == pytest.approx([2, 3, -1], abs=0.15)


def test_replays_tell_a_call_from_a_pass():
    rng = random.Random(1)
    found = [replay for _ in range(60) if (replay := fit_belot_calls.replay_call(4, {}, rng))]

    assert len(found) > 30
    assert any(gained for _, _, gained in found)
    assert {cell.split()[0] for cell, _, _ in found} <= {"suit", "NT", "AT", "double", "redouble"}
