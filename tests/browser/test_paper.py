"""What is printed: the same with and without backgrounds, from light and dark pages."""

import re

import pytest
from playwright.sync_api import expect

from games.catalog import all_games
from tests.browser.site import finish
from tests.processes import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

OF_ONE_PRINTING = re.compile(rb"/(CreationDate|ModDate) \([^)]*\)|/ID \[[^]]*]")


def printed(player, path, **options):
    player.open(path)
    player.page.wait_for_load_state("networkidle")
    expect(player.page.get_by_text("will appear here in a moment")).to_have_count(0)  # the luck of the deals
    return OF_ONE_PRINTING.sub(b"", player.page.pdf(format="A4", **options))


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_browsers_print_all_that_the_screen_shows(at_browser, matches, game):
    light, dark = (at_browser(color_scheme=scheme, reduced_motion="reduce") for scheme in ("light", "dark"))
    match = f"/matches/{matches[game]}/"

    for path in (match, f"{match}sheet/", f"{match}replay/?move=20", f"{match}replay/print/", f"/rules/{game}/"):
        bare = printed(dark, path, print_background=False)
        assert bare == printed(light, path, print_background=True), path


def test_browsers_print_statistics(at_browser):
    player = at_browser(color_scheme="dark", reduced_motion="reduce")
    player.sign_in("Plover")
    player.at_table(game_style="short-up")
    finish(player)
    address = "/players/Plover/statistics/oh-hell/"

    def is_counted():
        player.open(address)
        return player.page.locator("main table").count()

    wait_until(is_counted, 60, "the match is counted")
    bare = printed(player, address, print_background=False)

    assert bare == printed(player, address, print_background=True)
