"""The analyst: a job of the clock that analyses finished matches in a process of low priority.

Bots think in other processes, because players wait for them: see `games.play.thinkers`.
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

NICENESS = 15  # The most is 19. Bots have 5.
TRIES = 3  # of one decision, before the analysis of its match fails
STORE_EVERY = 1.5  # Seconds between writes of judgements. A restart loses at most this time.

type Judgements = list[tuple[int, int, Judgement]]  # by index and seat


async def analyse() -> None:
    """Analyse one finished match after the other, until cancelled: judge the moves of its players.

    The judge is another process, of low priority, because this takes much time. Bots must not wait for it.
    """
    judge = ProcessMind(NICENESS)  # Its process starts with the first decision.
    thread = DatabaseThread("analysis", keeps=False)
    worker = secrets.token_hex(16)  # A name that nobody else has.
    try:
        await repeat("analysis", partial(_analyse_next, judge, worker, thread))
    finally:
        await judge.close()
        thread.close()


async def _analyse_next(judge: ProcessMind, worker: str, thread: DatabaseThread) -> bool:
    """Analyse the next match that waits. Return False if none does.

    judge: the process that judges moves. worker: the name under which we take a match, so that nobody else does.
    """
    task = await thread.run(working.take_next, worker)
    if task is None:
        await judge.close()  # This frees the memory of its process, which starts again when it is needed.
        return False
    await analyse_match(task, judge, thread)
    return True


async def analyse_match(task: working.Task, judge: ProcessMind, thread: DatabaseThread) -> None:
    """Judge all decisions of players in a match, and store the judgements every few seconds.

    A first look at all decisions soon shows where the mistakes may be. Those that it leaves unsure get a second look,
    the costliest first. task: the match to analyse, which this process has taken. If cancelled, as when the server
    stops, let another process take it.
    """
    try:
        for look in (working.first_look, working.second_look):
            decisions = await thread.run(look, task)
            if not await _judge_all(task, decisions, judge, thread):
                return
        await thread.run(working.finish, task)
    except asyncio.CancelledError:
        with suppress(*AWAY):
            await thread.run(working.give_back, task)
        raise
    except AWAY:  # The database does not answer.
        raise  # That is no fault of this match: it will be tried again.
    except Exception:
        await thread.run(working.fail, task.analysis, task.worker)
        raise


async def _judge_all(
    task: working.Task, decisions: working.Decisions, judge: ProcessMind, thread: DatabaseThread
) -> bool:
    """Judge decisions of a match and store the judgements. Return False if the analysis has ended or must wait."""
    judgements: Judgements = []
    stored_at = time.monotonic()
    for index, seat, decision in decisions:
        judgement = await _judge(judge, decision)
        if judgement.error:
            log.error("Move %d of analysis %d could not be judged. %s", index, task.analysis, judgement.error)
            metrics.ERRORS.labels("analysis").inc()
            await thread.run(working.fail, task.analysis, task.worker)
            return False
        judgements.append((index, seat, judgement))
        if time.monotonic() - stored_at > STORE_EVERY:
            # Not ours if we were so slow that another process has taken the match.
            is_still_ours = await thread.run(working.store, task, judgements)
            if not is_still_ours:
                return False
            judgements, stored_at = [], time.monotonic()
            if await thread.run(working.must_wait, task):
                await thread.run(working.give_back, task)
                return False
    return await thread.run(working.store, task, judgements)


async def _judge(judge: ProcessMind, decision: Decision) -> Judgement:
    """Return the judgement of a player's decision, or one with an error if the process fails TRIES times."""
    error = ""
    for _ in range(TRIES):
        try:
            return await judge.judge(decision)
        except FAILURES as failure:
            error = f"The process failed: {failure!r}"
            log.error("The process that analyses failed: %r", failure)
    return Judgement(None, error=error)
