"""Whether this process is well: /healthz, the start of every process, and the answer while the database is away."""

import asyncio
import sys
from copy import deepcopy
from datetime import timedelta
from functools import cache

from asgiref.sync import async_to_sync, iscoroutinefunction
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.utils import load_backend
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.decorators import sync_and_async_middleware
from django.views import defaults
from redis import Redis, RedisError

from config.outages import OUTAGES
from games.models import Match
from games.play.versions import played_here

LIMIT = 2  # seconds that a look may take
LATE = timedelta(minutes=1)  # a match that has waited so long says that no clock runs
RETRY_AFTER = 5  # seconds

ALIVE, READY = "/healthz", "/healthz/ready"


# What is missing


def look() -> dict:
    """{"ready": whether the site can be served, "missing": sentences, "late": matches that wait for a clock}."""
    if trouble := [*database_trouble(), *redis_trouble()]:
        return _unready(*trouble)
    try:
        late = Match.objects.filter(played_here(), wake_at__lt=timezone.now() - LATE).count()
    finally:
        connection.close()  # that of this thread, which nobody looks after
    return {"ready": True, "missing": [], "late": late}


def _unready(*sentences: str) -> dict:
    return {"ready": False, "missing": list(sentences), "late": None}


def missing_at_start() -> list[str]:
    """What a process that starts can't do without, as sentences: a database with all migrations that may be written."""
    return database_trouble(writing=True)


def database_trouble(*, migrated: bool = True, writing: bool = False) -> list[str]:
    """What is wrong with the database, as sentences.

    migrated: it must have every migration that this process knows. writing: it must let itself be written.
    """
    own = _own_connection()
    try:
        applied = _applied_migrations(own)
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
        return [f"The database can't be used: {' '.join(str(error).split())}."]
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


@cache
def known_migrations() -> set[tuple[str, str]]:
    """The migrations of the code, as pairs of app and name."""
    return set(MigrationLoader(None).disk_migrations)


def _applied_migrations(own):
    with own.cursor() as cursor:
        if "django_migrations" not in own.introspection.table_names(cursor):
            return set()
        cursor.execute("SELECT app, name FROM django_migrations")
        return set(cursor.fetchall())


def _own_connection():
    """A new connection to the database beside the pool, which gives up soon."""
    database = deepcopy(connections.settings[DEFAULT_DB_ALIAS])
    options = database["OPTIONS"]
    options.pop("pool", None)
    options["timeout" if database["ENGINE"].endswith("sqlite3") else "connect_timeout"] = LIMIT
    return load_backend(database["ENGINE"]).DatabaseWrapper(database, "health")


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
        try:
            found = await asyncio.wait_for(asyncio.to_thread(look), LIMIT)
        except (TimeoutError, DatabaseError):
            found = _unready("The database does not answer.")
        return _plain(found, 200 if found["ready"] else 503)
    return None


def _plain(answer, status):
    return JsonResponse(answer, status=status, headers={"Cache-Control": "no-store"})


# While the database is away


def server_error(request):
    """The answer to what went wrong on our side: 503 if it is the database."""
    if isinstance(sys.exception(), OUTAGES):
        return unavailable()
    return defaults.server_error(request)


def unavailable():
    """The page that says that the database is away. It needs none."""
    headers = {"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"}
    return HttpResponse(render_to_string("503.html"), status=503, headers=headers)


class Patience:
    """An ASGI application that answers 503 in place of one that waits for a database which does not answer.

    One that is merely slow is waited for. What it does is not undone: its thread goes on when the database does.
    """

    WAIT = 2.5  # seconds before the database is looked at

    def __init__(self, application):
        self._application = application
        self._looking = None
        self._given_up = set()  # tasks: they end by themselves, or their connections would never go back to the pool

    async def __call__(self, scope, receive, send):
        answering = False
        task = None

        async def send_unless_given_up(message):
            nonlocal answering
            answering = True
            if task not in self._given_up:
                await send(message)

        task = asyncio.ensure_future(self._application(scope, receive, send_unless_given_up))
        try:
            while not (await asyncio.wait({task}, timeout=self.WAIT))[0]:
                if not answering and not await self._database_answers() and not answering:
                    self._given_up.add(task)
                    task.add_done_callback(self._ended)
                    await _send(unavailable(), send)
                    return
            task.result()
        except asyncio.CancelledError:
            task.cancel()
            raise

    def _ended(self, task):
        self._given_up.discard(task)
        if not task.cancelled():
            task.exception()  # asked for, or asyncio complains

    async def _database_answers(self):
        """Whether it answers within LIMIT. Whoever asks meanwhile shares the answer."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(_answers_soon())
        return await asyncio.shield(self._looking)


async def _answers_soon():
    try:
        return not await asyncio.wait_for(asyncio.to_thread(database_trouble, migrated=False), LIMIT)
    except TimeoutError:
        return False


async def _send(response, send):
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
