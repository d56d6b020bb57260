"""What is answered while the database is away: 503, and a sentence."""

import asyncio
import logging
import sys
from contextlib import contextmanager

from django.db import Error, InterfaceError, OperationalError
from django.http import HttpResponse, parse_cookie
from django.template.loader import render_to_string
from django.views import defaults

from games.languages import language_of_scope, speaking
from games.pages.health import database_answers

OUTAGES = (OperationalError, InterfaceError)  # it is gone, too slow, locked, full, not migrated
READ_ONLY = "25006"  # what PostgreSQL calls that it may not be written
RETRY_AFTER = 5  # seconds

log = logging.getLogger("valat.outage")


def server_error(request):
    """The answer to what went wrong on our side: 503 if it is the database."""
    if _is_outage(sys.exception()):
        return unavailable()
    return defaults.server_error(request)


@contextmanager
def going_without():
    """What is done in it is done if the database takes it, and left undone if not: a page may do without."""
    try:
        yield
    except Error as error:
        if not _is_outage(error):
            raise
        log.warning("Done without: %r", error)


def _is_outage(error):
    return isinstance(error, OUTAGES) or getattr(error.__cause__, "sqlstate", "") == READ_ONLY


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
                if not answering and not await database_answers() and not answering:
                    log.error("The database does not answer: pages say so.")
                    self._given_up.add(task)
                    task.add_done_callback(self._ended)
                    with speaking(_language_of(scope)):
                        page = unavailable()
                    await _send(page, send)
                    return
            task.result()
        except asyncio.CancelledError:
            task.cancel()
            raise

    def _ended(self, task):
        self._given_up.discard(task)
        if not task.cancelled():
            task.exception()  # asked for, or asyncio complains


def _language_of(scope):
    """The language that a request asks for, before anything of Django has looked at it."""
    cookies = parse_cookie(dict(scope.get("headers", ())).get(b"cookie", b"").decode("latin1"))
    return language_of_scope(scope | {"cookies": cookies})


async def _send(response, send):
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
