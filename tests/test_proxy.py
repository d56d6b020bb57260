"""nginx with our configuration: it takes it, a match goes to one process, nobody sees an update."""

import asyncio
import gzip
import socket
import threading
from collections import Counter
from contextlib import ExitStack

import httpx
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed

from games.models import new_code
from tests.nginx import NGINX, Nginx
from tests.processes import free_port, running, wait_until

pytestmark = pytest.mark.thorough

HEADERS = ("host", "x-forwarded-for", "x-forwarded-proto")
STATIC = ("site.css", "site.0123456789ab.css")


class Backend:
    """A server that says which one it is, to whatever it is asked, and what it was told by the proxy."""

    def __init__(self, name):
        self.name = name
        self.port = free_port()
        self.start()

    def start(self):
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
            while "/stay/" in scope["path"] and (await receive())["type"] != "websocket.disconnect":
                pass
            await send({"type": "websocket.close"})
            return
        while (await receive()).get("more_body"):
            pass
        told = {key.decode(): value.decode() for key, value in scope["headers"]}
        headers = [
            (name.encode(), told.get(name, "").encode()) for name in ("host", "x-forwarded-for", "x-forwarded-proto")
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.name.encode()})

    def stop(self):
        self._server.should_exit = self._server.force_exit = True
        self._thread.join(20)


@pytest.fixture
def backends():
    made = [Backend("first"), Backend("second")]
    yield made
    for backend in made:
        backend.stop()


@pytest.fixture
def nginx(tmp_path, backends, request):
    if NGINX is None:
        pytest.skip("nginx is not installed.")
    (tmp_path / "static").mkdir()
    for name in STATIC:
        (tmp_path / "static" / name).write_text("body {}")
        (tmp_path / "static" / f"{name}.gz").write_bytes(gzip.compress(b"body {}", mtime=0))
    proxy = Nginx(tmp_path, backends, getattr(request, "param", 30))
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
    headers = nginx.ask("/").headers

    assert (headers["host"], headers["x-forwarded-for"]) == ("valat.example", "127.0.0.1")
    assert headers["x-forwarded-proto"] == "https"
    assert nginx.ask("/metrics").status_code == 404


@pytest.mark.parametrize("name", STATIC)
def test_static_files_come_compressed(nginx, name):
    response = nginx.ask(f"/static/{name}")

    assert (response.text, response.headers["content-encoding"]) == ("body {}", "gzip")
    assert ("immutable" in response.headers.get("cache-control", "")) == (name != "site.css")


def test_browsers_are_led_to_https_and_speak_http_2(nginx):
    response = httpx.get(f"http://127.0.0.1:{nginx.plain_port}/games/?a=b", headers={"Host": "valat.example"})
    offer = nginx.tls
    offer.set_alpn_protocols(["h2", "http/1.1"])

    assert (response.status_code, response.headers["location"]) == (301, "https://valat.example/games/?a=b")
    with (
        socket.create_connection(("127.0.0.1", nginx.port)) as plain,
        offer.wrap_socket(plain, server_hostname="127.0.0.1") as agreed,
    ):
        assert agreed.selected_alpn_protocol() == "h2"


class Watchers:
    """Pages with a socket each. They connect again as soon as it is closed, and fail if they can't."""

    def __init__(self, nginx, stack):
        self._nginx = nginx
        self._stack = stack
        self._paths = [f"/ws/matches/{new_code()}/stay/" for _ in range(20)]
        self._sockets = [self._connected(path) for path in self._paths]

    def _connected(self, path):
        opened = self._stack.enter_context(self._nginx.connect(path))
        return opened, opened.recv(10)

    def homes(self):
        """Return which servers the sockets lead to, after those that were closed have connected again."""
        for number, (opened, _) in enumerate(self._sockets):
            try:
                opened.ping().wait(10)
                opened.recv(0)
            except TimeoutError:
                pass  # it is open
            except ConnectionClosed:
                self._sockets[number] = self._connected(self._paths[number])
        return {name for _, name in self._sockets}


def test_a_rolling_restart_answers_everybody(nginx, backends):
    statuses, homes = Counter(), []
    with ExitStack() as stack:
        watchers = Watchers(nginx, stack)
        for backend in backends:
            homes.append(watchers.homes())
            backend.stop()
            homes.append(watchers.homes())
            statuses.update(nginx.ask(f"/matches/{new_code()}/").status_code for _ in range(20))
            backend.start()

    assert homes == [{"first", "second"}, {"second"}, {"second"}, {"first"}]
    assert statuses == {200: 40}


def test_large_bodies_are_refused_and_those_of_forms_are_not(nginx):
    assert nginx.post("/", 110_000).status_code == 413
    assert nginx.post("/", 90_000).status_code == 200


@pytest.mark.parametrize("nginx", [1], indirect=True)
def test_a_head_that_drips_in_is_not_waited_for(nginx):
    with (
        socket.create_connection(("127.0.0.1", nginx.port), 30) as plain,
        nginx.tls.wrap_socket(plain, server_hostname="127.0.0.1") as client,
    ):
        client.sendall(b"GET / HTTP/1.1\r\nHost: valat.example\r\n")

        answer = client.recv(1000)

    assert answer == b"" or answer.startswith(b"HTTP/1.1 408 ")
