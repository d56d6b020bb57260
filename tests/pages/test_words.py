"""The words of the trade: what they mean, and where their rules page tells of them; the rules beside the table."""

import re

import pytest
from django.urls import reverse

from games.catalog import all_games, get_game
from tests import opening
from tests.matches import play_on

GAMES = [game.slug for game in all_games()]
MARKED = re.compile(r'popovertarget="(word-[\w-]+)"')


def ids(html):
    return set(re.findall(r' id="([\w-]+)"', html))


@pytest.fixture(params=GAMES)
def game(request):
    return get_game(request.param)


@pytest.fixture
def rules_page(game, client):
    return client.get(reverse("rules", args=[game.slug])).content.decode()


def test_each_word_is_told_of_on_the_rules_page(game, rules_page):
    assert {word.place for word in game.glossary} <= ids(rules_page)


def test_each_word_is_there_once_and_short(game):
    assert len({word.name for word in game.glossary}) == len(game.glossary) > 0
    assert all(len(word.means) <= 120 for word in game.glossary)


def test_rules_open_at_a_part_that_is_there_in_every_phase(game, rules_page, db):
    sections = []

    def look(snapshot):
        sections.append(game.drawing.rules_section(snapshot.rules.view(snapshot.state, None)))
        return False

    seats = game.newest.default_seats
    opened = opening.open_table(None, game.slug, seats=seats, bots=seats, speed="untimed")
    look(play_on(opened, until=lambda snapshot: look(snapshot) or snapshot.deal_count > 2))

    assert "" not in sections
    assert set(sections) <= ids(rules_page)


@pytest.mark.whole
def test_words_marked_at_the_table_are_explained_on_its_page(game, client, ana):
    client.force_login(ana)
    opened = opening.open_table(ana, game.slug, bots=game.newest.default_seats - 1, speed="untimed")
    pages = []

    def look(snapshot):
        pages.append(client.get(reverse("match", args=[snapshot.code])).content.decode())
        return len(pages) > 8

    play_on(opened, until=look)

    for page in pages:
        assert set(MARKED.findall(page)) <= ids(page)
    assert MARKED.findall(pages[-1])


def test_link_to_the_rules_leads_to_the_part_for_the_phase(client, ana):
    client.force_login(ana)
    opened = opening.open_table(ana, "oh-hell", bots=3, speed="untimed")

    page = client.get(reverse("match", args=[opened.code])).content.decode()

    assert 'href="/rules/oh-hell/#bidding"' in page
    assert 'data-rules="bidding"' in page
