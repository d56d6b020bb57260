"""What a WebSocket handshake goes through before its user is known."""

from collections.abc import Awaitable, Callable
from typing import Any

from channels.security.websocket import WebsocketDenier
from django.conf import settings

from accounts.limits import address_of_scope
from games.live.allowance import Allowances

Application = Callable[..., Awaitable[None]]


class Entrance:
    """An ASGI application that refuses handshakes of a browser, or an address, that opens sockets too fast.

    To look a session up costs more than to refuse a message, and whoever was closed for flooding comes back. Browsers
    try again by themselves after a moment. Expects the cookies in the scope.
    """

    OPENED_WITHIN = 20  # Seconds in which an address may open all sockets that it may have; a browser takes half of it.

    def __init__(self, application: Application):
        self._application = application
        self._handshakes = Allowances(
            2 * settings.SOCKETS_A_USER / self.OPENED_WITHIN, settings.SOCKETS_AN_ADDRESS / self.OPENED_WITHIN
        )

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        address = address_of_scope(scope)
        browser = scope["cookies"].get(settings.SESSION_COOKIE_NAME, address)
        enter = self._application if self._handshakes.take(browser, address) else WebsocketDenier()
        await enter(scope, receive, send)
