"""The sensible Belot player: calls, declarations and cards in positions that leave people little doubt."""

import random
from itertools import product

import pytest

from games.belot import bot as belot
from games.catalog import get_bot, get_rules
from tests.kit.playing import played_on
from tests.kit.test_bots import decisions
from tools import fit_belot

rules = get_rules("belot")


def table(hands, moves="", dealer=3, seats=4, **options):
    """The view of the seat to act in a deal of a match.

    hands: by seat, the first cards of each; the other cards of the pack are dealt to fill them up. moves: calls, then
    cards, with "+" if belot is announced with it; "declare" is the first declaration that is open. dealer: whose deal
    it is; the deals before are passed out.
    """
    state = rules.new_match(seats, options)
    while rules.view(state, None)["dealer"] != dealer:
        state = rules.apply(state, rules.legal_moves(state)[0])
        for _ in range(seats):
            state = rules.apply(state, {"type": "pass"})
    state = rules.apply(state, {"type": "deal", "deck": deck(state, [hand.split() for hand in hands])})
    for move in moves.split():
        state = rules.apply(state, as_move(state, move))
    return state


def deck(state, hands):
    """The pack in an order that deals these hands."""
    pack, seats, dealer = rules.deck(state), len(hands), rules.view(state, None)["dealer"]
    packets = [int(size) for size in rules.view(state, None)["options"]["deal"].split("+")]
    rest = [card for card in pack if not any(card in hand for hand in hands)]
    filled = [list(hand) for hand in hands]
    for hand in filled:
        while len(hand) < sum(packets):
            hand.append(rest.pop(0))
    ordered = []
    for size in packets:
        for place in range(1, seats + 1):
            hand = filled[(dealer + place) % seats]
            ordered += hand[:size]
            del hand[:size]
    return ordered + rest


def as_move(state, move):
    if move == "declare":
        return next(each for each in rules.legal_moves(state) if each["type"] == "declare")
    if move in ("pass", "double", "redouble"):
        return {"type": move}
    if move in ("C", "D", "H", "S", "NT", "AT"):
        return {"type": "bid", "contract": move}
    return {"type": "play", "card": move[:2]} | ({"belot": True} if move.endswith("+") else {})


def chosen(state):
    """The move that the bot makes here, in the words of `table`."""
    move = get_bot("belot").choose(rules.view(state, rules.to_act(state)), rules.legal_moves(state), random.Random(1))
    if move["type"] == "play":
        return move["card"] + "+" * ("belot" in move)
    return move.get("contract", move["type"])


WEAK = "7C 8D 9S QH 7H"

CALLS = [
    ("bids a suit with its jack and nine", "H", table(["JH 9H AH 7H AC", "", "", ""])),
    ("bids no trumps with aces and tens", "NT", table(["AC TC AD TD AS", "", "", ""])),
    ("bids all trumps with jacks and nines", "AT", table(["JC 9C JD 9D JS", "", "", ""])),
    ("passes with nothing", "pass", table([WEAK, "", "", ""])),
    ("leaves the partner's suit alone", "pass", table(["", "", WEAK, ""], "H pass")),
    ("doubles a suit that it holds", "double", table(["", "JH 9H AH TH AC", "", ""], "H")),
    ("does not double without defence", "pass", table(["", WEAK, "", ""], "H")),
    ("redoubles with all the trumps", "redouble", table(["JH 9H AH TH KH", "", "", ""], "H double pass pass")),
    (
        "bids its best when the dealer must",
        "H",
        table(["", "", "", "JH 7H 8D 9S QC"], "pass pass pass", dealer_pass="never"),
    ),
]


@pytest.mark.parametrize("call, state", [each[1:] for each in CALLS], ids=[each[0] for each in CALLS])
def test_calls(call, state):
    assert chosen(state) == call


HEARTS = "H pass pass pass"  # seat 0 bids hearts
RIVALS_HEARTS = "pass H pass pass pass"
NO_TRUMPS = "NT pass pass pass"
RIVALS_NO_TRUMPS = "pass NT pass pass pass"

PLAYS = [
    ("draws trumps when its side bid", "JH", table(["JH 9H AH 7H AC 7C 8D QS", "", "", ""], HEARTS)),
    ("draws no trumps for the others", "AC", table(["7H 8H AC 7C 8D QS 9S QD", "", "", ""], RIVALS_HEARTS)),
    (
        "throws its points to the partner",
        "TD",
        table(["AC", "8C", "TD 8S 9S 7H 8H 9H 7S QH", "9C"], NO_TRUMPS + " AC 8C"),
    ),
    (
        "throws nothing to the rivals",
        "7S",
        table(["9C", "AC", "TD 8D 9S TH AH 9H 7S QH", "9D"], "pass NT pass pass pass 9C AC"),
    ),
    ("gives the rivals nothing", "QC", table(["KC 9C", "AC 8C", "TC QC", "7C JC"], RIVALS_NO_TRUMPS + " KC AC")),
    ("takes with the ace what is there", "AC", table(["TC 7C", "9C", "8C", "AC QC"], NO_TRUMPS + " TC 9C 8C")),
    (
        "ruffs low when nobody can overruff",
        "7H",
        table(["TC", "9C KC", "8C", "7H JH AS KS 8S TS 7D 9D"], HEARTS + " TC 9C 8C"),
    ),
    ("keeps a ten from the ace", "7S", table(["TC 9C 7D 8D QD JD 7S 8S", "", "", ""], RIVALS_HEARTS)),
    ("announces belot", "KH+", table(["TC", "9C KC", "8C", "KH QH AS KS 8S TS 7D 9D"], HEARTS + " TC 9C 8C")),
    ("leads what is highest now", "TC", table(["AC TC 7D", "9C 7C", "8C", "JC QC"], NO_TRUMPS + " AC 9C 8C JC")),
]


