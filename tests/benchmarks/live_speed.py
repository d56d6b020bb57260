"""Moves a second, latency, CPU and memory of the whole site, by real sockets at real tables, beside a bare broadcast.

    .venv/bin/python tests/benchmarks/live_speed.py                       # daphne on SQLite, as `make play`
    .venv/bin/python tests/benchmarks/live_speed.py --server uvicorn \\
        --database postgres://postgres@127.0.0.1/valat_bench --redis redis://127.0.0.1:6379/8
    # ... the same with --processes 2 --tables 40: two web processes beside one, see live_processes.py

Each table has four people and four sockets, plays Oh Hell, and makes its next move when all four sockets have the table
after the last one. The time of a move is from sending it until then. "cpu_ms" is the server's user and system time a
move; "kb_a_table" the growth of its memory a table. The last line plays at a steady rate instead.
"""

import argparse
import asyncio
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PORT = 8701
MOVE = re.compile(r"""value='(\{"type":"(?:bid|play)"[^']*)' id="[^"]*" class="[^"]*"(?! aria-disabled)""")
COUNT = re.compile(r'data-moves="(\d+)"')
SPARE = 6  # matches prepared for each table at most
AT_ONCE = 10  # tables that are opened together
SETTLED = 4.0  # seconds until what follows a connection is done, such as noting who is there


def environment(arguments, directory):
    return os.environ | {
        "DEBUG": "off",
        "SECRET_KEY": "benchmark",
        "DATABASE_URL": arguments.database or f"sqlite:///{directory}/bench.sqlite3",
        "REDIS_URL": arguments.redis or "",
        "STATIC_ROOT": f"{directory}/static",
        "SOCKET_BURST": "1000000",
        "SOCKETS_A_USER": "1000000",
        "PYTHONPATH": f"{ROOT}:{ROOT}/tests/benchmarks",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "ERROR",
    }


class Server:
    """A server process, with what it has used."""

    def __init__(self, command, env, port=PORT):
        self._process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
        for _ in range(200):
            try:
                asyncio.run(_knock(port))
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit("The server did not start.")

    def cpu(self):
        """Seconds of CPU used so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rsplit(")")[-1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident memory in kB."""
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self._process.pid}/status").read_text())[1])

    def stop(self):
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()


async def _knock(port):
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.close()


def server_command(arguments, port=PORT):
    if arguments.server == "daphne":
        return [sys.executable, "manage.py", "serve", "--port", str(port), "--host", "127.0.0.1"]
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port), "--log-level", "error"]
    return [*command, "--loop", "uvloop", "--ws", "websockets-sansio"]


def prepare(env, tables, matches):
    """Four users with sessions, and `matches` matches of theirs for each table: [[code...]...], [cookie...]."""
    script = """
import json, sys
import django; django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from accounts.models import User
from games.play import seating, opening
tables, matches = int(sys.argv[1]), int(sys.argv[2])
users, cookies = [], []
for name in ("Ana", "Boris", "Vera", "Goran"):
    user, _ = User.objects.get_or_create(username=name)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    users.append(user)
    cookies.append(session.session_key)
codes = []
for _ in range(tables):
    codes.append([])
    for _ in range(matches):
        opened = opening.open_table(users[0], "oh-hell", seats=4, speed="untimed", listed=False)
        for user in users[1:]:
            seating.sit_down(user, opened.code)
        codes[-1].append(opened.code)
print(json.dumps([codes, cookies]))
"""
    run = subprocess.run(
        [sys.executable, "-c", script, str(tables), str(matches)],
        cwd=ROOT, env=env, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return json.loads(run.stdout)


class Table:
    """Four sockets at a match."""

    def __init__(self, codes, cookies, ports=(PORT,) * 4):
        self._codes = codes
        self._cookies = cookies
        self._ports = ports  # of the servers, by socket

    async def open(self):
        from websockets.asyncio.client import connect

        self.over = False
        self._code = self._codes.pop()
        self._frames = [""] * 4
        self._changed = asyncio.Event()
        self._sockets = [
            await connect(
                f"ws://127.0.0.1:{port}/ws/matches/{self._code}/",
                additional_headers={"Cookie": f"sessionid={cookie}"},
                origin=f"http://127.0.0.1:{port}",
                compression=None,
                max_queue=None,
            )
            for port, cookie in zip(self._ports, self._cookies, strict=True)
        ]
        self._readers = [asyncio.create_task(self._read(place)) for place in range(4)]
        await asyncio.sleep(0.3)

    async def close(self):
        for reader in self._readers:
            reader.cancel()
        for socket in self._sockets:
            await socket.close()

    async def _read(self, place):
        async for frame in self._sockets[place]:
            if not frame.startswith("{"):
                self._frames[place] = frame
                self._changed.set()

    def counts(self):
        return [int(found[1]) if (found := COUNT.search(frame)) else -1 for frame in self._frames]

    async def reach(self, count):
        """Wait until all four sockets have `count` moves."""
        while min(self.counts()) < count:
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), 20)

    async def play(self):
        """A player's move: the seconds it took. Where the next deal comes, or the next match: None."""
        count = max(self.counts())
        await self.reach(count)
        if 'data-phase="over"' in self._frames[0]:
            await self.close()
            await self.open()
            return None
        if 'data-phase="deal"' in self._frames[0]:
            for socket in self._sockets:  # all four have seen the result: then the next deal, a move too, is made
                await socket.send('{"ready": "1"}')
            await self.reach(count + 1)
            return None
        place = next(place for place, frame in enumerate(self._frames) if 'data-turn="1"' in frame)
        move = MOVE.search(self._frames[place])[1]
        begun = time.perf_counter()
        await self._sockets[place].send(json.dumps({"move": move, "seen": str(count)}))
        await self.reach(count + 1)
        return time.perf_counter() - begun


