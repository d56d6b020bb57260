"""Moves a second, latency, CPU and memory of the whole site, by real sockets at real tables.

    .venv/bin/python tests/benchmarks/live_speed.py                       # daphne on SQLite, as `make play`
    .venv/bin/python tests/benchmarks/live_speed.py --server uvicorn \\
        --database postgres://postgres@127.0.0.1/valat_bench --redis redis://127.0.0.1:6379/8
    # ... the same with --processes 2 --tables 40: two web processes beside one, see live_processes.py
    .venv/bin/python tests/benchmarks/live_speed.py --game belot --tables 100

Each table has four people of its own, with a socket each, and makes its next move when all four have the table after
the last one. What they play, legal moves at random, is settled before. The time of a move is from sending it until
then. "cpu_ms" is what the server takes a move, user and system;
"bytes" what the four sockets get a move; "queries" the statements a move, those of the clock and all else included;
"kb_a_table" the growth of memory a table. Other programs make CPU times longer, too: only ratios of one run mean much.

What the server starts with is left out of the collection of garbage, which gave 1.3 times the moves, and the rest is
looked through less often, which gave 5 % (see config/asgi.py). What was tried and didn't pay: sending less, as a
broadcast of 1 kB takes the CPU of 5 kB; uvloop under daphne (4 % less). Half of a move is drawing five views of it, the
rest is spread thin. Drawing takes longer here than in a process of its own: 100 tables in turn a third more than one
over and over, whose memory stays warm, and as much again while the other core is busy, with the players. Anything that
a snapshot holds and that leads back to it costs more than it may save: circles wait for the collection of garbage, and
memory grows cold meanwhile. What paid beyond its size: to send ASCII alone, see `in_ascii` in games/kit/markup.py;
one hook for a commit, not one for each match.
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
from functools import partial
from pathlib import Path

from player_sockets import connect

ROOT = Path(__file__).resolve().parent.parent.parent
PORT = 8701
COUNT = re.compile(rb'data-moves="(\d+)"')
SPARE = 6  # matches prepared for each table at most
AT_ONCE = 10  # tables that are opened together
LONGEST = 300  # moves of a match that are played
SHORTEST = 80  # those of a match that is: to come to the next one costs as much as ten moves
SETTLED = 4.0  # seconds until what follows a connection is done, such as noting who is there


def environment(arguments, directory):
    return os.environ | {
        "DEBUG": "off",
        "SECRET_KEY": "benchmark",
        "DATABASE_URL": arguments.database or f"sqlite:///{directory}/bench.sqlite3",
        "REDIS_URL": arguments.redis or "",
        "STATIC_ROOT": f"{directory}/static",
        "MESSAGES_A_USER": "1000000",
        "MESSAGES_AN_ADDRESS": "1000000",
        "SOCKETS_A_USER": "1000000",
        "SOCKETS_AN_ADDRESS": "1000000",
        "PYTHONPATH": f"{ROOT}:{ROOT}/tests/benchmarks",
        "DJANGO_SETTINGS_MODULE": "counting_settings",
        "COUNT_OF_QUERIES": f"{directory}/queries",
        "LOG_LEVEL": "ERROR",
    }


class Server:
    """A server process, with what it has used."""

    def __init__(self, command, env, port=PORT):
        self._queries = Path(f"{env['COUNT_OF_QUERIES']}-{port}")
        env = env | {"COUNT_OF_QUERIES": str(self._queries)}
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

    def queries(self):
        """Statements sent to the database so far, by any server."""
        return int.from_bytes(self._queries.read_bytes(), "little") if self._queries.exists() else 0

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
    return uvicorn_command(port)


def uvicorn_command(port):
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port), "--log-level", "error"]
    command += ["--ws-max-size", "16384", "--ws-ping-interval", "3", "--ws-ping-timeout", "3"]
    return [*command, "--loop", "uvloop", "--ws", "websockets-sansio"]


def prepare(env, game, tables, matches):
    """Each table's four people, and what they play: [([match...], [cookie...])...].

    A match is (its code, how many moves it begins with, [step...]), with LONGEST steps at most; a step: (whose cookie
    moves, by its place, or None where all four have seen a result; the move; how many moves are made after it).
    """
    script = """
import json, random, sys
import django; django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from accounts.models import User
from games.catalog import CHANCE
from games.play import seating
from tests import opening
from games.play.requests import MoveRequest
from games.play.transition import advance
game, tables, matches, shortest, longest = sys.argv[1], *map(int, sys.argv[2:6])
rng = random.Random(1)
known = User.objects.count()

def person(number):
    user = User.objects.create(username=f"Person {number}")
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return user, session.session_key

def steps_of(snapshot, places):
    steps = []
    while snapshot.status == "playing" and len(steps) < longest:
        seat, move, actor, place = snapshot.to_act, None, "chance", None
        if seat != CHANCE:
            move, actor = rng.choice(snapshot.rules.legal_moves(snapshot.state)), "player"
            place = places[snapshot.seats[seat].user_id]
        request = MoveRequest(snapshot.code, seat, move, snapshot.move_count, actor)
        snapshot, _ = advance(snapshot, request, timezone.now())
        steps.append((place, move, snapshot.move_count))
    return steps

