"""Chromium, the site it visits, and the people who sit before it."""

import os
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser.site import Player, Site

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SHELL = shutil.which("chromium-headless-shell")  # Chromium without windows and notices: a quarter less work
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}

expect.set_options(timeout=15_000)  # three times the usual: other tests run beside


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site with nobody on it yet, served by a process of its own."""
    site = Site(tmp_path_factory.mktemp("site"))
    try:
        site.start()
        yield site
    finally:
        site.kill()
    assert "Traceback" not in site.log(), site.log()


@pytest.fixture(scope="module")  # no longer: Playwright's event loop would be in the way of the async tests after these
def chromium(request):
    """The browser. A module that shows notices of the system has NOTICES set: only the whole of Chromium has them."""
    executable = CHROMIUM if getattr(request.module, "NOTICES", False) else SHELL or CHROMIUM
    if executable is None:
        pytest.fail("Chromium is missing: install it (Debian: apt-get install chromium).", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def at_browser(chromium, site, request, tmp_path):
    """Makes a Player at a browser of its own: at_browser(), or at_browser(PHONE, reduced_motion="reduce")."""
    players = []

    def make(device=DESKTOP, **options):
        context = chromium.new_context(**device, **options)
        players.append(Player(context, site, fingers=device is PHONE))
        return players[-1]

    yield make
    for number, player in enumerate(players):
        if request.node.stash.get(FAILED, False):
            picture = tmp_path / f"player-{number}.png"
            player.page.screenshot(path=picture)
            picture.with_suffix(".html").write_text(player.page.content())
            print(f"Player {number} at {player.page.url}: {picture}", *player.problems, site.log()[-4000:], sep="\n")
        player.context.close()


@pytest.fixture
def player(at_browser):
    """Somebody at a browser, who has nothing to complain of."""
    player = at_browser()
    yield player
    assert player.problems == []


@pytest.fixture
def guest(at_browser):
    """A guest against two bots, at the start of a hand of ten cards."""
    return at_browser().at_table()


@pytest.fixture
def phone(at_browser):
    """The same with a finger on a phone."""
    return at_browser(PHONE).at_table()


def pytest_collection_modifyitems(items):
    """Browser tests come first, for they wait most, and those of a module run in one process, for they share a site.

    With them come those that break processes: they wait as much. In strict mode, where thousands of tests stand or fall
    together on a machine that may be busy, these and those of sockets and clocks have a second try; the summary names
    those that needed it.
    """
    items.sort(key=lambda item: not _waits(item))
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.xdist_group(item.module.__name__))
        if os.environ.get("STRICT") and (_waits(item) or item.path.parent.name == "live"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def _waits(item):
    return item.get_closest_marker("browser") or item.get_closest_marker("faults")


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report
