"""The sweep over `wake_at`: bots' turns, players' deadlines and pauses that have passed, each played as a move.

Runs in the server's own event loop, or in any number of processes by `manage.py clock`: a move is stored only if the
match still is as it was read, so of many sweeps one wins. A crash loses nothing: what is due stays due.
"""

import asyncio
import contextvars
import logging
from collections.abc import Coroutine
from functools import partial
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from accounts import sanctions
from games.bot_process import Answer
from games.challenges import days
from games.deal_index.making import LOOKED_BACK, keep_missing, keep_outdated
from games.live import analysing, beating
from games.live.jobs import repeat, repeat_in_thread
from games.live.others import there_may_be_others
from games.live.threads import AWAY, DatabaseThread
from games.live.writer import writer
from games.notifications import finding, outbox
from games.notifications.outbox import Lane
from games.play import due, gaps, memory, metrics, presence
from games.play.due import BotTurn
from games.play.errors import Refused
from games.play.requests import ClaimRequest, MoveRequest, Request
from games.play.thinkers import Thinkers, shared_with_threads
from games.ratings.keeping import rate_pending

log = logging.getLogger("valat.clock")

PATIENCE = 2.0  # seconds after a failure until a bot's turn is tried again
CLAIM = 3  # seconds for which other clocks leave a bot's turn to the one that has it: that one may be no more
# One for each thread: a slow server holds up few others, and from its next message on only slow ones.
SENDERS = (Lane.QUICK, Lane.QUICK, Lane.QUICK, Lane.NEW, Lane.SLOW)


async def run() -> None:
    """Sweep until cancelled, and do beside it what the list of jobs has for clocks."""
    clock = Clock(DatabaseThread("clock"), Thinkers(settings.BOT_PROCESSES))
    await beating.begin(gaps.CLOCK)
    jobs = [
        beating.keep(gaps.CLOCK),
        repeat("sweep", clock.sweep),
        repeat("presence", clock.look_after_people),
        repeat_in_thread("deal index", lambda: keep_missing() + rate_pending(LOOKED_BACK)),
        repeat_in_thread("old deal index", lambda: keep_outdated() or rate_pending()),
        repeat_in_thread("deal of the day", days.keep_promised),
        repeat_in_thread("notices", finding.search),
        repeat_in_thread("held mail", outbox.postpone_mail),
        *senders(),
        *(analysing.analyse() for _ in range(settings.ANALYSES)),
    ]
    try:
        with shared_with_threads(clock.thinkers):
            async with asyncio.TaskGroup() as group:
                for job in jobs:
                    group.create_task(job)
    finally:
        await clock.close()


def senders() -> list[Coroutine[Any, Any, None]]:
    """Send what people are to be told, each in a thread of its own."""
    return [repeat_in_thread(f"{lane} sender", partial(outbox.send_next, lane)) for lane in SENDERS]


