"""Chromium, the site it visits, and the people who sit before it."""

import shutil
import time
from contextlib import ExitStack, contextmanager

import pytest
from playwright.sync_api import expect, sync_playwright

from games.catalog import all_games
from tests.browser.site import Player, Site
from tests.history.test_formats import SHORTEST

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


_open, _shared = ExitStack(), {}  # what the modules of a worker share: each takes seconds to start


def _once(key, manager, *arguments):
    """What a context manager gives, made for the first module that asks and kept for the others."""
    if key not in _shared:
        _shared[key] = _open.enter_context(manager(*arguments))
    return _shared[key]


def _close():
    _open.close()
    _shared.clear()


@contextmanager
def served(folder, **settings):
    """A Site while it runs."""
    site = Site(folder, **settings)
    try:
        site.start()
        yield site
    finally:
        site.end()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, served by a process of its own. No member that is on it already has a name that a test gives."""
    site = _once("site", served, tmp_path_factory.mktemp("site"))
    if not site.is_running:  # a test that killed it has failed
        site.start()
    site.free_names()
    before = len(site.log())
    yield site
    assert "Traceback" not in site.log(before), site.log(before)


@pytest.fixture(scope="module")
def chromium(request):
    """The browser. A module that shows notices of the system has NOTICES set: only the whole of Chromium has them."""
    executable = CHROMIUM if getattr(request.module, "NOTICES", False) else SHELL or CHROMIUM
    if executable is None:
        pytest.fail("Chromium is missing: install it (Debian: apt-get install chromium).", pytrace=False)
    playwright = _once("playwright", sync_playwright)
    return _once(executable, lambda: playwright.chromium.launch(executable_path=executable, args=ARGUMENTS))


@pytest.fixture
def at_browser(chromium, site, request, tmp_path):
    """Makes a Player at a browser of its own: at_browser(), or at_browser(PHONE, reduced_motion="reduce")."""
    players = []

    def make(device=DESKTOP, **options):
        context = chromium.new_context(**device, **options)
        players.append(
            Player(context, site, fingers=device is PHONE, has_scripts=options.get("java_script_enabled", True))
        )
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


@pytest.fixture(scope="module")
def matches(site):
    """A finished match of each game, among bots: their codes, by game."""
    return {
        game.slug: site.played(game.slug, seats=game.newest.default_seats, **SHORTEST[game.slug])
        for game in all_games()
    }


@pytest.fixture(scope="module")
def record(site):
    """The record of a match of ten hands of Oh Hell among three bots."""
    return site.record(site.played("oh-hell", seats=3, game_style="short-up"))


@pytest.fixture
def member(at_browser, matches):
    """Somebody with an account, who waits at a table and plays at another."""
    ana = at_browser(PHONE, reduced_motion="reduce")
    ana.sign_up(f"Ana{time.time_ns() % 10**6}")
    ana.open("/clubs/")
    ana.page.get_by_label("Name", exact=True).fill("Card Corner")
    ana.page.get_by_role("button", name="Found the club").click()
    ana.open_table("belot", bots=1)
    ana.open_table("oh-hell", bots=3)
    return ana


@pytest.hookimpl(wrapper=True)  # xdist asks for the groups, and pytest-django has an order of its own
def pytest_collection_modifyitems(items):
    """Start with the tests that wait most: those with browsers, and those that break processes.

    Browser tests of a module run in one process, for they share a site.
    """
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.xdist_group(item.module.__name__))
    result = yield
    items.sort(key=lambda item: not _waits(item))
    return result


def _waits(item):
    return item.get_closest_marker("browser") or item.get_closest_marker("faults")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """After the last test with a browser nothing of it stays: Playwright's event loop is in the way of async tests."""
    result = yield
    if nextitem is None or not nextitem.get_closest_marker("browser"):
        _close()
    return result


def pytest_sessionfinish():
    _close()


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report
