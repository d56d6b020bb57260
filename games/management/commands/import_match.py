"""Matches from a file that this site wrote, played through the rules before they are accepted.

The file holds one match, as export_match writes it, or one on each line, as downloads and archives of accounts do.
"""

import codecs
import json
import sys
from contextlib import nullcontext
from functools import partial
from itertools import chain
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from games.deal_index import making
from games.history.records import FORMAT, BadRecord, import_match
from games.models import Match

SIZE_LIMIT = 20_000_000  # bytes of a match
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)  # UTF-32-LE begins as the first


class Command(BaseCommand):
    help = "Stores the matches of a file, and prints the code of each as a line of JSON."

    def add_arguments(self, parser):
        parser.add_argument("file", help="a path, or - for standard input")

    def handle(self, *, file, **_):
        try:
            with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as stream:
                first = stream.readline(SIZE_LIMIT + 1)
                second = stream.readline(SIZE_LIMIT + 1)
                if second.strip() and _is_record(first):
                    self._import_lines(chain([first, second], iter(partial(stream.readline, SIZE_LIMIT + 1), b"")))
                else:
                    self._import(_document(_whole(first + second, stream)))
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from None
        except BadRecord as error:
            raise CommandError(f"Not accepted: {error}") from None

    def _import(self, record):
        match = import_match(record)
        making.keep(match)
        self.stdout.write(json.dumps({"code": match.code, "game": match.game, "moves": match.move_count}))

    def _import_lines(self, lines):
        """Import the lines one by one. Raises CommandError with the reasons for the refused ones."""
        reasons = []
        for number, line in enumerate(lines, 1):
            try:
                if line.strip():
                    self._import_line(line)
            except BadRecord as error:
                reasons.append(f"Line {number}: {error}")
        if reasons:
            raise CommandError("\n".join([f"Not accepted: {len(reasons)}. All others are stored.", *reasons]))

    def _import_line(self, line):
        document = _document(line)
        if isinstance(document, dict) and "format" not in document and document.get("status") in _WITHOUT_RECORD:
            self.stderr.write(f"Left out: {document.get('code')}, which was not over.")
        else:
            self._import(document)


_WITHOUT_RECORD = set(Match.Status.values) - {Match.Status.OVER}  # an archive says little of such matches


def _is_record(line):
    """Whether one line holds a whole match, or what an archive says of one."""
    try:
        document = _document(line)
    except BadRecord:
        return False
    return isinstance(document, dict) and ("format" in document or "status" in document)


def _whole(begin, stream):
    """All of the file, but of one that is too large no more than shows that."""
    return begin + stream.read(max(0, SIZE_LIMIT + 1 - len(begin)))


def _document(data):
    """The JSON document in bytes. Raises BadRecord, which says why there is none."""
    if len(data) > SIZE_LIMIT:
        raise BadRecord("It is too large to be a match.")
    if data.startswith(WIDE) or b"\0" in data[:4]:
        raise BadRecord("It is written in UTF-16 or UTF-32. Save it as UTF-8.")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        byte, line = data[error.start], data.count(b"\n", 0, error.start) + 1
        raise BadRecord(
            f"It is not written in UTF-8, as byte {byte:02x} in line {line} shows, but perhaps in windows-1251, "
            "windows-1252 or another older encoding. Save it as UTF-8."
        ) from None
    except json.JSONDecodeError as error:
        where = f"{error.msg} in line {error.lineno}, column {error.colno}" if data.strip() else "it is empty"
        raise BadRecord(f"It is not JSON: {where}.") from None
    except (ValueError, RecursionError):
        raise BadRecord(
            f"It is not a match in the format {FORMAT}: it has too long a number, or lists too deep."
        ) from None
