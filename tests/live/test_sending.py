import socket

import pytest
from twisted.internet.protocol import Protocol

from games.live.sending import SendingAtOnce


class Reactor:
    """One that notes who wants to be told when they can send."""

    def __init__(self):
        self.writers = []

    def addReader(self, reader):
        """It reads nothing."""

    def addWriter(self, writer):
        self.writers.append(writer)

    def removeWriter(self, writer):
        self.writers = [other for other in self.writers if other is not writer]


@pytest.fixture
def ends():
    """Both ends of a connection."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with ours, theirs:
        yield ours, theirs


def test_what_there_is_room_for_is_sent_at_once_and_the_rest_in_order(ends):
    ours, theirs = ends
    reactor = Reactor()
    connection = SendingAtOnce(ours, Protocol(), ("127.0.0.1", 1), None, 1, reactor)
    long = bytes(range(256)) * 20_000

    connection.write(b"first")
    assert (theirs.recv(100), reactor.writers) == (b"first", [])

    connection.write(long)
    connection.write(b"last")
    assert connection in reactor.writers
    received = b""
    while reactor.writers:
        received += theirs.recv(1_000_000)
        connection.doWrite()
    while len(received) < len(long) + 4:
        received += theirs.recv(1_000_000)
    assert received == long + b"last"

    connection.write(b"again")
    assert (theirs.recv(100), reactor.writers) == (b"again", [])


def test_what_is_sent_to_who_is_gone_harms_nobody(ends):
    ours, theirs = ends
    connection = SendingAtOnce(ours, Protocol(), ("127.0.0.1", 1), None, 1, Reactor())
    theirs.close()

    connection.write(b"nobody hears")

    assert connection.doWrite() is not None  # for which the event loop ends the connection
