"""Examine a running site and say what to do."""

from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.management.examination import Visit, examine

BACKUPS = Path("/var/lib/valat/backups")  # as docs/hosting.md has it


class Command(BaseCommand):
    help = "Examines a running site: settings, files, processes, mail, backups and its public address."
    requires_system_checks = ()  # The report has them, each with what to do.

    def add_arguments(self, parser: CommandParser) -> None:
        trusted = next((origin for origin in settings.CSRF_TRUSTED_ORIGINS if "*" not in origin), "")
        parser.add_argument("--address", default=trusted, help="the public address, such as https://valat.example")
        parser.add_argument("--mail", default="", help="send a test mail to this address")
        parser.add_argument("--backups", type=Path, help=f"the folder of daily backups (by default {BACKUPS})")

    def handle(self, *, address: str, mail: str, backups: Path | None, **_: object) -> None:
        parts = urlsplit(address)
        if address and (parts.scheme not in ("http", "https") or not parts.netloc):
            raise CommandError(f"{address} is no address. Give one like https://valat.example")
        if backups is None and BACKUPS.is_dir():
            backups = BACKUPS
        problems = 0
        for is_well, subject, words in examine(Visit(address.rstrip("/"), mail, backups)):
            problems += not is_well
            mark = self.style.SUCCESS("ok  ") if is_well else self.style.ERROR("BAD ")
            self.stdout.write(f"{mark} {subject}: {words}")
        if problems:
            raise CommandError(f"{problems} to mend: see the lines with BAD.")
        self.stdout.write("The site is well.")
