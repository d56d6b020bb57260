"""A match from a file that export_match wrote, played through the rules before it is accepted."""

import json
import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from games.facts import making
from games.history.records import BadRecord, import_match

SIZE_LIMIT = 20_000_000  # bytes


class Command(BaseCommand):
    help = "Stores the match of a file that export_match wrote, and prints its code as JSON."

    def add_arguments(self, parser):
        parser.add_argument("file", help="a path, or - for standard input")

    def handle(self, *, file, **_):
        try:
            text = sys.stdin.read(SIZE_LIMIT + 1) if file == "-" else self._read(Path(file))
            if len(text) > SIZE_LIMIT:
                raise CommandError("The file is too large to be a match.")
            record = json.loads(text)
            match = import_match(record)
            making.keep(match)
        except (OSError, UnicodeDecodeError):
            raise CommandError(f"{file} can't be read.") from None
        except BadRecord as error:
            raise CommandError(f"Not accepted: {error}") from None
        except (ValueError, RecursionError):
            raise CommandError(f"{file} is not JSON.") from None
        self.stdout.write(json.dumps({"code": match.code, "game": match.game, "moves": match.move_count}))

    @staticmethod
    def _read(path):
        if path.stat().st_size > SIZE_LIMIT:
            raise CommandError("The file is too large to be a match.")
        return path.read_text(encoding="utf-8")
