"""Serve the whole site from one process, with its clock and its bots."""

import asyncio
import contextvars
import os
import signal
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from games.management.files import raise_file_limit
from games.pages.health import database_trouble
from games.play import gaps
from games.play.due import describe_unplayable
from games.play.presence import disconnect_all

if TYPE_CHECKING:
    from daphne.server import Server

    from games.live.heartbeat import HeartbeatApplication

# Seconds
STOP_LIMIT = 5  # If Daphne is stopped while a synchronous view runs, it never ends.
PING_AFTER = 2.2  # Of silence. Daphne checks every two seconds, so pings come four seconds apart.
PONG_WITHIN = 2.5  # Less than between two pings: a second ping does not cancel the timeout of the first.

# Bytes
FRAME_SIZE = 16 * 1024  # of a frame from a browser
MESSAGE_SIZE = 1024 * 1024  # Of a message. The limit holds for ours too: autobahn drops longer ones silently.


def _make_private() -> None:
    """Restrict a SQLite database to its owner. An old one may be open to others: manage.py had no umask then."""
    if connection.vendor == "sqlite":
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):  # It does not exist yet, or has another owner.
                os.chmod(f"{connection.settings_dict['NAME']}{suffix}", 0o600)


class Command(BaseCommand):
    help = "Migrates the database, then serves the site with its clock and bots in one process."
    requires_system_checks = ()  # The checks open the database. Without one they fail with a traceback.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on; 0.0.0.0 for all addresses")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-clock", action="store_true", help="do not run a clock here: `clock` runs elsewhere")

    def handle(self, *, host: str, port: int, no_clock: bool, verbosity: int, **_: object) -> None:
        """Prepare the database, and serve the site until a signal stops it."""
        if not 0 < port < 65536:
            raise CommandError("The port must be a number from 1 to 65535.")
        _make_private()
        if trouble := database_trouble(migrated=False, writing=True):
            raise CommandError(" ".join(trouble))
        call_command("migrate", interactive=False, verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)

        from daphne.server import Server  # The import installs its event loop.

        from config.asgi import application

        self._prepare(no_clock)
        server: Server = Server(
            application,
            endpoints=[f"tcp:port={port}:interface={host}"],
            signal_handlers=False,
            ready_callable=lambda: self._start(server, application, port, no_clock),
            websocket_max_message_size=MESSAGE_SIZE,
            websocket_max_frame_size=FRAME_SIZE,
            ping_interval=PING_AFTER,
            ping_timeout=PONG_WITHIN,
            application_close_timeout=2,
            verbosity=verbosity,
            server_name="valat",
        )

        def stop_for_sure(*_: object) -> None:
            """Stop the server, and end the process if that takes too long."""
            timer = threading.Timer(STOP_LIMIT, os._exit, args=[0])
            timer.daemon = True
            timer.start()
            server.stop()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop_for_sure)
        server.run()
        if not server.listening_addresses:  # It could not listen, so it has ended at once.
            raise CommandError(f"Port {port} can't be used: choose another (PORT=8080 make play).")

    def _prepare(self, no_clock: bool) -> None:
        """Give players back the time of an outage of the site, and store that nobody is connected yet.

        Print warnings for the host. no_clock: whether the clock, which plays for bots and ends turns, runs elsewhere.
        """
        gaps.come_back([gaps.WEB] if no_clock else [gaps.WEB, gaps.CLOCK])
        if not settings.REDIS_URL:
            disconnect_all()  # No other process has sockets.
        for words in (not no_clock and describe_unplayable(), raise_file_limit()):
            if words:
                self.stdout.write(words)

    def _start(self, server: "Server", application: "HeartbeatApplication", port: int, no_clock: bool) -> None:
        """Finish the start in the running event loop: start the heartbeat and the clock of the site.

        Also limit the memory of connections. no_clock: whether the clock runs elsewhere.
        """
        from games.live import clock
        from games.live.bounded_channel import BoundedChannel
        from games.live.hub import hub

        server.http_factory.protocol = BoundedChannel

        async def run_clock() -> None:
            hub()
            await clock.run()

        loop = asyncio.get_event_loop()
        # An event loop has only weak references to its tasks, so we keep them.
        self._heart = loop.create_task(application.begin(), context=contextvars.Context())
        if not no_clock:
            self._clock = loop.create_task(run_clock(), context=contextvars.Context())
        self.stdout.write(f"Valat is at http://localhost:{port} (stop it with Ctrl+C)")
