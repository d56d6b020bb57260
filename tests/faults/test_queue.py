"""People at browsers wait for players at two web processes: called from a bot table, a restart, a closed tab."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import DESKTOP, PHONE
from tests.browser.site import Player

pytestmark = [pytest.mark.faults, pytest.mark.browser, pytest.mark.xdist_group("faults")]

DUE = "UPDATE queue_queueentry SET since = since - interval '5 minutes'"


@pytest.fixture
def at_web(chromium, together):
    """Makes a Player at a browser of its own, who comes by one of the web processes."""
    contexts = []

    def open_browser(web, device=DESKTOP):
        contexts.append(chromium.new_context(**device, reduced_motion="reduce"))
        return Player(contexts[-1], together.webs[web], fingers=device is PHONE)

    yield open_browser
    for context in contexts:
        context.close()


def enter(player, kind, fill):
    player.open("/queue/")
    player.is_accessible()
    assert player.fits()
    form = player.page.locator("form.panel")
    form.locator("[name=kind]").select_option(kind)
    form.locator("[name=fill]").select_option(fill)
    player.press(form.get_by_role("button", name="Wait for players"))


def wait_for_players(player, kind="bids:short", fill="300"):
    enter(player, kind, fill)
    state(player, "waiting")
    player.is_accessible()
    assert player.fits()


def state(player, name):
    player.page.locator(f"#queue [data-state={name}]").wait_for()


def here(player, number):
    expect(player.page.locator("#queue [role=status]").first).to_contain_text(f"{number} of 4 are here.")


def at_table(page):
    """Wait until a page shows a match that has begun. Returns its code."""
    page.locator("#mine").wait_for(timeout=60_000)
    return page.locator("main[data-match]").get_attribute("data-match")


def test_three_people_are_seated_through_a_restart_from_tabs_and_from_a_bot_table(together, at_web):
    ana, boris, vera = at_web(0), at_web(1), at_web(0, PHONE)
    wait_for_players(ana)
    tab = ana.second_tab()
    wait_for_players(boris)
    wait_for_players(vera)
    vera.press(vera.page.get_by_role("button", name="Play against bots meanwhile"))
    bot_table = at_table(vera.page)
    for player in (ana, boris, vera):
        here(player, 3)
    vera.is_accessible()
    assert vera.fits()
    assert ana.problems == boris.problems == vera.problems == []

    for web in together.webs:
        web.kill()
    for player in (ana, vera):
        expect(player.page.locator("#queue [data-lost]")).to_be_visible()
    for web in together.webs:
        web.start()
    for web in together.webs:
        web.wait()
    for player in (ana, boris, vera):
        expect(player.page.locator("#queue [data-lost]")).to_be_hidden()
        here(player, 3)
        player.problems.clear()

    together.database.query(DUE)

    code = at_table(boris.page)
    state(vera, "called")
    vera.is_accessible()
    expect(vera.page).to_have_title(re.compile("Your table is ready$"))
    vera.press(vera.page.get_by_role("link", name="Go to the table"))
    assert {at_table(page) for page in (ana.page, tab, vera.page)} == {code} != {bot_table}
    expect(vera.page.locator("#queue")).to_have_count(0)
    vera.open("/")
    expect(vera.page.locator(f"#running #table-{bot_table}")).to_be_visible()
    assert ana.problems == boris.problems == vera.problems == []


def test_whoever_stops_or_closes_the_last_tab_is_not_seated(together, at_web):
    ana, boris, vera = at_web(0), at_web(1), at_web(0)
    for player in (ana, boris, vera):
        wait_for_players(player, kind="belot:short")
    here(ana, 3)

    vera.page.get_by_role("button", name="Stop waiting").press("Enter")
    expect(vera.page.get_by_role("button", name="Wait for players")).to_be_visible()
    boris.page.close()
    here(ana, 1)
    together.database.query(DUE)

    at_table(ana.page)
    expect(ana.page.locator("#table .is-bot, #table .bot").first).to_be_attached()
    boris.page = boris.context.new_page()
    boris.open("/rules/belot/")
    here(boris, 1)
    assert ana.problems == boris.problems == vera.problems == []


def test_who_does_not_come_is_played_for_by_a_bot_and_may_come_later(together, at_web):
    ana, boris = at_web(0), at_web(1)
    wait_for_players(boris, kind="bleven:short", fill="")
    boris.press(boris.page.get_by_role("button", name="Play against bots meanwhile"))
    at_table(boris.page)
    enter(ana, "bleven:short", fill="")
    state(boris, "called")
    boris.page.close()

    code = at_table(ana.page)
    vote = ana.page.locator("#vote-button")
    while not vote.is_visible():
        ana.play()
        ana.wait_until_drawn()
    moves = ana.moves
    ana.press(vote)
    ana.wait_for_moves_after(moves, timeout=60_000)

    boris.page = boris.context.new_page()
    boris.open("/")
    boris.press(boris.page.get_by_role("link", name="Go to the table"))
    assert at_table(boris.page) == code
    expect(ana.page.locator("#vote-button")).to_have_count(0)
    assert ana.problems == boris.problems == []
