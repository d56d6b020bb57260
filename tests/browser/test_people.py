"""Friends and invitations among people at browsers."""

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE
from tests.browser.site import befriend

pytestmark = pytest.mark.browser


def press(player, name, within=None):
    (within or player.page).get_by_role("button", name=name).first.click()


def test_a_host_invites_a_friend_and_arranges_the_table(at_browser):
    mira, luka = at_browser(), at_browser(PHONE, color_scheme="dark")
    mira.sign_in("Mira")
    luka.sign_in("Luka")
    befriend(mira, luka, ("Mira", "Luka"))
    code = mira.open_table("belot", seats=4, listed="no", speed="normal")
    mira.open(f"/matches/{code}/invite/")
    press(mira, "As your partner")
    luka.open(f"/matches/{code}/")
    luka.page.get_by_role("button", name="Join").first.tap()
    luka.page.locator("#stand-button").wait_for()

    mira.open(f"/matches/{code}/")
    mira.page.get_by_role("button", name="Move Luka", exact=True).press("Enter")
    mira.page.get_by_role("button", name="Luka to the other side").press("Enter")
    expect(luka.page.locator("#say")).to_have_text("Mira has moved you to the other side.")
    mira.page.get_by_role("link", name="Set a time").click()
    mira.is_accessible()
    press(mira, "Set the time")
    expect(luka.page.get_by_text("Add to your calendar")).to_be_visible()
    mira.is_accessible()
    luka.is_accessible()
    mira.page.locator("#start-button").click()

    luka.page.locator("#hand").wait_for()
    assert not mira.problems
    assert not luka.problems
