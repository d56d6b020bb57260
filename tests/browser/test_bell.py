"""The bell of every page: it rings without a reload, its list answers in place, and it fits on a phone."""

import os
import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE
from tests.browser.site import befriend

pytestmark = [pytest.mark.browser, pytest.mark.whole]


def look(player, name):
    if folder := os.environ.get("PICTURES"):
        player.page.screenshot(path=f"{folder}/{name}.png")


def test_a_request_rings_on_any_page_and_is_answered_in_place(at_browser):
    ana, boris = at_browser(), at_browser(PHONE)
    for player, name in ((ana, "Ana"), (boris, "Boris")):
        player.sign_in(name)
    boris.open("/rules/")  # a page without a socket of its own
    page = boris.page
    expect(page.locator("#bell")).to_be_visible()
    expect(page.locator("#bell-count")).to_be_hidden()

    ana.open("/players/Boris/")
    ana.page.get_by_role("button", name="Add friend").click()

    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.locator("#bell-count")).to_have_text("1")
    boris.fits()
    page.locator("#bell").click()
    expect(page.locator("#bell-panel")).to_contain_text("Ana asks to be your friend.")
    look(boris, "panel-360")
    boris.is_accessible()
    page.get_by_role("button", name=re.compile("^Accept.*Ana")).click()
    expect(page.locator("#bell-panel")).to_contain_text("Ana is your friend now.")
    assert page.url.endswith("/rules/")
    expect(page).to_have_title(re.compile(r"^[^(]"))
    page.keyboard.press("Escape")
    expect(page.locator("#bell-panel")).to_be_hidden()
    expect(page.locator("#bell")).to_be_focused()
    for player in (ana, boris):
        assert not player.problems


def test_friends_write_to_each_other_without_a_reload(at_browser):
    vera, goran = at_browser(), at_browser()
    for player, name in ((vera, "Vera"), (goran, "Goran")):
        player.sign_in(name)
    befriend(vera, goran, ("Vera", "Goran"))
    vera.open("/messages/Goran/")
    goran.open("/rules/")

    write(vera, "Do you play on Friday?")
    expect(goran.page.locator("#bell-count")).to_have_text("1")
    expect(goran.page.locator("#messages-unread")).to_have_text("1")
    goran.page.locator("#bell").click()
    expect(goran.page.locator("#bell-panel")).to_contain_text("Vera has written to you.")
    look(goran, "panel-1280")
    goran.page.locator("#bell-panel").get_by_role("link", name="Answer").click()
    expect(goran.page.locator("#conversation")).to_contain_text("Do you play on Friday?")
    write(goran, "Yes, at eight.")
    expect(vera.page.locator("#conversation")).to_contain_text("Yes, at eight.")
    write(vera, "Good.")
    expect(goran.page.locator("#conversation")).to_contain_text("Good.")

    expect(goran.page.locator("#bell-count")).to_be_hidden()  # it was read at once
    expect(goran.page.locator("#messages-unread")).to_be_hidden()
    goran.open("/bell/")
    look(goran, "page-1280")
    goran.is_accessible()
    for player in (vera, goran):
        assert not player.problems


def write(player, text):
    player.page.get_by_label("Your message").fill(text)
    player.page.get_by_role("button", name="Send").click()
    expect(player.page.locator("#conversation")).to_contain_text(text)
