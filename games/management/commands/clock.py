"""Clocks and bots in a process of their own, as many as are wanted."""

import asyncio

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from prometheus_client import start_http_server

from games.live import clock
from games.live.hub import hub
from games.pages.health import missing_at_start
from games.pages.running import register
from games.play import due


class Command(BaseCommand):
    help = "Plays bots' turns and what is overdue, until stopped. Any number of these may run beside the web processes."
    requires_system_checks = []  # they open the database, and fail with a traceback where it is away

    def add_arguments(self, parser):
        parser.add_argument("--metrics-port", type=int, help="of 127.0.0.1: serves the figures for Prometheus")

    def handle(self, *, metrics_port, **options):
        if not settings.REDIS_URL:
            raise CommandError("Set REDIS_URL: without it this process can't tell the web processes what it plays.")
        if trouble := missing_at_start() or register():
            raise CommandError(" ".join(trouble))
        if metrics_port:
            start_http_server(metrics_port, addr="127.0.0.1")
        if words := due.describe_unplayable():
            self.stdout.write(words)
        try:
            asyncio.run(self._run())
        except KeyboardInterrupt:
            self.stdout.write("Stopped.")

    async def _run(self):
        hub()
        await clock.run()
