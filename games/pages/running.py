"""Which processes of the site run on this database. A migration that they can't live with is refused while they do.

Each process holds a lock until it ends: on PostgreSQL a shared advisory lock, in a session of its own; on SQLite the
lock that an open connection has on a file with a write-ahead log.
"""

import atexit
import threading
import time
from contextlib import suppress

from django.db import DatabaseError, OperationalError

from games.pages.health import own_connection

KEY = int.from_bytes(b"valat")
PAUSE = 5  # seconds between two looks at the session

MIGRATING = "A migration is running that no process may run beside: start again when it has ended."


def register() -> list[str]:
    """Hold the lock of this process until it ends. Return what prevents that, as sentences."""
    connection = own_connection()
    connection.inc_thread_sharing()
    try:
        if not _take_shared(connection):
            return [MIGRATING]
    except DatabaseError as error:
        return [f"The database can’t be used: {' '.join(str(error).split())}."]
    atexit.register(connection.close)
    threading.Thread(target=_keep, args=[connection], name="registration", daemon=True).start()
    return []


def _keep(connection):
    """Take the lock again after its session was lost, as when the server starts again."""
    held = True
    while True:
        time.sleep(PAUSE)
        if not (held := held and connection.is_usable()):
            with suppress(DatabaseError):
                connection.close()
                held = _take_shared(connection)


def _take_shared(connection):
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT count(*) FROM sqlite_master")  # the first read takes the lock
            return True
        cursor.execute("SELECT pg_try_advisory_lock_shared(%s)", [KEY])
        return cursor.fetchone()[0]


def keep_out(connection) -> bool:
    """Return whether no process runs. On PostgreSQL none can start then until `let_in`."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return _is_alone(cursor)
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [KEY])
        return cursor.fetchone()[0]


def _is_alone(cursor):
    """Give up the write-ahead log, which SQLite allows only to the one connection that is open. Then take it again."""
    cursor.execute("PRAGMA journal_mode")
    if cursor.fetchone() == ("wal",):
        try:
            cursor.execute("PRAGMA journal_mode=DELETE")
        except OperationalError:
            return False
        cursor.execute("PRAGMA journal_mode=WAL")
    return True


def let_in(connection) -> None:
    """Let processes start again."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_all()")
