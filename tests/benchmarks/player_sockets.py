"""Sockets of players as light as can be: what they take of the machine, the servers that are measured don't have.

They do what a browser does: they answer pings and send none. A client for whatever a server may send takes four times
as long for a table.
"""

import asyncio
import base64
import os

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
WHOLE = 0x80  # a message of one frame
MASKED = 0x80
NO_MASK = bytes(4)  # a mask that changes nothing: what is sent here has no secrets


class PlayerSocket(asyncio.Protocol):
    """A socket that hands every text, as bytes, to whoever listens. Frames come whole and uncompressed."""

    def __init__(self, request, hear):
        self._request, self._hear = request, hear
        self._unread = b""
        self._is_open = False
        self.opened = asyncio.get_running_loop().create_future()
        self.closed = asyncio.get_running_loop().create_future()

    def connection_made(self, transport):
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, error):
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("The server hung up."))
        self.closed.set_result(None)

    def data_received(self, data):
        self._unread = unread = self._unread + data if self._unread else data
        at = 0
        if not self._is_open:
            if (end := unread.find(b"\r\n\r\n")) < 0:
                return
            if not unread.startswith(b"HTTP/1.1 101 "):
                self._transport.close()
                return
            self._is_open, at = True, end + 4
            self.opened.set_result(None)
        while (read := self._read(unread, at)) > at:
            at = read
        self._unread = unread[at:]

    def _read(self, unread, at):
        """Take the frame that begins there, if all of it has come. Returns where it ends, else where it begins."""
        begins = at + 2
        if len(unread) < begins:
            return at
        length = unread[at + 1]
        if wide := {126: 2, 127: 8}.get(length, 0):
            begins += wide
            if len(unread) < begins:
                return at
            length = int.from_bytes(unread[at + 2 : begins])
        ends = begins + length
        if len(unread) < ends:
            return at
        kind, payload = unread[at] & 0x0F, unread[begins:ends]
        if kind == TEXT:
            self._hear(payload)
        elif kind == PING:
            self._send(PONG, payload)
        elif kind == CLOSE:
            self._send(CLOSE, payload)
            self._transport.close()
        return ends

    def send(self, text):
        self._send(TEXT, text.encode())

    def _send(self, kind, payload):
        length = len(payload)
        size = bytes([MASKED | length]) if length < 126 else bytes([MASKED | 126]) + length.to_bytes(2)
        self._transport.write(bytes([WHOLE | kind]) + size + NO_MASK + payload)

    async def close(self):
        if not self.closed.done():
            self._send(CLOSE, (1000).to_bytes(2))
            await asyncio.wait([self.closed], timeout=2)
            self._transport.close()


async def connect(port, path, hear, cookie=""):
    """A PlayerSocket at a path of the server on this machine that listens at `port`. hear: called with each text."""
    key = base64.b64encode(os.urandom(16)).decode()
    head = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Origin: http://127.0.0.1:{port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    request = "\r\n".join([*head, "", ""]).encode()
    _, socket = await asyncio.get_running_loop().create_connection(
        lambda: PlayerSocket(request, hear), "127.0.0.1", port
    )
    await asyncio.wait_for(socket.opened, 20)
    return socket
