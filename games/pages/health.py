"""The health of this process: the answers at /healthz, the metrics, and the checks before the start."""

import asyncio
import ipaddress
import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy
from datetime import timedelta
from functools import cache, partial
from typing import TypedDict

from allauth.account.adapter import get_adapter
from asgiref.sync import async_to_sync, iscoroutinefunction
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.utils import load_backend
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from redis import Redis, RedisError

from config.middleware import GetResponse
from games.models import Match
from games.play.versions import playable_here

CHECK_TIMEOUT = 1.5  # Seconds until a check counts as failed.
AGAIN_AFTER = 1.0  # Seconds until a check runs again.
LATE = timedelta(minutes=1)  # A match that has waited for this long shows that no clock runs.

ALIVE, READY = "/healthz", "/healthz/ready"

log = logging.getLogger("valat.health")


# Checks


class Check[T]:
    """A check of the database or Redis that runs at most once a second. Requests in that second share its result."""

    def __init__(self, check: Callable[[], T], timeout_result: T) -> None:
        """check: runs in a thread of its own. timeout_result: the result if it takes too long."""
        self._check, self._timeout_result = check, timeout_result
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._lock = threading.Lock()
        self._future: Future[T] | None = None
        self._started_at = 0.0

    async def result(self) -> T:
        try:
            return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(self._newest())), CHECK_TIMEOUT)
        except TimeoutError:
            return self._timeout_result

    def _newest(self) -> Future[T]:
        with self._lock:
            now = time.monotonic()
            if self._future is None or (self._future.done() and now - self._started_at >= AGAIN_AFTER):
                self._started_at = now
                self._future = self._thread.submit(self._check)
            return self._future


class Health(TypedDict):
    """The answer at /healthz/ready."""

    ready: bool
    missing: list[str]  # sentences
    late: int | None  # matches that wait for a clock, or None if we can't read them


async def check_health() -> Health:
    """Check the database and Redis."""
    (database, late), redis = await asyncio.gather(_database.result(), _redis.result())
    return {"ready": not (database or redis), "missing": [*database, *redis], "late": late}


async def database_answers() -> bool:
    """Return whether the database answers within CHECK_TIMEOUT seconds."""
    return not await _connection.result()


def missing_at_start() -> list[str]:
    """Return, as sentences, why a process can't start: it needs a writable database with all migrations."""
    return database_trouble(writing=True)


def database_trouble(*, migrated: bool = True, writing: bool = False, details: bool = True) -> list[str]:
    """Return the problems of the database, as sentences; an empty list if all is well.

    migrated: demand all migrations of this code. writing: demand that it is writable. details: quote the database's own
    words, which name hosts and roles. Otherwise they go to the log, because strangers may read the answer.
    """
    session = own_connection()
    try:
        applied = _applied_migrations(session)
        if trouble := older_history(applied):
            return [trouble]
        if migrated and (lacking := sorted(known_migrations() - applied)):
            first_names = ", ".join(f"{app}.{name}" for app, name in lacking[:3])
            names = f"{first_names} and more" if len(lacking) > 3 else first_names
            return [f"The database lacks migrations ({names}): run manage.py migrate."]
        if writing:
            _try_to_write(session, is_empty=not applied)
    except DatabaseError as error:
        words = f"The database can’t be used: {' '.join(str(error).split())}."  # On one line.
        if details:
            return [words]
        log.error(words)
        return ["The database can’t be used."]
    finally:
        session.close()
    return []


def redis_trouble() -> list[str]:
    """Return the problems of Redis, as sentences. A site without Redis has none."""
    if not settings.REDIS_URL:
        return []
    try:
        with Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1) as server:
            server.ping()
    except RedisError:
        return ["Redis does not answer."]
    return []


def late_matches() -> int | None:
    """Return the number of matches that should have gone on by now, or None without a database.

    Clocks of our processes wake each match at its time, for example when a player has taken too long. So late matches
    mean that no clock works.
    """
    try:
        return Match.objects.filter(playable_here(), wake_at__lt=timezone.now() - LATE).count()
    except DatabaseError:
        return None


def _database_and_clocks() -> tuple[list[str], int | None]:
    trouble = database_trouble(writing=True, details=False)
    try:
        return trouble, None if trouble else late_matches()
    finally:
        connection.close()  # Nothing else closes the connection of this thread.


_database: Check[tuple[list[str], int | None]] = Check(_database_and_clocks, (["The database does not answer."], None))
_redis = Check(lambda: redis_trouble(), ["Redis does not answer."])
_connection = Check(partial(database_trouble, migrated=False, details=False), ["The database does not answer."])


@cache
def known_migrations() -> set[tuple[str, str]]:
    """Return the migrations of the code, as pairs of app and name."""
    return set(MigrationLoader(None).disk_migrations)


