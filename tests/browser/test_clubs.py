"""Two members at the live page of their club: talk, and a table in two clicks."""

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE

pytestmark = pytest.mark.browser


def test_members_talk_and_sit_down_together_from_the_page_of_their_club(at_browser):
    mira, luka = at_browser(), at_browser(PHONE, color_scheme="dark")
    mira.sign_in("Mira")
    luka.sign_in("Luka")
    mira.open("/clubs/")
    mira.page.get_by_label("Name").fill("Card Corner")
    mira.page.get_by_role("button", name="Found the club").click()
    luka.page.goto(mira.page.locator("#link").input_value())
    luka.page.get_by_role("button", name="Join the club").tap()
    mira.page.get_by_role("link", name="Tables").click()

    luka.page.locator("#talk-text").fill("Who plays?")
    luka.page.get_by_role("button", name="Say").tap()
    expect(mira.page.locator("#club-talk")).to_contain_text("Who plays?")
    expect(luka.page.locator("#talk-text")).to_have_value("")
    for member in (mira, luka):
        member.is_accessible()
        member.fits()
    mira.page.get_by_role("button", name="Open a table").click()
    luka.press(luka.page.locator("#club-live").get_by_role("button", name="Join"))

    expect(luka.page.locator("#stand-button")).to_be_visible()
    expect(mira.page.locator(".waiting-seats")).to_contain_text("Luka")
    assert not mira.problems
    assert not luka.problems