class Clock:
    """Does what is due. Bots take their turns beside it: the sweep goes on while they think."""

    def __init__(self, thread: DatabaseThread, thinkers: Thinkers):
        self.thread = thread
        self.thinkers = thinkers
        self.is_steady = True  # Whether every match has its time back after an outage.
        self._turns: dict[str, asyncio.Task[None]] = {}  # by code

    async def sweep(self) -> int:
        """Do everything that is due now, and let bots begin to think. Returns how many moves that makes."""
        self.is_steady = await self.thread.run(_settle)
        requests, turns = await self.thread.run(_due, set(self._turns), self.is_steady)
        for turn in turns:
            code = turn.request.code
            # In a context of its own: it outlives this sweep.
            task = asyncio.create_task(self._take(turn), context=contextvars.Context())
            self._turns[code] = task
            task.add_done_callback(partial(self._taken, code))
        outcomes = await asyncio.gather(*(writer().play(request) for request in requests), return_exceptions=True)
        for request, outcome in zip(requests, outcomes, strict=True):
            if isinstance(outcome, AWAY):
                raise outcome  # that is not this match's fault
            await self._look_into(request.code, outcome)
        return len(requests) + len(turns)

    async def look_after_people(self) -> None:
        """Note who is gone, and let in again whose ban has ended; not before every match has its time back."""
        if self.is_steady:
            await self.thread.run(presence.disconnect_unseen)
            await self.thread.run(sanctions.lift_expired_bans)

    def _taken(self, code: str, _: asyncio.Task[None]) -> None:
        del self._turns[code]

    async def settle(self) -> None:
        """Wait until the bots that think have moved."""
        await asyncio.gather(*self._turns.values())

    async def close(self) -> None:
        """Let nobody think any more."""
        for task in self._turns.values():
            task.cancel()
        await self.thinkers.close()

    async def _take(self, turn: BotTurn) -> None:
        """Have a bot think, and make its move when its time has come."""
        try:
            thought = await self._thought(turn)
            if thought is None:
                return  # the table has moved on
            request, answered = thought
            await asyncio.sleep((due.move_time(turn, answered) - timezone.now()).total_seconds())
            await writer().play(request)
        except AWAY as error:
            log.error("A bot of match %s could not move: %r", turn.request.code, error)
            await asyncio.sleep(PATIENCE)
        except Exception as error:
            await self._look_into(turn.request.code, error)

    async def _thought(self, turn: BotTurn) -> tuple[Request, Answer] | None:
        """What a bot wants to do, and how hard that was; None if nobody asks any more."""
        if isinstance(turn.request, ClaimRequest):
            return turn.request, Answer(None)
        answered = await self.thinkers.answer(
            turn.question, owner=turn.owner, is_wanted=lambda: _is_as_read(turn.request.code, turn.revision)
        )
        if answered is None:
            return None
        return turn.request._replace(move=await _move_of(turn, answered)), answered

    async def _look_into(self, code: str, outcome: object) -> None:
        """Put a match off if it could not go on, but not if somebody else has moved meanwhile."""
        if isinstance(outcome, Exception) and not isinstance(outcome, Refused):
            log.error("Match %s could not go on by itself: %r", code, outcome)
            metrics.ERRORS.labels("clock").inc()
            await self.thread.run(due.postpone, code)


async def _move_of(turn: BotTurn, answered: Answer) -> dict:
    """The move that the bot makes; where it has failed it takes a moment, so not in the event loop."""
    if answered.choice is not None:
        return due.move_of(turn.question, answered)
    return await asyncio.to_thread(due.move_of, turn.question, answered)


def _is_as_read(code: str, revision: int) -> bool:
    """Whether a match still is as it was read, as far as this process knows."""
    known = memory.recent(code)
    return known is None or known.revision <= revision


def _settle() -> bool:
    """Give back time in which the site was away. Returns whether no match has to get any."""
    gaps.come_back_if_late()
    return gaps.settle()


def _due(busy: set[str], steady: bool) -> tuple[list[MoveRequest], list[BotTurn]]:
    """What is due and not yet being done."""
    requests: list[MoveRequest] = []
    turns: list[BotTurn] = []
    for code in due.due_codes(timezone.now() + due.AHEAD, busy):
        try:
            found = due.handle_due(code, skip_deadlines=not steady)
        except AWAY:
            raise
        except Exception:
            log.exception("Match %s could not go on by itself.", code)
            metrics.ERRORS.labels("clock").inc()
            due.postpone(code)
            continue
        if isinstance(found, MoveRequest):
            requests.append(found)
        elif found and _claimed(found):
            turns.append(found)
    return requests, turns


def _claimed(turn: BotTurn) -> bool:
    """Whether this clock is the first to have a bot think about its turn: once is enough."""
    return not there_may_be_others() or cache.add(f"turn:{turn.request.code}:{turn.revision}", True, CLAIM)
