"""A hint at the table and why a bot moved as it did, at a browser: by finger on a phone, with and without scripts."""

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

    page.locator("#hint-button").tap()

    told = page.locator("#hint-told")
    expect(told).to_contain_text("on average")
    expect(page.locator("#say")).to_contain_text("on average")
    assert page.locator("#hand").bounding_box() == hand
    box, sentence = told.bounding_box(), page.locator("#sentence").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert box["y"] + box["height"] <= sentence["y"] + 1  # it covers neither the sentence nor what is to be chosen
    ana.is_accessible()

    page.locator("#hint-close").tap()
    expect(told).to_be_hidden()
    page.locator("#hint-button").tap()
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
