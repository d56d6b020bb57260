"""Firefox, as far as to open pages and hear what it complains of: over WebDriver BiDi, which it speaks by itself."""

import json
import shutil
import subprocess
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

from websockets.sync.client import connect

from tests.processes import free_port, wait_until

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
ABORTED = "NetworkError when attempting to fetch resource"  # what a fetch fails with whose page is left, among others
START_LIMIT = 60  # seconds
ANSWER_LIMIT = 60
CLEAR = "/clear/"

CLOCK = """
    const shift = moment - Date.now();
    const now = Date.now;
    globalThis.Date = class extends Date {
        constructor(...parts) {
            super(...(parts.length ? parts : [now() + shift]));
        }
        static now() {
            return now() + shift;
        }
    };
"""
FILL_UP = """async () => {
    const open = () => new Promise((done) => {
        const request = indexedDB.open("filling", 1);
        const create = () => request.result.createObjectStore("bytes", { autoIncrement: true });
        request.addEventListener("upgradeneeded", create);
        request.addEventListener("success", () => done(request.result));
    });
    const put = async (size) => {
        const database = await open();  // Each time: Firefox closes it when it refuses something.
        const transaction = database.transaction("bytes", "readwrite");
        const refusal = new Promise((done) => {
            transaction.addEventListener("complete", () => done(""));
            transaction.addEventListener("abort", () => done(transaction.error.name));
        });
        const bytes = crypto.getRandomValues(new Uint8Array(size));  // It compresses what it can.
        transaction.objectStore("bytes").add(bytes);
        await refusal;
        database.close();
        return refusal;
    };
    let refusal;
    for (let size = 2 ** 16; size >= 1; size /= 2) while (!(refusal = await put(size)));
    return refusal;
}"""
MAKE_ROOM = """() => new Promise((done) => {
    indexedDB.deleteDatabase("filling").addEventListener("success", () => done());
})"""


class ClearSiteData(BaseHTTPRequestHandler):
    """The answer of a host that asks browsers to clear what they store for it."""

    def do_GET(self):
        if self.path == CLEAR:
            self.send_response(200)
            self.send_header("Clear-Site-Data", '"storage"')
        else:
            self.send_response(503)
        self.end_headers()

    def log_message(self, *_):
        """Write no log."""


class Firefox:
    """A headless Firefox with one page, whose every complaint is noted."""

    def __init__(self, profile, preferences=None):
        """profile: a folder of its own. preferences: values by the names that about:config shows."""
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in (preferences or {}).items()
        ]
        Path(profile, "user.js").write_text("".join(lines))
        self.problems = []
        self._stopped = []  # the numbers of requests that wait for us
        self._url = ""  # of the page that is open
        self._realm = self._left = ""  # where its scripts ran when they were last asked, and those of the page before
        port = free_port()
        command = [FIREFOX, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", str(port)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._numbers, self._opened = count(1), ExitStack()
        try:
            self._socket = wait_until(lambda: self._connected(port), START_LIMIT, "Firefox answers")
            self._ask("session.new", capabilities={})
            self._ask("session.subscribe", events=["log.entryAdded", "network.responseCompleted"])
            self._page = self._ask("browsingContext.create", type="tab")["context"]
        except BaseException:
            self.close()
            raise

    def open(self, url):
        """Open a page and wait until it is loaded."""
        self._url, self._left = url, self._realm
        self._ask("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def reload(self):
        """Load the page again and wait until it is loaded."""
        self._left = self._realm
        self._ask("browsingContext.reload", context=self._page, wait="complete")

    def keep_cookie(self, name, value, domain):
        """Send this cookie to a host from now on."""
        cookie = {"name": name, "value": {"type": "string", "value": value}, "domain": domain, "path": "/"}
        self._ask("storage.setCookie", cookie=cookie)

    def evaluate(self, expression):
        """What a JavaScript expression comes to on the page: a string, a number, a truth value."""
        target = {"context": self._page}
        answer = self._ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert answer["type"] == "success", answer
        self._realm = answer["realm"]
        return answer["result"].get("value")

    def set_clock(self, moment):
        """Shift the clock of the pages to come, so that it shows a moment now."""
        function = f"() => {{ const moment = {1000 * moment.timestamp()}; {CLOCK} }}"
        self._ask("script.addPreloadScript", functionDeclaration=function)

    @contextmanager
    def answer_lost(self, address, then):
        """Lose the answer to the next request of an address. then: called once the site has given it."""
        self._ask("session.subscribe", events=["network.responseStarted"])
        patterns = [{"type": "string", "pattern": address}]
        intercept = self._ask("network.addIntercept", phases=["responseStarted"], urlPatterns=patterns)["intercept"]
        yield
        while not self._stopped:
            self._note(json.loads(self._socket.recv(timeout=ANSWER_LIMIT)))
        then()
        self._ask("network.removeIntercept", intercept=intercept)
        self._ask("session.unsubscribe", events=["network.responseStarted"])
        self._ask("network.failRequest", request=self._stopped.pop())

    @contextmanager
    def full(self):
        """Have no room: fill another database of this host until Firefox refuses a single byte."""
        assert self.evaluate(f"({FILL_UP})()") == "QuotaExceededError"
        yield
        self.evaluate(f"({MAKE_ROOM})()")

    def clear_storage(self):
        """Clear all that is stored for the host of the page. It must not run: an answer in its name asks for that."""
        origin = self.evaluate("origin")
        with ThreadingHTTPServer(("127.0.0.1", urlsplit(origin).port), ClearSiteData) as server:
            Thread(target=server.serve_forever).start()
            try:
                assert self.evaluate(f"fetch('{CLEAR}').then((answer) => answer.ok)")
            finally:
                server.shutdown()

    def close(self):
        self._opened.close()
        self._process.terminate()
        self._process.wait(20)

    def kill(self):
        """End at once, as after a crash."""
        self._process.kill()
        self._process.wait(20)

    def _connected(self, port):
        try:
            return self._opened.enter_context(connect(f"ws://127.0.0.1:{port}/session", max_size=None))
        except OSError:
            return None

    def _ask(self, method, **params):
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=ANSWER_LIMIT))
            if message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]
            self._note(message)

    def _note(self, event):
        params = event.get("params", {})
        if params.get("isBlocked"):
            self._stopped.append(params["request"]["request"])
        if params.get("source", {}).get("realm") == self._left and ABORTED in params["text"]:
            return  # of a part that the page that is left still waited for
        if event.get("method") == "log.entryAdded" and params["level"] in ("error", "warn"):
            self.problems.append(f"{params['level']} on {self._url}: {params['text']}")
        elif event.get("method") == "network.responseCompleted" and params["response"]["status"] >= 400:
            self.problems.append(f"{params['response']['status']} at {params['response']['url']} on {self._url}")
