"""What the site stands on, each made for one run of tests and taken away after it, and how it is broken."""

import asyncio
import json
import sqlite3
import subprocess
import threading
import uuid
from contextlib import closing, contextmanager, suppress
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis

from tests.processes import Process, free_port

POSTGRESQL_PORT = 5432
POSTGRESQL = f"postgres://postgres@127.0.0.1:{POSTGRESQL_PORT}/postgres"
MOVES = """
    SELECT code, seat, move, actor FROM games_move JOIN games_match ON games_match.id = match_id
    ORDER BY match_id, "index"
"""


def has_postgresql():
    try:
        psycopg.connect(POSTGRESQL, connect_timeout=3).close()
    except psycopg.OperationalError:
        return False
    return True


def _by_code(rows):
    """code -> [(seat, move, actor)] of rows as MOVES gives them."""
    stored = {}
    for code, seat, move, actor in rows:
        stored.setdefault(code, []).append((seat, json.loads(move) if isinstance(move, str) else move, actor))
    return stored


class SqliteFile:
    """A database in one file."""

    def __init__(self, path):
        self.path = path
        self.url = f"sqlite:///{path}"

    def connect(self):
        return closing(sqlite3.connect(self.path, timeout=20, isolation_level=None))

    def query(self, statement, parameters=()):
        """The rows that a statement gives; `%s` stands for a parameter on every database."""
        with self.connect() as connection:
            return connection.execute(statement.replace("%s", "?"), parameters).fetchall()

    def moves(self):
        return _by_code(self.query(MOVES))

    def codes(self):
        return {code for (code,) in self.query("SELECT code FROM games_match")}


class PostgresDatabase:
    """A database of its own on the server at 127.0.0.1:5432."""

    def __init__(self):
        self.name = f"valat_faults_{uuid.uuid4().hex[:12]}"
        parts = urlsplit(POSTGRESQL)
        self.url = urlunsplit(parts._replace(path=f"/{self.name}"))
        self._on_server(f'CREATE DATABASE "{self.name}"')

    @staticmethod
    def _on_server(statement):
        with psycopg.connect(POSTGRESQL, autocommit=True) as connection:
            connection.execute(statement)

    def url_by_way_of(self, port):
        """The address for a site that reaches it through a proxy."""
        return self.url.replace(f":{POSTGRESQL_PORT}", f":{port}")

    def drop(self):
        self._on_server(f'DROP DATABASE "{self.name}" WITH (FORCE)')

    def query(self, statement, parameters=()):
        with psycopg.connect(self.url, autocommit=True) as connection:
            cursor = connection.execute(statement, parameters)
            return cursor.fetchall() if cursor.description else []

    def moves(self):
        return _by_code(self.query(MOVES))

    def codes(self):
        return {code for (code,) in self.query("SELECT code FROM games_match")}

    @contextmanager
    def locked(self, table):
        """Somebody else keeps a whole table for themselves, as a migration may."""
        with psycopg.connect(self.url) as connection:
            connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            yield
            connection.rollback()


class Redis(Process):
    """A Redis server that stores nothing on disk."""

    def __init__(self, log):
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        super().__init__("redis", command, log)

    def answers(self):
        with suppress(redis.RedisError):
            return redis.Redis(port=self.port, socket_timeout=1).ping()
        return False


class Proxy:
    """A wire to a server that can be cut, held up and slowed. It runs in a thread of its own."""

    def __init__(self, port, to="127.0.0.1"):
        self.port = free_port()
        self._to = (to, port)
        self._delay = 0.0  # seconds that each piece takes
        self._flows = None  # an asyncio.Event: what waits is let through
        self._pairs = set()
        self._dead = set()  # writers into which nothing is carried any more
        self._server = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._thread.start()
        self._do(self._open())

    def _do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(10)

    async def _open(self):
        self._flows = self._flows or asyncio.Event()
        self._flows.set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def _serve(self, reader, writer):
        pair = {writer}
        self._pairs.add(writer)
        try:
            await self._flows.wait()
            there_reader, there_writer = await asyncio.open_connection(*self._to)
            pair.add(there_writer)
            self._pairs.add(there_writer)
            ways = [self._carry_up(reader, there_writer, writer), self._carry(there_reader, writer)]
            tasks = [asyncio.create_task(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if writer in self._dead:
                await asyncio.wait(tasks)  # neither end hears that the other has hung up
            for task in tasks:
                task.cancel()
        except OSError:
            pass
        finally:
            self._pairs -= pair
            for end in pair:
                end.close()

    async def _carry_up(self, reader, writer, back):
        """Carry what a client says. back: where it hears answers."""
        await self._carry(reader, writer)

    async def _carry(self, reader, writer):
        with suppress(OSError):
            while data := await reader.read(65536):
                if self._delay:
                    await asyncio.sleep(self._delay)
                await self._flows.wait()
                if writer in self._dead:
                    continue
                writer.write(data)
                await writer.drain()

    # Faults

    def cut(self):
        """Break every connection and refuse new ones."""
        self._do(self._cut())

    async def _cut(self):
        if self._server:
            self._server.close()
            self._server = None
        for writer in list(self._pairs):
            writer.transport.abort()

    def mend(self):
        """All is well again: new connections are taken, what was held up flows."""
        self._delay = 0.0
        self._do(self._mend())

    async def _mend(self):
        self._flows.set()
        if self._server is None:
            await self._open()

    def hold(self):
        """Answer no more, but leave every connection open and take new ones."""
        self._loop.call_soon_threadsafe(self._flows.clear)

    def swallow(self):
        """Carry nothing more on the connections that are open, and close none of them. New ones are as ever."""
        self._loop.call_soon_threadsafe(lambda: self._dead.update(self._pairs))

    def slow(self, seconds):
        """Let every piece, there and back, take so long."""
        self._delay = seconds

    def close(self):
        self.cut()
        self._do(self._end_tasks())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)

    @staticmethod
    async def _end_tasks():
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class SmallDisk:
    """A file system with little room, which can be filled up. Needs the right to mount one."""

    def __init__(self, folder, megabytes=16):
        self.folder = folder
        self._ballast = folder / "ballast"
        command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
        subprocess.run(command, check=True, capture_output=True)

    def fill(self):
        """Leave no room for another byte. Files that are there keep theirs."""
        with self._ballast.open("ab", buffering=0) as ballast:
            for size in (1 << 16, 1 << 12, 1):
                with suppress(OSError):
                    while True:
                        ballast.write(bytes(size))

    def empty(self):
        self._ballast.unlink(missing_ok=True)

    def close(self):
        subprocess.run(["umount", "--lazy", str(self.folder)], check=False)


@contextmanager
def write_lock(database):
    """Another process writes to a SQLite file and does not come to an end."""
    with database.connect() as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")