class Room:
    """Four sockets of the bare broadcast."""

    def __init__(self, number):
        self._number = number

    async def open(self):
        from websockets.asyncio.client import connect

        self._sockets = [await connect(f"ws://127.0.0.1:{PORT}/{self._number}", compression=None) for _ in range(4)]

    async def close(self):
        for socket in self._sockets:
            await socket.close()

    async def play(self):
        begun = time.perf_counter()
        await self._sockets[0].send('{"move": "{\\"type\\":\\"play\\",\\"card\\":\\"AS\\"}", "seen": "147"}')
        await asyncio.gather(*(socket.recv() for socket in self._sockets))
        return time.perf_counter() - begun


async def measure(server, tables, seconds, rate=None, watch=None):
    """Let all tables play; `rate`: so many moves a second in all, instead of as fast as they can.

    watch: called when they begin, and when they have ended.
    """
    await tables[0].open()  # so that what the server loads at its first socket is not counted
    await tables[0].close()
    empty = server.memory()
    for first in range(0, len(tables), AT_ONCE):
        await asyncio.gather(*(table.open() for table in tables[first : first + AT_ONCE]))
    await asyncio.sleep(SETTLED)
    full = server.memory()
    times, moves = [], 0
    watch = watch or (lambda: None)
    watch()
    begun, cpu = time.perf_counter(), server.cpu()

    async def keep_playing(number, table):
        nonlocal moves
        turn = begun + number / rate if rate else 0
        while time.perf_counter() - begun < seconds:
            if rate:
                await asyncio.sleep(max(0, turn - time.perf_counter()))
                turn += len(tables) / rate
            taken = await table.play()
            moves += 1
            if taken is not None:
                times.append(taken)

    await asyncio.gather(*(keep_playing(number, table) for number, table in enumerate(tables)))
    passed, used = time.perf_counter() - begun, server.cpu() - cpu
    watch()
    for table in tables:
        await table.close()
    return {
        "moves": moves,
        "moves_per_second": round(moves / passed, 1),
        "median_ms": round(1000 * statistics.median(times), 2),
        "p95_ms": round(1000 * statistics.quantiles(times, n=20)[-1], 2),
        "cpu_ms": round(1000 * used / moves, 3),
        "kb_a_table": round((full - empty) / len(tables)),
    }


def report(what, tables, figures, bare=None):
    ratio = {"of_bare": round(figures["moves_per_second"] / bare["moves_per_second"], 3)} if bare else {}
    print(json.dumps({"what": what, "tables": tables} | figures | ratio), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", choices=["daphne", "uvicorn"], default="daphne")
    parser.add_argument("--database", help="DATABASE_URL; default: a new SQLite file")
    parser.add_argument("--redis", help="REDIS_URL")
    parser.add_argument("--tables", type=int, nargs="*", default=[1, 10, 100])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rate", type=float, default=50, help="moves a second over the most tables, 0 for none")
    parser.add_argument("--processes", type=int, help="beside one web process so many; needs uvicorn and --redis")
    parser.add_argument("--rounds", type=int, default=3, help="of --processes")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        env = environment(arguments, directory)
        for command in (["migrate"], ["collectstatic", "--noinput"]):
            subprocess.run([sys.executable, "manage.py", *command, "-v", "0"], cwd=ROOT, env=env, check=True)
        if arguments.processes:
            import live_processes

            live_processes.compare(arguments, env)
            return
        bare_command = [sys.executable, "-m", "daphne", "-p", str(PORT), "-v", "0", "bare_broadcast:application"]
        bare = {}
        server = Server(bare_command, env)
        for count in arguments.tables:
            rooms = [Room(number) for number in range(count)]
            bare[count] = asyncio.run(measure(server, rooms, arguments.seconds))
            report("bare daphne broadcast", count, bare[count])
        server.stop()

        name = f"{arguments.server} {'postgresql redis' if arguments.redis else 'sqlite'}"
        runs = [(count, None) for count in arguments.tables]
        if arguments.rate:
            runs.append((max(arguments.tables), arguments.rate))
        for count, rate in runs:
            codes, cookies = prepare(env, count, SPARE if count < 20 else 2)
            server = Server(server_command(arguments), env)
            tables = [Table(table_codes, cookies) for table_codes in codes]
            figures = asyncio.run(measure(server, tables, arguments.seconds, rate))
            report(
                f"{name}{f' at {rate:g} moves a second' if rate else ''}", count, figures, None if rate else bare[count]
            )
            server.stop()


if __name__ == "__main__":
    main()
