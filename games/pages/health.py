"""Whether this process is well: what it says at /healthz, and what it can't start without."""

import asyncio
import ipaddress
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from datetime import timedelta
from functools import cache, partial

from allauth.account.adapter import get_adapter
from asgiref.sync import async_to_sync, iscoroutinefunction
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.utils import load_backend
from django.http import Http404, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from redis import Redis, RedisError

from games.models import Match
from games.play.versions import playable_here

LIMIT = 1.5  # seconds that a look may take
AGAIN_AFTER = 1.0  # Seconds until we ask again.
LATE = timedelta(minutes=1)  # a match that has waited so long says that no clock runs

ALIVE, READY = "/healthz", "/healthz/ready"

log = logging.getLogger("valat.health")


# What is missing


class Look:
    """A question to the database or Redis, asked at most once a second. All who ask within it share the answer."""

    def __init__(self, ask, too_late):
        """ask: a function that returns the answer, run in a thread of its own. too_late: the answer without one."""
        self._ask, self._too_late = ask, too_late
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._lock = threading.Lock()
        self._answer = None
        self._asked_at = 0.0

    async def answer(self):
        try:
            return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(self._newest())), LIMIT)
        except TimeoutError:
            return self._too_late

    def _newest(self):
        with self._lock:
            now = time.monotonic()
            if self._answer is None or (self._answer.done() and now - self._asked_at >= AGAIN_AFTER):
                self._asked_at = now
                self._answer = self._thread.submit(self._ask)
            return self._answer


async def look() -> dict:
    """{"ready": whether the site can be served, "missing": sentences, "late": matches that wait for a clock}."""
    (database, late), redis = await asyncio.gather(_database.answer(), _redis.answer())
    return {"ready": not (database or redis), "missing": [*database, *redis], "late": late}


async def database_answers() -> bool:
    """Whether the database answers within LIMIT seconds."""
    return not await _any_answer.answer()


def missing_at_start() -> list[str]:
    """What a process that starts can't do without, as sentences: a database with all migrations that may be written."""
    return database_trouble(writing=True)


def database_trouble(*, migrated: bool = True, writing: bool = False, details: bool = True) -> list[str]:
    """What is wrong with the database, as sentences.

    migrated: it must have every migration that this process knows. writing: it must let itself be written. details:
    the database's own words, which name hosts and roles, are in the sentence, else in the log.
    """
    own = own_connection()
    try:
        applied = _applied_migrations(own)
        if trouble := older_history(applied):
            return [trouble]
        if migrated and (lacking := sorted(known_migrations() - applied)):
            names = ", ".join(".".join(name) for name in lacking[:3]) + (" and more" if len(lacking) > 3 else "")
            return [f"The database lacks migrations ({names}): run manage.py migrate."]
        if writing:
            _try_to_write(own, is_empty=not applied)
    except DatabaseError as error:
        words = f"The database can’t be used: {' '.join(str(error).split())}."
        if details:
            return [words]
        log.error(words)
        return ["The database can’t be used."]
    finally:
        own.close()
    return []


def redis_trouble() -> list[str]:
    """What is wrong with Redis, where the site is to use it, as sentences."""
    if not settings.REDIS_URL:
        return []
    try:
        with Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1) as server:
            server.ping()
    except RedisError:
        return ["Redis does not answer."]
    return []


def late_matches() -> int | None:
    """How many matches have waited for a clock so long that none seems to run; None where that can't be read."""
    try:
        return Match.objects.filter(playable_here(), wake_at__lt=timezone.now() - LATE).count()
    except DatabaseError:
        return None
    finally:
        connection.close()  # that of this thread, which nobody looks after


def _database_and_clocks():
    trouble = database_trouble(writing=True, details=False)
    return trouble, None if trouble else late_matches()


_database = Look(_database_and_clocks, (["The database does not answer."], None))
_redis = Look(lambda: redis_trouble(), ["Redis does not answer."])
_any_answer = Look(partial(database_trouble, migrated=False, details=False), ["The database does not answer."])


@cache
def known_migrations() -> set[tuple[str, str]]:
    """The migrations of the code, as pairs of app and name."""
    return set(MigrationLoader(None).disk_migrations)


