"""Keeping score where there is no network: a device enters deals, and the site counts each of them once.

The network is away while the site does not run: its port then answers nobody.
"""

import os
import re
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations_in_both_themes
from tests.browser.firefox import FIREFOX, Firefox
from tests.browser.fixtures import ARGUMENTS, CHROMIUM, PHONE, SHELL
from tests.browser.offline import BEGIN_AND_ENTER, CONTROLLED, LIST_SENT, POINTS, ROWS, deals_of, run
from tests.browser.webkit import DISPLAY, DRIVER, WebKit
from tests.processes import wait_until

pytestmark = pytest.mark.browser

NAMES = ("Ana", "Ben", "Cora", "Dan")
BACK = 60_000  # milliseconds until a page has noticed that the site is back
KEPT = """async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
}"""
PLAIN_HTTP = """
    Object.defineProperty(globalThis, "isSecureContext", { value: false });
    Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined });
    Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
    Object.defineProperty(Navigator.prototype, "storage", { value: undefined });
    delete Crypto.prototype.randomUUID;
"""
LOSE_ANSWERS = """void (globalThis.fetch = new Proxy(fetch, {
    apply: async (fetch, page, [path, ...more]) => {
        const answer = await fetch.call(page, path, ...more);
        if (!/tallies.(?!device).+.device/.test(path)) return answer;
        globalThis.isAnswered = true;
        return new Promise(() => {});
    },
}))"""
SET_LOGO = """
import io
from PIL import Image
from accounts.site.models import SiteSettings

out = io.BytesIO()
Image.new("RGB", (160, 120), "#3b0f2e").save(out, "PNG")
SiteSettings.objects.update_or_create(pk=1, defaults={"logo": out.getvalue()})
"""
REMOVE_LOGO = """
from accounts.site.models import SiteSettings

SiteSettings.objects.update(logo=None)
"""
FONTS = """async () => {
    await document.fonts.ready;
    const used = [...document.fonts].filter(({ status }) => status !== "unloaded");
    const bulgarian = used.filter(({ unicodeRange }) => unicodeRange.startsWith("U+40D"));
    return bulgarian.map(({ family, status }) => [family, status]);
}"""
RENAME = """
from accounts.site.models import SiteSettings

SiteSettings.objects.update_or_create(pk=1, defaults={{"name": "{name}"}})
"""


def ready(page, site):
    """Open the page, and wait until the browser keeps it."""
    page.goto(f"{site.url}/tallies/offline/")
    expect(page.get_by_role("link", name="Keep a new score")).to_be_visible()
    page.evaluate(CONTROLLED)


def begin(page, site, game="oh-hell", names=NAMES, **options):
    page.goto(f"{site.url}/tallies/offline/#new")
    page.get_by_label("Game").select_option(game)
    page.get_by_label("Players", exact=True).select_option(str(len(names)))
    for seat, name in enumerate(names):
        page.locator(f"#name{seat}").fill(name)
    for name, value in options.items():
        page.locator(f"[name=option_{name}]").select_option(str(value))
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#tally-entry")).to_be_visible()


def choose(page, name, value):
    page.locator(f'label:has([name="{name}"][value="{value}"])').click()
    expect(page.locator(f'[name="{name}"][value="{value}"]')).to_be_checked()


def scored(page, number):
    expect(page.locator("#tally-sheet tbody tr")).to_have_count(number)


def enter(page, bids, tricks):
    """Enter a hand of Oh Hell: bids and tricks by seat. Those of the dealer follow."""
    number = page.locator("#tally-sheet tbody tr").count()
    for name, values in (("bid", bids), ("took", tricks)):
        for seat, value in values.items():
            choose(page, f"{name}{seat}", value)
    page.get_by_role("button", name="Save", exact=True).click()
    scored(page, number + 1)


def enter_first(page):
    """Enter a hand of one card: Ana makes her bid, Dan does not."""
    enter(page, {0: 1, 1: 0, 2: 0, 3: 1}, {0: 1, 1: 0, 2: 0})


def totals(page):
    return page.locator(".standing b").all_text_contents()


