"""Threads for the database, used from the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import InterfaceError, OperationalError, connection, connections

from games.play import metrics

AWAY = (InterfaceError, OperationalError)  # the database does not answer, is locked, or is out of room


class DatabaseThread:
    """One thread that keeps its database connection, unless it is told not to.

    Cheaper than asgiref's thread, which looks after connections before and after every call; and on SQLite a lasting
    connection spares the checkpoint that closing the last one costs.
    """

    def __init__(self, name: str, *, keeps: bool = True):
        """keeps: whether it has its connection between calls too. Those of a process share a pool, so only where every
        millisecond counts.
        """
        self._work = _keeping_connection if keeps else _giving_connection_back
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._calls = metrics.THREAD_QUEUE.labels(name)
        self._calls.set(0)

    async def run[T](self, function: Callable[..., T], *args: Any) -> T:
        """What `function(*args)` returns or raises, run in the thread."""
        self._calls.inc()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, self._work, function, args)
        finally:
            self._calls.dec()

    def close(self) -> None:
        """Close the connection and end the thread, after what it is doing."""
        self._executor.submit(connections.close_all)  # connection.close would be that of the caller's connection
        self._executor.shutdown()


def _keeping_connection[T](function: Callable[..., T], args: tuple[Any, ...]) -> T:
    try:
        return function(*args)
    except AWAY:
        connection.close()  # it may be broken: the next call opens a new one
        raise


def _giving_connection_back[T](function: Callable[..., T], args: tuple[Any, ...]) -> T:
    try:
        return function(*args)
    finally:
        connection.close()
