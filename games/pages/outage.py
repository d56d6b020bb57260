"""Answers while the database is away: a page with status 503."""

import asyncio
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, parse_cookie
from django.template.loader import render_to_string
from django.views import defaults

from config.asgi_types import Application, Message, Receive, Scope, Send
from games.languages import language_of_scope, using_language
from games.pages.health import database_answers

OUTAGES = (OperationalError, InterfaceError)  # Away, too slow, locked, full, or not migrated.
READ_ONLY = "25006"  # The error code of PostgreSQL for a database that accepts no writes.
RETRY_AFTER = 5  # Seconds.

log = logging.getLogger("valat.outage")


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a request whose view has raised an error: with 503 if the database is away, else with 500."""
    if _is_outage(sys.exception()):
        return unavailable()
    return defaults.server_error(request)


@contextmanager
def going_without() -> Iterator[None]:
    """Skip the rest of a `with` block if the database is away. Use it for anything that a page can do without."""
    try:
        yield
    except Error as error:
        if not _is_outage(error):
            raise
        log.warning("Done without: %r", error)


def _is_outage(error: BaseException | None) -> bool:
    """Return whether an error means that the database is away or accepts no writes."""
    is_read_only = getattr(error and error.__cause__, "sqlstate", "") == READ_ONLY
    return isinstance(error, OUTAGES) or is_read_only


def unavailable() -> HttpResponse:
    """Render the page for a database that is away, without a database."""
    headers = {"Retry-After": str(RETRY_AFTER), "Cache-Control": "no-store"}
    return HttpResponse(render_to_string("503.html"), status=503, headers=headers)


class Patience:
    """An ASGI application that answers 503 if the wrapped one waits for a database that does not answer.

    A database that is only slow gets all the time it needs. The thread of the wrapped application can't be stopped: it
    goes on as soon as the database answers.
    """

    WAIT = 2.5  # Seconds before we check the database.

    def __init__(self, application: Application) -> None:
        self._application = application
        # We do not cancel these tasks: their connections would never go back to the pool.
        self._given_up: set[asyncio.Future[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False
        task = None

        async def send_unless_given_up(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            if task not in self._given_up:
                await send(message)

        task = asyncio.ensure_future(self._application(scope, receive, send_unless_given_up))
        try:
            while not (await asyncio.wait({task}, timeout=self.WAIT))[0]:
                if not has_begun and not await database_answers() and not has_begun:
                    log.error("The database does not answer: pages say so.")
                    self._given_up.add(task)
                    task.add_done_callback(self._forget)
                    with using_language(_language_of(scope)):
                        page = unavailable()
                    await _send(page, send)
                    return
            task.result()
        except asyncio.CancelledError:
            task.cancel()
            raise

    def _forget(self, task: asyncio.Future[None]) -> None:
        """Drop a request that has ended at last, after it took so long that we answered it with 503."""
        self._given_up.discard(task)
        if not task.cancelled():
            task.exception()  # Without this call asyncio logs an error.


def _language_of(scope: Scope) -> str:
    """Return the language of a request that no middleware has read yet."""
    cookies = parse_cookie(dict(scope.get("headers", ())).get(b"cookie", b"").decode("latin1"))
    return language_of_scope({**scope, "cookies": cookies})


async def _send(response: HttpResponse, send: Send) -> None:
    """Send a Django response by the ASGI callable."""
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
