"""Processes that tests start, break and end, those of the site above all."""

import atexit
import fcntl
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
START_LIMIT = 120  # seconds: some collect the static files first, and other tests run beside


def free_port():
    """A port below those that the system gives to connections, so that none takes it while a server starts again."""
    while True:
        port = random.randint(10_000, 32_000)
        with suppress(OSError), socket.socket() as free:
            free.bind(("127.0.0.1", port))
            return port


def wait_until(question, limit, what):
    """Ask until the answer is true, and return it. Fails after `limit` seconds."""
    deadline = time.monotonic() + limit
    while not (answer := question()):
        assert time.monotonic() < deadline, f"After {limit} seconds still not: {what}"
        time.sleep(0.02)
    return answer


class Process:
    """A command in a process of its own, which writes its log to a file."""

    def __init__(self, name, command, log, environment=None):
        self.name = name
        self.command = command
        self.environment = environment
        self._log = Path(log)
        self._process = None

    def start(self):
        """Start it, without waiting until it answers."""
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                self.command, cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def wait(self, limit=START_LIMIT):
        """Wait until it answers."""
        wait_until(self._answers_or_fails, limit, f"{self.name} answers:\n{self.log()}")

    def _answers_or_fails(self):
        assert self._process.poll() is None, f"{self.name} has ended:\n{self.log()}"
        return self.answers()

    def answers(self):
        return True

    def kill(self):
        """End it as a power cut would."""
        if self._process:
            self._process.kill()
            self._process.wait()

    def freeze(self):
        self.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.send_signal(signal.SIGCONT)

    def send_signal(self, number):
        self._process.send_signal(number)

    @property
    def pid(self):
        return self._process.pid

    @property
    def is_running(self):
        return self._process is not None and self._process.poll() is None

    def log(self, since=0):
        """What it has written to its log, from a place in the file on."""
        return self._log.read_text(errors="replace")[since:] if self._log.exists() else ""


@contextmanager
def running(*processes):
    """Start them all, wait until they answer, and end them."""
    try:
        for process in processes:
            process.start()
        for process in processes:
            process.wait()
        yield
    finally:
        for process in processes:
            process.kill()


class WebProcess(Process):
    """A process that serves pages at `url`."""

    def __init__(self, name, command, log, environment, port):
        super().__init__(name, command, log, environment)
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    def answers(self):
        try:
            urllib.request.urlopen(f"{self.url}/credits/", timeout=5).close()
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
        return True


class Installation:
    """The site on a database of its own: the environment of its processes, their commands, their logs in a folder."""

    def __init__(self, folder, database_url, redis_url="", **settings):
        self.folder = Path(folder)
        self.environment = os.environ | {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "STATIC_ROOT": str(self.folder / "static"),
            "SECRET_KEY": "only for these tests",
            "DEBUG": "off",
            "HTTPS": "off",
            "ALLOWED_HOSTS": "127.0.0.1",
            "BOT_PROCESSES": "1",  # many sites run beside each other
            "ANALYSES_AHEAD": "0",
            **settings,
        }

    def serve(self, name="serve", *options):
        """Everything in one process, as a host of one runs it. options: of the command."""
        port = free_port()
        command = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(port), *options]
        return WebProcess(name, command, self.folder / f"{name}.log", self.environment, port)

    def web(self, name):
        """One of many web processes, as the README starts it."""
        port = free_port()
        command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port)]
        command += ["--loop", "uvloop", "--ws", "websockets-sansio", "--log-level", "warning"]
        command += ["--ws-max-size", "16384", "--ws-ping-interval", "3", "--ws-ping-timeout", "3"]
        return WebProcess(name, command, self.folder / f"{name}.log", self.environment, port)

    def clock(self, name="clock"):
        return Process(name, [sys.executable, "manage.py", "clock"], self.folder / f"{name}.log", self.environment)

    def command(self, *arguments):
        """What a management command prints. Fails if it does."""
        run = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, f"{' '.join(arguments)} failed:\n{run.stdout}{run.stderr}"
        return run.stdout


class Interpreter:
    """The commands of an installation, run by one process: each that starts anew takes a second for that."""

    def __init__(self, installation):
        self._installation = installation
        self._process = None

    def command(self, *arguments):
        """What a management command prints. Fails if it does."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", INTERPRETER],
                cwd=ROOT,
                env=self._installation.environment | {"DJANGO_SETTINGS_MODULE": "config.settings"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        print(json.dumps(arguments), file=self._process.stdin, flush=True)
        said, trouble = json.loads(self._process.stdout.readline())
        assert not trouble, f"{' '.join(arguments)} failed:\n{said}{trouble}"
        return said

    def kill(self):
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None


INTERPRETER = """
import contextlib, io, json, sys, traceback
import django
from django.core.management import call_command

django.setup()
for line in sys.stdin:
    said, trouble = io.StringIO(), ""
    with contextlib.redirect_stdout(said):
        try:
            call_command(*json.loads(line))
        except SystemExit as end:
            trouble = str(end.code or "")
        except Exception:
            trouble = traceback.format_exc()
    print(json.dumps([said.getvalue(), trouble]), flush=True)
"""


@cache
def empty_database():
    """The path of a SQLite file with all tables and nothing in them, to be copied: migrating takes seconds.

    The workers of a run share it.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", os.getpid())
    file = Path(tempfile.gettempdir()) / f"valat-empty-{run}.sqlite3"
    with _alone():
        if not file.exists():
            atexit.register(file.unlink, missing_ok=True)
            with tempfile.TemporaryDirectory() as folder:
                made = Path(folder) / file.name
                Installation(folder, f"sqlite:///{made}").command("migrate", "--verbosity", "0")
                shutil.move(made, file)
    return file


@contextmanager
def _alone():
    """While no other process of this machine does the same."""
    folder = os.open(tempfile.gettempdir(), os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
