"""The main thing: two people at two browsers, with bots, from sign-up to a step in the replay."""

import re
import time

import pytest

from tests.browser.conftest import DESKTOP, PHONE

pytestmark = pytest.mark.browser

MATCH_LIMIT = 300  # seconds; it takes a fifth of that where nothing else runs


def test_two_people_play_a_match_to_its_end(at_browser):
    ana, boris = at_browser(DESKTOP, reduced_motion="reduce"), at_browser(PHONE, reduced_motion="reduce")
    ana.sign_up("Ana")
    boris.sign_up("Boris")
    code = sit_down_together(ana, boris, game_style="short-up")

    play_to_the_end(ana, boris)

    for player in (ana, boris):
        player.page.get_by_text("Final result").wait_for()
        assert player.page.locator("table.sheet").first.locator("tbody tr").count() == 10
        look_back(player, code)
    assert ana.problems == []
    assert boris.problems == []


def sit_down_together(ana, boris, *, seats=3, **table):
    """Ana opens a table, Boris finds it in the lobby, bots take the other seats. Returns the match's code."""
    boris.open("/")
    boris.is_accessible()
    code = ana.open_table(seats=seats, **table)
    boris.page.locator(f"#table-{code} a").tap()  # it came by itself
    boris.page.get_by_role("button", name="Sit down").tap()
    ana.page.get_by_text("Boris").wait_for()  # so did he
    ana.is_accessible()
    ana.page.get_by_role("button", name="Start with bots").click()
    return code


def play_to_the_end(*players):
    for player in players:
        player.page.locator("#hand").wait_for()
        player.is_accessible()
        player.prefer(hold="fast", taps="one")
        player.page.locator("#bar-sheet").click()
        player.page.locator("dialog#sheet[open] table").wait_for()
        player.is_accessible()
        player.page.keyboard.press("Escape")
    deadline = time.monotonic() + MATCH_LIMIT
    while [player.go_on() for player in players].count(True) < len(players):
        assert time.monotonic() < deadline, f"Not over after {[player.moves for player in players]} moves."
        players[0].page.wait_for_timeout(20)


def look_back(player, code):
    """Find the match in the history, open its replay and step to a move that has an address."""
    page, key = player.page, player.page.keyboard
    player.open("/matches/")
    line = page.locator("tr", has=page.locator(f"a[href*='{code}']"))
    assert all(name in line.text_content() for name in ("Ana", "Boris"))
    line.get_by_role("link", name="Replay").click()
    page.locator("#replay").wait_for()
    key.press("End")
    page.locator("#sentence", has_text="plays").wait_for()
    key.press("Home")
    for _ in range(3):
        key.press("ArrowRight")
    page.wait_for_url(re.compile(r"[?&]move=3\b"))
    words = page.locator("#sentence").text_content()
    player.is_accessible()

    page.reload()

    assert page.locator("#sentence").text_content() == words
