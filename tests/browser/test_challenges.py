"""Playing on from a replay, both lines beside each other, and the same cards at another table."""

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import DESKTOP, PHONE
from tests.browser.site import finish

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def code(site):
    return site.played("oh-hell", seats=3, game_style="short-down")


@pytest.mark.parametrize("device", [pytest.param(DESKTOP, marks=pytest.mark.thorough), PHONE], ids=["desktop", "phone"])
def test_play_on_from_a_replay_and_see_both_lines(at_browser, code, device):
    player = at_browser(device)
    page = player.page
    player.open_replay(code, "?move=20&seat=1")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#play-on")).to_have_attribute("href", f"/matches/{code}/play-on/?move=21&seat=1")
    page.locator("#play-on").click()

    page.get_by_role("heading", name="Play on from here").wait_for()
    player.is_accessible()
    page.get_by_label("Dealt again").check()
    page.get_by_role("button", name="Play on").click()
    page.locator("#hand").wait_for()
    finish(player)
    expect(page.locator("#other-line")).to_be_visible()
    page.locator("#other-line").click()

    expect(page.get_by_role("heading", name="As it was played")).to_be_visible()
    expect(page.get_by_role("heading", name="As you played on")).to_be_visible()
    expect(page.locator("table.sheet")).to_have_count(2)
    player.is_accessible()
    assert player.fits()
    assert player.problems == []


def test_deal_of_the_day_is_played_and_its_results_are_seen(at_browser):
    player = at_browser()
    page = player.page
    player.open()
    page.locator("#game-oh-hell").get_by_role("link", name="Deal of the day").click()
    player.is_accessible()
    expect(page.get_by_role("heading", name="All results")).to_have_count(0)
    page.get_by_role("button", name="Play", exact=True).click()
    finish(player)
    page.locator("#other-line").click()

    expect(page.get_by_role("heading", name="All results")).to_be_visible()
    expect(page.locator(".traveller tr.own")).to_have_count(1)
    player.is_accessible()
    player.open("/deal-of-the-day/")
    player.is_accessible()
    player.open("/matches/lines/")
    player.is_accessible()
