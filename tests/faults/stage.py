"""Somebody's right is cut in one process of a site; sockets of another process see its end."""

import asyncio
import json
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.faults.cluster import SETTINGS
from tests.faults.players import Ledger, Player, Table
from tests.faults.services import PostgresDatabase, Redis
from tests.processes import Installation, Interpreter, running

PASSWORD = "a long enough password"  # Ana's
LIMIT = 20  # seconds, until something that must come is given up


class Site:
    """A site, where a right is cut, and where its sockets are."""

    def __init__(self, interpreter, cut_at, sockets_at, redis=None):
        self.cut_at, self.sockets_at, self.redis = cut_at, sockets_at, redis
        self._interpreter = interpreter

    def do(self, act):
        """Return what a function of scenes.py prints, called in a process of its own without sockets."""
        printed = self._interpreter.command(
            "shell", "--no-imports", "-c", f"from tests.faults import scenes; scenes.{act}"
        )
        return json.loads(printed) if printed else None


@contextmanager
def two_processes(folder):
    """(interpreter, uvicorn, daphne, redis) of a site on PostgreSQL and Redis, all running."""
    database, redis = PostgresDatabase(), Redis(folder / "redis.log")
    installation = Installation(folder, database.url, redis.url, **SETTINGS)
    try:
        with running(redis), interpreter_of(installation) as interpreter:
            daphne, uvicorn = installation.serve("daphne", "--no-clock"), installation.web("uvicorn")
            # `serve` migrates the database and collects the static files. Uvicorn looks for these when it starts.
            with running(daphne), running(uvicorn):
                yield interpreter, uvicorn, daphne, redis
    finally:
        database.drop()


@contextmanager
def interpreter_of(installation):
    interpreter = Interpreter(installation)
    try:
        yield interpreter
    finally:
        interpreter.kill()


class Stage:
    """A scene at a site, with browsers and sockets of its people."""

    def __init__(self, site, scene, browsers):
        self.site, self.scene = site, scene
        self.names, self.tables, self.sessions = scene["names"], scene["tables"], scene["sessions"]
        self._browsers = browsers

    @classmethod
    @asynccontextmanager
    async def at(cls, site):
        """A Stage with a new scene."""
        scene = await asyncio.to_thread(site.do, f"show_scene({PASSWORD!r})")
        async with AsyncExitStack() as browsers:
            yield cls(site, scene, browsers)

    async def browser(self, session=None):
        """Return a browser, logged in with this session, at the process where rights are cut."""
        browser = await self._browsers.enter_async_context(Player([self.site.cut_at], Ledger()))
        if session:
            browser.client.cookies.set("sessionid", session)
        return browser

    async def logged_in(self):
        """Return another browser of Ana. She has confirmed there that it is her."""
        browser = await self.browser()
        for path, fields in (("login", {"login": self.names["ana"]}), ("reauthenticate", {})):
            answer = await browser.post(f"/accounts/{path}/", password=PASSWORD, **fields)
            assert answer.status_code == 302, answer.text
        return browser

    async def post(self, session, path, **fields):
        answer = await (await self.browser(session)).post(path, **fields)
        assert answer.status_code in (200, 302), answer.text

    async def room(self):
        """Return the path of the socket of a room that Vera has opened."""
        browser = await self._browsers.enter_async_context(Player([self.site.sockets_at], Ledger()))
        browser.client.cookies.set("sessionid", self.sessions["vera"])
        opened = await browser.post(f"/matches/{self.tables['over']}/together/", move=0, seat=0)
        room = opened.headers["location"].strip("/").split("/")[3]
        return f"/ws/together/{room}/"

    @asynccontextmanager
    async def socket(self, path, session="", token=""):
        """A socket of a browser, or with a token of a bot."""
        web = self.site.sockets_at
        headers = {"Authorization": f"Bearer {token}"} if token else {"Cookie": f"sessionid={session}"}
        address = f"{web.url.replace('http', 'ws')}{path}"
        async with connect(address, additional_headers=headers, origin=None if token else web.url) as socket:
            yield socket

    def match_socket(self, who, table):
        return self.socket(f"/ws/matches/{self.tables[table]}/", self.sessions[who])


async def received(socket, holding=""):
    """Return the next message that is no talk and no count of tables, and has this in it."""
    async with asyncio.timeout(LIMIT):
        while True:
            text = await socket.recv()
            if holding in text and not text.startswith(('{"talk"', '{"waiting"')):
                return text


async def table_of(socket):
    """Return the next Table."""
    while (text := await received(socket)).startswith("{"):
        pass
    return Table(text)


async def close_code(socket):
    """Wait until a socket is closed, and return its code."""
    async with asyncio.timeout(LIMIT):
        try:
            while True:
                await socket.recv()
        except ConnectionClosed:
            return socket.close_code
