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

    Autobahn's way for whatever may be sent looks at each message's arguments, at fragments and at masks first.
    """

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:
        if isinstance(content, str) and self.state == self.STATE_OPEN:
            self.sendPreparedMessage(self.factory.prepareMessage(content.encode()))
        else:
            super().serverSend(content, binary)
