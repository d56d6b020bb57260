"""A visitor with a phone plays a first match of each game, from the front page to the result, by touch."""

import pytest

from games.catalog import all_games
from tests.bleven.test_browser import bold
from tests.browser.fixtures import PHONE
from tests.browser.site import finish

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PICKS = {"bleven": bold}  # where a panel asks for more than a tap
WIDTH = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_a_visitor_plays_a_short_match_against_bots(at_browser, game):
    visitor = at_browser(PHONE, reduced_motion="reduce")
    visitor.open("/")
    visitor.page.locator(f"#game-{game} .game-play button").first.tap()
    visitor.page.locator("#hand").wait_for()
    assert visitor.page.evaluate(WIDTH) == 0

    finish(visitor, pick=PICKS.get(game))

    visitor.page.get_by_text("Final result").wait_for()
    assert visitor.page.evaluate(WIDTH) == 0
    assert visitor.problems == []
