"""Replace the database by a backup."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from games.management.backups import Impossible, restore
from games.pages.health import own_connection


class Command(BaseCommand):
    help = "Replaces the whole database by a file that `backup` wrote. Stop the site and its clocks first."
    requires_system_checks = ()  # The checks open the database, which may be damaged.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the backup")
        parser.add_argument("--force", action="store_true", help="replace a database that is not empty")

    def handle(self, *, file: Path, force: bool, **_: object) -> None:
        """Replace the database by a backup file. force: even if the database is not empty."""
        # A pool opens a second connection, which would look like another user of the database.
        connections[DEFAULT_DB_ALIAS] = own_connection()
        try:
            restore(file, overwrite=force)
        except (Impossible, DatabaseError) as reason:
            raise CommandError(str(reason)) from None
        self.stdout.write(f"Restored from {file}. Run manage.py migrate, then start the site.")
