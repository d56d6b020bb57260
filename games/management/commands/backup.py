"""Write a backup of the database."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from games.management.backups import Impossible, back_up


class Command(BaseCommand):
    help = (
        "Writes the whole database to one file while the site runs: a SQLite file, or from PostgreSQL a dump in the "
        "custom format of pg_dump. A SQLite file can be restored into either database."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write")
        parser.add_argument("--force", action="store_true", help="overwrite the file if it exists")
        parser.add_argument("--portable", action="store_true", help="write a SQLite file even from PostgreSQL")

    def handle(self, *, file: Path, force: bool, portable: bool, **_: object) -> None:
        try:
            back_up(file, overwrite=force, portable=portable)
        except (Impossible, DatabaseError) as reason:
            raise CommandError(str(reason)) from None
        self.stdout.write(
            f"{file}: {file.stat().st_size:,} bytes. Keep it as safe as the database: it contains everything."
        )
