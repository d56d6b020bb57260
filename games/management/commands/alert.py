"""Mail a warning to the host."""

import sys

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand, CommandError, CommandParser


class Command(BaseCommand):
    help = "Mails its standard input to the host, such as the log of a unit that has failed."
    requires_system_checks = ()  # The database may be what has failed.

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("subject")
        parser.add_argument("--to", required=True, help="the address of the host")

    def handle(self, *, subject: str, to: str, **_: object) -> None:
        if not settings.HAS_MAIL:
            raise CommandError(f"{subject}. Nobody gets a mail of it: set EMAIL_URL.")
        EmailMessage(f"Valat: {subject}", sys.stdin.read(), to=[to]).send()
