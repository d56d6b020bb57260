"""Migrations that running processes can't live with, and databases from before our migrations began again."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import psycopg
import pytest

from tests.faults.services import Redis
from tests.places import Databases, Files
from tests.processes import ROOT, Installation, free_port, running, wait_until

NEWER = {"DJANGO_SETTINGS_MODULE": "tests.newer.settings"}
REFUSAL = "CommandError: newer.0001_breaking can't run while the site runs: stop it and its clocks, then migrate again."
LOCKS = """
    SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE locktype = 'advisory' AND datname = current_database()
"""

pytestmark = pytest.mark.faults


@pytest.fixture(scope="module")
def databases():
    made = Databases()
    yield made
    made.close()


@pytest.fixture(scope="module")
def redis(tmp_path_factory):
    if not shutil.which("redis-server"):
        pytest.skip("Redis is not installed.")
    server = Redis(tmp_path_factory.mktemp("redis") / "redis.log")
    with running(server):
        yield server


@pytest.fixture(scope="module")
def migrated(databases):
    place = databases.make()
    place.do("migrate", "--verbosity", "0")
    return place


@pytest.fixture
def place(databases, migrated):
    return databases.make(migrated)


def holders(place):
    """Return the sessions of PostgreSQL that hold the lock of a process."""
    with psycopg.connect(place.url) as own:
        return [pid for (pid,) in own.execute(LOCKS)]


def beats(place):
    """Return the heartbeats of running processes."""
    with psycopg.connect(place.url) as own:
        return list(own.execute("SELECT * FROM games_heartbeat"))


@pytest.mark.parametrize("kind", ["web", "clock"])
def test_a_breaking_migration_is_refused_while_a_process_runs(place, redis, tmp_path, kind):
    installation = Installation(tmp_path, place.url, redis.url)
    process = installation.clock() if kind == "clock" else installation.web("web")
    with running(process):
        wait_until(lambda: holders(place), 30, "the process is registered")

        assert place.run("migrate", "--verbosity", "0", **NEWER) == (False, REFUSAL)

        assert place.run("migrate", "--verbosity", "0") == (True, "")  # nothing in it that breaks a process
    wait_until(lambda: not holders(place), 30, "PostgreSQL notices that it has ended")
    assert place.run("migrate", "--verbosity", "0", **NEWER) == (True, "")
    assert place.run("migrate", "--check", **NEWER)[0]


def test_a_breaking_migration_is_refused_while_serve_runs(tmp_path):
    place = Files(tmp_path).make()
    with running(Installation(tmp_path, place.url).serve()):
        assert place.run("migrate", "--verbosity", "0", **NEWER) == (False, REFUSAL)
        assert place.run("serve", "--port", free_port(), **NEWER) == (False, REFUSAL)
    assert place.run("migrate", "--verbosity", "0", **NEWER) == (True, "")
    assert place.run("migrate", "--check", **NEWER)[0]


def test_a_clock_that_is_told_to_stop_tidies_up_first(place, redis, tmp_path):
    clock = Installation(tmp_path, place.url, redis.url).clock()
    assert not beats(place)
    with running(clock):
        wait_until(lambda: beats(place), 30, "its heart beats")
        clock.send_signal(signal.SIGTERM)

        wait_until(lambda: not clock.is_running, 30, "it has ended")

    assert clock.log().endswith("Stopped.\n")


def test_a_process_that_loses_its_session_is_registered_again(place, redis, tmp_path):
    with running(Installation(tmp_path, place.url, redis.url).clock()):
        (lost,) = wait_until(lambda: holders(place), 30, "the process is registered")
        with psycopg.connect(place.url) as own:
            own.execute("SELECT pg_terminate_backend(%s)", [lost])

        wait_until(lambda: set(holders(place)) - {lost}, 60, "the process is registered again")

        assert place.run("migrate", "--verbosity", "0", **NEWER) == (False, REFUSAL)


def test_no_process_starts_beside_a_breaking_migration(place, redis):
    with psycopg.connect(place.url) as migrating:
        migrating.execute("SELECT pg_advisory_lock(%s)", [int.from_bytes(b"valat")])

        well, said = place.run("clock", REDIS_URL=redis.url)

    sentence = "A migration is running that no process may run beside: start again when it has ended."
    assert (well, said) == (False, f"CommandError: {sentence}")


def state(place):
    """Return all that a database holds, as SQL."""
    if place.url.startswith("sqlite"):
        with closing(sqlite3.connect(place.url.removeprefix("sqlite:///"))) as own:
            return list(own.iterdump())
    dump = subprocess.run(["pg_dump", place.url], check=True, capture_output=True, text=True).stdout
    return [line for line in dump.splitlines() if not line.startswith(("\\restrict", "\\unrestrict"))]


COMMANDS = {
    "migrate": ["manage.py", "migrate"],
    "serve": ["manage.py", "serve", "--port", "8999"],
    "clock": ["manage.py", "clock"],
    "web": ["-c", "import config.asgi"],  # as uvicorn does
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_database_from_before_the_new_migrations_is_refused(request, tmp_path, command, kind):
    place = request.getfixturevalue("place") if kind == "postgresql" else Files(tmp_path).make()
    place.do("migrate", "--verbosity", "0")
    rename = "UPDATE django_migrations SET name = '0001_before' WHERE app = 'games' AND name LIKE '0001_%'"
    url = place.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(url) if kind == "sqlite" else psycopg.connect(url)) as own:
        own.execute(rename)
        own.commit()
    before = state(place)

    environment = Installation(tmp_path, place.url, "redis://127.0.0.1:1/0").environment
    done = subprocess.run(
        [sys.executable, *COMMANDS[command]],
        cwd=ROOT,
        env=environment | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )

    said = (done.stdout + done.stderr).strip()
    assert done.returncode == 1
    assert "The database is from before the new migrations (it lacks games.0001_" in said
    assert "\n" not in said
    assert state(place) == before
