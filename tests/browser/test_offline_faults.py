"""Faults while nobody has a network, in Chromium and in Firefox: whatever breaks, the site counts each deal once."""

import json
from contextlib import contextmanager
from datetime import datetime

import pytest

from tests.browser.axe import violations_in_both_themes
from tests.browser.firefox import FIREFOX, Firefox
from tests.browser.fixtures import PHONE
from tests.browser.offline import (
    CONTROLLED,
    LIMIT,
    POINTS,
    SENT,
    deals_of,
    rows_of,
    run,
)
from tests.browser.site import SIGN_IN
from tests.processes import wait_until

pytestmark = pytest.mark.browser

# Kilobytes for all hosts together. One may have ten megabytes of them.
SMALL = {"dom.quotaManager.temporaryStorage.fixedLimit": 16 * 1024}
CORRECT = """
    const heading = () => [...document.querySelectorAll("h2")].some((each) => each.textContent === "Correct Deal 3");
    await press("Correct Deal 3");
    await when(heading);
    end(62, 1);
    await when(() => !heading());
"""


class Chromium:
    """A page in Chromium, with the faults of a device."""

    def __init__(self, page):
        self.page = page
        self.open = page.goto
        self.reload = page.reload
        self.evaluate = page.evaluate

    def set_clock(self, moment):
        self.page.clock.set_system_time(moment)

    @contextmanager
    def answer_lost(self, address, then):
        """Lose the answer to the next request of an address. then: called once the site has given it."""
        requests = []

        def lose(route):
            route.fetch()
            then()
            requests.append(route)
            route.abort()

        self.page.route(address, lose, times=1)
        yield
        wait_until(lambda: self.page.evaluate("1") and requests, LIMIT, "the answer is lost")

    @contextmanager
    def full(self):
        """Have no room. A script refuses: Chromium takes gigabytes, and its override lets small rows pass."""
        self.page.evaluate(FULL)
        yield


FULL = """() => {
    const { add } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.add = function () {
        IDBObjectStore.prototype.add = add;
        throw new DOMException("No room", "QuotaExceededError");
    };
}"""


LET_WRITE = """
from accounts.models import User
from games.tallies import sharing
from games.tallies.models import Tally

tally = Tally.objects.get(code="{code}")
sharing.set_link(tally.keeper, tally.code, "write", on=True)
sharing.let_write(User.objects.get(username="{name}"), tally.code, Tally.objects.get(code="{code}").write_key)
"""


@pytest.fixture(params=["chromium", "firefox"])
def device(request, at_browser, site, tmp_path):
    """Make the page of a member in a browser of its own, which keeps it: device("Ana"), twice for two of one member."""
    if request.param == "firefox" and FIREFOX is None:
        pytest.skip("Firefox is missing: install it (Debian: apt-get install firefox-esr).")
    members, opened = {}, []
    site.free_names()  # The test has been here with the other browser.

    def make(name):
        if name not in members:
            members[name] = json.loads(site.shell(SIGN_IN.format(name=name)))
        if request.param == "chromium":
            phone = at_browser(PHONE)
            phone.context.add_cookies([cookie | {"url": site.url} for cookie in members[name]])
            browser = Chromium(phone.page)
        else:
            profile = tmp_path / str(len(opened))
            profile.mkdir()
            browser = Firefox(profile, SMALL)
            opened.append(browser)
            for cookie in members[name]:
                browser.keep_cookie(cookie["name"], cookie["value"], "127.0.0.1")
        browser.open(f"{site.url}/tallies/offline/")
        browser.evaluate(f"({CONTROLLED})()")
        return browser

    yield make
    for each in opened:
        each.close()
    if not site.is_running:
        site.start()


def sent(browser):
    """Wait until the device has nothing more to send."""
    run(browser, SENT)
    wait_until(lambda: rows_of(browser)[1] == 0, LIMIT, "everything is sent")


def code_of(browser):
    """The code of the tally that a device shows, which the site gave it."""
    return run(browser, "return $(`main a.quiet[href^='/tallies/']:not([href*='offline'])`).href.split('/').at(-2);")


def is_accessible(browser):
    """Whether axe finds nothing. It runs in Chromium only; the page is the same in Firefox."""
    return not isinstance(browser, Chromium) or violations_in_both_themes(browser.page) == []


def test_thirty_deals_with_a_wrong_clock_a_correction_and_an_undo(device, site):
    """Scripts read a clock that is years slow: in both browsers, a script before those of the page sets it."""
    browser = device("Ben")
    browser.set_clock(datetime(2020, 1, 1))
    site.kill()
    browser.open(f"{site.url}/tallies/")  # The page stands in for it.
    assert run(browser, "await when(() => $('main .primary')); return new Date().getFullYear();") == 2020
    browser.open(f"{site.url}/tallies/offline/")
    run(browser, "await begin('belot', { target: '151' });")
    for number in range(1, 31):
        if number % 6 == 0:
            run(browser, f"await press('Undo'); await scored({number - 2});")
            browser.reload()
            run(browser, f"await scored({number - 2}); await pass({number - 1});")
        run(browser, f"await {'pass' if number % 3 else 'play'}({number});")
    run(browser, CORRECT)
    shown = run(browser, "return totals();")
    run(browser, "await press('Finish here'); await says('It is over.');")
    site.start()
    sent(browser)
    assert run(browser, "return totals();") == shown
    assert deals_of(site, "Ben") == [(30, 42)]  # with five undos, what took their place, a correction and the end


