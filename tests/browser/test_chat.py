"""Talk among people at browsers: phrases with bubbles, words among friends, watchers, reports; without scripts too."""

import pytest
from playwright.sync_api import expect

from tests.browser.fixtures import PHONE
from tests.browser.site import at_one_table, befriend

pytestmark = pytest.mark.browser
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
