"""Beside the clock: analyses finished matches, one after the other, in a process that lets all others go first.

What somebody waits for, a bot's move above all, is thought of elsewhere: see `games.play.thinkers`.
"""

import asyncio
import logging
import secrets
import time
from contextlib import suppress
from functools import partial

from games.analysis import working
from games.bot_process import Decision, Judgement
from games.live.jobs import repeat
from games.live.threads import AWAY, DatabaseThread
from games.play import metrics
from games.play.thinkers import FAILURES, ProcessMind

log = logging.getLogger("valat.analysis")

NICENESS = 15  # of 19: bots have 5
TRIES = 3
STORE_EVERY = 1.5  # seconds that what is found is kept before it is stored: so much a restart loses


async def analyse() -> None:
    """Analyse one match after the other, until cancelled. Its process is not started before it is asked."""
    judge = ProcessMind(NICENESS)
    thread = DatabaseThread("analysis", keeps=False)
    try:
        await repeat("analysis", partial(_analyse_next, judge, secrets.token_hex(16), thread))
    finally:
        await judge.close()
        thread.close()


async def _analyse_next(judge: ProcessMind, worker: str, thread: DatabaseThread) -> bool:
    task = await thread.run(working.take_next, worker)
    if task is None:
        await judge.close()  # it takes memory, and starts within a second
        return False
    await work(task, judge, thread)
    return True


async def work(task: working.Task, judge: ProcessMind, thread: DatabaseThread) -> None:
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
    return working.store(task, found, is_last=is_last)


async def _judged(judge: ProcessMind, decision: Decision) -> Judgement:
    error = ""
    for _ in range(TRIES):
        try:
            return await judge.judge(decision)
        except FAILURES as failure:
            error = f"The process failed: {failure!r}"
            log.error("The process that analyses failed: %r", failure)
    return Judgement(None, error=error)
