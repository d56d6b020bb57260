"""Only pages of this site may open sockets. Their scheme, host and port are compared."""

from fnmatch import fnmatchcase

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest


class OwnPagesOnly:
    """An ASGI application that refuses a handshake whose Origin is neither of the request nor trusted for forms."""

    def __init__(self, application):
        self._application = application

    async def __call__(self, scope, receive, send):
        if is_own(scope):
            await self._application(scope, receive, send)
        else:
            await refuse_handshake(receive, send)


async def refuse_handshake(receive, send):
    """Answer 403. Channels' own WebsocketDenier waits for the database, which may not answer."""
    await receive()
    await send({"type": "websocket.close"})


def is_own(scope):
    """Return whether the Origin of a handshake is this site, as the browser has reached it, or a trusted one."""
    origin = dict(scope["headers"]).get(b"origin", b"").decode("latin1").lower()
    try:
        return origin == _origin_of(scope) or any(
            fnmatchcase(origin, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS
        )
    except DisallowedHost:
        return False


def _origin_of(scope):
    """Return the scheme, host and port that the browser has asked for. Raises DisallowedHost."""
    scheme = "https" if scope.get("scheme") == "wss" else "http"
    request = ASGIRequest(scope | {"type": "http", "method": "GET", "scheme": scheme}, None)
    return f"{request.scheme}://{request.get_host()}".lower()
