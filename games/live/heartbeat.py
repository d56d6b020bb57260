"""The heartbeat of a process: see games.play.gaps. A web process beats before it answers its first request."""

import asyncio
import contextvars
import logging
from functools import partial

from config.asgi_types import Application, Receive, Scope, Send
from games.live.jobs import repeat
from games.live.threads import DatabaseThread
from games.play import gaps

log = logging.getLogger("valat.gaps")


_threads = {kind: DatabaseThread(f"heart of {kind}", keeps=False) for kind in (gaps.WEB, gaps.CLOCK)}


class HeartbeatApplication:
    """An ASGI application that starts the heartbeat of its process, with the server or with the first request."""

    def __init__(self, application: Application):
        self._application = application
        self._start: asyncio.Task[None] | None = None
        self._beats: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.begin()
        if scope["type"] == "lifespan":
            await _complete_lifespan(receive, send)
        else:
            await self._application(scope, receive, send)

    async def begin(self) -> None:
        """Start the heartbeat of this process: a note in the database, again and again, that it runs.

        Return after the first note. Every request calls this, but only the first one starts it. It goes on
        if that request is cancelled.
        """
        if self._start is None:
            self._start = asyncio.create_task(self._begin(), context=contextvars.Context())
        if not self._start.done():
            await asyncio.shield(self._start)

    async def _begin(self) -> None:
        await begin(gaps.WEB)
        self._beats = asyncio.create_task(keep(gaps.WEB), context=contextvars.Context())


async def begin(kind: str) -> None:
    """Note in the database that this process runs. If the site was down before, add that time to players' deadlines.

    kind: of the process, WEB or CLOCK. If the database does not answer, the first later heartbeat does the same.
    """
    try:
        await _threads[kind].run(gaps.come_back, [kind])
    except Exception as error:
        log.error("There is no heartbeat: %r", error)


async def keep(kind: str) -> None:
    """Note again and again that this process runs, until cancelled.

    This has its own thread: behind other calls it could be late, and would look like an outage of the site.
    """
    await repeat("heartbeat", partial(_threads[kind].run, gaps.beat_as, [kind]))


async def _complete_lifespan(receive: Receive, send: Send) -> None:
    """Answer the ASGI events of the server's start and end. There is nothing to do at either."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
