"""The whole database as one file, and back again: SQLite by its own interface, PostgreSQL by pg_dump and pg_restore.

A SQLite file is the portable format. It is written from PostgreSQL, and read into it, model by model.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.utils import ConnectionHandler

from games.management import copying
from games.pages.health import known_migrations

SQLITE, POSTGRESQL = b"SQLite format 3\0", b"PGDMP"  # how the files of each begin
PORTABLE = "portable"  # the alias of a portable file, while it is open
ASIDE = "valat_before_restore"  # the schema that holds what is replaced, until all is well


class Impossible(Exception):
    """It can't be done, and nothing was changed. str() is one sentence for the host."""


def back_up(target: Path, *, overwrite: bool = False, portable: bool = False) -> None:
    """Write the database as it is at one moment to a file, while the site runs. Raises Impossible.

    portable: write a SQLite file from PostgreSQL too.
    """
    if target.exists() and not overwrite:
        raise Impossible(f"{target} exists: choose another name, or say --force.")
    with _new_file(target) as file:
        if connection.vendor == "sqlite":
            _copy_sqlite(Path(connection.settings_dict["NAME"]), file)
        elif portable:
            _write_portable(file)
        else:
            _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={file}")


def restore(source: Path, *, overwrite: bool = False) -> None:
    """Make the database what a backup holds. The site must not run meanwhile. Raises Impossible."""
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
def _new_file(target):
    """The path of an empty file beside `target`, for its owner only, that takes its place if all goes well."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise Impossible(f"{target} can't be written: {error.strerror}.") from None
    os.close(handle)
    file = Path(name)
    try:
        yield file
        with file.open("rb") as written:
            os.fsync(written.fileno())
        file.replace(target)
    except OSError as error:
        raise Impossible(f"{target} can't be written: {error.strerror}.") from None
    finally:
        file.unlink(missing_ok=True)


def _refuse_newer(applied):
    """applied: the migrations of a backup, as pairs of app and name."""
    if newer := sorted(applied - known_migrations()):
        raise Impossible(f"The backup is of a version that has {'.'.join(newer[0])}: install that, then restore it.")


def _demand_overwrite(overwrite):
    if not overwrite:
        raise Impossible("The database is not empty: say --force to replace all that it holds.")


# SQLite


def _copy_sqlite(source, target):
    """Copy a database in one piece, with what is still in its write-ahead log; writers go on meanwhile."""
    if not source.exists():
        raise Impossible(f"There is no database at {source}.")
    try:
        with closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(target)) as copy:
            original.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
                raise Impossible(f"{source} is damaged.")
    except sqlite3.Error as error:
        raise Impossible(f"{source} could not be copied: {error}.") from None


def _restore_sqlite(source, overwrite):
    database = Path(connection.settings_dict["NAME"])
    connection.close()
    with _new_file(database) as file:
        _copy_sqlite(source, file)
        with closing(sqlite3.connect(file)) as copy:
            _refuse_newer(set(copy.execute("SELECT app, name FROM django_migrations")))
        if database.exists() and database.stat().st_size:
            _demand_overwrite(overwrite)
            _demand_unused(database)


def _demand_unused(database):
    """Do without a write-ahead log, which SQLite allows only if nobody else has the database open; then it is empty."""
    with closing(sqlite3.connect(database, timeout=1)) as here:
        try:
            here.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError:
            raise Impossible("The database is in use: stop the site and its clocks first.") from None
        except sqlite3.DatabaseError:
            pass  # it is damaged, which is why it is replaced
    for suffix in ("-wal", "-shm"):
        Path(f"{database}{suffix}").unlink(missing_ok=True)


# PostgreSQL


def _restore_postgresql(source, overwrite, read):
    """read: fills an empty database from the file."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        if cursor.fetchone()[0]:
            raise Impossible("The database is in use: stop the site and its clocks first.")
        if connection.introspection.table_names(cursor):
            _demand_overwrite(overwrite)
        try:
            cursor.execute(f"DROP SCHEMA IF EXISTS {ASIDE} CASCADE")
            cursor.execute(f"ALTER SCHEMA public RENAME TO {ASIDE}")
            cursor.execute("CREATE SCHEMA public")
        except DatabaseError as error:
            raise Impossible(f"The database's user may not replace what it holds: {error}.") from None
        try:
            read(source)
        except BaseException:
            cursor.execute("DROP SCHEMA public CASCADE")
            cursor.execute(f"ALTER SCHEMA {ASIDE} RENAME TO public")
            raise
        cursor.execute(f"DROP SCHEMA {ASIDE} CASCADE")


def _read_dump(source):
    _run("pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", str(source))
    _refuse_newer(copying.applied_migrations(DEFAULT_DB_ALIAS))


def _read_portable(source):
    with _portable(f"file:{quote(str(source.resolve()))}?mode=ro"):
        applied = copying.applied_migrations(PORTABLE)
        _refuse_newer(applied)
        if lacking := sorted(known_migrations() - applied):
            raise Impossible(
                f"The backup is of an older version, without {'.'.join(lacking[0])}: "
                "restore it into SQLite, run migrate there, and back that up."
            )
        _make_tables(DEFAULT_DB_ALIAS)
        copying.copy(PORTABLE, DEFAULT_DB_ALIAS)


def _write_portable(file):
    if known_migrations() != copying.applied_migrations(DEFAULT_DB_ALIAS):
        raise Impossible("The database is not of this version: run migrate, or use the version that it is of.")
    with _portable(str(file)):
        _make_tables(PORTABLE)
        copying.copy(DEFAULT_DB_ALIAS, PORTABLE)


def _make_tables(alias):
    call_command("migrate", database=alias, interactive=False, verbosity=0)
    # Migrating has added rows, such as permissions. They come with the copy.
    call_command("flush", database=alias, interactive=False, verbosity=0, inhibit_post_migrate=True)


@contextmanager
def _portable(name):
    """Open a SQLite file as the database PORTABLE."""
    settings = {"ENGINE": "django.db.backends.sqlite3", "NAME": name}
    handler = ConnectionHandler({DEFAULT_DB_ALIAS: {}, PORTABLE: settings})
    connections[PORTABLE] = handler.create_connection(PORTABLE)
    try:
        yield
    finally:
        connections[PORTABLE].close()
        del connections[PORTABLE]


def _run(program, *arguments):
    """Run a program of PostgreSQL's on our database. Raises Impossible."""
    if not shutil.which(program):
        raise Impossible(
            f"{program} is missing: install PostgreSQL's client (Debian: apt-get install postgresql-client)."
        )
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    ours, theirs = int(re.search(r"(\d+)", said)[1]), connection.get_database_version()[0]
    if ours < theirs:
        raise Impossible(f"{program} is of version {ours}, and the server of {theirs}: install that client.")
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
        arguments = ["--dbname", server["NAME"], *arguments]
    done = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line] or ["it does not say why"]
        raise Impossible(f"{program} failed: {lines[0].removeprefix(f'{program}: ')}.")
