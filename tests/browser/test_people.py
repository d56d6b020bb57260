"""People at browsers: friends, invitations, talk, who is away, and a pause; without scripts too."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE
from tests.browser.site import at_one_table, befriend

pytestmark = pytest.mark.browser


def press(player, name, within=None):
    (within or player.page).get_by_role("button", name=name).first.click()


def test_a_host_invites_a_friend_and_arranges_the_table(at_browser):
    mira, luka = at_browser(), at_browser(PHONE, color_scheme="dark")
    mira.sign_in("Mira")
    luka.sign_in("Luka")
    befriend(mira, luka, ("Mira", "Luka"))
    code = mira.open_table("belot", seats=4, listed="no", speed="normal")
    mira.open(f"/matches/{code}/invite/")
    press(mira, "As your partner")
    luka.open(f"/matches/{code}/")
    luka.press(luka.page.get_by_role("button", name="Join").first)
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

    luka.page.locator("#hand").wait_for()
    assert not mira.problems
    assert not luka.problems


@pytest.mark.thorough
def test_a_table_votes_for_a_bot_and_the_player_comes_back(at_browser):
    people = [at_browser(), at_browser(PHONE), at_browser()]
    for player in people:
        player.page.clock.install()
    code = at_one_table(*people)
    for player in people:
        player.page.locator("#mine").wait_for()
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


SIDEWAYS = PHONE | {"viewport": {"width": 740, "height": 360}}


OVERLAP = """([one, other]) => {
    const [a, b] = [one, other].map((selector) => document.querySelector(selector)?.getBoundingClientRect());
    return Boolean(b) && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


def test_a_phrase_is_a_bubble_at_the_seat_and_a_line_for_all(at_browser):
    ana, boris, vera = at_browser(), at_browser(PHONE), at_browser(SIDEWAYS)
    ana.sign_in("Ana")
    at_one_table(ana, boris, vera)
    for player in (ana, boris, vera):
        player.wait_for_scripts()

    ana.page.keyboard.press("m")
    ana.page.locator("#say-luck").click()

    for player in (ana, boris, vera):
        expect(player.page.locator(".bubble")).to_have_text("Good luck!")
    expect(boris.page.locator("#say")).to_contain_text("Ana: Good luck!")
    expect(boris.page.locator("#talk-unread")).to_have_text("1")
    for player in (boris, vera):
        player.press(player.page.locator("#bar-talk"))
        expect(player.page.locator("#told .lines")).to_contain_text("Good luck!")
        expect(player.page.locator("#talk-unread")).to_be_hidden()
        assert not player.page.evaluate(OVERLAP, ["#talk", "#mine"])
        assert player.fits()
        player.is_accessible()
    vera.press(vera.page.locator("#say-smile"))
    expect(ana.page.locator(".lines li").last).to_contain_text("smiles")
    ana.page.locator("#talk-close").focus()
    ana.page.keyboard.press("Escape")
    expect(ana.page.locator("#talk")).to_be_hidden()
    assert [player.problems for player in (ana, boris, vera)] == [[], [], []]


def test_friends_write_words_that_stay_words_and_watchers_read_them(at_browser):
    ana, boris, visitor = at_browser(), at_browser(java_script_enabled=False), at_browser(PHONE)
    ana.sign_in("Ada")
    boris.sign_in("Bert")
    befriend(ana, boris, ("Ada", "Bert"))
    code = at_one_table(ana, boris, bots=1)
    visitor.open(f"/matches/{code}/")
    expect(ana.page.locator("#told .watchers")).to_contain_text("1 visitor", timeout=15_000)

    boris.open(f"/matches/{code}/")
    boris.page.locator("#bar-talk").click()
    boris.page.locator("#talk-text").fill("<img src=x onerror=alert(1)> \u202eabc")
    boris.page.get_by_role("button", name="Say", exact=True).click()
    expect(boris.page.locator("#told")).to_contain_text("<img src=x onerror=alert(1)> abc")
    ana.page.locator("#bar-talk").click()
    expect(ana.page.locator("#told .lines")).to_contain_text("<img src=x onerror=alert(1)> abc")
    ana.page.locator("#talk-text").fill("Hello, you")
    ana.page.locator("#talk-text").press("Enter")
    expect(visitor.page.locator("#told .lines")).to_contain_text("Hello, you")
    expect(ana.page.locator("#talk-text")).to_have_value("")

    with ana.page.expect_popup() as popup:
        ana.page.locator("#told a", has_text="Bert").click()
    ana.page = popup.value
    ana.is_accessible()
    ana.page.get_by_role("button", name="Report").click()
    expect(ana.page.get_by_text("A moderator will look at it.")).to_be_visible()
    ana.open("/messages/Bert/")
    ana.is_accessible()
    assert ana.problems == visitor.problems == []


def test_a_friend_is_found_by_name_and_invited_to_a_table(at_browser):
    saša, ana = at_browser(), at_browser(PHONE, color_scheme="dark")
    saša.sign_in("Saša")
    ana.sign_in("Zdenka")
    ana.open("/friends/")
    ana.page.get_by_label("Find a member by name").press_sequentially("sas")
    press(ana, "Add friend")
    expect(ana.page.get_by_text("Friend request sent")).to_be_visible()  # on the page of the search, with what it found
    ana.is_accessible()
    assert ana.fits()

    saša.open("/friends/")
    press(saša, "Accept")
    saša.page.get_by_role("link", name="Play with Zdenka").click()
    saša.page.get_by_label("Bots", exact=True).select_option("1")
    expect(saša.page.get_by_text("Levels of the bots")).to_be_visible()  # The form is drawn again.
    press(saša, "Open the table")
    saša.page.locator("main[data-match]").wait_for()

    ana.open("/")
    expect(ana.page.get_by_role("heading", name="You’re invited")).to_be_visible()
    saša.open("/players/Zdenka/")
    expect(saša.page.get_by_role("link", name="Invite Zdenka to a table")).to_be_visible()
    saša.is_accessible()
    assert ana.problems == saša.problems == []


def test_without_scripts_a_search_is_a_page(at_browser):
    mira, luka = at_browser(java_script_enabled=False), at_browser()
    mira.sign_in("Milka")
    luka.sign_in("Lovro")
    mira.open("/friends/")

    mira.page.get_by_label("Find a member by name").fill("LO")
    mira.page.get_by_role("button", name="Search").click()
    press(mira, "Add friend")

    expect(mira.page.get_by_text("1 member found")).to_be_visible()
    expect(mira.page.get_by_text("Friend request sent")).to_be_visible()


def test_a_search_too_many_says_so_beside_the_field(at_browser):
    vera = at_browser()
    vera.sign_in("Vera")
    vera.open("/friends/")
    for _ in range(60):
        vera.page.request.get(f"{vera.site.url}/friends/find/?name=mir")

    vera.page.get_by_label("Find a member by name").fill("mir")

    expect(vera.page.locator("#found")).to_have_text(re.compile("^\\s*There were too many requests"))
    expect(vera.page.get_by_role("heading")).to_have_count(2)  # No other page stands in this one.


RATED = """
from accounts.models import User
from games.ratings.models import Board, RatedPlayer, Rating
board, _ = Board.objects.get_or_create(game="bids", pace="live")
player = RatedPlayer.objects.create(user=User.objects.create(username="Wolfgang_Wagner_1955"))
Rating.objects.create(board=board, player=player, mu=30, sigma=1.5, matches=1234)
"""


def test_the_longest_names_fit_a_phone_beside_their_ratings(at_browser, site):
    site.shell(RATED)
    visitor = at_browser(PHONE, locale="de-DE")

    visitor.open("/ratings/bids/")

    expect(visitor.page.get_by_role("columnheader", name="Wertungszahl")).to_be_visible()
    expect(visitor.page.get_by_role("rowheader", name="Wolfgang_Wagner_1955")).to_be_visible()
    assert visitor.fits()