@pytest.mark.parametrize("card, state", [each[1:] for each in PLAYS], ids=[each[0] for each in PLAYS])
def test_plays(card, state):
    assert chosen(state) == card


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_defender_leads_from_trumps_alone_with_belot(level):
    hands = ["7S 8S 9S TS QS KS AS AC", "8C JS", "9C", "JC"]
    state = table(hands, "pass S pass pass pass AC 8C 9C JC")

    move = get_bot("belot", level).choose(rules.view(state, 0), rules.legal_moves(state), random.Random(1))

    assert move["card"][1] == "S"


TIERCE = "7C 8C 9C JD 7D 9H AH 7S"

DECLARATIONS = [
    ("what it holds", True, table([TIERCE, "", "", ""], HEARTS)),
    ("what is level with a rival's", True, table(["JH QH KH TC QC 9S JS AS", TIERCE, "", ""], HEARTS + " declare JH")),
    ("nothing under a rival's", False, table(["TH JH KH QH TC QC 9S JS", TIERCE, "", ""], HEARTS + " declare JH")),
    ("beside a higher one of the partner", True, table(["TH JH QH KH", "8H", TIERCE, ""], HEARTS + " declare JH 8H")),
]


@pytest.mark.parametrize("declares, state", [each[1:] for each in DECLARATIONS], ids=[each[0] for each in DECLARATIONS])
def test_declares(declares, state):
    assert (chosen(state) == "declare") == declares


@pytest.mark.parametrize(
    "better, worse, contract",
    [
        ("JH 9H 7C 8D 9S", "QH 9H 7C 8D 9S", "H"),
        ("JH 9H 8H 8D 9S", "JH 9H 8C 8D 9S", "H"),
        ("JH 9H 7C 8D AS", "JH 9H 7C 8D 9S", "H"),
        ("AH TH 7C 8D 9S", "AH 8H 7C 8D 9S", "NT"),
        ("JC JD 7S 8S 9H", "JC 9D 7S 8S 9H", "AT"),
        ("JC 9C 7S 8S 9H", "JC QC 7S 8S 9H", "AT"),
    ],
)
def test_better_hand_promises_more_to_its_side_and_less_to_rivals(better, worse, contract):
    for seats, role in (
        (4, "own"),
        (4, "support"),
        (4, "defend"),
        (3, "own"),
        (3, "defend"),
        (2, "own"),
        (2, "defend"),
    ):
        promises = [
            belot.contract_worth(
                belot.Auction(seats, tuple(hand.split()), None, 1, role, False, False, False), contract, role, 1
            )
            for hand in (better, worse)
        ]

        assert promises[0] > promises[1]


def test_seat_knows_who_may_hold_what():
    """Every card out is somewhere, and what is said to be impossible is not so."""
    for state in decisions(rules, 300):
        seat = rules.to_act(state)
        seen = rules.view(state, seat)
        if seen["phase"] != "play":
            continue
        holds = belot.read_table(seen).holders
        assert set(holds) >= rules.hidden_from(state, seat)
        for card, chances in holds.items():
            holders = [rival for rival in range(seen["seats"]) if card in rules.view(state, rival)["hand"]]
            assert all(chances.get(rival, 0) > 0 for rival in holders)
            assert sum(chances.values()) == pytest.approx(1) or (seen["pack"] and sum(chances.values()) < 1)


def test_margin_learned_from_is_that_of_the_rules():
    compared = 0
    for seats, seed in product((2, 3, 4), range(12)):
        start = rules.new_match(seats, {})
        *_, (_, _, over) = played_on(rules, start, random.Random(seed))
        for row in rules.score_sheet(over)["rows"]:
            if row["level"] > 1 or any(row["pot"]) or row["valat"] is not None:
                continue
            side = row["bidder"] % len(row["points"])
            others = [mp for other, mp in enumerate(row["mp"]) if other != side]

            margin = fit_belot.margin_of(row["points"], side, row["outcome"])

            assert margin == pytest.approx(row["mp"][side] - sum(others) / len(others), abs=1.5)
            compared += 1
    assert compared > 20
