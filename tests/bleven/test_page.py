"""Bleven's pages off the table: the worked round of its rules is played, and its figures are found; the form."""

import re
from html import unescape

import pytest
from django.utils.html import strip_tags

from tests.bleven.shorthand import dealt, paid, passed, play, row, rules

FIELDS = ("4C QH KD", "6D 7S JH")
PREDICTED = ("declare", "stay", "predict 3 2 3")


@pytest.fixture
def worked_round(client, db):
    """The section of the page as HTML."""
    page = client.get("/rules/bleven/").content.decode()
    return re.search(r'<h2 id="round">.*?(?=<h2)', page, re.DOTALL).group(0)


def text_of(html):
    return " ".join(unescape(strip_tags(html)).split())


def start():
    return play(dealt(rules.new_match(2, {}), *FIELDS), *PREDICTED)


def test_worked_round_shows_the_cards_as_they_are_played(worked_round):
    tricks = row(passed(play(start(), "suspect 2", "accept")))["tricks"]

    fields = [card for field in FIELDS for card in field.split()]
    played = [card["card"] for trick in tricks for card in trick["plays"]]
    assert re.findall(r'data-card="(..)"', worked_round) == fields + played
    assert [trick["winner"] for trick in tricks] == [1, 0, 0]


def test_worked_round_is_paid_as_the_page_says(worked_round):
    answered = play(start(), "suspect 2", "accept", "pass", "bet 2", "in")
    deduced = play(start(), "deduce 2", "accept", "pass", "bet 2", "in")

    assert paid(passed(answered)) == [(0, 6, "points"), (0, 5, "bet"), (0, 2, "side_bets")]
    assert sum(stones for _, stones, _ in paid(passed(deduced))) == 8
    assert paid(play(start(), "out")) == [(0, 4, "round"), (0, 1, "out")]
    text = text_of(worked_round)
    assert "Ana gets 6 points for two tricks and one position, 5 stones for the bet" in text
    assert "2 for the side bet: 13 in all" in text
    assert "6 points and the side bet, 8 in all" in text
    assert "she would have got 5: 4 for the round, 1 for going out" in text
    assert "Ana, 23" in text
    assert "Boris, 21" in text


def test_usual_prices_are_told_for_each_number_of_players(client, db):
    text = text_of(client.get("/rules/bleven/").content.decode())

    for seats, players in ((2, "two"), (4, "four")):
        price = next(field.default for field in rules.option_fields(seats) if field.name == "leave_cost")
        assert f"{price} stones Usual with {players} players" in text


def test_every_choice_that_needs_it_is_explained():
    explained = {
        field.name: all(choice.help for choice in field.choices)
        for field in rules.option_fields()
        if field.name != "max_bet"  # numbers of stones speak for themselves
    }

    assert explained == dict.fromkeys(explained, True)
