"""The analysis of a finished match, in Chromium: asked for, called off, done, and gone through by keys."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import DESKTOP, PHONE

pytestmark = pytest.mark.browser

WORKED = 60_000  # milliseconds; some three seconds where nothing else runs


@pytest.fixture(scope="module")
def code(site):
    """A short match of Bids among three bots."""
    asked = ["--seats", "3", "--options", '{"rounds": 2}']
    (code,) = json.loads(site.command("selfplay", "bids", *asked))["codes"]
    return code


def test_a_match_is_analysed_and_its_mistakes_are_gone_through(at_browser, code):
    player = at_browser()
    player.sign_up("Mira")
    page = player.page
    player.open(f"/matches/{code}/analysis/")

    page.get_by_role("button", name="Analyse this match").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Analyse this match").click()
    expect(page.get_by_text("You can leave this page")).to_be_visible()
    expect(page.get_by_role("heading", name="Points lost, and luck")).to_be_visible(timeout=WORKED)
    assert page.locator(".lanes svg").count() == 3

    player.open(f"/matches/{code}/replay/")
    expect(page.locator("#play")).to_be_visible()
    mistakes = page.evaluate("JSON.parse(document.getElementById('replay-data').textContent).mistakes")
    for move in mistakes:
        page.keyboard.press("m")
        expect(page).to_have_url(re.compile(rf"move={move}&"))
        expect(page.locator("#verdict .sign")).to_have_text(re.compile(r"\?"))
    page.keyboard.press("m")
    expect(page.locator("#say")).to_have_text("No mistakes after this move.")
    for move in mistakes[-2::-1]:
        page.keyboard.press("Shift+M")
        expect(page).to_have_url(re.compile(rf"move={move}&"))
    page.keyboard.press("a")
    expect(page.locator("#judged")).to_contain_text("With what was known")
    page.keyboard.press("m")  # not while it is open
    page.keyboard.press("Escape")
    expect(page.locator("#judged")).to_be_hidden()
    expect(page).to_have_url(re.compile(rf"move={mistakes[0]}&"))
    assert player.problems == []


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_of_its_pages_is_cut_off(at_browser, code, device):
    player = at_browser(device)
    page = player.page

    for path in (f"/matches/{code}/analysis/", f"/matches/{code}/replay/?move=20"):
        player.open(path)
        expect(page.locator("main")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
