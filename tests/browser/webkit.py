"""WebKit, the engine of Safari and of all browsers on iPhones: one page, over the WebDriver of WebKitGTK."""

import os
import shutil
import subprocess
from contextlib import ExitStack

import httpx

from tests.processes import free_port, wait_until

DRIVER, DISPLAY = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
START_LIMIT = 60  # seconds
ANSWER_LIMIT = 60
ASYNC = "const done = arguments[0]; Promise.resolve({}).then(done, (error) => done(`It threw ${{error}}`));"


class WebKit:
    """A WebKit with one page, on a screen that nobody sees. folder: an empty one, for all that it stores."""

    def __init__(self, folder):
        self._opened = ExitStack()
        port = free_port()
        try:
            environment = os.environ | {"DISPLAY": self._start_display(), "HOME": str(folder)}
            self._run([DRIVER, f"--port={port}"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self._client = self._opened.enter_context(
                httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=2 * ANSWER_LIMIT)
            )
            wait_until(self._is_ready, START_LIMIT, "the WebDriver answers")
            self._session = ""
            session = self._ask(
                "POST", "session", capabilities={"alwaysMatch": {"timeouts": {"script": 1000 * ANSWER_LIMIT}}}
            )
            self._session = f"/session/{session['sessionId']}"
        except BaseException:
            self.close()
            raise

    def open(self, url):
        """Open a page and wait until it is loaded."""
        self._ask("POST", "url", url=url)

    def keep_cookie(self, name, value):
        """Send this cookie to the host of the present page from now on."""
        self._ask("POST", "cookie", cookie={"name": name, "value": value, "path": "/"})

    def evaluate(self, expression):
        """Return the value of a JavaScript expression, or of the promise that it is."""
        return self._ask("POST", "execute/async", script=ASYNC.format(expression), args=[])

    def close(self):
        self._opened.close()

    def _start_display(self):
        """Start a screen and return its name."""
        display = self._run(
            [DISPLAY, "-displayfd", "1", "-screen", "0", "400x800x24"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        return ":" + display.stdout.readline().strip()

    def _run(self, command, **options):
        process = self._opened.enter_context(subprocess.Popen(command, **options))
        self._opened.callback(process.terminate)
        return process

    def _is_ready(self):
        try:
            return self._client.get("/status").json()["value"]["ready"]
        except httpx.TransportError:
            return False

    def _ask(self, method, path, **fields):
        answer = self._client.request(method, f"{self._session}/{path}", json=fields)
        assert answer.is_success, answer.text
        return answer.json()["value"]