made = []
for table in range(tables):
    users, cookies = zip(*(person(known + 4 * table + place) for place in range(4)))
    places = {user.pk: place for place, user in enumerate(users)}
    played = []
    while len(played) < matches:
        match = opening.open_table(users[0], game, seats=4, speed="untimed", listed=False)
        for user in users[1:]:
            match = seating.sit_down(user, match.code)
        steps = steps_of(match, places)
        if len(steps) >= min(shortest, longest):
            played.append((match.code, match.move_count, steps))
    made.append((played, cookies))
print(json.dumps(made))
"""
    run = subprocess.run(
        [sys.executable, "-c", script, game, *map(str, (tables, matches, SHORTEST, LONGEST))],
        cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return json.loads(run.stdout)


class Table:
    """Four sockets at a match."""

    def __init__(self, matches, cookies, ports=(PORT,) * 4):
        """matches, cookies: as by `prepare`. ports: of the servers, by socket."""
        self._matches = matches
        self._cookies = cookies
        self._ports = ports
        self.bytes = 0  # that its sockets have got

    async def open(self):
        code, self._count, steps = self._matches.pop()
        self._steps = iter(steps)
        self._counts = [-1] * 4  # moves that the sockets have
        self._reached = None
        self._sockets = [
            await connect(port, f"/ws/matches/{code}/", partial(self._hear, place), f"sessionid={cookie}")
            for place, (port, cookie) in enumerate(zip(self._ports, self._cookies, strict=True))
        ]
        await asyncio.sleep(0.3)

    async def close(self):
        for socket in self._sockets:
            await socket.close()

    def _hear(self, place, told):
        self.bytes += len(told)
        if not told.startswith(b"{"):
            found = COUNT.search(told)
            self._counts[place] = int(found[1]) if found else -1
            if self._reached and min(self._counts) >= self._count and not self._reached.done():
                self._reached.set_result(None)

    async def reach(self, count):
        """Wait until all four sockets have `count` moves."""
        self._count = count
        if min(self._counts) < count:
            self._reached = asyncio.get_running_loop().create_future()
            await asyncio.wait_for(self._reached, 20)

    async def play(self):
        """A player's move: the seconds it took. Where the next deal comes, or the next match: None."""
        place, move, after = next(self._steps, (None, None, 0))
        if not after:
            await self.close()
            await self.open()
            return None
        if place is None:
            for socket in self._sockets:  # all four have seen the result: then the next deal, a move too, is made
                socket.send('{"ready": "1"}')
            await self.reach(after)
            return None
        begun = time.perf_counter()
        self._sockets[place].send(json.dumps({"move": json.dumps(move), "seen": str(self._count)}))
        await self.reach(after)
        return time.perf_counter() - begun


async def open_all(tables):
    for first in range(0, len(tables), AT_ONCE):
        await asyncio.gather(*(table.open() for table in tables[first : first + AT_ONCE]))


async def measure(server, tables, seconds, watch=lambda: None):
    """Let all tables play as fast as they can. watch: called when they begin, and when they have ended."""
    await tables[0].open()  # so that what the server loads at its first socket is not counted
    await tables[0].close()
    empty = server.memory()
    await open_all(tables)
    await asyncio.sleep(SETTLED)
    full = server.memory()
    times, moves = [], 0
    watch()
    begun, cpu, queries, got = time.perf_counter(), server.cpu(), server.queries(), sum(table.bytes for table in tables)

    async def keep_playing(table):
        nonlocal moves
        while time.perf_counter() - begun < seconds:
            taken = await table.play()
            moves += 1
            if taken is not None:
                times.append(taken)

    await asyncio.gather(*map(keep_playing, tables))
    passed, used = time.perf_counter() - begun, server.cpu() - cpu
    watch()
    asked, got = server.queries() - queries, sum(table.bytes for table in tables) - got
    for table in tables:
        await table.close()
    return {
        "moves": moves,
        "moves_per_second": round(moves / passed, 1),
        "median_ms": round(1000 * statistics.median(times), 2),
        "p95_ms": round(1000 * statistics.quantiles(times, n=20)[-1], 2),
        "cpu_ms": round(1000 * used / moves, 3),
        "bytes": round(got / moves),
        "queries": round(asked / moves, 1),
        "kb_a_table": round((full - empty) / len(tables)),
    }


def report(what, tables, figures):
    print(json.dumps({"what": what, "tables": tables} | figures), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", choices=["daphne", "uvicorn"], default="daphne")
    parser.add_argument("--database", help="DATABASE_URL; default: a new SQLite file")
    parser.add_argument("--redis", help="REDIS_URL")
    parser.add_argument("--game", default="oh-hell", help="its slug")
    parser.add_argument("--tables", type=int, nargs="*", default=[1, 10, 100])
    parser.add_argument("--seconds", type=float, default=5)
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
        name = f"{arguments.game} on {arguments.server} {'postgresql redis' if arguments.redis else 'sqlite'}"
        for count in arguments.tables:
            prepared = prepare(env, arguments.game, count, SPARE if count < 20 else 3)
            server = Server(server_command(arguments), env)
            tables = [Table(*each) for each in prepared]
            try:
                figures = asyncio.run(measure(server, tables, arguments.seconds))
            finally:
                server.stop()
            report(name, count, figures)


if __name__ == "__main__":
    main()
