import socket

import pytest
from autobahn.exception import Disconnected
from autobahn.twisted.websocket import WebSocketServerFactory
from twisted.internet.protocol import Protocol
from twisted.internet.testing import StringTransport
from websockets.client import ClientProtocol
from websockets.frames import Opcode
from websockets.protocol import State
from websockets.uri import parse_uri

from games.live.sending import SendingAtOnce, SendingWhole


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


@pytest.fixture
def open_socket():
    """One of daphne's whose handshake is over."""
    protocol = SendingWhole()
    protocol.factory, protocol.client_addr = WebSocketServerFactory(), ["127.0.0.1", 1]
    protocol.makeConnection(StringTransport())
    protocol.state, protocol.websocket_version = protocol.STATE_OPEN, 13
    return protocol


# Frames say their length in one byte up to 125, in three up to 65,535, in nine beyond.
@pytest.mark.parametrize("text", ["", "a card", "é" * 62, "é" * 63, "x" * 65_535, "x" * 65_536, "♠" * 70_000])
def test_a_text_comes_out_as_the_one_frame_that_it_is(open_socket, text):
    browser = ClientProtocol(parse_uri("ws://table/"), state=State.OPEN, max_size=None)

    open_socket.serverSend(text)
    open_socket.serverSend("next")
    browser.receive_data(open_socket.transport.value())

    frames = [(frame.opcode, frame.data.decode(), frame.fin) for frame in browser.events_received()]
    assert frames == [(Opcode.TEXT, text, True), (Opcode.TEXT, "next", True)]


def test_nothing_more_is_sent_once_a_socket_says_goodbye(open_socket):
    open_socket.sendClose(1000)
    said = open_socket.transport.value()

    with pytest.raises(Disconnected):
        open_socket.serverSend("a card")

    assert open_socket.transport.value() == said
