"""Limits of size and time for the bodies of requests, under daphne."""

from typing import Any

from django.conf import settings
from twisted.web import http

LINGER = 2  # Seconds. A client that still sends can read the refusal until then.

TOO_LARGE = b"The request is too large.\n"
REFUSAL = (
    b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Type: text/plain\r\n"
    b"Content-Length: %d\r\n\r\n%b" % (len(TOO_LARGE), TOO_LARGE)
)


class BoundedChannel(http.HTTPChannel):
    """An HTTP connection that refuses large bodies and slow requests.

    Twisted's own class stores a body of any size in a file before the application sees the request, and restarts its
    timeout with each byte.
    """

    transport: Any
    _has_begun = False  # The first byte of a request has arrived.
    _body = 0  # The number of received bytes of a body in chunks.
    _is_refused = False

    def connectionMade(self) -> None:
        self.timeOut = settings.REQUEST_WITHIN
        super().connectionMade()

    def dataReceived(self, data: bytes) -> None:
        if not self._is_refused:
            super().dataReceived(data)

    def resetTimeout(self) -> None:
        """Start the timeout of a request, unless it runs already.

        Twisted calls this whenever data arrives, and would begin the timeout again. So a request that comes in slowly,
        byte by byte, would never end.
        """
        if not self._has_begun:
            self._has_begun = True
            super().resetTimeout()

    def allHeadersReceived(self) -> None:
        if self.length is not None and self.length > settings.BODY_SIZE:
            self._refuse()
        else:
            self._body = 0
            super().allHeadersReceived()

    def rawDataReceived(self, data: bytes) -> None:
        """Receive a part of the body of a request: Twisted calls this. Refuse the request if the body is too large."""
        # None for a body in chunks, whose length is not known before. Otherwise a header said it, and it was checked.
        if self.length is None:
            self._body += len(data)
            if self._body > settings.BODY_SIZE:
                self._refuse()
        if not self._is_refused:
            super().rawDataReceived(data)

    def requestDone(self, request: http.Request) -> None:
        self._has_begun = False
        super().requestDone(request)

    def _refuse(self) -> None:
        """Answer that the body of a request is too large, and close the connection after LINGER seconds.

        Until then go on reading: a client whose data is not read may not see the answer.
        """
        self._is_refused = True
        self.transport.write(REFUSAL)
        self.transport.loseWriteConnection()  # Only our side closes now.
        self.setTimeout(LINGER)
