"""How long a player waits for the table while others flood the server from the same address.

    .venv/bin/python tests/benchmarks/socket_flood.py                     # daphne on SQLite, as `make play`
    .venv/bin/python tests/benchmarks/socket_flood.py --message '{"claim": "all", "seen": 1}'
    .venv/bin/python tests/benchmarks/socket_flood.py --server uvicorn \\
        --database postgres://postgres@127.0.0.1/valat_bench --redis redis://127.0.0.1:6379/8

Guests open sockets of one running match, each of which sends the message 9.5 times a second, in a process of their own.
A socket that the server closes stays closed, or is opened again after `--reopen` seconds. Meanwhile a player of that
match asks for the table four times a second by {"sync": 1} and notes how long the answer takes. "quiet" is the same
without guests. Times are in milliseconds, "cpu" is the server's share of one core, "refused" counts the player's
requests that were refused.
"""

import argparse
import asyncio
import json
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress

from live_speed import PORT, ROOT, Server, environment, server_command
from player_sockets import connect

RATE = 9.5  # messages a second of each socket of a guest
PAUSE = 0.25  # seconds between two requests of the player
ANSWER_WITHIN = 20  # seconds

PREPARE = """
import json, sys
import django; django.setup()
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest, HttpResponse
from accounts import devices
from accounts.models import User
from games.play import seating
from tests import opening

def cookie_of(user):
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    response = HttpResponse()
    devices.remember(HttpRequest(), response, user)
    return f"sessionid={session.session_key}; device={response.cookies['device'].value}"

first = User.objects.count()
players = [User.objects.create(username=f"Player {first + number}") for number in range(4)]
guests = [User.objects.create(username=f"Guest {first + number}", is_guest=True) for number in range(int(sys.argv[2]))]
match = opening.open_table(players[0], sys.argv[1], seats=4, speed="untimed", listed=False)
for player in players[1:]:
    match = seating.sit_down(player, match.code)
print(json.dumps([match.code, cookie_of(players[0]), [cookie_of(guest) for guest in guests]]))
"""


def prepare(env, game, guests):
    """(code of a running match, cookie of a player, cookies of guests)."""
    command = [sys.executable, "-c", PREPARE, game, str(guests)]
    run = subprocess.run(command, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(run.stdout)


async def send_on(code, cookie, message, reopen):
    """Send the message from one socket until it is closed, and then from a new one if `reopen` says after how long."""
    while True:
        with suppress(OSError, TimeoutError):
            socket = await connect(PORT, f"/ws/matches/{code}/", lambda text: None, cookie)
            while not socket.closed.done():
                socket.send(message)
                await asyncio.sleep(1 / RATE)
            if reopen is None:
                return
        await asyncio.sleep(reopen or 1)


async def flood(code, cookies, sockets, message, reopen):
    await asyncio.gather(*(send_on(code, cookie, message, reopen) for cookie in cookies for _ in range(sockets)))


def run_flood(*arguments):
    asyncio.run(flood(*arguments))


class Player:
    """A player who asks for the table again and again."""

    def __init__(self, code, cookie):
        self._code, self._cookie = code, cookie
        self._answer = None

    async def open(self):
        self._socket = await connect(PORT, f"/ws/matches/{self._code}/", self._hear, self._cookie)
        await asyncio.sleep(1)

    async def close(self):
        await self._socket.close()

    async def ask(self, duration):
        """Returns (seconds that each answer took, how many requests were refused)."""
        times, refused = [], 0
        end = time.monotonic() + duration
        while time.monotonic() < end:
            begun = time.perf_counter()
            self._answer = asyncio.get_running_loop().create_future()
            self._socket.send('{"sync": 1}')
            if await asyncio.wait_for(self._answer, ANSWER_WITHIN):
                times.append(time.perf_counter() - begun)
            else:
                refused += 1
            await asyncio.sleep(PAUSE)
        return times, refused

    def _hear(self, text):
        is_table, is_refusal = not text.startswith(b"{"), text.startswith(b'{"refused"')
        if (is_table or is_refusal) and self._answer and not self._answer.done():
            self._answer.set_result(is_table)


async def report(what, server, player, duration):
    cpu, begun = server.cpu(), time.monotonic()
    times, refused = await player.ask(duration)
    milliseconds = [1000 * seconds for seconds in times]
    figures = {
        "what": what,
        "answers": len(milliseconds),
        "refused": refused,
        "median": round(statistics.median(milliseconds), 1),
        "p95": round(statistics.quantiles(milliseconds, n=20)[-1], 1),
        "slowest": round(max(milliseconds), 1),
        "cpu": round((server.cpu() - cpu) / (time.monotonic() - begun), 2),
    }
    print(json.dumps(figures), flush=True)


async def measure(arguments, server, code, cookie, flooding):
    player = Player(code, cookie)
    await player.open()
    await report("quiet", server, player, min(10, arguments.seconds))
    flooding.start()
    await asyncio.sleep(arguments.settle)
    await report(arguments.message, server, player, arguments.seconds)
    await player.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", choices=["daphne", "uvicorn"], default="daphne")
    parser.add_argument("--database", help="DATABASE_URL; default: a new SQLite file")
    parser.add_argument("--redis", help="REDIS_URL")
    parser.add_argument("--game", default="oh-hell", help="its slug")
    parser.add_argument("--guests", type=int, default=12)
    parser.add_argument("--sockets", type=int, default=29, help="of each guest")
    parser.add_argument("--message", default='{"sync": 1}')
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--reopen", type=float, help="seconds after which a guest opens a closed socket again")
    parser.add_argument("--settle", type=float, default=3, help="seconds until the guests' sockets are open")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        env = environment(arguments, directory)
        for setting in ("SOCKETS_A_USER", "SOCKETS_AN_ADDRESS", "MESSAGES_A_USER", "MESSAGES_AN_ADDRESS"):
            env.pop(setting, None)  # the limits are what is measured
        for command in (["migrate", "-v", "0"], ["collectstatic", "--noinput", "-v", "0"]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=env, check=True)
        code, cookie, guests = prepare(env, arguments.game, arguments.guests)
        server = Server(server_command(arguments), env)
        flooding = multiprocessing.get_context("spawn").Process(
            target=run_flood, args=(code, guests, arguments.sockets, arguments.message, arguments.reopen), daemon=True
        )
        try:
            asyncio.run(measure(arguments, server, code, cookie, flooding))
        finally:
            if flooding.is_alive():
                flooding.terminate()
            server.stop()


if __name__ == "__main__":
    main()
