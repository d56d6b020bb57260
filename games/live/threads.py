"""Threads for the database, used from the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from django.db import InterfaceError, OperationalError, connection, connections

from games.play import metrics

AWAY = (InterfaceError, OperationalError)  # The database does not answer, is locked, or its disk is full.


class DatabaseThread:
    """A thread for database calls, which run one after the other.

    Cheaper than asgiref's thread, which checks connections before and after every call. On SQLite, a lasting connection
    also saves the checkpoint when the last connection closes.
    """

    def __init__(self, name: str, *, keeps: bool = True):
        """keeps: whether to keep the connection between calls, which saves milliseconds but takes it from the pool."""
        self._keeps = keeps
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._calls = metrics.THREAD_QUEUE.labels(name)
        self._calls.set(0)

    async def run[*Arguments, T](self, function: Callable[[*Arguments], T], *args: *Arguments) -> T:
        """Call `function(*args)` in the thread, after earlier calls. Return its result, or raise its error."""
        self._calls.inc()
        try:
            call = partial(function, *args)
            return await asyncio.get_running_loop().run_in_executor(self._executor, self._call, call)
        finally:
            self._calls.dec()

    def close(self) -> None:
        """Close the database connection of the thread, and end the thread after its present call."""
        # In the thread, because a connection belongs to the thread that opened it.
        self._executor.submit(connections.close_all)
        self._executor.shutdown()

    def _call[T](self, call: Callable[[], T]) -> T:
        """Call a function in this thread, and return its result. Afterwards close a database connection that is broken.

        A thread that is seldom used does not keep its connection: it closes it after each call.
        """
        is_broken = False
        try:
            return call()
        except AWAY:
            is_broken = True
            raise
        finally:
            if is_broken or not self._keeps:
                connection.close()  # The next call opens a new one.
