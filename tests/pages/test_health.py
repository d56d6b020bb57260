"""What processes say of themselves, how they start, and what pages answer while the database is away."""

import asyncio
import logging
import os
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as site_settings
from django.db import connection, connections
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext
from django.urls import path
from django.utils import timezone

from accounts.models import User
from config.logs import OnceAMinute
from games.models import Match, Seat
from games.pages import health
from games.pages.health import Check
from games.pages.outage import Patience
from tests import opening

pytestmark = pytest.mark.whole

ROOT = Path(__file__).resolve().parents[2]
AWAY = "can’t reach its database right now"


@contextmanager
def database_away():
    """Every connection that is opened goes nowhere."""
    database = connections.settings["default"]
    name = database["NAME"]
    connections.close_all()
    database["NAME"] = "/nowhere/valat" if connection.vendor == "sqlite" else "there_is_no_such_database"
    try:
        yield
    finally:
        connections.close_all()
        database["NAME"] = name


@contextmanager
def read_only():
    """The database takes no writes."""
    with connection.cursor() as cursor:
        cursor.execute(
            "PRAGMA query_only = ON" if connection.vendor == "sqlite" else "SET default_transaction_read_only = on"
        )
    try:
        yield
    finally:
        connection.close()


@contextmanager
def locked_by_another():
    """Another process writes, and does not end."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.connection.execute("PRAGMA busy_timeout = 200")
        other = sqlite3.connect(connections.settings["default"]["NAME"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    else:
        other = connection.copy("other")
        other.set_autocommit(False)
        other.cursor().execute("LOCK TABLE accounts_user")
        connection.cursor().execute("SET lock_timeout = '200ms'")
    try:
        yield
    finally:
        other.rollback()
        other.close()
        connection.close()


@pytest.fixture(autouse=True)
def _asked_each_time(monkeypatch):
    monkeypatch.setattr(health, "AGAIN_AFTER", 0.0)


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


# /healthz


def test_alive_without_a_database(client):
    answer = client.get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"alive": True})


@pytest.mark.django_db(transaction=True)
def test_ready(client):
    assert client.get("/healthz/ready").json() == {"ready": True, "missing": [], "late": 0}


@pytest.mark.django_db
def test_probes_come_by_any_host_and_without_https(client, settings):
    settings.ALLOWED_HOSTS = ["valat.example"]
    settings.SECURE_SSL_REDIRECT = True

    assert client.get("/healthz", headers={"host": "10.0.0.7:8001"}).status_code == 200
    assert client.get("/", headers={"host": "10.0.0.7:8001"}).status_code == 400


@pytest.mark.django_db(transaction=True)
def test_not_ready_without_the_database(visitor):
    with database_away():
        answer = visitor.get("/healthz/ready")

    assert answer.status_code == 503
    assert answer.json()["ready"] is False
    assert answer.json()["missing"] == ["The database can’t be used."]


@pytest.mark.django_db(transaction=True)
def test_not_ready_without_a_migration(client):
    name = "0002_remove_content_type_name"
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE django_migrations SET name = 'gone' WHERE name = '{name}'")
    try:
        answer = client.get("/healthz/ready")
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE django_migrations SET name = '{name}' WHERE name = 'gone'")

    assert answer.status_code == 503
    assert answer.json()["missing"] == [f"The database lacks migrations (contenttypes.{name}): run manage.py migrate."]


@pytest.mark.django_db(transaction=True)
def test_not_ready_without_redis(client, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    answer = client.get("/healthz/ready")

    assert (answer.status_code, answer.json()["missing"]) == (503, ["Redis does not answer."])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "origin", [{"REMOTE_ADDR": "192.0.2.7"}, {"HTTP_X_FORWARDED_FOR": "127.0.0.1"}], ids=["stranger", "by a proxy"]
)
def test_strangers_are_told_no_details(visitor, caplog, origin):
    assert visitor.get("/healthz/ready", **origin).json() == {"ready": True}

    with database_away(), caplog.at_level(logging.ERROR):
        answer = visitor.get("/healthz/ready", **origin)

    assert (answer.status_code, answer.json()) == (503, {"ready": False})
    assert "The database can’t be used: " in caplog.text


def results_of(count, check):
    async def ask():
        return await asyncio.gather(*(check.result() for _ in range(count)))

    return async_to_sync(ask)()


def test_all_who_ask_within_a_second_share_one_check(monkeypatch):
    monkeypatch.setattr(health, "AGAIN_AFTER", 3600.0)
    asked = []
    check = Check(lambda: asked.append(1) or "well", "too late")

    answers = results_of(400, check) + results_of(2, check)

    assert (set(answers), len(asked)) == ({"well"}, 1)
    monkeypatch.setattr(health, "AGAIN_AFTER", 0.0)
    results_of(1, check)
    assert len(asked) == 2


def test_a_server_that_hangs_is_asked_once_however_many_ask(monkeypatch):
    monkeypatch.setattr(health, "CHECK_TIMEOUT", 0.05)
    goes_on, asked = threading.Event(), []
    check = Check(lambda: asked.append(1) or goes_on.wait(20), "too late")

    answers = results_of(10, check) + results_of(10, check)
    goes_on.set()

    assert (set(answers), len(asked)) == ({"too late"}, 1)


@pytest.mark.django_db(transaction=True)
def test_matches_that_no_clock_goes_on_with_are_counted(client, started):
    Match.objects.update(wake_at=timezone.now() - timedelta(minutes=2))

    assert client.get("/healthz/ready").json() == {"ready": True, "missing": [], "late": 1}


# Pages


@pytest.mark.django_db(transaction=True)
def test_pages_say_that_the_database_is_away(visitor):
    with database_away():
        answers = [visitor.get("/"), visitor.get("/matches/abcdefgh/"), visitor.post("/play/oh-hell/")]

    for answer in answers:
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert AWAY in answer.content.decode().replace("&#x27;", "'")
    assert visitor.get("/").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_server_says_it_too():
    with database_away():
        answer = async_to_sync(AsyncClient(raise_request_exception=False).get)("/")

    assert answer.status_code == 503
    assert AWAY in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_what_can_not_be_written_is_said_and_not_done(visitor, ana):
    opened = opening.open_table(ana, "oh-hell", seats=3)

    with locked_by_another():
        answer = visitor.post(f"/matches/{opened.code}/sit/")

    assert answer.status_code == 503
    assert not User.objects.filter(is_guest=True).exists()


@pytest.mark.django_db(transaction=True)
def test_a_database_that_may_only_be_read_shows_pages_and_takes_no_writes(visitor, ana):
    opened = opening.open_table(ana, "oh-hell", seats=3)
    with read_only():
        page, act = visitor.get(f"/matches/{opened.code}/"), visitor.post(f"/matches/{opened.code}/sit/")

    assert (page.status_code, act.status_code) == (200, 503)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("connected", [True, False])
def test_players_see_their_table_while_nothing_can_be_written(visitor, users, started, connected):
    visitor.force_login(users[0])
    Seat.objects.update(connected=connected, seen_at=timezone.now() - timedelta(hours=1))

    with read_only():
        page, act = visitor.get(f"/matches/{started.code}/"), visitor.post(f"/matches/{started.code}/ready/")

    assert (page.status_code, act.status_code) == (200, 503)


@pytest.mark.django_db(transaction=True)
def test_players_with_a_socket_do_not_wait_for_their_table_while_another_writes(visitor, users, started):
    visitor.force_login(users[0])
    Seat.objects.update(connected=True, seen_at=timezone.now())

    with CaptureQueriesContext(connection) as queries:
        visitor.get(f"/matches/{started.code}/")

    assert not [query["sql"] for query in queries if not query["sql"].startswith("SELECT")]


@pytest.mark.django_db
def test_other_mistakes_of_ours_are_500(visitor, settings):
    settings.ROOT_URLCONF = "tests.pages.test_health"

    assert visitor.get("/").status_code == 500


def mistake(request):
    raise ValueError("a mistake")


urlpatterns = [path("", mistake)]
handler500 = "games.pages.outage.server_error"


# Waiting


@async_to_sync
async def answered(application):
    """(what was sent, in how many seconds)"""
    sent, begun = [], time.monotonic()

    async def send(message):
        sent.append(message)

    await application({"type": "http"}, None, send)
    return sent, time.monotonic() - begun


def slow(seconds):
    async def application(scope, receive, send):
        await asyncio.sleep(seconds)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"slow"})

    return application


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(Patience, "WAIT", 0.1)


@pytest.mark.django_db(transaction=True)
def test_a_page_that_waits_for_a_database_which_is_away_is_given_up(impatient):
    with database_away():
        sent, seconds = answered(Patience(slow(60)))

    assert sent[0]["status"] == 503
    assert AWAY in sent[1]["body"].decode()
    assert seconds < 4


@pytest.mark.django_db(transaction=True)
def test_a_slow_page_is_waited_for(impatient):
    sent, _ = answered(Patience(slow(1)))

    assert [sent[0]["status"], sent[1]["body"]] == [200, b"slow"]


def test_what_an_application_raises_is_passed_on(impatient):
    async def application(scope, receive, send):
        raise ValueError("a mistake")

    with pytest.raises(ValueError, match="a mistake"):
        answered(Patience(application))


# The log


@pytest.mark.django_db(transaction=True)
def test_the_log_says_it_once_a_minute(visitor, caplog):
    with database_away(), caplog.at_level(logging.WARNING):
        for _ in range(3):
            visitor.get("/")
            visitor.get("/healthz/ready")
    thinned = OnceAMinute()

    lines = [found.getMessage() for record in caplog.records if (found := thinned.filter(record))]

    assert len(caplog.records) == 6
    page, probe = sorted(lines)
    assert page.startswith("Service Unavailable: / OperationalError: ")
    assert probe.startswith("The database can’t be used: ")


# Starting


def start(database, *command, bound=False, **settings):
    """(exit code, what is said) of a process of the site. bound: by what files allow, though it is root's."""
    environment = os.environ | {
        "DATABASE_URL": database,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DEBUG": "off",
        "SECRET_KEY": "only for these tests",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "STATIC_ROOT": "/nowhere",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [*(UNPRIVILEGED if bound and os.geteuid() == 0 else []), sys.executable, *command],
        cwd=ROOT,
        env=environment | settings,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, (done.stdout + done.stderr).strip()


UNPRIVILEGED = ["setpriv", "--bounding-set", "-dac_override", "--inh-caps", "-dac_override"]
ASGI = ["-c", "import config.asgi"]  # as uvicorn does
CLOCK = ["manage.py", "clock"]
SERVE = ["manage.py", "serve", "--port", "8999"]


@pytest.mark.thorough
@pytest.mark.parametrize("command", [ASGI, CLOCK], ids=["asgi", "clock"])
def test_nothing_starts_on_an_unmigrated_database(tmp_path, command):
    code, said = start(f"sqlite:///{tmp_path}/new.sqlite3", *command)

    assert code == 1
    assert "The database lacks migrations (account.0001_initial, " in said
    assert said.endswith("and more): run manage.py migrate.")
    assert "\n" not in said


@pytest.mark.thorough
@pytest.mark.parametrize("command", [ASGI, CLOCK, SERVE], ids=["asgi", "clock", "serve"])
def test_nothing_starts_on_a_database_that_can_not_be_opened(command):
    code, said = start("sqlite:////nowhere/valat.sqlite3", *command)

    assert code == 1
    assert "The database can’t be used: unable to open database file." in said
    assert "\n" not in said


@pytest.mark.thorough
@pytest.mark.parametrize("command", [ASGI, CLOCK, SERVE], ids=["asgi", "clock", "serve"])
def test_nothing_starts_on_a_database_that_can_not_be_written(tmp_path, command):
    database = f"sqlite:///{tmp_path}/old.sqlite3"
    assert start(database, "manage.py", "migrate", "--verbosity", "0")[0] == 0
    (tmp_path / "old.sqlite3").chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        code, said = start(database, *command, bound=True)
    finally:
        tmp_path.chmod(0o755)

    assert code == 1
    assert "The database can’t be used: attempt to write a readonly database." in said
    assert "\n" not in said


def test_debug_is_off_unless_asked_for():
    script = "from django.conf import settings; print(settings.DEBUG)"
    environment = {key: value for key, value in os.environ.items() if key != "DEBUG"}

    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env=environment | {"DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "only for these tests"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "False\n"
    assert site_settings.DEBUG is False
