"""The whole site in one process: migrate, collect the static files, serve, with clocks and bots inside."""

import asyncio
import contextvars
import os
import signal
import threading
from contextlib import suppress

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.management.files import few_files
from games.pages.health import database_trouble
from games.play import gaps
from games.play.due import describe_unplayable
from games.play.presence import disconnect_all

# Seconds
STOP_LIMIT = 5  # Daphne never ends if it is stopped while a synchronous view runs.
PING_AFTER = 2.2  # of silence. Daphne looks every two seconds, so it pings every four, or that long after a message.
PONG_WITHIN = 2.5  # Shorter than from one ping to the next: a second ping does not cancel the first one's timeout.

# Bytes
FRAME_SIZE = 16 * 1024  # that a browser may send at once
MESSAGE_SIZE = 1024 * 1024  # in a message, ours too: a longer one autobahn keeps to itself without a word


def _make_private():
    """Let only its owner read a SQLite database that was made before manage.py had a umask."""
    if connection.vendor == "sqlite":
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):  # It is somebody else's, or not there yet.
                os.chmod(f"{connection.settings_dict['NAME']}{suffix}", 0o600)


class Command(BaseCommand):
    help = "Migrates the database, then serves the site with clocks and bots in one process."
    requires_system_checks = []  # they open the database, and fail with a traceback where it is away

    def add_arguments(self, parser):
        parser.add_argument("--host", default="0.0.0.0")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-clock", action="store_true", help="clocks and bots run elsewhere, by `clock`")

    def handle(self, *, host, port, no_clock, verbosity, **options):
        if not 0 < port < 65536:
            raise CommandError("The port must be a number from 1 to 65535.")
        _make_private()
        if trouble := database_trouble(migrated=False, writing=True):
            raise CommandError(" ".join(trouble))
        call_command("migrate", interactive=False, verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)

        from daphne.server import Server  # installs its event loop when it is imported

        from config.asgi import application

        self._prepare(no_clock)
        server = Server(
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

        def stop_for_sure(*_):
            timer = threading.Timer(STOP_LIMIT, os._exit, args=[0])
            timer.daemon = True
            timer.start()
            server.stop()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop_for_sure)
        server.run()
        if not server.listening_addresses:
            raise CommandError(f"Port {port} can't be used: choose another (PORT=8080 make play).")

    def _prepare(self, no_clock):
        """Give back what an outage has cost while it stands who was there, and say what the host should know."""
        gaps.come_back([gaps.WEB] if no_clock else [gaps.WEB, gaps.CLOCK])
        if not settings.REDIS_URL:
            disconnect_all()  # no other process has sockets
        for words in (not no_clock and describe_unplayable(), few_files()):
            if words:
                self.stdout.write(words)

    def _start(self, server, application, port, no_clock):
        """Limit what connections take. Begin to beat, and to keep the clock, in the event loop that runs now."""
        from games.live import clock
        from games.live.bounded_channel import BoundedChannel
        from games.live.hub import hub

        server.http_factory.protocol = BoundedChannel

        async def run():
            hub()
            await clock.run()

        loop = asyncio.get_event_loop()
        self._heart = loop.create_task(application.begin(), context=contextvars.Context())
        if not no_clock:
            self._clock = loop.create_task(run(), context=contextvars.Context())
        self.stdout.write(f"Valat is at http://localhost:{port} (stop it with Ctrl+C)")
