"""Removes guests who came, sat at no match, and are long gone."""

from django.core.management.base import BaseCommand

from accounts.guests import clear_guests


class Command(BaseCommand):
    help = "Removes guests older than --days days who have no seat at any match. Run it once a day."

    def add_arguments(self, parser):
        parser.add_argument("--days", type=int, default=30)

    def handle(self, *, days, **_):
        self.stdout.write(f"{clear_guests(days)} guests removed.")
