"""Whist as it is drawn, and played over the pages of the site: a fifth game takes nothing but its own files."""

import re

import pytest

from games.play import store
from tests import opening
from tests.matches import play_on

pytestmark = pytest.mark.django_db


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
