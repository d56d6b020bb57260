"""Beside the clock: analyses finished matches, one after the other, in a process that lets all others go first.

What somebody waits for, a bot's move above all, is thought of elsewhere: see `games.play.thinkers`.
"""

import asyncio
import logging
import secrets
import time
from contextlib import suppress
from typing import Protocol

from games.analysis import working
from games.bot_process import Decision, Judgement
from games.live.threads import AWAY, DatabaseThread
from games.play import metrics
from games.play.thinkers import FAILURES, OwnMind

log = logging.getLogger("valat.analysis")

NICENESS = 15  # of 19: bots have 5
TRIES = 3

# Seconds
LOOK_EVERY = 2.0
STORE_EVERY = 1.5  # how long what is found is kept before it is stored: so much a restart loses
PATIENCE = 5.0  # after a failure


class Judge(Protocol):
    """Something that judges one decision after the other."""

    async def judge(self, decision: Decision) -> Judgement:
        """Raises one of FAILURES where it can't."""

    async def close(self) -> None: ...


async def run(judges: list[Judge]) -> None:
    """Analyse until cancelled, with so many at a time."""
    await asyncio.gather(*(_again_and_again(judge) for judge in judges))


def own_judges(size: int) -> list[Judge]:
    """So many processes that judge; none is started before it is asked."""
    return [OwnMind(NICENESS) for _ in range(size)]


async def _again_and_again(judge: Judge) -> None:
    thread = DatabaseThread("analysis", keeps=False)
    worker = secrets.token_hex(16)
    try:
        while True:
            try:
                task = await thread.run(working.take_next, worker)
                if task is None:
                    await judge.close()  # it takes memory, and starts within a second
                    await asyncio.sleep(LOOK_EVERY)
                else:
                    await work(task, judge, thread)
            except Exception as error:
                log.error("A match could not be analysed: %r", error, exc_info=not isinstance(error, AWAY))
                metrics.ERRORS.labels("analysis").inc()
                await asyncio.sleep(PATIENCE)
    finally:
        await judge.close()
        thread.close()


async def work(task: working.Task, judge: Judge, thread: DatabaseThread) -> None:
    """Do a task to its end, or until it is cancelled."""
    found: list[tuple[int, int, Judgement]] = []
    stored = time.monotonic()
    try:
        for index, seat, decision in task.decisions:
            judgement = await _judged(judge, decision)
            if judgement.error:
                log.error("Move %d of analysis %d could not be judged. %s", index, task.analysis, judgement.error)
                metrics.ERRORS.labels("analysis").inc()
                await thread.run(working.fail, task.analysis, task.worker)
                return
            found.append((index, seat, judgement))
            if time.monotonic() - stored > STORE_EVERY:
                if not await thread.run(_kept, task, found, False):
                    return
                found, stored = [], time.monotonic()
        await thread.run(_kept, task, found, True)
    except asyncio.CancelledError:
        with suppress(*AWAY):
            await thread.run(working.give_back, task)
        raise
    except AWAY:
        raise
    except Exception:
        await thread.run(working.fail, task.analysis, task.worker)
        raise


def _kept(task: working.Task, found: list[tuple[int, int, Judgement]], is_last: bool) -> bool:
    return working.keep(task, found, is_last=is_last)


async def _judged(judge: Judge, decision: Decision) -> Judgement:
    error = ""
    for _ in range(TRIES):
        try:
            return await judge.judge(decision)
        except FAILURES as failure:
            error = f"The process failed: {failure!r}"
            log.error("The process that analyses failed: %r", failure)
    return Judgement(None, error=error)
