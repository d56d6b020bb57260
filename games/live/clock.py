"""The clock: it plays what is due at `wake_at`, which is bots' turns, players' deadlines and ends of pauses.

It runs in the event loop of the server, or in any number of processes of `manage.py clock`. A move is stored only if
the match has not changed since it was read, so of several clocks one wins. A crash loses nothing: due turns stay due.
"""

import asyncio
import contextvars
import logging
from collections.abc import Coroutine
from functools import partial

from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from accounts import sanctions
from games.bot_process import Answer
from games.challenges import days
from games.challenges.par import store_next_par
from games.clubs import board
from games.deal_index.making import LOOKED_BACK, store_missing, store_outdated
from games.kit.contract import Move
from games.live import analyst, heartbeat
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
from games.queue import pairing
from games.ratings.updates import rate_pending

log = logging.getLogger("valat.clock")

PATIENCE = 2.0  # Seconds from a failure to the next try of a bot's turn.
CLAIM_SECONDS = 3  # A bot's turn belongs to one clock for this time, then to any: that clock may have crashed.
# The lane of each sending thread. A slow mail server delays few messages, and later only those in the slow lane.
SENDERS = (Lane.QUICK, Lane.QUICK, Lane.QUICK, Lane.NEW, Lane.SLOW)


async def run() -> None:
    """Run the jobs of a clock until cancelled. A clock does all that no request of a browser asks for.

    It plays what is due: bots' turns, players' deadlines and ends of pauses. Other jobs work in the background, such
    as to rate matches and to send mail. A job goes on after an error. If one ends for good, all of them stop.
    """
    clock = Clock(DatabaseThread("clock"), Thinkers(settings.BOT_PROCESSES))
    await heartbeat.begin(gaps.CLOCK)
    jobs = [
        heartbeat.keep(gaps.CLOCK),
        repeat("sweep", clock.sweep),
        repeat("presence", clock.look_after_people),
        repeat_in_thread("queue", pairing.pair),
        # Facts and ratings of matches that have just ended. Both are done each time.
        repeat_in_thread("deal index", lambda: store_missing() + rate_pending(LOOKED_BACK)),
        # The same for older matches. Ratings wait until all facts are done.
        repeat_in_thread("old deal index", lambda: store_outdated() or rate_pending()),
        repeat_in_thread("deal of the day", days.create_missing_seeds),
        repeat_in_thread("par", store_next_par),
        repeat_in_thread("notices", finding.search),
        repeat_in_thread("club dates", board.remind),
        repeat_in_thread("held mail", outbox.postpone_mail),
        *senders(),
        *(analyst.analyse() for _ in range(settings.ANALYSES)),
    ]
    try:
        with shared_with_threads(clock.thinkers):
            async with asyncio.TaskGroup() as group:
                for job in jobs:
                    group.create_task(job)
    finally:
        await clock.close()


def senders() -> list[Coroutine[object, None, None]]:
    """Return the jobs that send notifications, each in its own thread, so that a slow server delays only one."""
    return [repeat_in_thread(f"{lane} sender", partial(outbox.send_next, lane)) for lane in SENDERS]


