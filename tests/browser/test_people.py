"""Friends, invitations and blocks among people at browsers."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE

pytestmark = pytest.mark.browser


def press(player, name, within=None):
    (within or player.page).get_by_role("button", name=name).first.click()


def befriend(one, other, names=("Ana", "Boris")):
    one.open(f"/players/{names[1]}/")
    press(one, "Add friend")
    other.open("/friends/")
    press(other, "Accept")
    expect(other.page.get_by_text(f"{names[0]} is your friend now.")).to_be_visible()


@pytest.mark.thorough
def test_two_become_friends_one_invites_the_other_and_they_part(at_browser):
    ana, boris = at_browser(PHONE), at_browser(java_script_enabled=False)
    ana.sign_in("Ana")
    boris.sign_in("Boris")
    befriend(ana, boris)
    ana.open("/friends/")
    expect(ana.page.get_by_text("Online", exact=True)).to_be_visible()
    ana.is_accessible()

    code = ana.open_table(seats=3, listed="no")
    ana.page.get_by_role("link", name="Invite people").click()
    expect(ana.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    ana.is_accessible()
    press(ana, "Invite Boris")
    expect(ana.page.get_by_text("Boris is invited, and a seat is kept for them.")).to_be_visible()
    boris.open("/")
    invitation = boris.page.get_by_role("region", name="You’re invited")
    invitation.get_by_role("link", name=re.compile("Join")).click()
    boris.page.get_by_role("button", name="Join").first.click()

    ana.open(f"/matches/{code}/")
    expect(ana.page.locator(".waiting-seat", has_text="Boris")).to_contain_text("player")

    ana.open("/players/Boris/")
    press(ana, "Block")
    press(ana, "Block", ana.page.get_by_role("dialog"))
    expect(ana.page.get_by_text("You have blocked Boris.")).to_be_visible()
    boris.open(f"/matches/{code}/")
    expect(boris.page.get_by_text("There is no such match.")).to_be_visible()
    ana.open(f"/matches/{code}/")
    expect(ana.page.locator(".waiting-seat", has_text="Boris")).to_have_count(0)
    assert not ana.problems


@pytest.mark.thorough
def test_a_picture_is_chosen_by_keys_and_seen_by_who_cannot_see_it(at_browser):
    vera = at_browser()
    vera.sign_in("Vera")
    vera.open("/accounts/avatar/")
    vera.is_accessible()

    vera.page.get_by_role("button", name="rings in rose").press("Enter")

    expect(vera.page.get_by_text("This is your picture now.")).to_be_visible()
    expect(vera.page.locator(".site-user .avatar-rose")).to_be_visible()
    vera.is_accessible()


def test_a_host_arranges_a_table_and_a_pause_is_agreed_to(at_browser):
    mira, luka = at_browser(), at_browser(PHONE, color_scheme="dark")
    mira.sign_in("Mira")
    luka.sign_in("Luka")
    befriend(mira, luka, ("Mira", "Luka"))
    code = mira.open_table("belot", seats=4, listed="no", speed="normal")
    mira.open(f"/matches/{code}/invite/")
    press(mira, "As your partner")
    luka.open(f"/matches/{code}/")
    luka.page.get_by_role("button", name="Join").first.tap()
    luka.page.locator("#stand-button").wait_for()

    mira.open(f"/matches/{code}/")
    mira.page.get_by_role("button", name="Move Luka", exact=True).press("Enter")
    mira.page.get_by_role("button", name="Luka to the other side").press("Enter")
    expect(luka.page.locator("#say")).to_have_text("Mira has moved you to the other side.")
    mira.page.get_by_role("link", name="Set a time").click()
    mira.is_accessible()
    press(mira, "Set the time")
    expect(luka.page.get_by_text("Add to your calendar")).to_be_visible()
    mira.is_accessible()
    luka.is_accessible()
    mira.page.locator("#start-button").click()

    luka.page.locator("#hand").wait_for()  # the frame that begins the match closes the menu
    luka.page.locator("#match-menu > summary").click()
    luka.page.locator("#pause-button").click()
    mira.page.locator("#agree-button").click()
    expect(luka.page.locator("#sentence")).to_have_text("The table is paused")
    luka.is_accessible()
    luka.page.locator("#go-on-button").tap()
    expect(mira.page.locator("#waits")).to_have_count(0)
    assert not mira.problems
    assert not luka.problems


@pytest.mark.thorough
def test_who_goes_away_is_waited_for_and_comes_back_and_one_vote_of_one_is_enough(at_browser):
    mira, luka = at_browser(), at_browser(PHONE, color_scheme="dark")
    mira.sign_in("Mirella")
    luka.sign_in("Lukas")
    code = mira.open_table("belot", seats=4, bots=2, speed="normal")
    luka.open(f"/matches/{code}/")
    luka.page.get_by_role("button", name="Join").first.tap()
    luka.page.locator("#hand").wait_for()
    while not mira.state()["turn"]:
        luka.play()
        mira.wait_until_drawn()
    mira.open("/rules/")
    expect(luka.page.locator("#waits")).to_contain_text("Mirella is away. A bot takes over in", timeout=15_000)
    luka.is_accessible()
    mira.open(f"/matches/{code}/")
    expect(luka.page.locator("#say")).to_contain_text("Mirella is back.", timeout=10_000)
    mira.open("/rules/")
    luka.page.locator("#vote-button").tap(timeout=15_000)
    expect(luka.page.locator(".mark.stand-in")).to_have_text("bot plays", timeout=20_000)
    assert not mira.problems
    assert not luka.problems
