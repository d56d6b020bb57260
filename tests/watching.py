"""A crowd that plays at a site while something is done to it, and what they notice of it.

    python -m tests.watching https://valat.example

Prints a line when they play. At a line of input it waits until everybody plays on, and prints JSON: answers to pages
and forms by status, requests without an answer, and in seconds the slowest page and the longest time without a move at
a table and without a socket. Players think for 0.3 seconds, and sockets connect again after 0.1.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack, suppress

import httpx
from websockets.asyncio.client import connect

from tests.faults.crowd import Crowd
from tests.faults.players import LOST, TRY_AGAIN_AFTER

SPECTATORS = 20
THOUGHT = 0.3  # seconds before a move; without any, players and bots would leave an update no processor
LOOK = 0.05  # seconds


class Web:
    """A site as players know it."""

    is_running = True

    def __init__(self, url):
        self.url = url


class Watch:
    """What is noticed."""

    def __init__(self, url, ledger):
        self._url = url
        self._ledger = ledger
        self._since = {}  # code -> (moves, when that was first seen)
        self._pages = Counter()
        self._unanswered = 0
        self._slowest_page = self._longest_gap = self._sockets_back = 0.0

    def begin(self):
        """Forget what has been noticed so far, while everybody arrived."""
        self._slowest_page = self._longest_gap = self._sockets_back = 0.0
        for counter in (self._pages, self._ledger.answers):
            counter.clear()

    async def ask_for_pages(self):
        async with httpx.AsyncClient(timeout=30) as client:
            while True:
                asked_at = time.monotonic()
                try:
                    self._pages[(await client.get(f"{self._url}/rules/")).status_code] += 1
                except httpx.TransportError:
                    self._unanswered += 1
                self._slowest_page = max(self._slowest_page, time.monotonic() - asked_at)
                await asyncio.sleep(LOOK)

    async def look_at_tables(self):
        while True:
            now = time.monotonic()
            for code in self._ledger.shown.keys() - self._ledger.finished:
                moves, since = self._since.setdefault(code, (self._ledger.shown[code], now))
                self._longest_gap = max(self._longest_gap, now - since)
                if moves != self._ledger.shown[code]:
                    self._since[code] = (self._ledger.shown[code], now)
            await asyncio.sleep(LOOK)

    async def keep_a_socket(self):
        """Keep a socket of the lobby, and measure for how long there is none."""
        lost_at = time.monotonic()
        while True:
            with suppress(*LOST):
                async with connect(f"{self._url.replace('http', 'ws')}/ws/lobby/", origin=self._url) as socket:
                    self._sockets_back = max(self._sockets_back, time.monotonic() - lost_at)
                    try:
                        async for _ in socket:
                            pass
                    finally:
                        lost_at = time.monotonic()
            await asyncio.sleep(TRY_AGAIN_AFTER)

    def report(self):
        return {
            "pages": dict(self._pages),
            "forms": dict(self._ledger.answers),
            "unanswered": self._unanswered + self._ledger.unanswered,
            "slowest_page": round(self._slowest_page, 2),
            "longest_gap": round(self._longest_gap, 2),
            "sockets_back": round(self._sockets_back, 2),
            "shown": dict(self._ledger.shown),
            "contradictions": self._ledger.contradictions,
        }


async def main(url):
    async with Crowd([Web(url)], thinks_for=THOUGHT) as crowd, AsyncExitStack() as stack:
        await crowd.makes_moves(20)
        watch = Watch(url, crowd.ledger)
        spectators = [watch.keep_a_socket() for _ in range(SPECTATORS)]
        for work in [watch.ask_for_pages(), watch.look_at_tables(), *spectators]:
            stack.callback(asyncio.create_task(work).cancel)
        await asyncio.sleep(1)
        watch.begin()
        print("They play.", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await crowd.goes_on()
        print(json.dumps(watch.report()), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
