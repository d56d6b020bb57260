"""No card that is hidden from somebody reaches their browser: in every game, whoever looks, by page and by socket."""

import re

import pytest
from django.test import Client

from games.catalog import CHANCE, all_games
from games.fragments import Fragments
from games.play import seating
from tests import opening
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

CARDS = re.compile(r'data-card="([^"]+)"')
MOVES = 80


def browser_of(user):
    """The browser of a user, or of nobody known (None)."""
    client = Client()
    if user:
        client.force_login(user)
    return client


def sent_to(client, snapshot, user):
    """All that the browser of a user may get of a match as it is now."""
    number = user and user.pk
    address = f"/matches/{snapshot.code}/"
    yield Fragments(snapshot).for_user(number, snapshot.move_count - 1)
    yield client.get(f"{address}?seen={snapshot.move_count - 1}").text
    yield client.post(f"{address}move/", {"move": '{"type": "none"}', "seen": snapshot.move_count}).text
    yield client.get(f"{address}sheet/").text
    yield client.get(f"{address}replay/?move={snapshot.move_count - 1}").text


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_nobody_is_sent_a_card_that_is_hidden_from_them(users, game, rng):
    ana, boris, vera, _ = users
    match = opening.open_table(ana, game, seats=4, bots=1, speed="untimed")
    for user in (boris, vera):
        match = seating.sit_down(user, match.code)
    match = play_on(match, until=lambda snapshot: snapshot.move_count > 3)
    match = seating.leave_match(vera, match.code)
    browsers = {user: browser_of(user) for user in (None, ana, boris, vera)}
    looked_for = set()

    def look(snapshot):
        if snapshot.to_act != CHANCE and (not looked_for or rng.random() < 0.1):
            for user, client in browsers.items():
                hidden = snapshot.rules.hidden_from(snapshot.state, snapshot.player_number(user and user.pk))
                looked_for.update(hidden)
                for text in sent_to(client, snapshot, user):
                    assert hidden.isdisjoint(CARDS.findall(text))
        return snapshot.move_count >= MOVES

    play_on(match, until=look)

    assert looked_for  # there was something to leak
