"""The figures on the rules page of Belot are those of its rules."""

import itertools
import re

import pytest

from games.belot.rules.declarations import SEQUENCES, SQUARES
from games.belot.rules.pack import card_points, duties, legal_cards, winning_index
from games.catalog import get_rules
from tests.belot.test_rules import clean, settled
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

RULES = get_rules("belot")
CALLED = 7  # moves of the example until all cards of the first deal are dealt
FIRST_DEAL = 7 + 4 + 32  # the deal, six calls, four declarations and the cards


@pytest.fixture
def page(client):
    return page_of(client, "belot")


@pytest.fixture
def row():
    """The line of the example's first deal on the score sheet."""
    return RULES.score_sheet(state_after("belot"))["rows"][0]


def test_hands_of_the_example_are_those_dealt(page):
    assert [set(hand) for _, _, hand, _ in hands_on(section(page, "example"))] == hands_dealt("belot", CALLED)


def test_calls_and_declarations_of_the_example():
    table = RULES.view(state_after("belot", FIRST_DEAL), None)["last_hand"]

    assert (table["contract"], NAMES[table["bidder"]], table["level"]) == ("H", "Vera", 1)
    assert [(NAMES[made["seat"]], made["kind"], made["cards"]) for made in table["declared"]] == [
        ("Ana", "tierce", ["TC", "JC", "QC"]),
        ("Boris", "tierce", ["QH", "KH", "AH"]),
        ("Vera", "quarte", ["8H", "9H", "TH", "JH"]),
        ("Goran", "tierce", ["JD", "QD", "KD"]),
    ]


def test_tricks_of_the_example_were_played_like_this(page):
    example = section(page, "example")
    played = RULES.view(state_after("belot", FIRST_DEAL), None)["last_hand"]["played"]
    counts = card_points("H")

    assert tricks_on(example) == tricks_played(played)
    told = [int(points) for points in re.findall(r"Trick \d: (\d+) points", example)]
    assert told == [sum(counts[play["card"]] for play in trick["plays"]) for trick in played]


def test_points_and_score_of_the_example(page, row):
    lines = rows_of(page, "example-points")
    told = {words: [0 if text == "–" else int(text) for text in texts] for words, *texts in lines}

    assert told == {
        "Cards": row["cards"],
        "Last trick": [10 * (side == row["last_trick"]) for side in (0, 1)],
        "Declarations": row["declarations"],
        "Belot": row["belots"],
        "Points": row["points"],
        "Score": row["mp"],
    }


def test_score_had_the_example_been_doubled(page, row):
    assert settled(4, "H", 2, 2, row["points"])[:2] == ([50, 0], ["number", "dash"])
    assert "all 252 points twice: 50 to nothing" in text_of(section(page, "example"))


def test_sheet_shows_what_the_page_says_of_it():
    rows = RULES.score_sheet(state_after("belot"))["rows"]

    assert [row["outcome"] for row in rows] == ["made", "inside", "hanging", "made", "made"]
    assert rows[3]["pot"] == [0, rows[2]["hanging"]]


def test_marked_cards_are_those_that_may_be_played(page):
    hands = hands_on(section(page, "play"))

    assert len(hands) == 4
    for contract, trick, hand, may in hands:
        assert legal_cards(tuple(hand), duties(clean(), contract, tuple(trick))) == may


def test_tricks_for_beginners_go_to_whom_it_says(page):
    plain, trumped = tricks_on(section(page, "tricks"))

    for (_, plays, winner), contract in ((plain, "NT"), (trumped, "S")):
        assert plays[winning_index(contract, [card for _, card in plays])][0] == winner


@pytest.mark.parametrize("name", ["ranks-trump", "ranks-plain"])
def test_order_and_points_of_the_cards(page, name):
    ranks = re.search(rf'<ol[^>]*id="{name}">(.*?)</ol>', page, re.S)[1]
    cards, counts = cards_of(ranks), card_points("H")

    assert [int(points) for points in re.findall(r"<b>(\d+)</b>", ranks)] == [counts[card] for card in cards]
    for higher, lower in itertools.pairwise(cards):
        assert winning_index("H", [lower, higher]) == 1


def test_points_of_declarations(page):
    listed = re.search(r'<ul class="declared".*?</ul>', page, re.S)[0]
    lines = re.findall(r"<li><b>(\w+)</b>(.*?)<b>(\d+)</b>", listed, re.S)

    assert len(lines) == 6
    for kind, cards, points in lines:
        rank = cards_of(cards)[-1][0]
        assert int(points) == (SQUARES[rank] if kind == "Square" else dict(SEQUENCES.values())[kind.lower()])


def test_rounding(page):
    contracts = {"A trump suit": "C", "No trumps": "NT", "All trumps": "AT"}

    told = rows_of(page, "rounding")

    assert [contracts[row[0]] for row in told] == ["C", "NT", "AT"]
    for words, _, *figures in told:
        for amount, score in (map(int, figure.split(" is ")) for figure in figures):
            rest = {"C": 162, "NT": 260, "AT": 258}[contracts[words]] - amount
            bidder = 0 if amount > rest else 1
            assert settled(4, contracts[words], bidder, 1, [amount, rest])[0][0] == score


def test_rounding_at_the_limit(page):
    words = text_of(section(page, "scoring"))

    assert settled(4, "C", 0, 1, [86, 76])[0] == [8, 8]
    assert "in clubs, 86 to 76 is scored 8 to 8" in words
    assert settled(4, "C", 0, 1, [106, 106]) == ([0, 10], ["hanging", "number"], 11)
    assert "106 to 106 in clubs is scored 10, and 11 hang" in words
    assert settled(3, "C", 0, 1, [90, 36, 36])[0] == [9, 4, 4]
    assert "Two amounts that are level both go up" in words


def test_redoubled_all_trumps_end_the_bidding(page):
    calls = [{"type": "bid", "contract": "AT"}, {"type": "double"}, {"type": "redouble"}]
    state = state_after("belot", 1)
    for call in calls:
        state = RULES.apply(state, call)

    assert RULES.view(state, None)["phase"] == "play"
    assert "All trumps, redoubled, ends it at once" in text_of(section(page, "bidding"))
