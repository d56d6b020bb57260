"""From the front page to a table for friends, in browsers: its link, its seats, and the form that opens one."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE

pytestmark = pytest.mark.browser


REDRAWN = """() => {
    document.querySelector("[data-copied]").textContent = "";
    document.dispatchEvent(new CustomEvent("table:drawn", { detail: { frame: {}, moves: 0 } }));
}"""


@pytest.mark.thorough
def test_a_table_for_friends_by_its_link_and_a_seat_that_is_freed(at_browser):
    ana, boris = at_browser(permissions=["clipboard-read", "clipboard-write"]), at_browser(PHONE)
    ana.open("/")
    ana.is_accessible()
    ana.page.locator("#game-belot").get_by_role("button", name="Play with friends").click()
    ana.page.wait_for_url("**/matches/**")  # until its scripts are there
    ana.page.locator("#invite").click()
    expect(ana.page.locator("[data-copied]")).to_have_text("Link copied")
    ana.page.evaluate(REDRAWN)
    expect(ana.page.locator("[data-copied]")).to_have_text("Link copied")
    link = ana.page.evaluate("navigator.clipboard.readText()")

    boris.page.goto(link)
    expect(boris.page.get_by_role("heading", name="invites you to play Belot")).to_be_visible()
    boris.is_accessible()
    boris.press(boris.page.locator("#sit-button"))
    ana.page.locator(".waiting-seat", has_text="guest").wait_for()
    ana.page.get_by_role("button", name="Add a bot").first.click()
    ana.is_accessible()
    ana.page.get_by_role("button", name=re.compile("^Hard")).click()
    expect(ana.page.locator("#waiting h2")).to_have_text("One seat is free")
    ana.is_accessible()
    ana.page.locator(".waiting-seat", has_text="guest").get_by_role("button", name="Remove").click()
    ana.page.get_by_role("dialog").get_by_role("button", name="Remove").click()

    expect(ana.page.locator("#waiting h2")).to_have_text("2 seats are free")
    expect(boris.page.locator("#waiting [role=alert]")).to_contain_text("The host has removed you from this table.")
    boris.is_accessible()
    ana.page.get_by_role("button", name="Start with bots").click()
    ana.page.locator("#mine").wait_for()
    assert ana.problems == boris.problems == []


def test_the_form_offers_what_fits_and_keeps_what_was_chosen(at_browser):
    player = at_browser(PHONE)
    page = player.page
    player.open("/tables/new/?game=bids")
    form = page.locator("form.open-table")
    form.locator("details.options > summary").tap()
    form.locator("[name=option_surprise]").select_option("True")
    form.locator("[name=speed]").select_option("relaxed")
    form.locator("[name=bots]").select_option("3")
    form.locator(".company > summary").tap()
    player.is_accessible()

    form.locator("[name=seats]").focus()
    form.locator("[name=seats]").select_option("3")
    expect(form.locator("[name=bots] option")).to_have_text(["0", "1", "2"])

    expect(form.get_by_role("alert")).to_contain_text("no more than 2 bots")
    expect(form.locator("[name=option_ally]")).to_have_count(0)
    assert form.locator("[name=option_surprise]").input_value() == "True"
    assert form.locator("[name=speed]").input_value() == "relaxed"
    assert form.locator("details.options").get_attribute("open") is not None
    assert form.locator("details.company").get_attribute("open") is not None
    expect(form.locator("[name=seats]")).to_be_focused()
    form.get_by_role("button", name="Open the table").tap()
    page.wait_for_url(re.compile("/matches/"))
    page.locator("#mine, #waiting").first.wait_for()
    assert player.problems == []
