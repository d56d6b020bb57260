"""A limit of size and time for the bodies of requests, under any ASGI server."""

import asyncio

from django.conf import settings

LINGER = 2  # Seconds. A client that still sends can read the refusal until then.

SENTENCES = {408: b"The request took too long.\n", 413: b"The request is too large.\n"}


class BodyRefused(Exception):
    """A body is too large or takes too long."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status


class BodyLimit:
    """An ASGI application that answers 413 in place of one that gets a large body, and 408 to one that drips in."""

    def __init__(self, application):
        self._application = application

    async def __call__(self, scope, receive, send):
        body = Body(receive)
        try:
            if int(dict(scope["headers"]).get(b"content-length", 0)) > settings.BODY_SIZE:
                raise BodyRefused(413)
            await self._application(scope, body.receive, send)
        except BodyRefused as refusal:
            await _refuse(refusal.status, body, send)


class Body:
    """The body of a request on its way."""

    def __init__(self, receive):
        self._receive = receive
        self._deadline = asyncio.get_running_loop().time() + settings.REQUEST_WITHIN
        self._size = 0
        self.is_whole = False

    async def receive(self):
        """Receive an ASGI message. Raises BodyRefused."""
        if self.is_whole:
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

    async def drop(self):
        """Read what still comes, for a moment: a client whose data is left unread may not see the answer."""
        try:
            async with asyncio.timeout(LINGER):
                while not self.is_whole:
                    self.is_whole = not (await self._receive()).get("more_body")
        except TimeoutError:
            return


async def _refuse(status, body, send):
    headers = [(b"content-type", b"text/plain"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": SENTENCES[status], "more_body": True})
    await body.drop()
    await send({"type": "http.response.body", "body": b""})
