"""Whole matches: of two people, of a visitor with a phone, and without scripts."""

import re
import time
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from games.catalog import all_games
from tests.bleven.test_browser import bold
from tests.browser.axe import violations_in_both_themes
from tests.browser.fixtures import DESKTOP, PHONE
from tests.browser.site import LEGAL, MATCH_LIMIT, play_to_the_end, sit_down_together

pytestmark = pytest.mark.browser


@pytest.mark.thorough
def test_two_people_play_a_match_to_its_end(at_browser):
    ana, boris = at_browser(DESKTOP, reduced_motion="reduce"), at_browser(PHONE, reduced_motion="reduce")
    ana.sign_up("Ana")
    boris.sign_up("Boris")
    code = sit_down_together(ana, boris, seats=3)

    play_to_the_end(ana, boris)

    for player in (ana, boris):
        player.page.get_by_text("Final result").wait_for()
        expect(player.page.locator("table.sheet").first.locator("tbody tr")).to_have_count(10)
        look_back(player, code)
        check_the_shuffles(player, code)
    assert ana.problems == []
    assert boris.problems == []


def check_the_shuffles(player, code):
    """Both browsers gave their shares and noted what they were dealt: nothing is left that can't be compared."""
    player.open(f"/matches/{code}/shuffle/")
    player.page.get_by_text("All as promised: the seats and all 10 decks").wait_for()
    expect(player.page.locator(".checks .right")).to_have_count(15)
    player.is_accessible()


def look_back(player, code):
    """Find the match in the history, open its replay and step to a move that has an address."""
    page, key = player.page, player.page.keyboard
    player.open("/matches/")
    line = page.locator("tr", has=page.locator(f"a[href*='{code}']"))
    assert all(name in line.text_content() for name in ("Ana", "Boris"))
    line.get_by_role("link", name="Replay").click()
    player.wait_for_replay()
    key.press("End")
    page.locator("#sentence", has_text="plays").wait_for()
    key.press("Home")
    for _ in range(3):
        key.press("ArrowRight")
    page.wait_for_url(re.compile(r"[?&]move=3\b"))
    player.is_accessible()
    player.shows_what_the_address_says()


PICKS = {"bleven": bold}  # where a panel asks for more than a tap

PHASE = """() => {
    const felt = document.getElementById("felt");
    const mine = document.getElementById("mine");
    const controls = mine.querySelectorAll("form, .result, .panel, #bid-box, #hand, .notice, [id]:not([id^=card-])");
    return [felt.dataset.phase, mine.dataset.turn, ...[...controls].map((each) => each.id || each.className)].join(" ");
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_a_visitor_plays_a_short_match_against_bots(at_browser, game):
    visitor = at_browser(PHONE, reduced_motion="reduce")
    visitor.open("/")
    visitor.page.locator(f"#game-{game} .game-play button").first.tap()
    visitor.page.locator("#hand").wait_for()
    visitor.page.wait_for_load_state("load")  # its style sheets are there, too: nothing is shown before
    assert visitor.fits()

    seen, found = play_through_all_phases(visitor, PICKS.get(game))

    assert "\n".join(found) == ""
    assert len(seen) >= 3
    visitor.page.get_by_text("Final result").wait_for()
    assert visitor.fits()
    visitor.press(visitor.page.locator("#bar-sheet"))
    visitor.page.locator("dialog#sheet[open] tfoot").wait_for()
    assert visitor.problems == []


def play_through_all_phases(player, pick):
    """Play a match to its end. Returns (its phases, as PHASE tells them; what is hard to use in them)."""
    seen, found, over = set(), [], False
    deadline = time.monotonic() + MATCH_LIMIT
    while not over:
        assert time.monotonic() < deadline, f"Not over after {player.moves} moves."
        phase = player.page.evaluate(PHASE)
        if phase not in seen:
            seen.add(phase)
            found += [f"{phase}: {each}" for each in violations_in_both_themes(player.page)]
        over = player.go_on(pick)
    return seen, found


def test_a_match_is_played_to_its_end_without_scripts(at_browser):
    player = at_browser(PHONE, java_script_enabled=False)
    player.open("/tables/new/?game=bids&option_rounds=2")
    player.page.locator("[name=seats]").select_option("3")
    player.page.get_by_role("button", name="Update the choices").tap()
    player.page.locator("[name=bots]").select_option("2")
    player.page.get_by_role("button", name="Open the table").tap()
    page, deadline = player.page, time.monotonic() + MATCH_LIMIT

    while page.locator("main").get_attribute("data-status") != "over":
        assert time.monotonic() < deadline, page.locator("#sentence").text_content()
        for button in (page.locator(LEGAL), page.locator("#ready-button")):
            if button.count():
                with page.expect_navigation():
                    button.first.tap()
                break
        else:
            with suppress(Error):  # The page loads itself again at this moment, as it does every 15 seconds.
                page.reload()

    page.locator("#replay-link").tap()
    page.locator("#sentence", has_text="The black cards are set aside").wait_for()  # three do so before they deal
    assert player.problems == []