def sent(page):
    """Wait until the device has nothing more to send."""
    expect(page.get_by_role("link", name="Sheet on the site")).to_be_visible(timeout=BACK)
    wait_until(lambda: page.evaluate(ROWS)[1] == 0, BACK / 1000, "everything is sent")


@pytest.fixture
def device(at_browser, site):
    """Make the page of a member at a phone, which keeps it: device("Ana")."""

    def make(name):
        phone = at_browser(PHONE)
        phone.sign_in(name)
        ready(phone.page, site)
        return phone.page

    yield make
    if not site.is_running:
        site.start()


def test_a_tally_is_kept_without_a_network_and_sent_later(device, site):
    page = device("Ana")
    site.kill()
    page.reload()
    begin(page, site, game_style="short-up")
    enter_first(page)
    assert totals(page) == ["11", "10", "10", "0"]
    page.reload()
    expect(page.locator("#sending")).to_contain_text("1 entry waits on this device.")
    site.start()
    sent(page)
    expect(page.locator("#sending")).to_be_empty()
    page.get_by_role("link", name="Sheet on the site").click()
    expect(page.locator(".sheet tr.scored")).to_have_count(1)
    assert totals(page) == ["11", "10", "10", "0"]


def test_a_forgotten_deal_is_inserted_without_a_network(device, site):
    page = device("Oto")
    site.kill()
    begin(page, site, "belot")
    pass_deal(page, 1)
    play_deal(page, 2)
    page.get_by_role("button", name="Correct Deal 2", exact=True).click()
    page.get_by_role("button", name="Insert a forgotten deal before this one").click()
    expect(page.get_by_role("heading", name="Insert Deal 2", exact=True)).to_be_visible()
    assert violations_in_both_themes(page) == []
    choose(page, "bid", "0S")
    page.locator("#entry-points").fill("70")
    page.locator('.ends [name="last"][value="0"]').click()
    scored(page, 3)
    expect(page.get_by_role("heading", name="Insert")).to_have_count(0)
    shown = totals(page)
    site.start()
    sent(page)
    assert totals(page) == shown
    assert site.shell(POINTS.format(name="Oto")).strip() == "[None, 70, 60]"


def pass_deal(page, number):
    choose(page, "bid", "pass")
    page.get_by_role("button", name="Save", exact=True).click()
    scored(page, number)


def play_deal(page, number, points=60):
    choose(page, "bid", "0H")
    page.locator("#entry-points").fill(str(points))
    page.locator('.ends [name="last"][value="0"]').click()
    scored(page, number)


def test_a_browser_killed_before_the_answer_sends_again_and_it_counts_once(chromium, at_browser, site, tmp_path):
    """The site has written the entry, but the browser never hears of it."""
    helper = at_browser(PHONE)  # Its cookies log in the other browser.
    helper.sign_in("Cora")

    def launch():
        context = chromium.browser_type.launch_persistent_context(
            tmp_path, executable_path=SHELL or CHROMIUM, args=ARGUMENTS, viewport=PHONE["viewport"]
        )
        context.add_cookies(helper.context.cookies())
        return context, context.pages[0]

    _, page = launch()
    ready(page, site)
    site.kill()
    begin(page, site, game_style="short-up")
    enter_first(page)
    answers = []
    page.route(re.compile(r"/tallies/(?!device)\w+/device/"), lambda route: answers.append(route.fetch()))
    site.start()
    wait_until(lambda: page.evaluate("1") and answers, 60, "the site has answered")
    for process in list(_processes_at(tmp_path)):
        os.kill(process, signal.SIGKILL)
    context, page = launch()
    page.goto(f"{site.url}/tallies/offline/")
    page.get_by_role("link", name=re.compile("Oh Hell")).click()
    sent(page)
    scored(page, 1)
    context.close()
    assert deals_of(site, "Cora") == [(1, 1)]


