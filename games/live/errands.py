"""What is to be done soon in the event loop, and again where it fails."""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Hashable

from games.play import metrics

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
