"""Whether this process is well: what it says at /healthz, and what it can't start without."""

import asyncio
from contextlib import suppress
from copy import deepcopy
from datetime import timedelta
from functools import cache, partial

from asgiref.sync import async_to_sync, iscoroutinefunction
from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.utils import load_backend
from django.http import JsonResponse
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware
from redis import Redis, RedisError

from games.models import Match
from games.play.versions import played_here

LIMIT = 1.5  # seconds that a look may take
LATE = timedelta(minutes=1)  # a match that has waited so long says that no clock runs

ALIVE, READY = "/healthz", "/healthz/ready"


# What is missing


async def look() -> dict:
    """{"ready": whether the site can be served, "missing": sentences, "late": matches that wait for a clock}."""
    database, redis = await asyncio.gather(
        _within_limit(database_trouble, "The database does not answer."),
        _within_limit(redis_trouble, "Redis does not answer."),
    )
    late = None
    if not database:
        with suppress(TimeoutError, DatabaseError):
            late = await asyncio.wait_for(asyncio.to_thread(late_matches), 0.5)
    return {"ready": not (database or redis), "missing": [*database, *redis], "late": late}


async def database_answers() -> bool:
    """Whether the database answers within LIMIT seconds."""
    return not await _within_limit(partial(database_trouble, migrated=False), "It does not answer.")


async def _within_limit(trouble, too_late):
    """What `trouble()` says, in a thread of its own; [too_late] where it takes longer than LIMIT seconds."""
    try:
        return await asyncio.wait_for(asyncio.to_thread(trouble), LIMIT)
    except TimeoutError:
        return [too_late]


def missing_at_start() -> list[str]:
    """What a process that starts can't do without, as sentences: a database with all migrations that may be written."""
    return database_trouble(writing=True)


def database_trouble(*, migrated: bool = True, writing: bool = False) -> list[str]:
    """What is wrong with the database, as sentences.

    migrated: it must have every migration that this process knows. writing: it must let itself be written.
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
            with own.cursor() as cursor:  # of no row, which is refused all the same where nothing may be written
                if applied:
                    cursor.execute("UPDATE django_migrations SET app = app WHERE id < 0")
                else:
                    cursor.execute("CREATE TABLE valat_may_write (id integer)")
                    cursor.execute("DROP TABLE valat_may_write")
    except DatabaseError as error:
        return [f"The database can’t be used: {' '.join(str(error).split())}."]
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


def late_matches() -> int:
    """How many matches have waited for a clock so long that none seems to run."""
    try:
        return Match.objects.filter(played_here(), wake_at__lt=timezone.now() - LATE).count()
    finally:
        connection.close()  # that of this thread, which nobody looks after


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
            return await _answer(request.path) or await get_response(request)

    else:

        def answer(request):
            return async_to_sync(_answer)(request.path) if request.path in (ALIVE, READY) else get_response(request)

    return answer


async def _answer(path):
    """The answer to a probe, or None where the path is not one of ours."""
    if path == ALIVE:
        return _plain({"alive": True}, 200)
    if path == READY:
        found = await look()
        return _plain(found, 200 if found["ready"] else 503)
    return None


def _plain(answer, status):
    response = JsonResponse(answer, status=status, headers={"Cache-Control": "no-store"})
    response._has_been_logged = True  # Django would note every probe that finds us unready
    return response
