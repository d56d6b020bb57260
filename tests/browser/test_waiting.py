"""Who is away, a vote for a bot, and a pause, at browsers: with scripts, and by forms alone."""

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE
from tests.browser.site import at_one_table

pytestmark = pytest.mark.browser


@pytest.mark.thorough
def test_a_table_votes_for_a_bot_and_the_player_comes_back(at_browser):
    people = [at_browser(), at_browser(PHONE), at_browser()]
    for player in people:
        player.page.clock.install()
    code = at_one_table(*people)
    absent = next(player for player in people if player.page.locator('#mine[data-turn="1"]').count())
    one, other = (player for player in people if player is not absent)
    expect(one.page.locator("#ask-button")).to_be_hidden()
    one.page.clock.fast_forward("03:01")
    expect(one.page.locator("#say")).to_contain_text("hasn’t moved for minutes")
    absent.page.goto("about:blank")

    expect(one.page.locator("#waits")).to_contain_text("is away. A bot takes over in", timeout=15_000)
    assert one.is_accessible() is not False
    one.page.locator("#vote-button").click()
    expect(other.page.locator("#waits")).to_contain_text("1 of 2 votes")
    other.page.locator("#vote-button").click()
    expect(one.page.locator(".mark.stand-in")).to_have_count(1, timeout=20_000)

    absent.open(f"/matches/{code}/")
    expect(one.page.locator(".mark.stand-in")).to_have_count(0)
    assert [player.problems for player in people] == [[], [], []]


def test_a_pause_is_agreed_to_and_ended_without_scripts_too(at_browser):
    ana, boris = at_browser(PHONE), at_browser(java_script_enabled=False)
    at_one_table(ana, boris, bots=1, speed="normal")
    boris.page.reload()  # so that he is there, and has to be asked
    expect(boris.page.locator("#mine")).to_have_count(1)
    ana.page.locator("#match-menu > summary").click()
    ana.page.locator("#pause-button").click()
    expect(ana.page.locator("#waits")).to_contain_text("You would like a pause.")

    boris.page.reload()
    boris.page.locator("#agree-button").click()
    expect(boris.page.locator("#waits")).to_contain_text("Paused.")
    expect(ana.page.locator("#waits")).to_contain_text("Paused.")
    boris.page.locator("#go-on-button").click()

    expect(ana.page.locator("#waits")).to_have_count(0)
    assert ana.problems == boris.problems == []
