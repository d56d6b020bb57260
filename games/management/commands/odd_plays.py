"""Print the moves of bots that players reported as odd, for developers of bots."""

import json

from django.core.management.base import BaseCommand

from games.history.odd_plays import documents


class Command(BaseCommand):
    help = "Prints the moves of bots that players reported as odd, each with the view of the bot, as JSON lines."

    def handle(self, **_: object) -> None:
        for document in documents():
            self.stdout.write(json.dumps(document, ensure_ascii=False))
