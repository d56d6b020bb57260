"""Every page: no violation of accessibility in either theme, no error in Firefox."""

import json
import time
from urllib.parse import urljoin, urlsplit

import pytest
from django.urls import Resolver404, resolve

from games.catalog import all_games
from tests.browser.axe import violations_in_both_themes
from tests.browser.firefox import FIREFOX, Firefox
from tests.browser.fixtures import PHONE
from tests.history.test_formats import SHORTEST

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

ENTRANCES = ["/", "/accounts/signup/", "/accounts/login/", "/accounts/settings/", "/no-such-page/"]
NO_PAGES = {
    "download",
    "records",
    "facts",
    "sheets",
    "sheet_csv",
    "sheet_picture",
    "card",
    "account_logout",
    "mfa_download_recovery_codes",
}
SOME_PAGES = {  # that links must lead to
    *("lobby", "open_table", "rules_index", "rules", "credits"),
    *("my_matches", "statistics", "bests", "note", "profile", "match", "sheet", "replay", "replay_paper", "shuffle"),
    *("inbox", "talk_settings"),
    *("analysis", "comments", "play_on", "own_lines", "days", "challenge"),
    *("clubs", "club", "club_members", "club_standings", "club_settings", "add_way"),
    *("account_signup", "account_login", "settings", "delete", "account_change_password", "mfa_index"),
}
LEFT_BEFORE_ITS_FONT = "status=2152398850"  # of a rare letter: what Firefox says of all that it no longer waits for
ONE_OF_A_KIND = {"profile", "open_table"}  # as good as all others, but for the game that they are of


@pytest.fixture(scope="module")
def matches(site):
    """A finished match of each game, among bots: their codes, by game."""
    played = {
        game.slug: site.command("selfplay", game.slug, "--options", json.dumps(SHORTEST[game.slug]))
        for game in all_games()
    }
    return {slug: json.loads(figures)["codes"][0] for slug, figures in played.items()}


@pytest.fixture
def member(at_browser, matches):
    """Somebody with an account, who waits at a table and plays at another."""
    ana = at_browser(PHONE, reduced_motion="reduce")
    ana.sign_up(f"Ana{time.time_ns() % 10**6}")
    ana.open("/clubs/")
    ana.page.get_by_label("Name", exact=True).fill("Card Corner")
    ana.page.get_by_role("button", name="Found the club").click()
    ana.open_table("belot", bots=1)
    ana.open_table("oh-hell", bots=3)
    return ana


def kind_of(address):
    """What a page is, so that it is visited once: the name of its address, and the game and match that it is of."""
    parts = urlsplit(address)
    try:
        found = resolve(parts.path)
    except Resolver404:
        return parts.path, "", ""
    codes = "" if found.view_name in ONE_OF_A_KIND else found.kwargs.get("code", "")
    return found.view_name, found.kwargs.get("game", ""), codes


def walk(open_page, links, base, finished):
    """Open every page that links lead to. Yields the name of its address.

    links: gives those of the page. finished: the code of a match in whose replay it begins, too.
    """
    known = {}
    waiting = [urljoin(base, path) for path in [*ENTRANCES, f"/matches/{finished}/replay/"]]
    while waiting:
        address = waiting.pop(0)
        kind = kind_of(address)
        if kind in known or kind[0] in NO_PAGES or not address.startswith(base) or "/static/" in address:
            continue
        known[kind] = address
        open_page(address)
        yield kind[0]
        waiting += links()


def test_no_page_is_hard_to_use(member, matches):
    page, found, names = member.page, [], set()

    def links():
        return page.evaluate("[...document.links].map(link => link.href)")

    for name in walk(page.goto, links, member.site.url, matches["belot"]):
        names.add(name)
        found += violations_in_both_themes(page)

    assert "\n".join(found) == ""
    assert names >= SOME_PAGES


def test_every_page_opens_in_firefox(member, matches, tmp_path):
    if FIREFOX is None:
        pytest.skip("Firefox is missing: install it (Debian: apt-get install firefox-esr).")
    firefox = Firefox(tmp_path)
    base = member.site.url
    try:
        for cookie in member.context.cookies():
            firefox.keep_cookie(cookie["name"], cookie["value"], urlsplit(base).hostname)

        def links():
            return json.loads(firefox.evaluate("JSON.stringify([...document.links].map(link => link.href))"))

        names = set(walk(firefox.open, links, base, matches["belot"]))
    finally:
        firefox.close()

    assert names >= SOME_PAGES
    harmless = ("/no-such-page/", LEFT_BEFORE_ITS_FONT)
    assert [problem for problem in firefox.problems if not any(part in problem for part in harmless)] == []
