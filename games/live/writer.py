"""The one that plays moves for an event loop: all that wait share a transaction, and so its commit."""

import asyncio
import contextvars
import logging

from django.db import connection

from games.catalog import IllegalMove
from games.live.threads import DatabaseThread
from games.play.errors import Refused
from games.play.moves import play_moves
from games.play.requests import Request
from games.play.snapshot import Snapshot

log = logging.getLogger("valat.writer")

BATCH = 100

_writer: "Writer | None" = None


def writer() -> "Writer":
    """The writer of the running event loop."""
    global _writer
    loop = asyncio.get_running_loop()
    if _writer is None or _writer.loop is not loop:
        _writer = Writer(loop)
    return _writer


def stop() -> None:
    """Forget the writer of this process, for tests."""
    global _writer
    if _writer is not None:
        _writer.thread.close()
        _writer = None


class Writer:
    """Gathers moves while the last ones are being committed. A lone move is a batch of one."""

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self.loop = loop
        self._waiting: list[tuple[Request, asyncio.Future[Snapshot]]] = []
        self.thread = DatabaseThread("writer")
        self._task: asyncio.Task[None] | None = None

    async def play(self, request: Request) -> Snapshot:
        """The Snapshot after `request`. Raises as games.play.moves.play_move does."""
        future: asyncio.Future[Snapshot] = self.loop.create_future()
        self._waiting.append((request, future))
        if self._task is None or self._task.done():
            # In a context of its own: it outlives the request that starts it.
            self._task = self.loop.create_task(self._work(), context=contextvars.Context())
        return await future

    async def _work(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:BATCH], self._waiting[BATCH:]
            outcomes = await self.thread.run(_play_all, [request for request, _ in batch])
            for (_, future), outcome in zip(batch, outcomes, strict=True):
                if future.cancelled():
                    continue
                if isinstance(outcome, Exception):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome)


def _play_all(requests: list[Request]) -> list[Snapshot | Exception]:
    try:
        return list(play_moves(requests))
    except Exception:
        log.exception("A batch of %s moves failed; each is tried alone.", len(requests))
        connection.close()  # it may be broken
        return [_play_single(request) for request in requests]


def _play_single(request: Request) -> Snapshot | Exception:
    try:
        return play_moves([request])[0]
    except (Refused, IllegalMove) as refusal:
        return refusal
    except Exception as error:
        log.exception("A move in match %s failed.", request.code)
        return error
