"""Threads for the database, used from the event loop."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from django.db import close_old_connections


class DatabaseThread:
    """One thread that keeps its database connection.

    Cheaper than asgiref's thread, which looks after connections before and after every call; and on SQLite a lasting
    connection spares the checkpoint that closing the last one costs.
    """

    def __init__(self, name):
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def run(self, function, *args):
        """What `function(*args)` returns or raises, run in the thread."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, _with_connection, function, args)


def _with_connection(function, args):
    close_old_connections()  # drops a connection only if it is broken or past its age
    try:
        return function(*args)
    except Exception:
        close_old_connections()
        raise
