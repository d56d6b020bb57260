"""Periodic jobs.

Processes with sockets run the jobs of the hub, processes with a clock the jobs of the clock. See `Hub` and `clock.run`.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import NamedTuple

from games.live.threads import AWAY, DatabaseThread
from games.play import metrics
from games.play.gaps import BEAT_EVERY
from games.play.pace import HEAL_EVERY

log = logging.getLogger("valat.jobs")

PATIENCE = 2.0  # Seconds. After each failure in a row a job waits twice as long, up to this or its interval.


class Job(NamedTuple):
    """The pauses of a job in seconds, and the label of its errors in the metrics."""

    every: float
    where: str
    when_busy: float | None = None  # The pause after a run that had something to do, if it differs.


JOBS = {
    # Of the clock
    "sweep": Job(0.1, "clock", 0.01),  # bots' turns, deadlines and pauses that have passed
    "presence": Job(HEAL_EVERY, "clock"),  # players whose process is gone are away, and bans end
    "queue": Job(1.0, "clock"),  # people who wait for players
    "deal index": Job(2.0, "clock", 0.1),  # and ratings, of matches that have just ended
    "old deal index": Job(60.0, "clock", 2.0),  # and ratings, of matches that lack them since long ago
    "deal of the day": Job(2.0, "clock"),
    "par": Job(10.0, "clock", 0.5),  # of a deal of the day, by our bots
    "analysis": Job(1.0, "analysis", 0.0),  # at most ANALYSES at a time
    "notices": Job(5.0, "notices"),  # of turns and ends of matches
    "club dates": Job(30.0, "notices"),  # reminders of dates
    "held mail": Job(60.0, "notices"),  # to people who are here
    "quick sender": Job(2.0, "notices", 0.05),
    "new sender": Job(2.0, "notices", 0.05),
    "slow sender": Job(2.0, "notices", 0.05),
    # Of the hub
    "changes": Job(5.0, "hub"),  # of matches and the lobby that no message announced
    "tables of programs": Job(2.0, "hub"),
    "attendance": Job(HEAL_EVERY, "hub"),  # players who have a page open here
    "watchers": Job(HEAL_EVERY, "hub"),  # spectators with a page open here
    "waiting counts": Job(3.0, "hub"),  # waiting tables of the users here
    "bells": Job(30.0, "hub"),  # events that no message announced
    "rooms": Job(20.0, "hub"),  # people in replay rooms here
    "announcements": Job(1.0, "hub"),  # of the staff, to all pages here
    "clubs": Job(5.0, "hub"),  # pages of clubs here, a few at a time
    "tallies": Job(5.0, "hub"),  # changes of tallies here that no message announced
    "rights": Job(0.8, "hub"),  # sockets whose right has ended. A look takes 10 µs of CPU a socket.
    # Of each process
    "heartbeat": Job(BEAT_EVERY, "heartbeat"),
    "site": Job(2.0, "heartbeat"),  # settings and announcements of the staff
}


async def repeat(name: str, act: Callable[[], Awaitable[object]]) -> None:
    """Run a job again and again until cancelled. name: its key in JOBS, which says how long to pause.

    act: does the work once, and returns whether there was something to do. If so, the pause may be shorter. With each
    error in a row it doubles, up to a limit.
    """
    failures = 0
    pause = JOBS[name].every
    while True:
        await asyncio.sleep(pause)
        job = JOBS[name]
        try:
            is_busy = await act()
        except Exception as error:
            is_bug = not isinstance(error, AWAY)  # The log of an absent database needs no traceback.
            log.error("The job “%s” failed: %r", name, error, exc_info=is_bug)
            metrics.ERRORS.labels(job.where).inc()
            longest_pause = max(job.every, PATIENCE)
            pause = min(job.every * 2**failures, longest_pause)
            failures = min(failures + 1, 10)  # The power of 2 must not grow without end.
        else:
            failures = 0
            pause = job.when_busy if is_busy and job.when_busy is not None else job.every


async def repeat_in_thread(name: str, act: Callable[[], object]) -> None:
    """Run a job that uses the database again and again until cancelled, in a thread of its own.

    name: its key in JOBS. act: does the work once, and returns whether there was something to do.
    """
    thread = DatabaseThread(name, keeps=False)
    try:
        await repeat(name, partial(thread.run, act))
    finally:
        thread.close()
