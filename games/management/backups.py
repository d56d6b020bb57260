"""Write the whole database to one file, and restore it: SQLite by its backup API, PostgreSQL by pg_dump and pg_restore.

SQLite files are also the portable format. PostgreSQL exports and imports them model by model.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.utils import ConnectionHandler

from games.management import copying
from games.pages.health import known_migrations

SQLITE, POSTGRESQL = b"SQLite format 3\0", b"PGDMP"  # the first bytes of their files
PORTABLE = "portable"  # the alias of a portable file while it is open
ASIDE = "valat_before_restore"  # the schema that keeps the old tables until the restore succeeds


class Impossible(Exception):
    """The backup or restore is not possible, and nothing was changed. str() is one sentence for the host."""


def back_up(target: Path, *, overwrite: bool = False, portable: bool = False) -> None:
    """Write a consistent copy of the database to a file while the site runs. Raise `Impossible`.

    portable: write a SQLite file even from PostgreSQL.
    """
    if target.exists() and not overwrite:
        raise Impossible(f"{target} exists: choose another name, or use --force.")
    with _new_file(target) as file:
        if connection.vendor == "sqlite":
            _copy_sqlite(Path(connection.settings_dict["NAME"]), file)
        elif portable:
            _write_portable(file)
        else:
            _run_client("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}")


def restore(source: Path, *, overwrite: bool = False) -> None:
    """Replace the database by a backup. The site must not run during that time. Raise `Impossible`."""
    try:
        with source.open("rb") as file:
            start = file.read(16)
    except OSError:
        raise Impossible(f"{source} can't be read.") from None
    if not start.startswith((SQLITE, POSTGRESQL)):
        raise Impossible(f"{source} is not a backup.")
    if connection.vendor == "postgresql":
        _restore_postgresql(source, overwrite, _read_portable if start == SQLITE else _read_dump)
    elif start == SQLITE:
        _restore_sqlite(source, overwrite)
    else:
        raise Impossible(f"{source} is for PostgreSQL only. Write one with backup --portable there.")


@contextmanager
def _new_file(target: Path) -> Iterator[Path]:
    """Create an empty file for a `with` block, private to its owner. At the end of the block it replaces `target`.

    So `target` is never incomplete. After an error the file is removed.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise Impossible(f"{target} can't be written: {error.strerror}.") from None
    os.close(handle)
    file = Path(name)
    try:
        yield file
        with file.open("rb") as stream:
            os.fsync(stream.fileno())
        file.replace(target)
    except OSError as error:
        raise Impossible(f"{target} can't be written: {error.strerror}.") from None
    finally:
        file.unlink(missing_ok=True)


def _refuse_newer(applied: set[tuple[str, str]]) -> None:
    """Raise `Impossible` for a backup with unknown migrations. applied: its migrations, as pairs of app and name."""
    if newer := sorted(applied - known_migrations()):
        raise Impossible(f"The backup is of a newer version, with {'.'.join(newer[0])}: install that version first.")


def _demand_overwrite(overwrite: bool) -> None:
    if not overwrite:
        raise Impossible("The database is not empty: use --force to replace all its data.")


# SQLite


def _copy_sqlite(source: Path, target: Path) -> None:
    """Copy a database together with its write-ahead log, without stopping writers."""
    if not source.exists():
        raise Impossible(f"There is no database at {source}.")
    try:
        with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(target)) as copy:
            original.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # a single file, without a separate log
            if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise Impossible(f"{source} is damaged.")
    except sqlite3.Error as error:
        raise Impossible(f"{source} could not be copied: {error}.") from None


def _restore_sqlite(source: Path, overwrite: bool) -> None:
    """Replace the file of the database by a checked copy of the backup. Raise `Impossible`."""
    database = Path(connection.settings_dict["NAME"])
    connection.close()
    with _new_file(database) as file:
        _copy_sqlite(source, file)
        with closing(sqlite3.connect(file)) as copy:
            _refuse_newer(set(copy.execute("SELECT app, name FROM django_migrations")))
        if database.exists() and database.stat().st_size:
            _demand_overwrite(overwrite)
            _demand_unused(database)


def _demand_unused(database: Path) -> None:
    """Raise `Impossible` if another process uses a SQLite database. Remove its write-ahead log.

    SQLite refuses to leave the write-ahead mode (WAL) while another connection is open. That is how we find out.
    """
    with closing(sqlite3.connect(database, timeout=1)) as here:
        try:
            here.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError:
            raise Impossible("The database is in use: stop the site and its clocks first.") from None
        except sqlite3.DatabaseError:
            pass  # It is damaged. That is why it is replaced.
    for suffix in ("-wal", "-shm"):
        Path(f"{database}{suffix}").unlink(missing_ok=True)