def older_history(applied: set[tuple[str, str]]) -> str:
    """Return a sentence if a database, by its migrations, was made before ours began again; "" if not.

    It has migrations of an app, but not the first one that the code has. One of a newer version has that.
    """
    migrated = {app for app, _ in applied}
    lacking = sorted(first for first in _first_migrations() - applied if first[0] in migrated)
    if not lacking:
        return ""
    return (
        f"The database is from before the new migrations (it lacks {'.'.join(lacking[0])}): "
        "use the version that made it, or another database."
    )


@cache
def _first_migrations():
    """Return the first migrations of our own apps, as pairs of app and name."""
    ours = {config.label for config in apps.get_app_configs() if config.name.split(".")[0] in ("accounts", "games")}
    graph = MigrationLoader(None).graph
    return {first for label in ours for first in graph.root_nodes(label)}


def _try_to_write(own, *, is_empty):
    """Write to the database, and leave it as it was. SQLite needs room on the disk only for what differs."""
    row = "WHERE id = (SELECT min(id) FROM django_migrations)"
    if is_empty:
        statements = ["CREATE TABLE valat_may_write (id integer)", "DROP TABLE valat_may_write"]
    elif own.vendor == "sqlite":
        changes = [f"UPDATE django_migrations SET app = {value} {row}" for value in ("app || '-'", "rtrim(app, '-')")]
        statements = ["BEGIN", *changes, "COMMIT"]
    else:
        statements = ["UPDATE django_migrations SET app = app WHERE id < 0"]
    with own.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _applied_migrations(own):
    with own.cursor() as cursor:
        if "django_migrations" not in own.introspection.table_names(cursor):
            return set()
        cursor.execute("SELECT app, name FROM django_migrations")
        return set(cursor.fetchall())


def own_connection():
    """Return a new connection to the database, outside the pool. It gives up soon."""
    database = deepcopy(connections.settings[DEFAULT_DB_ALIAS])
    options = database["OPTIONS"]
    options.pop("pool", None)
    sqlite = database["ENGINE"].endswith("sqlite3")
    options["timeout" if sqlite else "connect_timeout"] = 2  # seconds: PostgreSQL's takes no less
    return load_backend(database["ENGINE"]).DatabaseWrapper(database, DEFAULT_DB_ALIAS)


# /healthz


@sync_and_async_middleware
def middleware(get_response):
    """Answers /healthz and /healthz/ready before anything else looks at a request: its host, whether it is https.

    A probe comes from the machine itself, and asks for 127.0.0.1.
    """
    if iscoroutinefunction(get_response):

        async def answer(request):
            return await _answer(request) or await get_response(request)

    else:

        def answer(request):
            return async_to_sync(_answer)(request) if request.path in (ALIVE, READY) else get_response(request)

    return answer


async def _answer(request):
    """The answer to a probe, or None where the path is not one of ours."""
    if request.path == ALIVE:
        return _plain({"alive": True}, 200)
    if request.path == READY:
        found = await look()
        told = found if _is_of_host(request) else {"ready": found["ready"]}
        return _plain(told, 200 if found["ready"] else 503)
    return None


def _is_of_host(request):
    """Whether a probe is told what is missing: it comes from METRICS_ALLOWED, and through no proxy."""
    return "x-forwarded-for" not in request.headers and may_read_figures(request.META.get("REMOTE_ADDR", ""))


def _plain(answer, status):
    return JsonResponse(answer, status=status, headers={"Cache-Control": "no-store"})


@require_safe
def metrics(request):
    """What games.play.metrics counts, and how this process does.

    Every process answers for itself: where there are several, Prometheus asks each by its own port, and never through
    the proxy.
    """
    if not _is_allowed(request):
        raise Http404
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _is_allowed(request):
    """Whether METRICS_ALLOWED has the address that a request comes from, as far as TRUSTED_PROXIES tells it."""
    if "x-forwarded-for" in request.headers and not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        return False  # somebody behind a proxy that we were not told of, whose address this is
    try:
        return may_read_figures(get_adapter(request).get_client_ip(request))
    except (PermissionDenied, ImproperlyConfigured):  # a Unix socket, too few proxies
        return False


def may_read_figures(address):
    """Whether METRICS_ALLOWED has an address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:  # a name, or none
        return False
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    return any(parsed in ipaddress.ip_network(allowed) for allowed in settings.METRICS_ALLOWED)
