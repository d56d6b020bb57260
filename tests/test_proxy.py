"""What docs/hosting.md says of nginx: real nginx takes it, and all of one match goes to one process."""

import asyncio
import re
import shutil
import socket
import threading
from collections import Counter
from pathlib import Path

import httpx
import pytest
import uvicorn
from websockets.sync.client import connect

from games.models import new_code
from tests.processes import Process, free_port, running, wait_until

pytestmark = pytest.mark.thorough

HOSTING = (Path(__file__).parents[1] / "docs" / "hosting.md").read_text()
NGINX = shutil.which("nginx")
MAIN = """
daemon off;
error_log stderr;
pid {folder}/nginx.pid;
{user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {http}
}}
"""


class Backend:
    """A server that says which one it is, to whatever it is asked, and what it was told by the proxy."""

    def __init__(self, name):
        self.name = name
        self.port = free_port()
        config = uvicorn.Config(
            self._answer, port=self.port, interface="asgi3", log_level="error", lifespan="off", ws="websockets-sansio"
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=asyncio.run, args=[self._server.serve()], daemon=True)
        self._thread.start()
        wait_until(lambda: self._server.started, 20, "a server runs")

    async def _answer(self, scope, receive, send):
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.send", "text": self.name})
            await send({"type": "websocket.close"})
            return
        while (await receive()).get("more_body"):
            pass
        told = {key.decode(): value.decode() for key, value in scope["headers"]}
        headers = [(name.encode(), told.get(name, "").encode()) for name in ("host", "x-forwarded-for")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.name.encode()})

    def stop(self):
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(20)


class Nginx(Process):
    """nginx as the page says, but for its certificate, and the ports and folders of these tests."""

    def __init__(self, folder, backends):
        self.port = free_port()
        (said,) = re.findall(r"^nginx, within `http`:\n\n```\n(.*?)^```", HOSTING, re.DOTALL | re.MULTILINE)
        said, listens = re.subn(r"listen 443 ssl;", f"listen 127.0.0.1:{self.port};", said)
        said, certificates = re.subn(r"ssl_certificate\w* .*;", "", said)
        for port, backend in zip((8001, 8002), backends, strict=True):
            said = said.replace(f"127.0.0.1:{port}", f"127.0.0.1:{backend.port}")
        said = said.replace("/var/lib/valat", str(folder))
        said, waits = re.subn(r"(client_header_timeout) 30s;", r"\1 1s;", said)
        assert (listens, certificates, waits) == (1, 2, 1)
        owner = "user root;" if Path("/root").owner() == folder.owner() else ""
        self._file = folder / "nginx.conf"
        self._file.write_text(MAIN.format(folder=folder, http=said, user=owner))
        super().__init__("nginx", [NGINX, "-p", str(folder), "-c", str(self._file)], folder / "nginx.log")

    def answers(self):
        try:
            httpx.get(f"http://127.0.0.1:{self.port}/metrics")
        except httpx.TransportError:
            return False
        return True

    def kill(self):
        if self.is_running:
            self._process.terminate()  # or its workers would stay
            self._process.wait(20)

    def ask(self, path, method="GET"):
        """The response to a request of its own."""
        return httpx.request(method, f"http://127.0.0.1:{self.port}{path}", headers={"Host": "valat.example"})

    def post(self, path, size):
        """The response to a body of so many bytes."""
        return httpx.post(f"http://127.0.0.1:{self.port}{path}", content=bytes(size))

    def open_socket(self, path):
        """Which server a WebSocket leads to."""
        with connect(f"ws://127.0.0.1:{self.port}{path}") as socket:
            return socket.recv(10)


@pytest.fixture
def backends():
    made = [Backend("first"), Backend("second")]
    yield made
    for backend in made:
        backend.stop()


@pytest.fixture
def nginx(tmp_path, backends):
    if NGINX is None:
        pytest.skip("nginx is not installed.")
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "site.css").write_text("body {}")
    proxy = Nginx(tmp_path, backends)
    with running(proxy):
        yield proxy


def homes(nginx, code):
    """Where all that belongs to a match leads to."""
    paths = [f"/matches/{code}/", f"/matches/{code}/replay/?at=3", f"/matches/{code}/sheet.csv"]
    asked = {nginx.ask(path).text for path in paths}
    posted = {nginx.ask(f"/matches/{code}/{act}/", "POST").text for act in ("move", "ready", "sit")}
    return asked | posted | {nginx.open_socket(f"/ws/matches/{code}/?seen={seen}") for seen in (0, 7)}


def test_all_of_a_match_goes_to_one_process_and_matches_to_both(nginx):
    found = [homes(nginx, new_code()) for _ in range(30)]

    assert {len(names) for names in found} == {1}
    assert set(Counter(name for (name,) in found)) == {"first", "second"}


def test_what_belongs_to_no_match_goes_to_any(nginx):
    assert {nginx.ask("/").text for _ in range(40)} == {"first", "second"}
    assert {nginx.open_socket("/ws/lobby/") for _ in range(40)} == {"first", "second"}


def test_matches_of_a_process_that_ended_go_to_another_and_the_rest_stay(nginx, backends):
    codes = [new_code() for _ in range(20)]
    before = {code: homes(nginx, code) for code in codes}

    backends[0].stop()

    assert {"first"} in before.values()
    assert {code: homes(nginx, code) for code in codes} == {code: {"second"} for code in codes}


def test_who_asks_and_for_what_is_told_and_figures_stay_inside(nginx):
    response = nginx.ask("/")

    assert (response.headers["host"], response.headers["x-forwarded-for"]) == ("valat.example", "127.0.0.1")
    assert nginx.ask("/metrics").status_code == 404
    assert nginx.ask("/static/site.css").text == "body {}"


def test_large_bodies_are_refused_and_those_of_forms_are_not(nginx):
    assert nginx.post("/", 110_000).status_code == 413
    assert nginx.post("/", 90_000).status_code == 200


def test_a_head_that_drips_in_is_not_waited_for(nginx):
    with socket.create_connection(("127.0.0.1", nginx.port), 30) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: valat.example\r\n")

        answer = client.recv(1000)

    assert answer == b"" or answer.startswith(b"HTTP/1.1 408 ")
