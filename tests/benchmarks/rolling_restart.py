"""A rolling restart behind nginx as docs/hosting.md has it, with players at tables: what they notice.

    .venv/bin/python -m tests.benchmarks.rolling_restart                 # needs nginx, openssl, PostgreSQL and Redis

Two uvicorn processes and two clocks. Each web process is sent SIGTERM and started again, the next when it is ready.
Prints JSON: pages by status, and the longest time in seconds without a move at any running table, before and during the
restart. Sockets connect again after 0.1 seconds.
"""

import asyncio
import json
import os
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx

from tests.faults.cluster import cluster
from tests.faults.crowd import Crowd
from tests.nginx import Nginx
from tests.processes import START_LIMIT, running, wait_until

BEFORE = 10  # seconds
LOOK = 0.05


class Gaps:
    """The longest time without a move at a table."""

    def __init__(self, ledger):
        self._ledger = ledger
        self._since = {}  # code -> (moves, when that was first seen)
        self.longest = 0.0

    def look(self):
        now = time.monotonic()
        for code in self._ledger.shown.keys() - self._ledger.finished:
            moves, since = self._since.setdefault(code, (self._ledger.shown[code], now))
            self.longest = max(self.longest, now - since)
            if moves != self._ledger.shown[code]:
                self._since[code] = (self._ledger.shown[code], now)


async def watch(ledger, pages, nginx, until):
    """Return the longest gap until a task is done. Asks for a page at each look, and counts its status in `pages`."""
    gaps = Gaps(ledger)
    async with httpx.AsyncClient(timeout=30) as client:
        while not until.done():
            gaps.look()
            pages[(await client.get(f"{nginx.url}/rules/")).status_code] += 1
            await asyncio.sleep(LOOK)
    until.result()
    return round(gaps.longest, 2)


def restart(webs):
    """Restart one web process after the other."""
    for web in webs:
        web.send_signal(signal.SIGTERM)
        wait_until(lambda web=web: not web.is_running, START_LIMIT, "it has ended")
        web.start()
        web.wait()


async def measure(site, nginx):
    found = {}
    async with Crowd([nginx]) as crowd:
        await crowd.makes_moves(20)
        for name, work in (("before", asyncio.sleep(BEFORE)), ("restart", asyncio.to_thread(restart, site.webs))):
            pages = Counter()
            gap = await watch(crowd.ledger, pages, nginx, asyncio.create_task(work))
            found[name] = {"pages": dict(pages), "longest_gap": gap}
    return found


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        with cluster(folder, PACE="0.1", TRUSTED_PROXIES="2") as site:
            for web in site.webs:
                web.command += ["--timeout-graceful-shutdown", "5"]
            nginx = Nginx(folder, site.webs)
            site.installation.environment["CSRF_TRUSTED_ORIGINS"] = nginx.url
            os.environ["SSL_CERT_FILE"] = str(nginx.certificate)
            with running(*site.processes, nginx):
                print(json.dumps(asyncio.run(measure(site, nginx))))


if __name__ == "__main__":
    main()
