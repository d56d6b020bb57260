"""The sweep over `wake_at`: bots' turns, players' deadlines and pauses that have passed, each played as a move.

Runs in the server's own event loop, or in any number of processes by `manage.py clock`: a move is stored only if the
match still is as it was read, so of many sweeps one wins. A crash loses nothing: what is due stays due.
"""

import asyncio
import logging
import time

from django.utils import timezone

from games.catalog import IllegalMove
from games.live.threads import AWAY, DatabaseThread
from games.live.writer import writer
from games.play import due, metrics, presence
from games.play.errors import Refused
from games.play.pace import HEAL_EVERY
from games.play.requests import MoveRequest

log = logging.getLogger("valat.clock")

INTERVAL = 0.1  # seconds between sweeps


async def run() -> None:
    """Sweep until cancelled."""
    thread = DatabaseThread("clock")
    looked = 0.0
    while True:
        try:
            busy = await sweep(thread)
            if time.monotonic() - looked > HEAL_EVERY:
                looked = time.monotonic()
                await thread.run(presence.disconnect_unseen)
        except Exception:
            log.exception("A sweep failed.")
            metrics.ERRORS.labels("clock").inc()
            busy = False
            await asyncio.sleep(2)
        await asyncio.sleep(INTERVAL / 10 if busy else INTERVAL)


async def sweep(thread: DatabaseThread) -> int:
    """Do everything that is due now. Returns how many moves were played."""
    requests = await thread.run(_due_requests)
    outcomes = await asyncio.gather(*(writer().play(request) for request in requests), return_exceptions=True)
    for request, outcome in zip(requests, outcomes, strict=True):
        if isinstance(outcome, Refused):
            continue  # somebody else has moved meanwhile
        if isinstance(outcome, AWAY):
            raise outcome  # that is not this match's fault
        if isinstance(outcome, (Exception, IllegalMove)):
            log.error("Match %s could not go on by itself: %r", request.code, outcome)
            metrics.ERRORS.labels("clock").inc()
            await thread.run(due.postpone, request.code)
    return len(requests)


def _due_requests() -> list[MoveRequest]:
    requests = []
    for code in due.due(timezone.now()):
        try:
            request = due.think(code)
        except AWAY:
            raise
        except Exception:
            log.exception("Match %s could not go on by itself.", code)
            metrics.ERRORS.labels("clock").inc()
            due.postpone(code)
            continue
        if request:
            requests.append(request)
    return requests