def older_history(applied: set[tuple[str, str]]) -> str:
    """Return a sentence if a database is too old for our migrations, else "".

    All migrations were once replaced by new ones. So an older database has migrations of an app, but lacks the app's
    present first one. applied: the migrations of the database, as pairs of app and name.
    """
    migrated_apps = {app for app, _ in applied}
    lacking = sorted((app, name) for app, name in _first_migrations() - applied if app in migrated_apps)
    if not lacking:
        return ""
    return (
        f"The database is from before the new migrations (it lacks {'.'.join(lacking[0])}): "
        "use the version that made it, or another database."
    )


@cache
def _first_migrations() -> set[tuple[str, str]]:
    """Return the first migrations of our own apps, as pairs of app and name."""
    ours = {config.label for config in apps.get_app_configs() if config.name.split(".")[0] in ("accounts", "games")}
    graph = MigrationLoader(None).graph
    return {first for label in ours for first in graph.root_nodes(label)}


def _try_to_write(session: BaseDatabaseWrapper, *, is_empty: bool) -> None:
    """Write to the database without changing it, to raise an error if it is read-only or its disk is full.

    is_empty: whether it has no tables yet.
    """
    row = "WHERE id = (SELECT min(id) FROM django_migrations)"
    if is_empty:
        statements = ["CREATE TABLE valat_may_write (id integer)", "DROP TABLE valat_may_write"]
    elif session.vendor == "sqlite":
        # SQLite needs space on the disk only for changed pages. So change a text: the first statement adds a hyphen to
        # the name of an app, and the second removes it.
        changes = [f"UPDATE django_migrations SET app = {value} {row}" for value in ("app || '-'", "rtrim(app, '-')")]
        statements = ["BEGIN", *changes, "COMMIT"]
    else:
        statements = ["UPDATE django_migrations SET app = app WHERE id < 0"]
    with session.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _applied_migrations(session: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    with session.cursor() as cursor:
        if "django_migrations" not in session.introspection.table_names(cursor):
            return set()
        cursor.execute("SELECT app, name FROM django_migrations")
        return set(cursor.fetchall())


def own_connection() -> BaseDatabaseWrapper:
    """Return a new connection to the database, outside the pool. It fails after 2 seconds without an answer.

    So it works even if all connections of the pool are busy.
    """
    database = deepcopy(connections.settings[DEFAULT_DB_ALIAS])
    options = database["OPTIONS"]
    options.pop("pool", None)
    is_sqlite = database["ENGINE"].endswith("sqlite3")
    options["timeout" if is_sqlite else "connect_timeout"] = 2  # Seconds. PostgreSQL allows no less.
    return load_backend(database["ENGINE"]).DatabaseWrapper(database, DEFAULT_DB_ALIAS)


# /healthz


@sync_and_async_middleware
def probe_middleware(get_response: GetResponse) -> GetResponse:
    """Return a middleware that answers /healthz and /healthz/ready before any check of the host or of https.

    Probes are requests by which a monitor asks how we are. They come from the machine itself, and ask for 127.0.0.1.
    """
    if iscoroutinefunction(get_response):

        async def answer_async(request: HttpRequest) -> HttpResponseBase:
            return await _answer_probe(request) or await get_response(request)

        return answer_async

    def answer(request: HttpRequest) -> HttpResponseBase:
        return async_to_sync(_answer_probe)(request) if request.path in (ALIVE, READY) else get_response(request)

    return answer


async def _answer_probe(request: HttpRequest) -> HttpResponse | None:
    """Answer a monitor that asks whether this process is alive, or ready for requests. Return None for other paths.

    Only addresses that may read the figures of the site learn what is wrong.
    """
    if request.path == ALIVE:
        return _json_response({"alive": True}, 200)
    if request.path == READY:
        health = await check_health()
        public = {"ready": health["ready"]}
        return _json_response(health if _may_read_problems(request) else public, 200 if health["ready"] else 503)
    return None


def _may_read_problems(request: HttpRequest) -> bool:
    """Return whether a probe may read what is missing: it must come from METRICS_ALLOWED, and not through a proxy."""
    return "x-forwarded-for" not in request.headers and may_read_figures(request.META.get("REMOTE_ADDR", ""))


def _json_response(answer: Mapping[str, object], status: int) -> HttpResponse:
    return JsonResponse(answer, status=status, headers={"Cache-Control": "no-store"})


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Send the counters of games.play.metrics and the figures of this process to Prometheus.

    Every process has its own figures. With several processes Prometheus must ask each by its own port, and never
    through the proxy.
    """
    if not _is_allowed(request):
        raise Http404
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _is_allowed(request: HttpRequest) -> bool:
    """Return whether METRICS_ALLOWED has the address of the client, which is behind TRUSTED_PROXIES proxies."""
    if "x-forwarded-for" in request.headers and not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        return False  # The settings do not name this proxy, so the address is not the client's.
    try:
        return may_read_figures(get_adapter(request).get_client_ip(request))
    except (PermissionDenied, ImproperlyConfigured):  # A Unix socket, or too few proxies.
        return False


def may_read_figures(address: str) -> bool:
    """Return whether METRICS_ALLOWED has this IP address. Other texts are refused."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    return any(parsed in ipaddress.ip_network(allowed) for allowed in settings.METRICS_ALLOWED)
