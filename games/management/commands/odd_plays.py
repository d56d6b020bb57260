"""What people found odd of what bots did, as JSON lines on standard output."""

import json

from django.core.management.base import BaseCommand

from games.history.odd_plays import documents


class Command(BaseCommand):
    help = "Prints the bots' moves that people found odd, each with the position as the bot saw it, as JSON lines."

    def handle(self, **_):
        for document in documents():
            self.stdout.write(json.dumps(document, ensure_ascii=False))
