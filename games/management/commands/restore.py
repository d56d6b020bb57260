"""The whole database as a backup has it."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from games.management.backups import Impossible, restore
from games.pages.health import own_connection


class Command(BaseCommand):
    help = "Replaces the database by what `backup` has written to a file. Stop the site and its clocks first."
    requires_system_checks = []  # they open the database, which may be what is damaged

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        parser.add_argument("--force", action="store_true", help="replace what the database holds")

    def handle(self, *, file, force, **_):
        # A pool opens a second connection, which would count as somebody who uses the database.
        connections[DEFAULT_DB_ALIAS] = own_connection()
        try:
            restore(file, overwrite=force)
        except (Impossible, DatabaseError) as reason:
            raise CommandError(str(reason)) from None
        self.stdout.write(f"Restored from {file}. Run manage.py migrate, then start the site.")
