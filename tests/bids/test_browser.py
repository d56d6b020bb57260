"""A match of Bids with every special card, on a phone against bots."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE
from tests.browser.site import play_to_the_end

pytestmark = pytest.mark.browser

EVERYTHING = {"rounds": 2, "ally": True, "lowest": True, "surprise": True, "colour_bids": True}


@pytest.mark.thorough
def test_two_rounds_with_every_special_card(at_browser):
    ana = at_browser(PHONE, reduced_motion="reduce")
    ana.sign_in("Ana")
    ana.open_table("bids", seats=4, **EVERYTHING)
    ana.press(ana.page.get_by_role("button", name="Start with bots"))
    ana.page.locator(".centre [data-card^='K']").first.wait_for()
    assert ana.page.locator("#hand button").count() == 10
    assert not ana.page.locator("[data-card='ALLY']").count() or holds_the_ally(ana)
    assert ana.fits()
    learn_of_the_lucky_loser(ana)
    lift_a_card(ana)

    play_to_the_end(ana)

    ana.page.get_by_text("Final result").wait_for()
    look_into_the_sheet(ana)
    assert ana.problems == []


def learn_of_the_lucky_loser(player):
    """What a plaque says explains itself, and goes away again."""
    player.press(player.page.locator(".prospect").first)
    explained = player.page.get_by_text("A single black card spoils it, even one worth 0.")
    expect(explained).to_be_visible()
    player.is_accessible()
    player.page.keyboard.press("Escape")
    expect(explained).to_be_hidden()


def lift_a_card(player):
    """The first tap lifts a card, which says what it would do, and plays nothing."""
    player.wait_for_turn()
    moves, card = player.moves, player.legal.first
    label = card.locator(".note")
    expect(label).to_have_css("opacity", "0")
    player.press(card)
    expect(label).to_have_css("opacity", "1")
    assert is_on_the_screen(label)
    player.is_accessible()
    assert player.moves == moves


def is_on_the_screen(locator):
    box = locator.bounding_box()
    width, height = locator.evaluate("() => [innerWidth, innerHeight]")
    return box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height


def holds_the_ally(player):
    return player.page.locator("#hand [data-card='ALLY']").count() == player.page.locator("[data-card='ALLY']").count()


def look_into_the_sheet(player):
    """Open the workings of a figure that tricks have gone into, and go from there to the trick."""
    page = player.page
    figure = page.locator("table.sheet [data-deal='2'] .part button", has_text=re.compile(r"^\s*[1-9]")).first
    figure.scroll_into_view_if_needed()
    player.press(figure)
    slip = page.locator(f"#{figure.get_attribute('popovertarget')}")
    expect(slip).to_be_visible()
    expect(slip).to_contain_text("Total after it:")
    player.is_accessible()
    link = slip.get_by_role("link").first
    trick = link.text_content()
    player.press(link)
    player.wait_for_replay()
    expect(page.locator("#sentence")).to_contain_text(f"Round 2, {trick.lower()}")
    assert page.locator(".slot.winner").count() == 1
