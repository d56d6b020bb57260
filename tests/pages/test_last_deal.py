"""The result of the last deal, seen again while the next one is played."""

import re

import pytest

from games.catalog import CHANCE, all_games, get_game
from games.fragments import Fragments
from games.play import memory
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.django_db

GAMES = [game.slug for game in all_games()]


def at_a_result(user, game):
    opened = opening.open_table(user, game, seats=4, bots=3, speed="untimed", seed="ab" * 32)
    return play_on(opened, until=lambda snapshot: snapshot.to_act == CHANCE)


def next_deal(snapshot):
    return play_on(snapshot, until=lambda later: later.deal_count > snapshot.deal_count)


def result_in(html):
    """The table of a result, without the buttons beside it."""
    return re.search(r'<div class="result".*?(<table>.*?</table>)', html)[1]


@pytest.mark.parametrize("game", GAMES)
def test_the_result_is_as_it_was_all_through_the_next_deal(as_ana, ana, game):
    scored = at_a_result(ana, game)
    seen = result_in(Fragments(scored).for_user(ana.pk))
    next_deal(scored)
    memory.forget()

    page = as_ana.get(f"/matches/{scored.code}/last/").text
    panel = as_ana.get(f"/matches/{scored.code}/last/", headers={"HX-Request": "true"}).text

    assert result_in(page) == seen
    assert result_in(panel) == seen
    assert "<html" in page
    assert "<html" not in panel
    assert f"Last {get_game(game).deal_word}" in page


def test_whoever_looks_on_sees_no_more_than_then(client, ana):
    scored = next_deal(at_a_result(ana, "oh-hell"))

    page = client.get(f"/matches/{scored.code}/last/").text

    assert "Ana" in result_in(page)
    assert "data-card" not in page
    assert "You" not in result_in(page)


def test_before_the_first_result_there_is_nothing_to_see_again(as_ana, started):
    page = as_ana.get(f"/matches/{started.code}/last/")

    assert page.status_code == 200
    assert "No hand of this match has been scored yet." in page.text


def test_the_way_to_it_is_there_from_the_second_deal_on(as_ana, ana):
    scored = at_a_result(ana, "oh-hell")
    link = re.compile(r'<a[^>]*id="bar-last"[^>]*>')

    at_first = link.search(as_ana.get(f"/matches/{scored.code}/").text)[0]
    next_deal(scored)
    later = link.search(as_ana.get(f"/matches/{scored.code}/").text)[0]

    assert "hidden" in at_first
    assert "hidden" not in later
    assert f'href="/matches/{scored.code}/last/"' in later
