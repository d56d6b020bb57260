"""After how many seconds a dead line is noticed: nothing passes on it, and nobody closes it.

    .venv/bin/python tests/benchmarks/dead_lines.py --times 5

"page, on the clock" and "page, untimed": from the moment at which nothing passes until Chromium says that it
reconnects, with a player who only looks. "server": until others read that a player whose client is frozen is away, with
`serve` and with uvicorn.
"""

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path
from random import uniform
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright
from websockets.sync.client import connect

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.site import Player, Site
from tests.faults.services import Proxy
from tests.faults.test_frozen import one_web_process, open_frozen, seat_somebody, wait_for_table

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
LIMIT = 120_000  # milliseconds


def page_seconds(times, speed):
    """Seconds until the page of a player says so, each time."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        site = Site(folder)
        site.start()
        for _ in range(times):
            player = Player(browser.new_context(), site).at_table(speed=speed)
            yield _until_page_says_so(player)
            player.context.close()
        site.end()
        browser.close()


def _until_page_says_so(player):
    wire = Proxy(urlsplit(player.site.url).port)
    player.page.goto(f"http://127.0.0.1:{wire.port}/matches/{player.code}/")
    player.wait_for_turn()
    player.page.wait_for_timeout(uniform(1000, 4000))
    wire.swallow()
    wire.hold()
    begun = time.monotonic()
    player.page.get_by_text("Reconnecting").wait_for(timeout=LIMIT)
    seconds = time.monotonic() - begun
    wire.close()
    return seconds


def server_seconds(times, kind):
    """Seconds until others read so, each time."""
    with tempfile.TemporaryDirectory() as folder, one_web_process(Path(folder), kind) as (process, run):
        code, cookies = seat_somebody(run)
        path = f"/ws/matches/{code}/"
        with connect(f"ws://127.0.0.1:{process.port}{path}", origin=process.url) as watcher:
            for _ in range(times):
                with open_frozen(process, path, cookies):
                    wait_for_table(watcher, away=False)
                    begun = time.monotonic()
                    wait_for_table(watcher, away=True)
                    yield time.monotonic() - begun


def report(name, seconds):
    seconds = sorted(seconds)
    print(f"{name:20} {', '.join(f'{each:.1f}' for each in seconds)} s", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=3)
    times = parser.parse_args().times
    report("page, on the clock", page_seconds(times, "fast"))
    report("page, untimed", page_seconds(times, "untimed"))
    for kind in ("serve", "uvicorn"):
        report(f"server, {kind}", server_seconds(times, kind))
