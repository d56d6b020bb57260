"""The heartbeat of a process: see games.play.gaps. A web process beats before it answers its first request."""

import asyncio
import contextvars
import logging
from functools import partial

from accounts.site import current
from config.asgi_types import Application, Receive, Scope, Send
from games.live.jobs import repeat, repeat_in_thread
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
        """Start the heartbeat of this process, and wait for the first beat: a note in the database that it runs.

        Every request calls this, but only the first one starts it. If that request is cancelled, the start goes on.
        """
        if self._start is None:
            # In a new context, because it outlives the request.
            self._start = asyncio.create_task(self._begin(), context=contextvars.Context())
        if not self._start.done():
            await asyncio.shield(self._start)

    async def _begin(self) -> None:
        await begin(gaps.WEB)
        self._beats = asyncio.create_task(keep(gaps.WEB), context=contextvars.Context())


async def begin(kind: str) -> None:
    """Note in the database that a process has started. If the site was down before, players get that time back.

    kind: of this process, WEB or CLOCK.
    """
    try:
        await _threads[kind].run(gaps.come_back, [kind])
    except Exception as error:  # The first heartbeat that succeeds will do the same.
        log.error("There is no heartbeat: %r", error)


async def keep(kind: str) -> None:
    """Note in the database again and again that this process runs, until cancelled. kind: WEB or CLOCK.

    Without these notes we would believe that the site was down. So they have a thread of their own, where they never
    wait for other calls.
    """
    beats = repeat("heartbeat", partial(_threads[kind].run, gaps.beat_as, [kind]))
    await asyncio.gather(beats, repeat_in_thread("site", current.refresh))


async def _complete_lifespan(receive: Receive, send: Send) -> None:
    """Answer the ASGI events for the start and the end of the server. We have nothing to do at either."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
