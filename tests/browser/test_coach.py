"""What bots think, at a browser: a hint at the table, why a bot moved as it did, the analysis of a match."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE

pytestmark = pytest.mark.browser


def test_a_hint_is_told_above_the_hand_and_goes_with_the_move(at_browser):
    ana = at_browser(PHONE)
    page = ana.page
    ana.open_table(seats=3, bots=2, game_style="short-down")
    ana.wait_for_turn()
    hand = page.locator("#hand").bounding_box()

    ana.press(page.locator("#hint-button"))

    told = page.locator("#hint-told")
    expect(told).to_contain_text("on average")
    expect(page.locator("#say")).to_contain_text("on average")
    assert page.locator("#hand").bounding_box() == hand
    box, sentence = told.bounding_box(), page.locator("#sentence").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert box["y"] + box["height"] <= sentence["y"] + 1  # it covers neither the sentence nor what is to be chosen
    ana.is_accessible()

    ana.press(page.locator("#hint-close"))
    expect(told).to_be_hidden()
    ana.press(page.locator("#hint-button"))
    expect(told).to_be_visible()
    ana.play()
    expect(told).to_be_hidden()
    assert ana.problems == []


@pytest.mark.thorough
def test_why_is_told_beside_the_moves_of_the_last_deal(at_browser):
    ana = at_browser()
    page = ana.page
    ana.open_table(seats=3, bots=2)
    ana.prefer(hold="fast")
    while not ana.state()["ready"]:
        ana.play()
        ana.wait_until_drawn()
    page.keyboard.press("n")
    expect(page.locator("#mine .result")).to_have_count(0)
    page.keyboard.press("r")

    page.locator("#last .whys summary").click()
    page.locator("#last [data-why]").first.click()

    expect(page.locator("#last .told-why")).to_contain_text("It knew its own card")
    ana.is_accessible()
    assert ana.problems == []


WORKED = 240_000  # milliseconds; some three seconds where nothing else runs, and it makes way for all else


SHORT = {
    "bids": ["--seats", "3", "--options", '{"rounds": 2}'],
    "bleven": ["--seats", "2", "--level", "easy"],
}


@pytest.fixture(scope="module", params=["bids", "bleven"])
def game(request):
    return request.param


@pytest.fixture(scope="module")
def code(site, game):
    """A short match among bots."""
    (code,) = json.loads(site.command("selfplay", game, *SHORT[game]))["codes"]
    return code


@pytest.fixture(scope="module")
def long_code(site):
    """A long match: its analysis is never done before somebody cancels it."""
    (code,) = json.loads(site.command("selfplay", "oh-hell", "--seats", "4", "--level", "easy"))["codes"]
    return code


@pytest.mark.thorough
def test_a_match_is_analysed_and_its_mistakes_are_gone_through(at_browser, game, code, long_code):
    player = at_browser()
    player.sign_in(f"Mira-{game}")
    page = player.page
    player.open(f"/matches/{long_code}/analysis/")
    page.get_by_role("button", name="Analyse this match").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Analyse this match")).to_be_visible()

    player.open(f"/matches/{code}/analysis/")
    page.get_by_role("button", name="Analyse this match").click()
    expect(page.get_by_text("You can leave this page")).to_be_visible()
    expect(page.get_by_role("heading", name="Accuracy")).to_be_visible(timeout=WORKED)
    player.is_accessible()
    assert page.locator(".lanes svg").count() == int(SHORT[game][1])

    player.open(f"/matches/{code}/replay/")
    expect(page.locator("#play")).to_be_visible()
    mistakes = page.evaluate("JSON.parse(document.getElementById('replay-data').textContent).mistakes")
    for move in mistakes:
        page.keyboard.press("m")
        expect(page).to_have_url(re.compile(rf"move={move}&"))
        verdict = page.locator("#verdict")
        expect(verdict).to_have_attribute("href", re.compile(rf"/{move}/$"))  # not that of the move before
        expect(verdict.locator(".sign")).to_have_text(re.compile(r"\?"))
        expect(page.locator("#say")).to_contain_text(verdict.inner_text().split(" ", 1)[1])
    page.keyboard.press("m")
    expect(page.locator("#say")).to_have_text("No mistakes after this move.")
    for move in mistakes[-2::-1]:
        page.keyboard.press("Shift+M")
        expect(page).to_have_url(re.compile(rf"move={move}&"))
    page.keyboard.press("a")
    expect(page.locator("#judged")).to_contain_text("With what was known")
    expect(page.locator("#judged")).to_contain_text("In the hand")
    player.is_accessible()
    page.keyboard.press("m")  # not while it is open
    page.keyboard.press("Escape")
    expect(page.locator("#judged")).to_be_hidden()
    expect(page).to_have_url(re.compile(rf"move={mistakes[0]}&"))
    assert player.problems == []
