"""A visitor with a phone plays a first match of each game, from the front page to the result, by touch.

No phase of it has a violation of accessibility, in either theme.
"""

import time

import pytest

from games.catalog import all_games
from tests.bleven.test_browser import bold
from tests.browser.axe import violations_in_both_themes
from tests.browser.fixtures import PHONE
from tests.browser.site import MATCH_LIMIT

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PICKS = {"bleven": bold}  # where a panel asks for more than a tap

PHASE = """() => {
    const felt = document.getElementById("felt");
    const mine = document.getElementById("mine");
    const controls = mine.querySelectorAll("form, .result, .panel, #bid-box, #hand, .notice, [id]:not([id^=card-])");
    return [felt.dataset.phase, mine.dataset.turn, ...[...controls].map((each) => each.id || each.className)].join(" ");
}"""


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
    visitor.page.locator("#bar-sheet").tap()
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
