"""The site in every language on a phone: all that it says is translated, and nothing runs out of the page."""

from itertools import cycle
from time import time_ns

import pytest

from games.catalog import all_games
from tests.browser.fixtures import PHONE, served
from tests.browser.site import entrances, finish
from tests.history.test_formats import SHORTEST
from tests.languages import made_up
from tests.languages.made_up import unsaid
from tests.languages.test_pages import NAMES as NAMES_ON_PAGES
from tests.walking import walk
from tools.messages import languages

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

NAMES = (*NAMES_ON_PAGES, "Ana", "Card Corner", "UTC")

every_game = pytest.mark.parametrize("game", [game.slug for game in all_games()])
every_language = pytest.mark.parametrize("language", [*languages(), made_up.CODE])

ALL_BUTTONS = """() => {
    document.querySelectorAll(".match-bar-end > *").forEach((button) => { button.hidden = false; });
}"""
TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const held = (element) => element.closest("[hidden], dialog:not([open])");
    return [...document.body.querySelectorAll("*")]
        .filter((element) => element.getBoundingClientRect().right > width + 0.5 && !held(element))
        .map((element) => `${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`)
        .slice(-3);
}"""
NOTE_ALL = """
    window.pages = [];
    new MutationObserver(() => {
        const html = document.body?.outerHTML;
        if (html && html !== window.pages.at(-1)) window.pages.push(html);
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site that speaks a made-up language as well as those that it has been translated to."""
    locale = tmp_path_factory.mktemp("locale")
    made_up.build(locale)
    spoken = ",".join(["en", *languages(), made_up.CODE])
    with served(tmp_path_factory.mktemp("site"), LOCALE_PATHS=str(locale), LANGUAGES=spoken, PACE="0.03") as site:
        yield site


def _speak(player, language):
    player.context.add_cookies([{"name": "language", "value": language, "url": player.site.url}])


@every_language
def test_every_page_speaks_the_language_and_fits_a_phone(member, matches, language):
    found = {}
    _speak(member, language)
    page = member.page
    for name in walk(page.goto, member.links, entrances(member.site, matches), member.site.url):
        # words of the made-up language have no length
        if texts := unsaid(page.content(), NAMES) if language == made_up.CODE else page.evaluate(TOO_WIDE):
            found[page.url] = texts
        assert page.locator("html").get_attribute("lang") == language, name

    assert found == {}


@every_game
def test_a_whole_match_is_told(at_browser, game):
    """In the made-up language: every frame that comes, whatever it is changed to by scripts."""
    player = _at_table(at_browser, game)
    page, found = player.page, set()
    _speak(player, made_up.CODE)
    page.add_init_script(NOTE_ALL)
    page.reload()
    player.wait_for_scripts()

    def look():
        for html in page.evaluate("[...window.pages.splice(0)]"):
            found.update(unsaid(html, NAMES))

    finish(player, look=look)
    look()

    assert found == set()


@every_game
def test_every_table_fits_a_phone(at_browser, game):
    """In each language in turn, at the positions of a whole match."""
    player = _at_table(at_browser, game, elsewhere=True)
    page, found, turns = player.page, set(), cycle(languages())

    def look():
        state = player.state()
        if state["turn"] or state["ready"] or state["over"]:
            _speak(player, next(turns))
            page.reload()
            page.evaluate(ALL_BUTTONS)  # as if people talked here
            found.update(page.evaluate(TOO_WIDE))

    finish(player, look=look)
    look()  # at the end

    assert found == set()


def _at_table(at_browser, game, elsewhere=False):
    """A member on a phone at a match of this game; elsewhere: at another one, too."""
    player = at_browser(PHONE, reduced_motion="reduce")
    player.sign_in(f"Ana{time_ns() % 10**6}")
    if elsewhere:
        player.open_table(seats=3, bots=2)
    player.open_table(game, seats=4, bots=3, **SHORTEST[game])
    player.wait_for_scripts()
    player.prefer(hold="fast", taps="one")
    return player
