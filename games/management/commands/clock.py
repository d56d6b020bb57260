"""Run a clock, which plays for bots and absent players, in a process of its own."""

import asyncio
import signal

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from prometheus_client import start_http_server

from games.live import clock
from games.live.hub import hub
from games.pages.health import missing_at_start
from games.pages.running import register
from games.play import due


class Command(BaseCommand):
    help = (
        "Plays the turns of bots and overdue moves until it is stopped. "
        "Any number of clocks may run in addition to the web processes."
    )
    requires_system_checks = ()  # The checks open the database. Without one they fail with a traceback.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--metrics-port", type=int, help="the port of 127.0.0.1 for the metrics of Prometheus")

    def handle(self, *, metrics_port: int | None, **_: object) -> None:
        if not settings.REDIS_URL:
            raise CommandError("Set REDIS_URL: without it this process can't send its moves to the web processes.")
        if trouble := missing_at_start() or register():
            raise CommandError(" ".join(trouble))
        if metrics_port:
            start_http_server(metrics_port, addr="127.0.0.1")
        if words := due.describe_unplayable():
            self.stdout.write(words)
        try:
            asyncio.run(self._run())
        except (KeyboardInterrupt, asyncio.CancelledError):
            self.stdout.write("Stopped.")

    async def _run(self) -> None:
        task = asyncio.current_task()
        assert task
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        hub()
        await clock.run()
