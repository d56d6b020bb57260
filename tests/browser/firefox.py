"""Firefox, as far as to open pages and hear what it complains of: over WebDriver BiDi, which it speaks by itself."""

import json
import shutil
import subprocess
from contextlib import ExitStack
from itertools import count

from websockets.sync.client import connect

from tests.processes import free_port, wait_until

FIREFOX = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
ABORTED = "NetworkError when attempting to fetch resource"  # what a fetch fails with whose page is left, among others
START_LIMIT = 60  # seconds
ANSWER_LIMIT = 60


class Firefox:
    """A headless Firefox with one page, whose every complaint is noted."""

    def __init__(self, profile):
        """profile: an empty folder of its own."""
        self.problems = []
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

    def keep_cookie(self, name, value, domain):
        """Send this cookie to a host from now on."""
        cookie = {"name": name, "value": {"type": "string", "value": value}, "domain": domain, "path": "/"}
        self._ask("storage.setCookie", cookie=cookie)

    def evaluate(self, expression):
        """What a JavaScript expression comes to on the page: a string, a number, a truth value."""
        target = {"context": self._page}
        answer = self._ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        self._realm = answer["realm"]
        return answer["result"].get("value")

    def close(self):
        self._opened.close()
        self._process.terminate()
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
        if params.get("source", {}).get("realm") == self._left and ABORTED in params["text"]:
            return  # of a part that the page that is left still waited for
        if event.get("method") == "log.entryAdded" and params["level"] in ("error", "warn"):
            self.problems.append(f"{params['level']} on {self._url}: {params['text']}")
        elif event.get("method") == "network.responseCompleted" and params["response"]["status"] >= 400:
            self.problems.append(f"{params['response']['status']} at {params['response']['url']} on {self._url}")