# PostgreSQL


def _restore_postgresql(source: Path, overwrite: bool, read: Callable[[Path], None]) -> None:
    """Replace the PostgreSQL database by a backup. If that fails, the old tables come back. Raise `Impossible`.

    read: a function that fills an empty database from the file.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        if cursor.fetchone()[0]:
            raise Impossible("The database is in use: stop the site and its clocks first.")
        if connection.introspection.table_names(cursor):
            _demand_overwrite(overwrite)
        try:  # Keep the old tables under another name until the new ones are complete.
            cursor.execute(f"DROP SCHEMA IF EXISTS {ASIDE} CASCADE")
            cursor.execute(f"ALTER SCHEMA public RENAME TO {ASIDE}")
            cursor.execute("CREATE SCHEMA public")
        except DatabaseError as error:
            raise Impossible(f"The user of the database may not replace its tables: {error}.") from None
        try:
            read(source)
        except BaseException:
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute(f"ALTER SCHEMA {ASIDE} RENAME TO public")
            raise
        cursor.execute(f"DROP SCHEMA {ASIDE} CASCADE")


def _read_dump(source: Path) -> None:
    """Fill the empty database from a dump of PostgreSQL, unless it is of a newer version."""
    _run_client("pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", str(source))
    _refuse_newer(copying.applied_migrations(DEFAULT_DB_ALIAS))


def _read_portable(source: Path) -> None:
    """Fill the empty database from a SQLite file, which must be of the same version."""
    with _open_portable(f"file:{quote(str(source.resolve()))}?mode=ro"):
        applied = copying.applied_migrations(PORTABLE)
        _refuse_newer(applied)
        if missing := sorted(known_migrations() - applied):
            raise Impossible(
                f"The backup is of an older version, without {'.'.join(missing[0])}: "
                "restore it into SQLite, run migrate there, and back that up."
            )
        _make_tables(DEFAULT_DB_ALIAS)
        copying.copy(PORTABLE, DEFAULT_DB_ALIAS)


def _write_portable(file: Path) -> None:
    if known_migrations() != copying.applied_migrations(DEFAULT_DB_ALIAS):
        raise Impossible("The database is of another version: run migrate, or use the version of the database.")
    with _open_portable(str(file)):
        _make_tables(PORTABLE)
        copying.copy(DEFAULT_DB_ALIAS, PORTABLE)


def _make_tables(alias: str) -> None:
    """Create empty tables in a database. alias: its name in `connections`."""
    call_command("migrate", database=alias, interactive=False, verbosity=0)
    # Migrations have added rows, such as permissions. The copy brings its own.
    call_command("flush", database=alias, interactive=False, verbosity=0, inhibit_post_migrate=True)


@contextmanager
def _open_portable(name: str) -> Iterator[None]:
    """Within a `with` block, make a SQLite file available to Django as the database PORTABLE.

    name: its path or file URI.
    """
    settings = {"ENGINE": "django.db.backends.sqlite3", "NAME": name}
    handler = ConnectionHandler({DEFAULT_DB_ALIAS: {}, PORTABLE: settings})
    connections[PORTABLE] = handler.create_connection(PORTABLE)
    try:
        yield
    finally:
        connections[PORTABLE].close()
        del connections[PORTABLE]


def _run_client(program: str, *arguments: str) -> None:
    """Run a program of the PostgreSQL client on our database. Raise `Impossible` if it is missing or fails."""
    if not shutil.which(program):
        raise Impossible(
            f"{program} is missing: install the PostgreSQL client (Debian: apt-get install postgresql-client)."
        )
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    client_version, server_version = int(re.findall(r"\d+", output)[0]), connection.get_database_version()[0]
    if client_version < server_version:  # An older client can't read the database.
        raise Impossible(f"{program} has version {client_version}, the server {server_version}: install that client.")
    server = connection.settings_dict
    environment = os.environ | {
        name: str(value)
        for name, value in {
            "PGHOST": server["HOST"],
            "PGPORT": server["PORT"],
            "PGUSER": server["USER"],
            "PGPASSWORD": server["PASSWORD"],
            "PGDATABASE": server["NAME"],
            "PGSSLMODE": server["OPTIONS"].get("sslmode"),
            "PGSERVICE": server["OPTIONS"].get("service"),
            "PGPASSFILE": server["OPTIONS"].get("passfile"),
        }.items()
        if value
    }
    if program == "pg_restore":
        arguments = ("--dbname", server["NAME"], *arguments)
    result = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if line] or ["it gave no reason"]
        raise Impossible(f"{program} failed: {lines[0].removeprefix(f'{program}: ')}.")