class Clock:
    """Plays what is due. Sweeps go on while bots think."""

    def __init__(self, thread: DatabaseThread, thinkers: Thinkers):
        self.thread = thread
        self.thinkers = thinkers
        self.is_steady = True  # Every match has its time back after an outage.
        self._turns: dict[str, asyncio.Task[None]] = {}  # by code

    async def sweep(self) -> int:
        """Play all moves that are due now, and let the bots whose turn it is begin to think. Return the number of both.

        Called several times a second. A bot thinks in a task of its own, so that a sweep need not wait for it.
        """
        # After an outage of the site the players get that time back. Until then no deadline counts.
        self.is_steady = await self.thread.run(_give_time_back)
        requests, turns = await self.thread.run(_read_due, set(self._turns), self.is_steady)
        for turn in turns:
            code = turn.request.code
            # In a new context, because the task outlives this sweep.
            task = asyncio.create_task(self._play_turn(turn), name=_claim_key(turn), context=contextvars.Context())
            self._turns[code] = task
            task.add_done_callback(partial(self._forget_turn, code))
        outcomes = await asyncio.gather(*(writer().play(request) for request in requests), return_exceptions=True)
        for request, outcome in zip(requests, outcomes, strict=True):
            if isinstance(outcome, AWAY):
                raise outcome  # The database does not answer. That is no fault of this match: do not postpone it.
            await self._postpone_after_error(request.code, outcome)
        return len(requests) + len(turns)

    async def look_after_people(self) -> None:
        """Store players as away if nobody has seen them for a while, as when their process has died. End expired bans.

        Do nothing just after an outage of the site: nobody could connect during it, so everybody would seem to be away.
        """
        if self.is_steady:
            await self.thread.run(presence.disconnect_unseen)
            await self.thread.run(sanctions.lift_expired_bans)

    def _forget_turn(self, code: str, _: asyncio.Task[None]) -> None:
        del self._turns[code]

    async def settle(self) -> None:
        """Wait until all thinking bots have moved."""
        await asyncio.gather(*self._turns.values())

    async def close(self) -> None:
        """Stop all thinking bots, and leave their turns to other clocks."""
        for task in self._turns.values():
            task.cancel()
        if there_may_be_others():
            await self.thread.run(cache.delete_many, [task.get_name() for task in self._turns.values()])
        await self.thinkers.close()

    async def _play_turn(self, turn: BotTurn) -> None:
        """Let a bot think, and play its move. A fast answer waits a moment, so that people can follow the play."""
        try:
            decision = await self._decide(turn)
            if decision is None:
                return  # The match has changed: the move would be refused.
            request, answer = decision
            await asyncio.sleep((due.move_time(turn, answer) - timezone.now()).total_seconds())
            await writer().play(request)
        except AWAY as error:
            log.error("A bot of match %s could not move: %r", turn.request.code, error)
            await asyncio.sleep(PATIENCE)  # The database does not answer. A later sweep will find this turn again.
        except Exception as error:
            await self._postpone_after_error(turn.request.code, error)

    async def _decide(self, turn: BotTurn) -> tuple[Request, Answer] | None:
        """Let a bot think. Return its move as a request to the match, and its answer, which says how hard it thought.

        Return None if the match has changed since the turn was read.
        """
        if isinstance(turn.request, ClaimRequest):  # The bot claims the remaining tricks, so it has nothing to decide.
            return turn.request, Answer(None)
        answer = await self.thinkers.answer(
            turn.question, owner=turn.owner, is_wanted=lambda: _is_unchanged(turn.request.code, turn.revision)
        )
        if answer is None:
            return None
        return turn.request._replace(move=await _move_of(turn, answer)), answer

    async def _postpone_after_error(self, code: str, outcome: object) -> None:
        """Postpone a match if its move has failed with an error, so that a bug does not fail again ten times a second.

        outcome: the new state of the match, or the error. A refused move is no failure: somebody has moved before it.
        """
        if isinstance(outcome, Exception) and not isinstance(outcome, Refused):
            log.error("Match %s could not go on by itself: %r", code, outcome)
            metrics.ERRORS.labels("clock").inc()
            await self.thread.run(due.postpone, code)


async def _move_of(turn: BotTurn, answer: Answer) -> Move:
    """Return the move that a bot has chosen. If it failed to choose, another move, by a simpler rule."""
    if answer.choice is not None:
        return due.move_of(turn.question, answer)
    # The simpler rule takes a moment. In a thread it does not hold up the event loop.
    return await asyncio.to_thread(due.move_of, turn.question, answer)


def _is_unchanged(code: str, revision: int) -> bool:
    """Return whether this process knows of no write to a match after this revision (its number of writes)."""
    snapshot = memory.recent(code)
    return snapshot is None or snapshot.revision <= revision


def _give_time_back() -> bool:
    """Add the time of an outage to the deadlines of matches, for a moment. Return whether every match has it."""
    gaps.come_back_if_late()
    return gaps.settle()


def _read_due(busy_codes: set[str], is_steady: bool) -> tuple[list[MoveRequest], list[BotTurn]]:
    """Return two lists: the moves that are due now, and the turns of bots, who must think first.

    A move can be due without a player, for example the next deal. busy_codes: of matches whose bots think already.
    is_steady: False just after an outage of the site, when players get more time for it. Then no deadline counts.
    """
    requests: list[MoveRequest] = []
    turns: list[BotTurn] = []
    for code in due.due_codes(timezone.now() + due.AHEAD, busy_codes):
        try:
            task = due.handle_due(code, skip_deadlines=not is_steady)
        except AWAY:
            raise  # The database does not answer. That is no fault of this match: do not postpone it.
        except Exception:
            log.exception("Match %s could not go on by itself.", code)
            metrics.ERRORS.labels("clock").inc()
            due.postpone(code)
            continue
        if isinstance(task, MoveRequest):
            requests.append(task)
        elif task and _claim_turn(task):
            turns.append(task)
    return requests, turns


def _claim_turn(turn: BotTurn) -> bool:
    """Reserve a bot's turn for this process for CLAIM_SECONDS. Return False if another process has reserved it.

    Otherwise both would let the bot think, and one of them in vain: only the first move counts.
    """
    # `cache.add` returns False if the key is in the cache already.
    return not there_may_be_others() or cache.add(_claim_key(turn), True, CLAIM_SECONDS)


def _claim_key(turn: BotTurn) -> str:
    return f"turn:{turn.request.code}:{turn.revision}"
