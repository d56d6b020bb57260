"""The heartbeat of a process: see games.play.gaps. A web process beats before it answers anything."""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from games.live.jobs import repeat
from games.live.threads import DatabaseThread
from games.play import gaps

log = logging.getLogger("valat.gaps")

Asgi = Callable[[dict[str, Any], Callable[[], Awaitable[Any]], Callable[[Any], Awaitable[None]]], Awaitable[None]]

_threads = {kind: DatabaseThread(f"heart of {kind}", keeps=False) for kind in (gaps.WEB, gaps.CLOCK)}


class Beating:
    """An ASGI application whose process beats: from the server's start on, or else from the first request on."""

    def __init__(self, application: Asgi):
        self._application = application
        self._start: asyncio.Task[None] | None = None
        self._beats: asyncio.Task[None] | None = None

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        await self.begin()
        if scope["type"] == "lifespan":
            await _live(receive, send)
        else:
            await self._application(scope, receive, send)

    async def begin(self) -> None:
        """Give back what the site's absence has cost, and beat from then on; once a process."""
        if self._start is None:
            self._start = asyncio.create_task(self._begin(), context=contextvars.Context())
        if not self._start.done():
            await asyncio.shield(self._start)

    async def _begin(self) -> None:
        await begin(gaps.WEB)
        self._beats = asyncio.create_task(keep(gaps.WEB), context=contextvars.Context())


async def begin(kind: str) -> None:
    """Give back what the site's absence has cost, and beat.

    Where the database is away, there is a gap, which the first heartbeat after it notes.
    """
    try:
        await _threads[kind].run(gaps.come_back, [kind])
    except Exception as error:
        log.error("There is no heartbeat: %r", error)


async def keep(kind: str) -> None:
    """Beat until cancelled, also while this process is busy."""
    await repeat("heartbeat", partial(_threads[kind].run, gaps.beat_as, [kind]))


async def _live(receive: Callable[[], Awaitable[Any]], send: Any) -> None:
    """Answer what a server says of its own start and end."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
