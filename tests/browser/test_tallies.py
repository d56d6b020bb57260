"""The score of a real table on a phone: every page of a tally, by thumb and by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations_in_both_themes
from tests.browser.fixtures import DESKTOP, PHONE
from tests.tallies.recorded import belot, played

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Ben", "Cora", "Dan")
TAPS_A_DEAL = 6
DEALS = 18
SECONDS_A_TAP, SECONDS_A_KEY = 0.4, 0.2


def evening():
    """The options and eighteen deals of a match among four bots."""
    seeds = (seed for seed in range(2, 400, 3) if seed % 4)  # Belot of four seats, of the usual length.
    for seed in seeds:
        seats, options, deals = played("belot", seed)
        assert seats == 4
        if len(deals) >= DEALS:
            return options, deals[:DEALS]
    raise AssertionError("No match is long enough.")


UNFOLD = "each => each.closest('details')?.setAttribute('open', '')"
DEAL = {"bid": "0H", "level": 2, "declared0": ["tierce"], "counted": "1", "points": 60, "last": 0}


class Thumb:
    """A finger on a phone that counts its taps."""

    def __init__(self, player):
        self.player, self.page, self.taps = player, player.page, 0

    def tap(self, selector):
        self.page.locator(selector).tap()
        self.taps += 1

    def choose(self, name, value):
        """Tap an answer, unless it stands there already. Wait until what is new on the form works."""
        option = self.page.locator(f'[name="{name}"][value="{value}"]')
        if option.is_checked():
            return
        with self.page.expect_response(re.compile("/tallies/")):
            self.tap(f'label:has([name="{name}"][value="{value}"])')
        expect(self.page.locator("#tally-entry.htmx-request")).to_have_count(0)
        expect(option).to_be_checked()
        self.player.wait_for_next_tap()

    def type(self, number):
        """Tap digits as fast as a finger can: they are on the page already."""
        for digit in str(number):
            self.tap(f'[data-digit="{digit}"]')

    def go(self, selector):
        with self.page.expect_navigation():
            self.tap(selector)
        expect(self.page.locator(".notice.bad")).to_have_count(0)

    def enter(self, body):
        """Enter a deal of Belot."""
        self.choose("bid", body["bid"])
        if body["bid"] == "pass":
            self.go(".enter .button.primary")
            return
        self.choose("level", body["level"])
        for side in (0, 1):
            for kind in body.get(f"declared{side}", []):
                self.choose(f"declared{side}", kind)
        self.choose("counted", body["counted"])
        if "points" in body:
            self.type(body["points"])
        self.go(f'.ends [name="last"][value="{body["last"]}"]')


def begin(player, game, names=NAMES, **options):
    player.open(f"/tallies/new/{game}/")
    for name, value in options.items():
        player.page.locator(f"[name=option_{name}]").first.evaluate(UNFOLD)
        field = player.page.locator(f"select[name=option_{name}]")
        if field.count():
            field.select_option(str(value))
        else:
            player.page.locator(f'[name=option_{name}][value="{value}"]').check()
    for seat, name in enumerate(names):
        player.page.locator(f"#name{seat}").fill(name)
    player.page.get_by_role("button", name="Start").click()
    expect(player.page.locator("#tally-entry")).to_be_visible()


def test_an_evening_of_belot_takes_six_taps_a_deal(at_browser):
    options, deals = evening()
    phone, other = at_browser(PHONE), at_browser(DESKTOP)
    begin(phone, "belot", **options)
    sheet = phone.page.url
    phone.page.goto(f"{sheet}share/")
    phone.press(phone.page.get_by_role("button", name="Make a link").first)
    other.page.goto(phone.page.locator("input[readonly]").input_value())
    phone.page.goto(sheet)
    thumb = Thumb(phone)
    for state, events in deals:
        thumb.enter(belot(4, state, events))
    final, _ = deals[-1]
    for page in (phone.page, other.page):  # The other one sees it without a request of its own.
        expect(page.locator(".standing b")).to_have_text([str(total) for total in final.deal.totals])
    assert thumb.taps <= TAPS_A_DEAL * DEALS, thumb.taps / DEALS
    assert phone.problems == other.problems == []


def begin_by_thumb(player, names=()):
    """Go from the games to the first form for a deal of Belot. Return the seconds that taps and keys take."""
    player.open("/")
    thumb = Thumb(player)
    thumb.go('[href="/tallies/new/belot/"]')
    for seat, name in enumerate(names):
        thumb.tap(f"#name{seat}")
        player.page.keyboard.type(name)
    player.wait_for_next_tap()
    thumb.go('button:text-is("Start")')
    expect(player.page.locator("#tally-entry")).to_be_visible()
    return SECONDS_A_TAP * thumb.taps + SECONDS_A_KEY * sum(map(len, names))


def test_the_first_deal_can_be_entered_after_few_taps(at_browser):
    """The goal is fifteen seconds, with the time that pages take."""
    phone = at_browser(PHONE)
    assert begin_by_thumb(phone, NAMES) <= 8  # 6 taps and 13 letters
    assert begin_by_thumb(phone) <= 1  # The same players sit there already.
    assert phone.page.locator(".standing span").all_text_contents() == ["Ana and Cora", "Ben and Dan"]


def test_digits_count_while_the_form_is_drawn_anew(at_browser):
    phone = at_browser(PHONE)
    begin(phone, "belot")
    thumb, points = Thumb(phone), phone.page.locator("#entry-points")
    thumb.choose("bid", "0H")
    with phone.page.expect_response(re.compile("/tallies/")):
        thumb.tap('label:has([name="declared0"][value="tierce"])')
        thumb.type(4)
    expect(phone.page.locator('[name="declared0"][value="tierce.2"]')).to_be_attached()
    thumb.type(5)
    assert points.input_value() == "45"
    points.tap()
    thumb.type(63)  # The next digit replaces a number that was pressed.
    assert points.input_value() == "63"


@pytest.mark.parametrize("game, seats", [("belot", 4), ("oh-hell", 4), ("bids", 4), ("bleven", 2)])
def test_forms_fit_a_phone_and_are_accessible(game, seats, at_browser):
    phone = at_browser(PHONE)
    phone.open(f"/tallies/new/{game}/")
    assert violations_in_both_themes(phone.page) == []
    begin(phone, game, NAMES[:seats])
    assert phone.fits()
    assert violations_in_both_themes(phone.page) == []
    if game == "belot":
        Thumb(phone).enter({"bid": "0H", "level": 2, "declared0": ["tierce"], "counted": "1", "points": 60, "last": 0})
        for path in ("deals/1000/", "deals/1000/before/", "share/", "remove-name/"):
            here = phone.page.url
            phone.page.goto(here + path)
            assert phone.fits()
            assert violations_in_both_themes(phone.page) == []
            phone.page.goto(here)
    phone.open("/tallies/")
    assert phone.fits()
    assert violations_in_both_themes(phone.page) == []


def test_a_hand_is_entered_without_scripts_and_by_keyboard(at_browser):
    plain = at_browser(DESKTOP, java_script_enabled=False)
    begin(plain, "oh-hell")
    page = plain.page
    for seat, bid in enumerate((1, 0, 3, 4)):
        page.locator(f"#entry-bid{seat}-{bid or 'none'}").focus()
        page.keyboard.press("Space")
    page.locator("noscript button[name=redraw]").press("Enter")
    for seat, tricks in enumerate((1, 0, 4)):
        page.locator(f"#entry-took{seat}-{tricks or 'none'}").focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.locator(".sheet tr.scored")).to_have_count(1)
    assert page.locator(".standing b").all_text_contents() == ["11", "10", "4", "5"]
