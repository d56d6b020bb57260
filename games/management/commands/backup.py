"""The whole database in one file."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from games.management.backups import Impossible, back_up


class Command(BaseCommand):
    help = (
        "Writes the whole database to one file, while the site runs: SQLite's own, or pg_dump's custom format. "
        "A SQLite file can be restored into either kind of database."
    )

    def add_arguments(self, parser):
        parser.add_argument("file", type=Path)
        parser.add_argument("--force", action="store_true", help="overwrite the file if it exists")

        parser.add_argument("--portable", action="store_true", help="write a SQLite file from PostgreSQL too")

    def handle(self, *, file, force, portable, **_):
        try:
            back_up(file, overwrite=force, portable=portable)
        except (Impossible, DatabaseError) as reason:
            raise CommandError(str(reason)) from None
        self.stdout.write(
            f"{file}: {file.stat().st_size:,} bytes. Keep it as safe as the database: it holds everything."
        )
