"""Whist as it is drawn, and played over the pages of the site: a fifth game takes nothing but its own files."""

import random
import re

import pytest

from games.play import store
from tests import opening
from tests.kit.cast import a_match, cards_on, cast, html_of_felt, html_of_mine
from tests.matches import play_on
from tests.whist import GAME

pytestmark = pytest.mark.django_db


def test_no_hidden_card_is_drawn(whist):
    rules, drawing, players = GAME.newest, GAME.drawing, cast(4)
    hidden_cards = 0
    for state in a_match(rules, 4, random.Random(1)):
        for seat in (None, 0, 3):
            moves = rules.legal_moves(state) if rules.to_act(state) == seat else []
            drawn = (
                drawing.felt(rules.view(state, None), players),
                drawing.mine(rules.view(state, seat), moves, players),
            )
            page = html_of_felt("whist", drawn[0]) + html_of_mine("whist", drawn[1], seat)
            hidden = rules.hidden_from(state, seat)
            assert not cards_on(page) & hidden
            hidden_cards += len(hidden)
    assert hidden_cards


@pytest.mark.whole
def test_every_page_of_the_site_has_it(whist, client, users):
    opened = opening.open_table(users[0], "whist", bots=3, speed="untimed", seed="12" * 32)
    mine = opened.seat_of(users[0].pk).number
    client.force_login(users[0])
    for path in ("/", "/rules/", "/rules/whist/", "/tables/new/?game=whist", f"/matches/{opened.code}/sheet/"):
        assert "Whist" in client.get(path).content.decode(), path

    while play_on(store.read(opened.code), until=lambda now: now.to_act == mine).status == "playing":
        page = client.get(f"/matches/{opened.code}/").content.decode()
        seen = re.search(r'name="seen" value="(\d+)"', page)[1]
        buttons = re.findall(r"""value='({"type":"play","card":"\w\w"})'([^>]*)>""", page)
        move = next(move for move, attributes in buttons if "aria-disabled" not in attributes)
        assert 'href="/static/whist/whist.css"' in page
        assert client.post(f"/matches/{opened.code}/move/", {"move": move, "seen": seen}).status_code == 302

    for path in ("", "sheet/", "replay/frames/?deal=2", "shuffle/"):
        assert client.get(f"/matches/{opened.code}/{path}").status_code == 200
    assert "Next deal" in client.get(f"/matches/{opened.code}/replay/").content.decode()
