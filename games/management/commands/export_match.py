"""Print a finished match as one JSON document."""

import json

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.history.records import BadRecord, export_match
from games.models import Match


class Command(BaseCommand):
    help = "Prints the record of a finished match as JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="the code of the match")

    def handle(self, *, code: str, **_: object) -> None:
        try:
            record = export_match(Match.objects.get(code=code))
        except Match.DoesNotExist:
            raise CommandError(f"There is no match {code}.") from None
        except BadRecord as error:
            raise CommandError(str(error)) from None
        self.stdout.write(json.dumps(record, ensure_ascii=False))
