"""The checks of a WebSocket handshake from a page, before its socket opens."""

import asyncio
import logging
from fnmatch import fnmatchcase
from importlib import import_module

from channels.auth import get_user
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.http import parse_cookie

from accounts.devices import token_of
from accounts.limits import address_of_scope
from config.asgi_types import Application, Receive, Scope, Send
from games.live.allowance import Allowances
from games.live.threads import AWAY

log = logging.getLogger("valat.live")


class Entrance:
    """An ASGI application that adds the cookies, the session and the user of a handshake to its scope.

    It refuses handshakes from other sites, and from a browser or an address that opens sockets too fast. While the
    database does not answer it refuses all. Browsers try again after a moment.
    """

    OPENED_WITHIN = 20  # An address may open all its sockets in this number of seconds, a browser twice as fast.
    ANSWER_WITHIN = 3.0  # seconds

    def __init__(self, application: Application):
        self._application = application
        self._sessions = import_module(settings.SESSION_ENGINE).SessionStore
        rates = 2 * settings.SOCKETS_A_USER / self.OPENED_WITHIN, settings.SOCKETS_AN_ADDRESS / self.OPENED_WITHIN
        # Each new page opens the socket of a bell. These must not keep anybody from a table.
        self._handshakes, self._bells = Allowances(*rates), Allowances(*rates)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        cookies = parse_cookie(dict(scope["headers"]).get(b"cookie", b"").decode("latin1"))
        session = self._sessions(cookies.get(settings.SESSION_COOKIE_NAME))
        scope = scope | {"cookies": cookies, "session": session}
        if is_from_own_page(scope) and self._may_open(scope) and await self._has_user(scope):
            await self._application(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close"})  # The server answers 403, because nothing was accepted yet.

    def _may_open(self, scope: Scope) -> bool:
        """Return whether one more WebSocket may open now, by the limits for its browser and its address. Count it.

        scope: the data of the handshake. A signed cookie identifies the browser, because anyone can invent a session
        key. This makes no query, so that an attacker who tries again and again costs little.
        """
        address = address_of_scope(scope)
        handshakes = self._bells if scope["path"].endswith("/ws/bell/") else self._handshakes
        return handshakes.take(token_of(scope["cookies"]) or address, address)

    async def _has_user(self, scope: Scope) -> bool:
        """Look up the user of a handshake, and add them to its scope. Return False if the database does not answer."""
        try:
            # After a timeout the query goes on: its thread ends when the database answers.
            scope["user"] = await asyncio.wait_for(asyncio.shield(get_user(scope)), self.ANSWER_WITHIN)
        except (TimeoutError, *AWAY) as error:
            log.error("A socket is refused, for its user can’t be looked up: %r", error)
            return False
        return True


def is_from_own_page(scope: Scope) -> bool:
    """Return whether a WebSocket handshake comes from a page of this site or of a trusted one.

    Browsers send cookies along, so a page of another site could otherwise act for its visitor.
    """
    origin = dict(scope["headers"]).get(b"origin", b"").decode("latin1").lower()
    try:
        return origin == _own_origin(scope) or any(
            fnmatchcase(origin, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS
        )
    except DisallowedHost:  # The handshake asks for a host name that is not ours.
        return False


def _own_origin(scope: Scope) -> str:
    """Return the origin of this site, such as "https://example.org", as the browser addressed it.

    Django's request object knows how to find the host, behind a proxy too. So make one from the handshake. Raise
    DisallowedHost if ALLOWED_HOSTS does not list the host.
    """
    scheme = "https" if scope.get("scheme") == "wss" else "http"
    request = ASGIRequest(scope | {"type": "http", "method": "GET", "scheme": scheme}, None)
    return f"{request.scheme}://{request.get_host()}".lower()
