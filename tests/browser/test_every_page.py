"""Every page: no violation of accessibility in either theme, no error in Chromium's console, none in Firefox."""

import json
import re
from urllib.parse import urlsplit

import pytest

from tests.browser.axe import violations_in_both_themes
from tests.browser.firefox import FIREFOX, Firefox
from tests.browser.site import entrances
from tests.walking import walk

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

SOME_PAGES = {  # that links must lead to
    *("lobby", "open_table", "rules_index", "rules", "credits"),
    *("wrong_word", "help_translate"),
    *("my_matches", "statistics", "bests", "note", "profile", "match", "sheet", "replay", "replay_paper", "shuffle"),
    *("inbox", "chat_settings"),
    *("analysis", "comments", "play_on", "own_lines", "days", "challenge"),
    *("clubs", "club", "club_members", "club_standings", "club_settings", "add_preset"),
    *("account_signup", "account_login", "settings", "delete", "account_change_password", "mfa_index"),
}
# What Firefox says of all that it no longer waits for, because the page was left: a font for a rare letter, or a
# picture for which the service worker was asked.
LEFT = re.compile(r"status=2152398850|/static/(img|fonts)/\S+ A ServiceWorker intercepted the request")


def test_no_page_is_hard_to_use(member, matches):
    page, found, names = member.page, [], set()
    for name in walk(member.open_confirmed, member.links, entrances(member.site, matches), member.site.url):
        names.add(name)
        found += violations_in_both_themes(page)

    assert "\n".join(found) == ""
    assert names >= SOME_PAGES
    assert [problem for problem in member.problems if "/no-such-page/" not in problem] == []


def test_every_page_opens_in_firefox(member, matches, tmp_path):
    if FIREFOX is None:
        pytest.skip("Firefox is missing: install it (Debian: apt-get install firefox-esr).")
    firefox = Firefox(tmp_path)
    base = member.site.url
    member.open_confirmed(f"{base}/accounts/delete/")
    try:
        for cookie in member.context.cookies():
            firefox.keep_cookie(cookie["name"], cookie["value"], urlsplit(base).hostname)

        def links():
            return json.loads(firefox.evaluate("JSON.stringify([...document.links].map(link => link.href))"))

        names = set(walk(firefox.open, links, entrances(member.site, matches), base))
    finally:
        firefox.close()

    assert names >= SOME_PAGES
    problems = [problem for problem in firefox.problems if not LEFT.search(problem)]
    assert [problem for problem in problems if "/no-such-page/" not in problem] == []
