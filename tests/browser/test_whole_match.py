"""The main thing: two people at two browsers, with bots, from sign-up to a step in the replay."""

import time

import pytest

from tests.browser.conftest import DESKTOP, PHONE

pytestmark = pytest.mark.browser

MATCH_LIMIT = 150  # seconds


def test_two_people_play_a_match_to_its_end(at_browser, site):
    ana, boris = at_browser(DESKTOP, reduced_motion="reduce"), at_browser(PHONE, reduced_motion="reduce")
    ana.sign_up("Ana")
    boris.sign_up("Boris")
    boris.open("/")
    boris.page.get_by_text("Nobody is waiting").wait_for()
    boris.is_accessible()

    code = ana.open_table(seats=4)
    boris.page.locator(f"#table-{code} a").tap()  # it came by itself
    boris.page.get_by_role("button", name="Sit down").tap()
    ana.page.get_by_text("Boris").wait_for()  # so did he
    ana.is_accessible()
    ana.page.get_by_role("button", name="Start with bots").click()

    for player in (ana, boris):
        player.page.locator("#hand").wait_for()
        player.is_accessible()
        player.prefer(hold="fast", taps="one")
    deadline = time.monotonic() + MATCH_LIMIT
    while not (ana.is_over and boris.is_over):
        assert time.monotonic() < deadline, f"After {MATCH_LIMIT} seconds: {ana.moves} moves, {boris.moves} moves."
        ana.go_on()
        boris.go_on()

    for player in (ana, boris):
        player.page.get_by_text("Final result").wait_for()
        assert player.page.locator("table.sheet tbody tr").count() >= 10
        player.open("/matches/")
        line = player.page.locator("tr", has=player.page.locator(f"a[href*='{code}']"))
        assert "Ana" in line.text_content()
        assert "Boris" in line.text_content()
    assert ana.problems == []
    assert boris.problems == []
