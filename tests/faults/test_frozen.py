"""A client that answers nothing, without its connection being closed: others see that its player is away."""

import json
import shutil
import socket
from contextlib import contextmanager

import pytest
from websockets.sync.client import connect

from tests.processes import Installation, Interpreter, empty_database, running

pytestmark = pytest.mark.faults

LIMIT = 30  # seconds
SEAT_SOMEBODY = """
import json
from accounts.models import User
from django.test import Client
from tests import opening

user = User.objects.create_user("Ana")
browser = Client()
browser.force_login(user)
cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in browser.cookies.items())
print(json.dumps([opening.open_table(user, "oh-hell", seats=3).code, cookies]))
"""


@contextmanager
def one_web_process(folder, kind):
    """The site as one process, of `serve` or of uvicorn, and a function that runs a script within it."""
    database = shutil.copy(empty_database(), folder)
    installation = Installation(folder, f"sqlite:///{database}")
    interpreter = Interpreter(installation)
    if kind == "uvicorn":
        interpreter.command("collectstatic", "--noinput", "-v", "0")
    process = installation.serve() if kind == "serve" else installation.web("uvicorn")
    try:
        with running(process):
            yield process, lambda script: interpreter.command("shell", "--verbosity", "0", "-c", script)
    finally:
        interpreter.kill()


def seat_somebody(run):
    """The code of a table with one player, and their cookies as a header."""
    return json.loads(run(SEAT_SOMEBODY))


def open_frozen(web, path, cookies):
    """A connection whose client opens a socket, and from then on reads nothing and says nothing."""
    head = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{web.port}",
        f"Origin: {web.url}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        f"Cookie: {cookies}",
    ]
    frozen = socket.create_connection(("127.0.0.1", web.port), timeout=LIMIT)
    frozen.sendall("\r\n".join([*head, "", ""]).encode())
    assert frozen.recv(12) == b"HTTP/1.1 101"
    return frozen


def wait_for_table(watcher, *, away):
    """Receive until the table says of its only player that they are away, or says it no longer."""
    while (text := watcher.recv(LIMIT)).startswith("{") or ("is away" in text) != away:
        pass


@pytest.mark.parametrize("kind", ["serve", "uvicorn"])
def test_player_whose_client_froze_is_away(tmp_path, kind):
    with one_web_process(tmp_path, kind) as (process, run):
        code, cookies = seat_somebody(run)
        path = f"/ws/matches/{code}/"
        with connect(f"ws://127.0.0.1:{process.port}{path}", origin=process.url) as watcher:
            wait_for_table(watcher, away=True)

            with open_frozen(process, path, cookies):
                wait_for_table(watcher, away=False)
                wait_for_table(watcher, away=True)
