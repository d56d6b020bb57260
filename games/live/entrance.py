"""What a WebSocket handshake goes through before its user is known."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from channels.auth import AuthMiddleware
from django.conf import settings

from accounts.devices import token_of
from accounts.limits import address_of_scope
from config.origins import refuse_handshake
from games.live.allowance import Allowances
from games.live.threads import AWAY

log = logging.getLogger("valat.live")

Application = Callable[..., Awaitable[None]]


class Entrance:
    """An ASGI application that refuses handshakes of a browser, or an address, that opens sockets too fast.

    To look a session up costs more than to refuse a message, and a flooder whose socket is closed comes back. Other
    browsers try again after a moment. A browser is known by a signed cookie: a key of a session can be made up. Expects
    the cookies in the scope.
    """

    OPENED_WITHIN = 20  # Seconds until an address has opened all its sockets, at most. A browser may be twice as fast.

    def __init__(self, application: Application):
        self._application = application
        self._handshakes = Allowances(
            2 * settings.SOCKETS_A_USER / self.OPENED_WITHIN, settings.SOCKETS_AN_ADDRESS / self.OPENED_WITHIN
        )

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        address = address_of_scope(scope)
        browser = token_of(scope["cookies"]) or address
        if self._handshakes.take(browser, address):
            await self._application(scope, receive, send)
        else:
            await refuse_handshake(receive, send)


class PatientAuthentication(AuthMiddleware):
    """Finds the user of a handshake, which is refused while the database doesn't answer. Browsers try again."""

    ANSWER_WITHIN = 3.0  # seconds

    def __init__(self, inner: Application):
        super().__init__(inner)
        self._given_up: set[asyncio.Task[None]] = set()  # They end when the database answers.

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        scope = dict(scope)
        self.populate_scope(scope)
        try:
            await self._look_up(scope)
        except (TimeoutError, *AWAY) as error:
            log.error("A socket is refused, for its user can’t be looked up: %r", error)
            await refuse_handshake(receive, send)
            return
        await self.inner(scope, receive, send)

    async def _look_up(self, scope: dict[str, Any]) -> None:
        """Put the user into the scope. Raises TimeoutError."""
        task = asyncio.ensure_future(self.resolve_scope(scope))
        if not (await asyncio.wait({task}, timeout=self.ANSWER_WITHIN))[0]:
            self._given_up.add(task)
            task.add_done_callback(self._ended)
            raise TimeoutError
        task.result()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._given_up.discard(task)
        if not task.cancelled():
            task.exception()  # asked for, or asyncio complains