def test_a_site_killed_before_its_answer_is_sent_the_same_again(device, site):
    browser = device("Dan")
    run(browser, "await begin('oh-hell', { game_style: 'short-up' });")
    sent(browser)
    with browser.answer_lost(f"{site.url}/tallies/{code_of(browser)}/device/", site.kill):
        run(browser, "await enterFirst();")
    run(browser, "await says('1 entry waits on this device.');")
    site.start()
    sent(browser)
    assert deals_of(site, "Dan") == [(1, 1)]


def begin_on(site, browser):
    """Begin a tally of Belot, open its page on the site, and return its address."""
    run(browser, "await begin('belot');")
    sent(browser)
    address = f"{site.url}/tallies/{code_of(browser)}/"
    browser.open(address)
    return address


def test_two_devices_of_one_person_are_asked_whether_it_was_one_deal(device, site):
    one, other = device("Eva"), device("Eva")
    address = begin_on(site, one)
    other.open(address)
    wait_until(lambda: rows_of(other)[0] == 1, LIMIT, "the other device has a copy")
    site.kill()
    for each in (one, other):
        each.open(address)  # The page stands in for that of the site.
        run(each, "await play(1);")
    site.start()
    wait_until(lambda: rows_of(one)[1] + rows_of(other)[1] == 1, LIMIT, "one of them is sent")
    late = one if rows_of(one)[1] else other
    run(late, "await says('You have entered this deal on two devices.');")
    assert is_accessible(late)
    run(late, "await press('They are two deals');")
    wait_until(lambda: rows_of(late)[1] == 0, LIMIT, "both are sent")
    run(late, "await scored(2);")
    assert deals_of(site, "Eva") == [(2, 2)]


def test_two_people_choose_between_their_entries_without_a_network(device, site):
    one, other = device("Pia"), device("Rok")
    address = begin_on(site, one)
    site.shell(LET_WRITE.format(code=address.split("/")[-2], name="Rok"))
    other.open(address)
    wait_until(lambda: rows_of(other)[0] == 1, LIMIT, "the other device has a copy")
    site.kill()
    for each, points in ((one, 60), (other, 70)):
        each.open(address)
        run(each, f"await play(1, {points});")
    site.start()
    wait_until(lambda: rows_of(one)[1] + rows_of(other)[1] == 0, LIMIT, "both are sent")
    late = one if run(one, "return Boolean($('.two-entries'));") else other
    late.reload()  # Now the page of the site, which brings the copy up to date.
    run(late, "await says('Take the entry of');")
    wait_until(lambda: late.evaluate(f"({ENTRIES_KEPT})()") == "2", LIMIT, "the copy has both")
    site.kill()
    late.reload()
    run(late, "await when(() => $('#tally-top ~ .two-entries')); await says('Deal 1 was entered twice.');")
    writers = (
        "return [...document.querySelectorAll('.two-entries dt')].map((each) => each.textContent).toSorted().join();"
    )
    assert run(late, writers) == "Pia,Rok"
    assert is_accessible(late)
    run(late, CHOOSE_ROK)
    run(late, "await when(() => !$('.two-entries')); await scored(1);")
    site.start()
    wait_until(lambda: rows_of(late)[1] == 0, LIMIT, "the choice is sent")
    assert site.shell(POINTS.format(name="Pia")).strip() == "[70]"
    assert deals_of(site, "Pia") == [(1, 3)]


CHOOSE_ROK = """
    const buttons = [...document.querySelectorAll(".two-entries button")];
    buttons.find((each) => each.textContent.includes("Rok")).click();
"""
ENTRIES_KEPT = """async () => {
    const { tallies } = await import(document.querySelector('link[rel=modulepreload][href*="shelf"]').href);
    return String((await tallies()).map(({ entries }) => entries.length));
}"""


def test_a_full_device_says_so_and_keeps_the_form(device, site):
    """Firefox has room for ten megabytes, and another database takes them. In Chromium a script refuses to write."""
    browser = device("Finn")
    run(browser, "await begin('oh-hell', { game_style: 'short-up' });")
    sent(browser)
    with browser.full():
        run(browser, "await fill([1, 0, 0, 1], { 0: 1, 1: 0, 2: 0 }); await press('Save');")
        run(browser, "await says('This device has no room left.');")
    run(browser, "await press('Save'); await scored(1);")
    sent(browser)
    assert deals_of(site, "Finn") == [(1, 1)]


@pytest.mark.parametrize("device", ["firefox"], indirect=True)
def test_firefox_keeps_what_an_open_page_shows_although_cleared(device, site):
    """Firefox clears what it stores because an answer with Clear-Site-Data asks for it."""
    browser = device("Gil")
    site.kill()
    run(browser, "await begin('oh-hell', { game_style: 'short-up' }); await enterFirst();")
    run(browser, "await fill([0, 1, 0, 0], { 1: 1, 2: 0, 3: 0 });")
    browser.clear_storage()
    run(browser, "await press('Save'); await scored(2);")
    site.start()
    sent(browser)
    assert deals_of(site, "Gil") == [(2, 2)]
    site.kill()
    browser.clear_storage()
    site.start()
    browser.reload()
    run(browser, "await when(() => $('main .primary'));")
    assert rows_of(browser) == [0, 0]
