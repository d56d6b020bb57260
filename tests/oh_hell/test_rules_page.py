"""The figures on the rules page of Oh Hell are those of its rules."""

import pytest

from games.catalog import get_rules
from games.kit.tricks import legal_plays, winning_place
from tests.rules_page import (
    NAMES,
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

RULES = get_rules("oh-hell")
BEFORE = 17  # moves of the example until its third hand is dealt


@pytest.fixture
def page(client):
    return page_of(client, "oh-hell")


def test_hands_of_the_example_are_those_dealt(page):
    vera, ana, boris = [set(hand) for _, _, hand, _ in hands_on(section(page, "example"))]

    assert [ana, boris, vera] == hands_dealt("oh-hell", BEFORE + 1)
    assert RULES.view(state_after("oh-hell", BEFORE + 1), None)["turned"] == "6H"


def test_bids_of_the_example(page):
    table = RULES.view(state_after("oh-hell", BEFORE + 3), 1)

    assert (table["to_act"], table["dealer"], table["hook"]) == (1, 1, 1)
    assert RULES.view(state_after("oh-hell", BEFORE + 4), None)["bids"] == [1, 0, 1]
    assert "under by 1" in text_of(section(page, "example"))
    assert RULES.score_sheet(state_after("oh-hell"))["hands"][2]["over_under"] == -1


def test_tricks_of_the_example_were_played_like_this(page):
    last = RULES.view(state_after("oh-hell"), None)["last_hand"]

    assert tricks_on(section(page, "example")) == tricks_played(last["tricks"])


def test_points_of_the_example(page):
    seats = RULES.score_sheet(state_after("oh-hell"))["hands"][2]["seats"]

    told = rows_of(page, "example-points")

    assert [name for name, *_ in told] == NAMES[:3]
    for (_, bid, taken, points), seat in zip(told, seats, strict=True):
        assert [int(bid), int(taken), int(points.split("=")[-1])] == [seat["bid"], seat["taken"], seat["points"]]


def test_marked_cards_are_those_that_may_be_played(page):
    hands = hands_on(section(page, "play"))

    assert len(hands) == 2
    for _, trick, hand, may in hands:
        assert legal_plays(hand, trick) == may


def test_tricks_for_beginners_go_to_whom_it_says(page):
    plain, trumped = tricks_on(section(page, "tricks"))

    for (_, plays, winner), trump in ((plain, "C"), (trumped, "S")):
        assert plays[winning_place([card for _, card in plays], trump)][0] == winner


def test_sizes_of_full_hands(page):
    told = rows_of(page, "cards")

    for players, cards, hands in told:
        for seats in players.replace(",", "").replace("or", "").split():
            sheet = RULES.score_sheet(RULES.new_match(int(seats), {}))
            assert (str(sheet["hands"][0]["cards"]), str(len(sheet["hands"]))) == (cards, hands)
    assert len(told) == 3
