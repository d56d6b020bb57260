"""The main thing: two people at two browsers, with bots, from sign-up to a step in the replay."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import DESKTOP, PHONE
from tests.browser.site import play_to_the_end, sit_down_together

pytestmark = pytest.mark.browser


@pytest.mark.thorough
def test_two_people_play_a_match_to_its_end(at_browser):
    ana, boris = at_browser(DESKTOP, reduced_motion="reduce"), at_browser(PHONE, reduced_motion="reduce")
    ana.sign_up("Ana")
    boris.sign_up("Boris")
    code = sit_down_together(ana, boris, seats=3)

    play_to_the_end(ana, boris)

    for player in (ana, boris):
        player.page.get_by_text("Final result").wait_for()
        expect(player.page.locator("table.sheet").first.locator("tbody tr")).to_have_count(10)
        look_back(player, code)
        check_the_shuffles(player, code)
    assert ana.problems == []
    assert boris.problems == []


def check_the_shuffles(player, code):
    """Both browsers gave their shares and noted what they were dealt: nothing is left that can't be compared."""
    player.open(f"/matches/{code}/shuffle/")
    player.page.get_by_text("All as promised: the seats and all 10 decks").wait_for()
    expect(player.page.locator(".checks .right")).to_have_count(15)
    player.is_accessible()


def look_back(player, code):
    """Find the match in the history, open its replay and step to a move that has an address."""
    page, key = player.page, player.page.keyboard
    player.open("/matches/")
    line = page.locator("tr", has=page.locator(f"a[href*='{code}']"))
    assert all(name in line.text_content() for name in ("Ana", "Boris"))
    line.get_by_role("link", name="Replay").click()
    player.wait_for_replay()
    key.press("End")
    page.locator("#sentence", has_text="plays").wait_for()
    key.press("Home")
    for _ in range(3):
        key.press("ArrowRight")
    page.wait_for_url(re.compile(r"[?&]move=3\b"))
    player.is_accessible()
    player.shows_what_the_address_says()
