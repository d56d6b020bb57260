"""Work that many callers in the event loop request and share: errands and reads of matches."""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Hashable

from games.fragments import Fragments
from games.live.threads import DatabaseThread
from games.play import metrics, store
from games.play.snapshot import Snapshot

log = logging.getLogger("valat.live")

PAUSE = 0.5  # Seconds before the first retry. Doubles with each failure, up to LONGEST_PAUSE.
LONGEST_PAUSE = 4.0


class Errands[Key: Hashable]:
    """A queue of keys to work on. A key that is added several times before its turn is done once.

    Keys are done in batches. Those added during a batch form the next one.
    """

    def __init__(self, work_name: str, do: Callable[[Key], Awaitable[None]]):
        """work_name: "Reading a match", for the log. do: called with each key."""
        self._work_name = work_name
        self._do = do
        self._due: dict[Key, None] = {}
        self._failed: dict[Key, tuple[float, asyncio.TimerHandle]] = {}  # By key, the pause and the timer of its retry.
        self._task: asyncio.Task[None] | None = None

    def add(self, key: Key) -> None:
        """Call the function of this queue with a key soon: once, even if the key is added several times until then.

        If it fails, try again after a pause.
        """
        self._due[key] = None  # A dict keeps the order, unlike a set.
        if self._task is None or self._task.done():
            # In a new context, because it outlives the request that starts it.
            self._task = asyncio.get_running_loop().create_task(self._work_on_keys(), context=contextvars.Context())

    async def _work_on_keys(self) -> None:
        """Work on all waiting keys at once, then on keys that were added during this work, until none is left."""
        while self._due:
            keys, self._due = list(self._due), {}
            outcomes = await asyncio.gather(*map(self._do, keys), return_exceptions=True)
            for key, outcome in zip(keys, outcomes, strict=True):
                if isinstance(outcome, Exception):
                    self._retry_later(key, outcome)
                else:
                    self._forget_failure(key)

    def _retry_later(self, key: Key, error: Exception) -> None:
        """Add a failed key again after a pause. The pause doubles with each failure, up to LONGEST_PAUSE."""
        log.error("%s (%s) failed, and is tried again: %r", self._work_name, key, error)
        metrics.ERRORS.labels("hub").inc()
        previous_pause = self._forget_failure(key)
        pause = min(2 * previous_pause, LONGEST_PAUSE) if previous_pause else PAUSE
        self._failed[key] = pause, asyncio.get_running_loop().call_later(pause, self.add, key)

    def _forget_failure(self, key: Key) -> float:
        """Cancel the retry of a failed key. Return the pause before it in seconds, 0 if no retry was due."""
        pause, timer = self._failed.pop(key, (0.0, None))
        if timer:
            timer.cancel()
        return pause


class MatchReads:
    """Shared reads of matches. All calls that come before a read begins get the same table, rendered once."""

    def __init__(self, thread: DatabaseThread):
        self._thread = thread
        self._due: dict[str, asyncio.Task[Fragments]] = {}  # Reads that have not begun, by code.

    async def read(self, code: str) -> Fragments:
        """Read a match from the database, and return its table. Raise Match.DoesNotExist.

        All calls that come before the read begins share it and its table. If a caller is cancelled, it goes on for the
        others.
        """
        task = self._due.get(code)
        if task is None:
            # In a new context: the language of the first caller must not reach the others.
            task = asyncio.get_running_loop().create_task(self._read(code), context=contextvars.Context())
            task.add_done_callback(_retrieve_error)
            self._due[code] = task
        return await asyncio.shield(task)

    async def _read(self, code: str) -> Fragments:
        try:
            return Fragments(await self._thread.run(self._read_snapshot, code, asyncio.current_task()))
        finally:
            self._forget(code, asyncio.current_task())

    def _read_snapshot(self, code: str, task: asyncio.Task[Fragments] | None) -> Snapshot:
        """Read a match from the database, in the database thread. task: the shared read, which begins here."""
        self._forget(code, task)  # Later callers need a new read, because this one may miss their latest write.
        return store.current(code)

    def _forget(self, code: str, task: asyncio.Task[Fragments] | None) -> None:
        if self._due.get(code) is task:
            del self._due[code]


def _retrieve_error(task: asyncio.Task[Fragments]) -> None:
    """Retrieve the error of a read: asyncio logs errors that nobody retrieves, and the callers may be gone."""
    if not task.cancelled():
        task.exception()