def _processes_at(profile):
    """The processes of the browser that keeps its things in this folder, without its children."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            words = path.read_bytes().split(b"\0")
            is_first = not any(word.startswith(b"--type=") for word in words)
            if is_first and f"--user-data-dir={profile}".encode() in words:
                yield int(path.parent.name)


def test_a_cleared_device_keeps_what_an_open_page_shows(device, site):
    page = device("Gil")
    site.kill()
    begin(page, site, game_style="short-up")
    enter_first(page)
    for name, values in (("bid", (0, 1, 0, 0)), ("took", ("", 1, 0, 0))):
        for seat, value in enumerate(values):
            if value != "":
                choose(page, f"{name}{seat}", value)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Storage.clearDataForOrigin", {"origin": site.url, "storageTypes": "indexeddb"})
    page.get_by_role("button", name="Save", exact=True).click()
    scored(page, 2)
    site.start()
    sent(page)
    assert deals_of(site, "Gil") == [(2, 2)]
    devtools.send("Storage.clearDataForOrigin", {"origin": site.url, "storageTypes": "indexeddb"})
    page.reload()
    expect(page.get_by_role("link", name="Keep a new score")).to_be_visible()
    assert page.evaluate(ROWS) == [0, 0]


def test_without_a_session_entries_wait_and_say_so(device, site):
    page = device("Hana")
    site.kill()
    begin(page, site, game_style="short-up")
    enter_first(page)
    page.context.clear_cookies()
    site.start()
    expect(page.get_by_text("You are not logged in.")).to_be_visible(timeout=BACK)
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Send it as a guest").click()
    sent(page)
    scored(page, 1)


def test_on_plain_http_the_page_says_so_and_works_with_a_network(at_browser, site):
    phone = at_browser(PHONE)
    phone.sign_in("Joe")
    phone.context.add_init_script(PLAIN_HTTP)
    page = phone.page
    page.goto(f"{site.url}/tallies/offline/")
    expect(page.get_by_text("Without https, browsers open this page only with a network.")).to_be_visible()
    begin(page, site, game_style="short-up")
    enter_first(page)
    sent(page)
    assert deals_of(site, "Joe") == [(1, 1)]
    assert phone.problems == []


def test_logging_out_empties_the_device_of_what_is_sent(device, site):
    page = device("Ivo")
    begin(page, site, game_style="short-up")
    sent(page)
    page.goto(f"{site.url}/matches/")
    assert page.evaluate(ROWS) == [1, 0]
    page.locator(".site-user .menu summary").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Log out").click()
    wait_until(lambda: page.evaluate(ROWS) == [0, 0] and page.evaluate(KEPT) == [], 20, "nothing is left")


def test_only_the_page_and_its_files_are_kept(at_browser, site):
    guest = at_browser(PHONE).at_table()
    page, match = guest.page, guest.page.url
    ready(page, site)
    page.goto(match)
    guest.wait_until_drawn()
    page.goto(f"{site.url}/matches/")
    paths = page.evaluate(KEPT)
    assert "/tallies/offline/" in paths
    assert {path for path in paths if not path.startswith("/static/")} == {"/tallies/offline/"}
    site.kill()
    page.goto(match)
    expect(page.get_by_text("The table is on the server. It will be back by itself.")).to_be_visible()
    assert violations_in_both_themes(page) == []
    site.start()
    expect(page.locator("#felt")).to_be_visible(timeout=BACK)


def test_the_site_can_be_installed(at_browser, site):
    guest = at_browser(PHONE)
    guest.open()
    devtools = guest.context.new_cdp_session(guest.page)
    assert devtools.send("Page.getInstallabilityErrors") == {"installabilityErrors": []}
    assert devtools.send("Page.getAppManifest")["errors"] == []


def test_an_update_of_the_site_reaches_the_page_at_its_next_start(device, site):
    page = device("Jan")
    site.kill()
    site.shell(RENAME.format(name="Klub"))
    site.start()
    page.reload()
    wait_until(lambda: "Klub" in page.evaluate(PAGE_KEPT), 30, "the new page is kept")
    page.reload()
    expect(page.locator(".site-name")).to_have_text("Klub")
    site.shell(RENAME.format(name="Valat"))
    site.kill()
    site.start()


PAGE_KEPT = """async () => {
    const names = await caches.keys();
    const found = await caches.match("/tallies/offline/", { ignoreVary: true, cacheName: names.at(-1) });
    return found ? found.text() : "";
}"""


def test_the_logo_and_bulgarian_letters_need_no_network(at_browser, site):
    site.kill()
    site.shell(SET_LOGO)
    site.start()
    phone = at_browser(PHONE)
    phone.context.add_cookies([{"name": "language", "value": "bg", "url": site.url}])
    page = phone.page
    page.goto(f"{site.url}/tallies/offline/")
    page.evaluate(CONTROLLED)
    fonts = {Path(path).name.split(".")[0] for path in page.evaluate(KEPT) if path.endswith(".woff2")}
    assert fonts == {"inter-basic", "inter-bulgarian", "vollkorn-bulgarian"}
    site.shell(REMOVE_LOGO)
    site.kill()
    page.goto(f"{site.url}/tallies/")
    expect(page.locator("h1")).to_have_text("Няма мрежа")
    assert page.evaluate(FONTS) == [["Inter", "loaded"], ["Vollkorn", "loaded"]]
    assert page.locator(".site-name img").evaluate("(logo) => [logo.naturalWidth, logo.naturalHeight]") == [64, 48]
    site.start()


def test_an_old_page_says_that_it_must_be_loaded_again(device, site):
    page = device("Kim")

    def newer(route):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"protocol": 99})

    page.route(re.compile("/device/"), newer)
    begin(page, site, game_style="short-up")
    newer_site = page.get_by_text("The site is newer than this page.")
    expect(newer_site).to_be_visible()
    page.goto(f"{site.url}/tallies/")
    expect(page.get_by_text("Entries wait on this device.")).to_be_visible()
    page.go_back()
    expect(newer_site).to_be_visible()
    page.unroute(re.compile("/device/"))
    page.get_by_role("button", name="Load the page again").click()
    sent(page)


def test_the_figures_of_the_site_win(device, site):
    page = device("Nia")
    begin(page, site, game_style="short-up")
    sent(page)

    def counted_otherwise(route):
        answer = route.fetch()
        state = answer.json()["state"] | {"totals": [99, 0, 0, 0]}
        route.fulfill(response=answer, json=answer.json() | {"state": state})

    page.route(re.compile(r"/tallies/(?!device)\w+/device/"), counted_otherwise)
    enter_first(page)
    expect(page.locator(".standing b").first).to_have_text("99")
    site.kill()
    enter(page, {0: 0, 1: 1, 2: 0, 3: 0}, {1: 1, 2: 0, 3: 0})  # What is not sent yet comes in addition.
    assert totals(page)[:2] == ["100", "11"]


def test_what_was_on_its_way_when_the_network_was_lost_is_in_the_form(device, site):
    page = device("Lea")
    begin(page, site, game_style="short-up")
    sent(page)
    page.get_by_role("link", name="Sheet on the site").click()
    for seat, bid in {0: 1, 1: 0, 2: 0}.items():
        with page.expect_response(re.compile("/tallies/")):
            page.locator(f'label:has([name="bid{seat}"][value="{bid}"])').click()
    site.kill()
    page.locator('label:has([name="bid3"][value="1"])').click()  # The site would draw the next questions.
    expect(page.locator('[name="took0"][value="1"]')).to_be_attached()
    assert "/tallies/offline/" in page.url
    choose(page, "took0", 1)
    choose(page, "took1", 0)
    choose(page, "took2", 0)
    page.get_by_role("button", name="Save", exact=True).click()
    scored(page, 1)
    site.start()
    sent(page)
    assert deals_of(site, "Lea") == [(1, 1)]


def test_a_form_that_somebody_fills_in_stays_while_entries_wait(device, site):
    page = device("Petra")
    begin(page, site)
    site.kill()
    enter_first(page)
    page.goto(f"{site.url}/tallies/offline/#new")
    page.locator("#name0").fill("Erik")
    strip = page.locator("#sending")
    strip.evaluate("(strip) => new Promise((done) => new MutationObserver(done).observe(strip, { childList: true }))")
    expect(page.locator("#name0")).to_have_value("Erik")
    site.start()
    page.goto(f"{site.url}/tallies/offline/?again")
    expect(page.locator("main li .badge")).to_have_count(0, timeout=BACK)


@pytest.fixture
def firefox(at_browser, site, tmp_path):
    """Make a Firefox of a member, which keeps the page: firefox("Mia"). Again: with what the one before has stored."""
    if FIREFOX is None:
        pytest.skip("Firefox is missing: install it (Debian: apt-get install firefox-esr).")
    helper, opened = at_browser(PHONE), []  # The helper's cookies log in Firefox.

    def make(name):
        if not opened:
            helper.sign_in(name)
        opened.append(Firefox(tmp_path))
        for cookie in helper.context.cookies():
            opened[-1].keep_cookie(cookie["name"], cookie["value"], "127.0.0.1")
        opened[-1].open(f"{site.url}/tallies/offline/")
        opened[-1].evaluate(f"({CONTROLLED})()")
        return opened[-1]

    yield make
    for each in opened:
        each.close()
    if not site.is_running:
        site.start()


def test_firefox_killed_before_the_answer_sends_again_and_it_counts_once(firefox, site):
    browser = firefox("Nora")
    site.kill()
    assert run(browser, BEGIN_AND_ENTER) == "11 10 10 0"
    browser.evaluate(LOSE_ANSWERS)
    site.start()
    wait_until(lambda: browser.evaluate("globalThis.isAnswered === true"), 60, "the site has answered")
    browser.kill()
    assert deals_of(site, "Nora") == [(1, 1)]
    again = firefox("Nora")
    run(again, LIST_SENT)
    assert deals_of(site, "Nora") == [(1, 1)]


@pytest.fixture
def webkit(at_browser, site, tmp_path):
    """Make a WebKit of a member, which keeps the page: webkit("Ulla")."""
    if not (DRIVER and DISPLAY):
        pytest.skip("WebKit is missing: install it (Debian: apt-get install webkit2gtk-driver xvfb).")
    helper, browser = at_browser(PHONE), WebKit(tmp_path)

    def make(name):
        helper.sign_in(name)
        browser.open(f"{site.url}/tallies/offline/")
        for cookie in helper.context.cookies():
            browser.keep_cookie(cookie["name"], cookie["value"])
        browser.evaluate(f"({CONTROLLED})()")
        return browser

    yield make
    browser.close()
    if not site.is_running:
        site.start()


def test_webkit_keeps_a_hand_without_a_network_and_sends_it(webkit, site):
    browser = webkit("Ulla")
    site.kill()
    browser.open(f"{site.url}/tallies/offline/?again")
    assert run(browser, BEGIN_AND_ENTER) == "11 10 10 0"
    browser.evaluate(LEAVE_AT_WORK)
    site.start()
    browser.open(f"{site.url}/tallies/offline/?once-more")
    run(browser, LIST_SENT)
    assert deals_of(site, "Ulla") == [(1, 1)]


# The page reads and writes while it is left. WebKit keeps it then, and the transactions that it has not committed.
LEAVE_AT_WORK = """(async () => {
    const { add, tallies } = await import(document.querySelector('link[rel=modulepreload][href*="shelf"]').href);
    const [tally] = await tallies();
    const entry = { id: crypto.randomUUID(), kind: "finish", deal: 0, body: {}, seen: "" };
    addEventListener("pagehide", () => void tallies(), { capture: true });
    addEventListener("pagehide", () => void add(tally, entry).catch(() => {}), { capture: true });
})()"""


@pytest.mark.parametrize("game, seats", [("belot", 4), ("oh-hell", 7), ("bids", 4), ("bleven", 2)])
def test_the_forms_fit_a_phone_and_are_accessible(game, seats, at_browser, site):
    phone = at_browser(PHONE)
    ready(phone.page, site)
    phone.page.goto(f"{site.url}/tallies/offline/#new")
    assert violations_in_both_themes(phone.page) == []
    begin(phone.page, site, game, [f"Player{seat}" for seat in range(seats)])
    assert phone.fits()
    assert violations_in_both_themes(phone.page) == []
