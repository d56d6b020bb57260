"""Limits of size and time for the bodies of requests, under any ASGI server."""

import asyncio

from django.conf import settings

from config.asgi_types import Application, Message, Receive, Scope, Send

LINGER = 2  # Seconds that a client which still sends has to read the refusal.

SENTENCES = {408: b"The request took too long. Try again.\n", 413: b"The request is too large. Send less.\n"}


class BodyRefused(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class BodyLimit:
    """An ASGI middleware that answers 413 to a large body and 408 to a slow one."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = Body(receive)
        try:
            if int(dict(scope["headers"]).get(b"content-length", 0)) > settings.BODY_SIZE:
                raise BodyRefused(413)
            await self._application(scope, body.receive, send)
        except BodyRefused as refusal:
            await _refuse(refusal.status, body, send)


class Body:
    """The body of a request, while it is received."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._deadline = asyncio.get_running_loop().time() + settings.REQUEST_WITHIN
        self._size = 0
        self.is_whole = False

    async def receive(self) -> Message:
        """Receive an ASGI message of a request. Raises BodyRefused if its body is too large (413) or too slow (408)."""
        if self.is_whole:  # The body has arrived. The next message only says that the client has gone.
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            raise BodyRefused(408) from None
        self._size += len(message.get("body", b""))
        self.is_whole = not message.get("more_body")
        if self._size > settings.BODY_SIZE:
            raise BodyRefused(413)
        return message

    async def drop(self) -> None:
        """Read and ignore the rest of a refused body for a moment. Otherwise some clients would not see the answer."""
        try:
            async with asyncio.timeout(LINGER):
                while not self.is_whole:
                    self.is_whole = not (await self._receive()).get("more_body")
        except TimeoutError:
            return


async def _refuse(status: int, body: Body, send: Send) -> None:
    headers = [(b"content-type", b"text/plain"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": SENTENCES[status], "more_body": True})
    await body.drop()
    await send({"type": "http.response.body", "body": b""})
