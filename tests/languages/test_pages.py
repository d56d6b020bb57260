"""Whatever pages say can be translated: links are followed from the front page on, by a visitor and by a member."""

import re
from html import unescape
from urllib.parse import urlsplit

import pytest

from accounts.models import User
from games.catalog import all_games
from games.pages.moments import NAMES as PEOPLE
from tests import opening
from tests.history.test_formats import SHORTEST
from tests.languages.made_up import unsaid
from tests.matches import play_on
from tests.walking import walk

pytestmark = pytest.mark.whole

# Of people and things, the same in all languages
LANGUAGES = ("English", "Deutsch", "français", "Hrvatski", "Български", "Made up", "Esperanto", "esperanto")
THINGS = ("Valat", *LANGUAGES, *(game.name for game in all_games()))
SERVICES = ("Discord", "Slack", "Matrix (hookshot)")
NAMES = (*THINGS, *SERVICES, *PEOPLE)


@pytest.fixture
def finished_matches(db):
    """A match of each game that Ana has played to its end: their codes."""
    ana = User.objects.create(username="Ana")
    codes = []
    for game in all_games():
        seats = game.newest.default_seats
        opened = opening.open_table(
            ana,
            game.slug,
            seats=seats,
            bots=seats - 1,
            options=SHORTEST[game.slug],
            seed=game.slug.encode().hex().ljust(64, "0"),
            speed="untimed",
        )
        codes.append(play_on(opened).code)
    return codes


def test_what_pages_say(client, made_up_language, finished_matches):
    client.cookies["language"] = made_up_language
    found = dict(_unsaid_pages(client, ["/", "/accounts/signup/", "/accounts/login/", "/no-such-page/"]))
    client.force_login(User.objects.get(username="Ana"))
    replays = [f"/matches/{code}/replay/?move=5" for code in finished_matches]
    found |= dict(_unsaid_pages(client, ["/", "/accounts/settings/", *replays]))

    assert found == {}


def _unsaid_pages(client, entrances):
    """Yield (kind of page, what it says that can't be translated) of every kind of page that links lead to."""
    page = None

    def open_page(address):
        nonlocal page
        page = client.get(address, follow=True)

    def is_html():
        return page.headers.get("Content-Type", "").startswith("text/html")

    def links():
        hrefs = re.findall(r'<a [^>]*?href="([^"#]+)', page.text) if is_html() else []
        return [unescape(href) for href in hrefs if not urlsplit(href).scheme and not href.startswith("/admin/")]

    for name in walk(open_page, links, entrances):
        if is_html() and (texts := unsaid(page.text, NAMES)):
            yield f"{name} {page.request['PATH_INFO']}", texts
