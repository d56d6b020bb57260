"""Locks of the processes that run on this database. They prevent incompatible migrations.

Each process holds a lock until it ends. On PostgreSQL it is a shared advisory lock in a session of its own. On SQLite
it is the lock of an open connection on a file with a write-ahead log.
"""

import atexit
import threading
import time
from contextlib import suppress

from django.db import DatabaseError, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from games.pages.health import own_connection

KEY = int.from_bytes(b"valat")
PAUSE = 5  # Seconds between two checks of the session.

MIGRATING = "A migration is running that no process may run beside: start again when it has ended."


def register() -> list[str]:
    """Take a lock in the database that keeps migrations away, and hold it until this process ends.

    A migration may change tables in a way that running processes do not expect. Return why the process can't run, as
    sentences; an empty list if it can. A thread takes the lock again if it is lost.
    """
    connection = own_connection()
    connection.inc_thread_sharing()
    try:
        if not _take_shared_lock(connection):
            return [MIGRATING]
    except DatabaseError as error:
        return [f"The database can’t be used: {' '.join(str(error).split())}."]
    atexit.register(connection.close)
    threading.Thread(target=_keep_lock, args=[connection], name="registration", daemon=True).start()
    return []


def _keep_lock(connection: BaseDatabaseWrapper) -> None:
    """Take the lock again whenever its session is lost, for example at a restart of the database server.

    Loop for ever, in a thread. PostgreSQL drops the locks of a session that ends.
    """
    has_lock = True
    while True:
        time.sleep(PAUSE)
        has_lock = has_lock and connection.is_usable()
        if not has_lock:
            with suppress(DatabaseError):  # The server is not back yet. Try again after the pause.
                connection.close()
                has_lock = _take_shared_lock(connection)


def _take_shared_lock(connection: BaseDatabaseWrapper) -> bool:
    """Take the lock that keeps migrations away. All processes may share it. Return False while a migration runs."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT count(*) FROM sqlite_master")  # The first read takes the lock.
            return True
        cursor.execute("SELECT pg_try_advisory_lock_shared(%s)", [KEY])
        return cursor.fetchone()[0]


def keep_out(connection: BaseDatabaseWrapper) -> bool:
    """Return whether no process of the site runs on this database. If so, PostgreSQL lets none start until `let_in`.

    Migrations call this before they change tables that running processes use.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            return _is_alone(cursor)
        # Nobody gets this exclusive lock while a process holds the shared one, and the other way round.
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [KEY])
        return cursor.fetchone()[0]


def _is_alone(cursor: CursorWrapper) -> bool:
    """Switch the write-ahead log off and on again. SQLite allows that only if no other connection is open."""
    cursor.execute("PRAGMA journal_mode")
    if cursor.fetchone() == ("wal",):
        try:
            cursor.execute("PRAGMA journal_mode=DELETE")
        except OperationalError:
            return False
        cursor.execute("PRAGMA journal_mode=WAL")
    return True


def let_in(connection: BaseDatabaseWrapper) -> None:
    """Let processes start again, after `keep_out`."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_all()")
