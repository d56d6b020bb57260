"""What a WebSocket handshake of a page goes through before its socket begins."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from fnmatch import fnmatchcase
from importlib import import_module
from typing import Any

from channels.auth import get_user
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.http import parse_cookie

from accounts.devices import token_of
from accounts.limits import address_of_scope
from games.live.allowance import Allowances
from games.live.threads import AWAY

log = logging.getLogger("valat.live")

Application = Callable[..., Awaitable[None]]
Scope = dict[str, Any]


class Entrance:
    """An ASGI application that puts the cookies, the session and the user of a handshake into its scope.

    It refuses those of other sites, of a browser or an address that opens sockets too fast, and all while the database
    does not answer. Browsers try again after a moment.
    """

    OPENED_WITHIN = 20  # Seconds until an address has opened all its sockets, at most. A browser may be twice as fast.
    ANSWER_WITHIN = 3.0  # seconds

    def __init__(self, application: Application):
        self._application = application
        self._sessions = import_module(settings.SESSION_ENGINE).SessionStore
        self._handshakes = Allowances(
            2 * settings.SOCKETS_A_USER / self.OPENED_WITHIN, settings.SOCKETS_AN_ADDRESS / self.OPENED_WITHIN
        )

    async def __call__(self, scope: Scope, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        cookies = parse_cookie(dict(scope["headers"]).get(b"cookie", b"").decode("latin1"))
        session = self._sessions(cookies.get(settings.SESSION_COOKIE_NAME))
        scope = scope | {"cookies": cookies, "session": session}
        if is_own(scope) and self._may_open(scope) and await self._has_user(scope):
            await self._application(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close"})  # before it is accepted: the server answers 403

    def _may_open(self, scope: Scope) -> bool:
        """Whether its browser and its address may open one more socket now.

        To look a session up costs more than to refuse a message, and a flooder whose socket is closed comes back. A
        browser is known by a signed cookie: a key of a session can be made up.
        """
        address = address_of_scope(scope)
        return self._handshakes.take(token_of(scope["cookies"]) or address, address)

    async def _has_user(self, scope: Scope) -> bool:
        """Put the user into the scope. Returns whether the database has said in time who that is."""
        try:
            # The query goes on after the time: its thread ends when the database answers.
            scope["user"] = await asyncio.wait_for(asyncio.shield(get_user(scope)), self.ANSWER_WITHIN)
        except (TimeoutError, *AWAY) as error:
            log.error("A socket is refused, for its user can’t be looked up: %r", error)
            return False
        return True


def is_own(scope: Scope) -> bool:
    """Whether a handshake comes from a page of this site, as the browser has reached it, or of a trusted one."""
    origin = dict(scope["headers"]).get(b"origin", b"").decode("latin1").lower()
    try:
        return origin == _origin_of(scope) or any(
            fnmatchcase(origin, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS
        )
    except DisallowedHost:
        return False


def _origin_of(scope: Scope) -> str:
    """The scheme, host and port that the browser has asked for. Raises DisallowedHost."""
    scheme = "https" if scope.get("scheme") == "wss" else "http"
    request = ASGIRequest(scope | {"type": "http", "method": "GET", "scheme": scheme}, None)
    return f"{request.scheme}://{request.get_host()}".lower()
