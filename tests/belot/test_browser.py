"""Two people and two bots at a table of Belot, to the end of the match, and the match looked at again."""

import pytest

from tests.browser.fixtures import DESKTOP, PHONE
from tests.browser.site import play_to_the_end, sit_down_together

pytestmark = pytest.mark.browser


def test_two_people_play_belot_to_its_end(at_browser):
    ana, boris = at_browser(DESKTOP, reduced_motion="reduce"), at_browser(PHONE, reduced_motion="reduce")
    ana.sign_up("Ana")
    boris.sign_up("Boris")
    code = sit_down_together(ana, boris, "belot", seats=4, target=51)
    ana.page.locator("#bid-box").wait_for()

    play_to_the_end(ana, boris)

    for player in (ana, boris):
        page, key = player.page, player.page.keyboard
        page.get_by_text("Final result").wait_for()
        assert page.locator("table.sheet").first.locator("thead th.player").first.inner_text().startswith("We")
        opens_a_figure(player)
        player.is_accessible()

        player.open(f"/matches/{code}/replay/")
        player.wait_for_replay()
        key.press("End")
        page.locator("#sentence", has_text="plays").wait_for()
        rows = page.locator("#sheet tbody tr").count()
        opens_a_figure(player)
        key.press("Home")
        page.locator("#sentence", has_text="The cards are dealt").wait_for()
        page.get_by_text("No deal has been scored yet.").wait_for()
        key.press("ArrowRight")
        page.locator("#sentence", has_text="bids").or_(page.locator("#sentence", has_text="passes")).wait_for()
        player.is_accessible()
        assert rows >= 1
    assert ana.problems == []
    assert boris.problems == []


def opens_a_figure(player):
    """A figure of the sheet opens its workings, and Escape shuts them and does nothing else."""
    page, address = player.page, player.page.url
    page.locator("table.sheet .figure").first.click()
    workings = page.locator(".workings:popover-open")
    workings.get_by_text("Written").wait_for()
    player.is_accessible()
    page.keyboard.press("Escape")
    workings.wait_for(state="detached")
    assert page.url == address
