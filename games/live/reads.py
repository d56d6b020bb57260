"""Reads of matches that many sockets ask for at the same time."""

import asyncio
import contextvars

from games.fragments import Fragments
from games.live.threads import DatabaseThread
from games.play import store
from games.play.snapshot import Snapshot


class MatchReads:
    """The stored matches. Everybody who asks for one before its read begins gets the same table, drawn once."""

    def __init__(self, thread: DatabaseThread):
        self._thread = thread
        self._due: dict[str, asyncio.Task[Fragments]] = {}  # reads that have not begun, by code

    async def read(self, code: str) -> Fragments:
        """Return the table of a match as it is stored now. Raises Match.DoesNotExist."""
        task = self._due.get(code)
        if task is None:
            # In a context of its own: it is for others, too.
            task = asyncio.get_running_loop().create_task(self._read(code), context=contextvars.Context())
            task.add_done_callback(_note_error)
            self._due[code] = task
        return await asyncio.shield(task)

    async def _read(self, code: str) -> Fragments:
        try:
            return Fragments(await self._thread.run(self._begin, code, asyncio.current_task()))
        finally:
            self._forget(code, asyncio.current_task())

    def _begin(self, code: str, task: asyncio.Task[Fragments]) -> Snapshot:
        """Read, in the thread. Later calls get the next read, which has what is written during this one."""
        self._forget(code, task)
        return store.current(code)

    def _forget(self, code: str, task: asyncio.Task[Fragments] | None) -> None:
        if self._due.get(code) is task:
            del self._due[code]


def _note_error(task: asyncio.Task[Fragments]) -> None:
    """Take the error of a read: the callers may have given up, and asyncio complains about errors that nobody takes."""
    if not task.cancelled():
        task.exception()
