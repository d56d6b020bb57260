"""What both servers refuse before anything of the site looks at it: large bodies, slow requests, foreign pages."""

import os
import resource
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.processes import ROOT, Installation, empty_database, running, wait_until

pytestmark = pytest.mark.thorough

SETTINGS = {"CSRF_TRUSTED_ORIGINS": "https://valat.example,https://*.valat.test", "REQUEST_WITHIN": "1"}
SETTINGS |= {"SOCKETS_AN_ADDRESS": "40"}
LARGE = 10_000_000  # bytes
ANSWER_WITHIN = 60  # seconds


@pytest.fixture(scope="module", params=["serve", "web"])
def server(request, tmp_path_factory):
    """The site under daphne and under uvicorn."""
    folder = tmp_path_factory.mktemp(request.param)
    database = shutil.copy(empty_database(), folder / "site.sqlite3")
    site = Installation(folder, f"sqlite:///{database}", **SETTINGS)
    process = site.serve() if request.param == "serve" else site.web("web")
    with running(process):
        yield process


class Connection:
    """A connection of a client that sends what it likes."""

    def __init__(self, server):
        self._socket = socket.create_connection(("127.0.0.1", server.port), ANSWER_WITHIN)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def send(self, data):
        self._socket.sendall(data)

    def send_until_it_ends(self, data, most):
        """Send again and again, up to so many times. Returns whether the server has ended the connection."""
        self._socket.settimeout(0.2)
        for _ in range(most):
            try:
                self._socket.sendall(data)
                if not self._socket.recv(65536):
                    return True
            except TimeoutError:
                continue
            except OSError:
                return True
        return False

    def send_unread(self, data):
        """Send on and read nothing. Returns whether the server has ended the connection."""
        self._socket.settimeout(1)
        for _ in range(100_000):
            try:
                self._socket.sendall(data)
            except TimeoutError:
                continue
            except OSError:
                return True
        return False

    def rest(self):
        """All that still comes until the server ends the connection."""
        received = b""
        with suppress(ConnectionResetError):
            while data := self._socket.recv(65536):
                received += data
        return received


def head(path, *headers):
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]).encode()


def temporary_files(server):
    """Files without a name that the server has open."""
    folder = Path(f"/proc/{server.pid}/fd")
    targets = []
    for each in folder.iterdir():
        with suppress(OSError):
            targets.append(os.readlink(each))
    return [target for target in targets if target.startswith("/tmp/") and target.endswith("(deleted)")]


# Bodies


@pytest.mark.parametrize("path", ["/no/such/page/", "/accounts/guest/"])
def test_a_large_body_is_refused_by_its_length(server, path):
    with Connection(server) as client:
        client.send(head(path, f"Content-Length: {LARGE}") + bytes(1000))

        answer = client.rest()

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"The request is too large." in answer
    wait_until(lambda: not temporary_files(server), ANSWER_WITHIN, "nothing is stored")


@pytest.mark.parametrize("path", ["/no/such/page/", "/accounts/guest/"])
def test_a_large_body_without_a_length_is_refused_on_the_way(server, path):
    chunk = b"%x\r\n%b\r\n" % (30_000, bytes(30_000))
    with Connection(server) as client:
        client.send(head(path, "Transfer-Encoding: chunked") + 4 * chunk)

        answer = client.rest()

    assert answer.startswith(b"HTTP/1.1 413 ")
    wait_until(lambda: not temporary_files(server), ANSWER_WITHIN, "nothing is stored")


@pytest.mark.parametrize("by", ["Content-Length: 60000", "Transfer-Encoding: chunked"])
def test_a_small_body_is_read(server, by):
    body = bytes(60_000) if "Length" in by else b"ea60\r\n%b\r\n0\r\n\r\n" % bytes(60_000)
    with Connection(server) as client:
        client.send(head("/healthz", by, "Connection: close") + body)

        assert client.rest().startswith(b"HTTP/1.1 200 ")


def test_a_body_that_drips_in_is_not_waited_for(server):
    with Connection(server) as client:
        client.send(head("/no/such/page/", "Content-Length: 1000"))

        assert client.send_until_it_ends(b"x", 900)


@pytest.mark.parametrize("server", ["serve"], indirect=True)  # uvicorn waits: its proxy must not
def test_a_head_that_drips_in_is_not_waited_for(server):
    with Connection(server) as client:
        client.send(head("/")[:-2])

        assert client.send_until_it_ends(b"X-More: x\r\n", 300)


@pytest.mark.parametrize("server", ["serve"], indirect=True)  # uvicorn waits: its proxy must not
def test_answers_that_nobody_reads_are_not_kept(server):
    with Connection(server) as client:
        assert client.send_unread(b"GET /rules/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")


# Sockets


def open_lobby(server, origin, **headers):
    return connect(f"ws://127.0.0.1:{server.port}/ws/lobby/", origin=origin, additional_headers=headers)


def refusal_of(server, origin, **headers):
    """The status of a handshake that is refused; None for another."""
    try:
        with open_lobby(server, origin, **headers):
            return None
    except InvalidStatus as refusal:
        return refusal.response.status_code


@pytest.mark.parametrize("origin", ["http://127.0.0.1:{port}", "https://valat.example", "https://www.valat.test"])
def test_pages_of_the_site_and_trusted_ones_open_sockets(server, origin):
    assert refusal_of(server, origin.format(port=server.port)) is None


@pytest.mark.parametrize(
    "origin",
    [
        *(None, "null", "http://127.0.0.1", "http://127.0.0.1:1", "https://127.0.0.1:{port}"),
        *("ws://127.0.0.1:{port}", "http://valat.example", "https://valat.example:8443"),
        "https://valat.test.example",
    ],
)
def test_other_pages_do_not(server, origin):
    assert refusal_of(server, origin and origin.format(port=server.port)) == 403


@pytest.mark.parametrize("origin", ["http://127.0.0.1:x", "http://["])
def test_what_is_no_origin_is_refused(server, origin):
    assert refusal_of(server, origin) in (400, 403)


def test_a_message_in_many_frames_has_a_limit(server):
    with (
        connect(f"ws://127.0.0.1:{server.port}/ws/lobby/", origin=server.url) as lobby,
        pytest.raises(ConnectionClosed),
    ):
        lobby.send("x" * 1000 for _ in range(100_000))


def test_a_browser_that_opens_sockets_too_fast_is_refused(server):
    statuses = {refusal_of(server, server.url, Cookie="sessionid=nobody") for _ in range(60)}

    assert statuses == {None, 403}  # six at once, then two a second


# Files


@pytest.mark.parametrize("server", ["serve"], indirect=True)  # systemd sets the limit of uvicorn
def test_serve_may_open_as_many_files_as_the_system_allows(server):
    soft, hard = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)

    assert soft == min(hard, 65_536) or soft > 65_536


@pytest.mark.parametrize("limit, warned", [(500, True), (5000, False)])
def test_a_low_limit_of_files_is_warned_of(limit, warned):
    script = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (200, {limit}));"
        "from games.management.files import raise_file_limit; print(raise_file_limit())"
    )

    told = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert told.startswith(f"Only {limit} files may be open" if warned else "\n")
