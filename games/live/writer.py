"""The writer plays the moves of an event loop. All waiting moves share a transaction, so one commit stores them all."""

import asyncio
import contextvars
import logging
import time
from collections.abc import Sequence

from django.db import connection

from games.live.threads import AWAY, DatabaseThread
from games.play import metrics
from games.play.moves import play_moves
from games.play.requests import Request
from games.play.snapshot import Snapshot

log = logging.getLogger("valat.writer")

BATCH_SIZE = 100  # moves
PATIENCE = 1.0  # Seconds. If the database was away for longer, the moves of a failed batch are not tried one by one.

type WaitingMove = tuple[Request, asyncio.Future[Snapshot]]

_writer: "Writer | None" = None


def writer() -> "Writer":
    """Return the writer of the running event loop, which plays the moves of this process. Start it if needed."""
    global _writer
    loop = asyncio.get_running_loop()
    if _writer is None or _writer.loop is not loop:  # A test has a loop of its own.
        _writer = Writer(loop)
    return _writer


def stop() -> None:
    """Close the thread of the writer and forget it. Tests call this: each has an event loop of its own."""
    global _writer
    if _writer is not None:
        _writer.thread.close()
        _writer = None


class Writer:
    """Plays moves in batches. Moves that arrive during a commit form the next batch."""

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self.loop = loop
        self._waiting: list[WaitingMove] = []
        self.thread = DatabaseThread("writer")
        self._task: asyncio.Task[None] | None = None
        metrics.WRITER_QUEUE.set_function(lambda: len(self._waiting))

    async def play(self, request: Request) -> Snapshot:
        """Play a move, together with others that wait at this moment. Return the new state of its match.

        All are played in one transaction, which is faster than one for each. Raise the reason if this move is refused
        or fails.
        """
        started_at = time.perf_counter()
        future: asyncio.Future[Snapshot] = self.loop.create_future()
        self._waiting.append((request, future))
        if self._task is None or self._task.done():
            # In a new context, because the task outlives the request that starts it.
            self._task = self.loop.create_task(self._play_waiting(), context=contextvars.Context())
        snapshot = await future
        metrics.MOVE_SECONDS.observe(time.perf_counter() - started_at)
        return snapshot

    async def _play_waiting(self) -> None:
        """Play the waiting moves, at most BATCH_SIZE in a transaction, until none waits. Answer their callers."""
        batch: list[WaitingMove] = []
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:BATCH_SIZE], self._waiting[BATCH_SIZE:]
                _resolve(batch, await self._outcomes_of([request for request, _ in batch]))
        finally:
            # After an error or a cancellation nobody may wait for ever. To cancel a resolved future does nothing.
            unplayed, self._waiting = [*batch, *self._waiting], []
            for _, future in unplayed:
                future.cancel()

    async def _outcomes_of(self, requests: list[Request]) -> Sequence[Snapshot | Exception]:
        """Play moves together in the database thread. Return for each the new state of its match, or an error."""
        try:
            outcomes = await self.thread.run(_play_batch, requests)
        except Exception as error:  # Each caller gets it.
            log.exception("A batch of %s moves could not be played.", len(requests))
            return [error] * len(requests)
        if len(outcomes) != len(requests):  # A bug, after which no outcome can be trusted.
            return [RuntimeError("We can’t tell whether this move was played. Look again.")] * len(requests)
        return outcomes


def _resolve(batch: list[WaitingMove], outcomes: Sequence[Snapshot | Exception]) -> None:
    """Give each caller that waits for a move its outcome: the new state of the match, or an error to raise."""
    for (_, future), outcome in zip(batch, outcomes, strict=True):
        if future.cancelled():  # The caller no longer waits, for example because the page was closed.
            continue
        if isinstance(outcome, Exception):
            future.set_exception(outcome)
        else:
            future.set_result(outcome)


def _play_batch(requests: list[Request]) -> list[Snapshot | Exception]:
    """Play moves in one transaction. Return for each the new state of its match, or an error.

    If the transaction fails, play each move in one of its own, so that one bad move does not stop the others.
    """
    started_at = time.monotonic()
    try:
        return list(play_moves(requests))
    except Exception as error:
        log.exception("A batch of %s moves failed.", len(requests))
        metrics.ERRORS.labels("writer").inc()
        connection.close()  # It may be broken.
        if isinstance(error, AWAY) and time.monotonic() - started_at > PATIENCE:
            return [error] * len(requests)  # The database has not answered for a while. More tries would take too long.
    outcomes: list[Snapshot | Exception] = []
    for request in requests:
        outcome = _play_single(request)
        outcomes.append(outcome)
        if isinstance(outcome, AWAY):  # The other moves would fail too.
            outcomes += [outcome] * (len(requests) - len(outcomes))
            break
    return outcomes


def _play_single(request: Request) -> Snapshot | Exception:
    """Play one move in its own transaction. Return the new state of the match, or the error."""
    try:
        return play_moves([request])[0]
    except Exception as error:
        log.exception("A move in match %s failed.", request.code)
        metrics.ERRORS.labels("writer").inc()
        connection.close()  # It may be broken.
        return error
