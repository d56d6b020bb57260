"""What many ask for at the same time in the event loop, and is done once: errands, and reads of matches."""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Hashable

from games.fragments import Fragments
from games.live.threads import DatabaseThread
from games.play import metrics, store
from games.play.snapshot import Snapshot

log = logging.getLogger("valat.live")

PAUSE = 0.5  # seconds before something that has failed is tried again; twice as long each time, up to
LONGEST_PAUSE = 4.0


class Errands[Key: Hashable]:
    """Things to do, by key: each is done once, however often it is asked for before its turn.

    Those asked for meanwhile are done together when the ones before them have ended.
    """

    def __init__(self, words: str, do: Callable[[Key], Awaitable[None]]):
        """words: what is done, for the log: "Reading a match"."""
        self._words = words
        self._do = do
        self._due: dict[Key, None] = {}
        self._failed: dict[Key, tuple[float, asyncio.TimerHandle]] = {}  # for how long, and until when, each is put off
        self._task: asyncio.Task[None] | None = None

    def add(self, key: Key) -> None:
        """Do the thing of that key soon."""
        self._due[key] = None
        if self._task is None or self._task.done():
            # In a context of its own: it outlives the request that starts it.
            self._task = asyncio.get_running_loop().create_task(self._work(), context=contextvars.Context())

    async def _work(self) -> None:
        while self._due:
            keys, self._due = list(self._due), {}
            outcomes = await asyncio.gather(*map(self._do, keys), return_exceptions=True)
            for key, outcome in zip(keys, outcomes, strict=True):
                if isinstance(outcome, Exception):
                    self._put_off(key, outcome)
                else:
                    self._forget_failure(key)

    def _put_off(self, key: Key, error: Exception) -> None:
        log.error("%s (%s) failed, and is tried again: %r", self._words, key, error)
        metrics.ERRORS.labels("hub").inc()
        pause = min(2 * self._forget_failure(key) or PAUSE, LONGEST_PAUSE)
        self._failed[key] = pause, asyncio.get_running_loop().call_later(pause, self.add, key)

    def _forget_failure(self, key: Key) -> float:
        """Do not try this again by itself. Returns for how long it was put off, 0 if it was not."""
        pause, timer = self._failed.pop(key, (0.0, None))
        if timer:
            timer.cancel()
        return pause


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
