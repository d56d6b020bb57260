"""The figures on the rules page of Bids are those of its rules."""

import re

import pytest

from games.bids.rules.scoring import LUCKY_LOSER
from games.catalog import get_rules
from tests.bids.test_rules import after, moves_of, start
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

RULES = get_rules("bids")


@pytest.fixture
def page(client):
    return page_of(client, "bids")


def last_trick(*plays, centre, **options):
    """The finished trick in which four players bid these cards."""
    moves = moves_of(start(4, **options), [f"{centre} 0: {' '.join(plays)} -> 0: 0"])
    return RULES.view(after(4, options, moves), None)["last_trick"]


def test_hands_of_the_example_are_those_dealt(page):
    assert [set(hand) for _, _, hand, _ in hands_on(section(page, "example"))] == hands_dealt("bids", 2)


def test_tricks_of_the_example_were_played_like_this(page):
    state = state_after("bids")
    tricks = [RULES.view(state_after("bids", 2 + 4 * number), None)["last_trick"] for number in range(1, 11)]

    assert RULES.to_act(state) == -1
    assert tricks_on(section(page, "example")) == tricks_played(tricks)


def test_points_won_in_the_tricks_of_the_example(page):
    told = {}
    for number, words in enumerate(re.split(r"<h3>Trick \d+</h3>", section(page, "example"))):
        if points := re.search(r"(?:wins|\+ 7 =) (\d+) points", words):
            told[number] = int(points[1])

    assert list(told) == [1, 2, 3, 5, 7, 10]
    for number, points in told.items():
        assert RULES.view(state_after("bids", 2 + 4 * number), None)["last_trick"]["points"] == points


def test_scores_of_the_example(page):
    (line,) = RULES.score_sheet(state_after("bids"))["rounds"]
    words = text_of(section(page, "example"))

    own = [won + doubled for won, doubled in zip(line["trick_points"], line["doubling"], strict=True)]
    assert own == [3, 0, 63, 0]
    assert line["lucky_loser"] == [0, 8, 0, 8]
    assert line["total"] == [3, 35.5, 35.5, 8]
    assert "She has 63." in words
    assert "It doubles her 27 points to 54." in words
    assert line["doubling"] == [0, 0, 27, 0]
    assert "(8 + 63) ÷ 2 = 35½ points each" in words


def test_what_each_card_would_do(page):
    part = section(page, "play")
    ((_, _, hand, _),) = hands_on(part)
    ((centre, plays, _),) = tricks_on(part)
    told = re.findall(r"<li>(.*?)</li>", re.search(r'<ul class="outcomes".*?</ul>', part, re.S)[0], re.S)

    assert [cards_of(item)[0] for item in told] == hand
    for card, item in zip(hand, told, strict=True):
        trick = last_trick(*[bid for _, bid in plays], card, centre=centre)
        words = text_of(item)
        if trick["winner"] is None:
            assert "burnt" in words
        else:
            who = "you win" if trick["winner"] == 3 else "Ana wins"
            assert f"{who} {trick['points']}" in words


def test_example_of_colour_bids(page):
    ((centre, plays, winner),) = tricks_on(section(page, "colours"))

    trick = last_trick(*[card for _, card in plays], centre=centre, colour_bids=True)

    assert (NAMES[trick["winner"]], trick["points"]) == (winner, 3)


def test_points_of_a_lucky_loser(page):
    for players, *points in rows_of(page, "lucky-loser-points"):
        for seats in players.replace("or", "").split():
            assert [int(text) for text in points] == [LUCKY_LOSER[int(seats)] * times for times in (1, 2, 3)]
