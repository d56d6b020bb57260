"""How daphne's connections send."""

from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.tcp import Server


class SendingAtOnce(Server):
    """A connection that sends what it is given right away, where nothing waits to be sent before it.

    Twisted's own asks the event loop to tell it when it can, is told so at once, and asks to be told no more: two
    calls of the system for each message, and more of its own work than the message takes.
    """

    def write(self, data: bytes) -> None:
        if self.connected and not (self._writeDisconnected or self._tempDataBuffer or self.dataBuffer):
            sent = self.writeSomeData(data)
            if type(sent) is int and sent > 0:  # else it is lost, which who sends the rest finds out
                data = data[sent:]
        if data:
            super().write(data)


class SendingWhole(WebSocketProtocol):
    """A socket that sends a text as the one frame that it is.

    Autobahn's way for whatever may be sent looks at each message's arguments, at fragments and at masks first, and puts
    into words for its log what it does, whether that is kept or not.
    """

    __hash__ = object.__hash__  # as daphne's, of the socket itself, by which it is looked up for all that it sends

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:
        if isinstance(content, str) and self.state == self.STATE_OPEN and not self._must_go_through_autobahn():
            self.transport.write(frame_of(content.encode()))
        else:
            super().serverSend(content, binary)

    def onMessageFrameBegin(self, length: int) -> None:
        """Take no message in many frames that is longer than one frame may be. Autobahn has one limit for both ways."""
        super().onMessageFrameBegin(length)
        if self.message_data_total_length > self.maxFramePayloadSize:
            self.dropConnection(abort=True)

    def _must_go_through_autobahn(self) -> bool:
        """Whether frames wait that come before, or are to be compressed, which a browser may have agreed with."""
        return bool(self.send_queue) or self._perMessageCompress is not None


def frame_of(text: bytes) -> bytes:
    """The frame of a whole text from a server. Source: RFC 6455, 5.2."""
    length = len(text)
    if length < 126:
        return b"\x81%c%b" % (length, text)
    if length < 65_536:
        return b"\x81\x7e%b%b" % (length.to_bytes(2), text)
    return b"\x81\x7f%b%b" % (length.to_bytes(8), text)
