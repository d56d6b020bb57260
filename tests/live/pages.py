"""Browsers' pages at tables, and what they show."""

import asyncio
import html
import json
import re
from contextlib import asynccontextmanager, contextmanager

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.contrib.sessions.backends.db import SessionStore

from accounts.models import User
from games.live import hub as live
from games.live.consumers import LobbyConsumer, MatchConsumer
from games.models import Match, Seat
from games.play import memory, moves
from games.play.changes import match_changed

WAIT = 10  # seconds; some jobs that look for lost messages come soon after


class PatientSocket(WebsocketCommunicator):
    """A socket of a test. Its application has more time for an answer than the one second of Channels."""

    async def connect(self, timeout=WAIT):
        return await super().connect(timeout)

    async def receive_output(self, timeout=WAIT):
        return await super().receive_output(timeout)

    async def receive_from(self, timeout=WAIT):
        return await super().receive_from(timeout)

    async def disconnect(self, code=1000, timeout=WAIT):
        await super().disconnect(code, timeout)


class Anonymous:
    is_authenticated = False
    pk = None


async def log_in(socket, user):
    """Let a socket come with the session of a user; without one where nobody is known."""
    socket.scope["user"] = user or Anonymous()
    socket.scope["session"] = session = SessionStore()
    if user is not None:
        await sync_to_async(session.create)()


class Page:
    """A browser's page: a socket of a user at a match."""

    def __init__(self, code, user=None, seen=None, language="en"):
        """seen: how many moves it has shown before, if it says so. language: which the browser asks for."""
        self._code = code
        self._seat = Seat.objects.filter(match__code=code, user=user)
        self._revision = -1  # of the last table that has come
        self._kept = []  # what has come and is still to be received
        query = "" if seen is None else f"?seen={seen}"
        headers = [(b"accept-language", language.encode())]
        self._socket = PatientSocket(MatchConsumer.as_asgi(), f"/ws/matches/{code}/{query}", headers)
        self._socket.scope["url_route"] = {"kwargs": {"code": code}}
        self._user = user

    async def logged_in(self):
        """This page, whose user has logged in, and which has no socket yet."""
        await log_in(self._socket, self._user)
        return self

    async def __aenter__(self):
        if "session" not in self._socket.scope:
            await self.logged_in()
        connected, _ = await self._socket.connect()
        assert connected
        return self

    @property
    def session(self):
        return self._socket.scope["session"]

    async def __aexit__(self, *_):
        await self._socket.disconnect()

    async def receive(self, timeout=WAIT):
        text = self._kept.pop() if self._kept else await self._socket.receive_from(timeout)
        if found := re.search(r'data-revision="(\d+)"', text):
            self._revision = int(found[1])
        return text

    async def table(self, moves=None, timeout=WAIT):
        """The next table that comes down; with `moves`, the next that stands for so many."""
        while True:
            text = await self.receive(timeout)
            if not text.startswith("{") and (moves is None or f'data-moves="{moves}"' in text):
                return text

    async def noted(self, connected):
        """Wait until the site has noted that this page's player is there, or is not."""
        async with asyncio.timeout(WAIT):
            while not await self._seat.filter(connected=connected).aexists():
                await asyncio.sleep(0.02)

    async def caught_up(self):
        """Wait until the table of the match as it is stored has come."""
        revision = await Match.objects.values_list("revision", flat=True).aget(code=self._code)
        while self._revision < revision:
            await self.receive()

    async def seated(self):
        """Wait until the site has noted that this page's player is there, and the table that says so has come."""
        await self.noted(connected=True)
        await self.caught_up()

    async def refusal(self):
        while True:
            text = await self.receive()
            if text.startswith("{") and "refused" in json.loads(text):
                return json.loads(text)["refused"]

    async def talk(self, holding=""):
        """The talk that comes down next and has this in it."""
        while True:
            text = await self.receive()
            if text.startswith('{"talk"'):
                told = " ".join(json.loads(text)["talk"].split())
                if holding in told:
                    return told

    async def send(self, message):
        await self._socket.send_to(message if isinstance(message, str) else json.dumps(message))

    async def closed(self):
        """Wait until the site closes this socket: the code that it says."""
        while (output := await self._socket.receive_output())["type"] != "websocket.close":
            pass
        return output["code"]

    async def nothing(self):
        """Whether nothing comes down but talk, and how many tables wait."""
        while not await self._socket.receive_nothing(0.2):
            text = await self._socket.receive_from()
            if not text.startswith(('{"talk"', '{"waiting"')):
                self._kept.append(text)
                return False
        return True


class LobbySocket(PatientSocket):
    async def page(self, timeout=WAIT):
        """The next lobby that comes down. The numbers of its bell may come before."""
        while (text := await self.receive_from(timeout)).startswith('{"bell"'):
            pass
        return text


@asynccontextmanager
async def lobby(user=None):
    """A socket of the lobby, as connected."""
    socket = LobbySocket(LobbyConsumer.as_asgi(), "/ws/lobby/")
    await log_in(socket, user)
    await socket.connect()
    yield socket
    await socket.disconnect()


def cards_in(html):
    """The cards that a table shows."""
    return set(re.findall(r'data-card="(\w\w)"', html)) | set(re.findall(r'"card":"(\w\w)"', html))


def first_move(snapshot):
    return snapshot.rules.legal_moves(snapshot.state)[0]


def said(table):
    """What a table tells of what has happened."""
    return html.unescape(re.search(r'data-say="([^"]*)"', table)[1])


def play_first(snapshot, count=1):
    """Make the first legal move so many times: the Snapshot after it."""
    for _ in range(count):
        snapshot = moves.play_move(snapshot.code, snapshot.to_act, first_move(snapshot), seen_count=snapshot.move_count)
    return snapshot


@contextmanager
def elsewhere():
    """What is done within is done in another process: this one hears nothing of it, and remembers nothing."""
    remembered = memory._recent.copy()
    memory.forget()
    match_changed.disconnect(live.push_match)
    try:
        yield
    finally:
        match_changed.connect(live.push_match)
        memory._recent.clear()
        memory._recent.update(remembered)


async def user_at(snapshot, number):
    return await User.objects.aget(pk=snapshot.seats[number].user_id)
