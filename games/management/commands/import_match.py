"""Import matches from a file that a Valat site wrote. The rules check every move before a match is stored.

The file has one match, as `export_match` writes it, or one per line, as in downloads and archives of accounts.
"""

import codecs
import json
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.deal_index import making
from games.history.records import FORMAT, BadRecord, import_match
from games.models import Match

SIZE_LIMIT = 20_000_000  # bytes per match
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)  # UTF-32-LE begins like UTF-16-LE.


class Command(BaseCommand):
    help = "Imports the matches of a file, and prints the code of each as a line of JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="a path, or - for standard input")

    def handle(self, *, file: str, **_: object) -> None:
        try:
            with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as stream:
                first = stream.readline(SIZE_LIMIT + 1)
                second = stream.readline(SIZE_LIMIT + 1)
                if second.strip() and _is_record(first):
                    self._import_lines(chain([first, second], iter(partial(stream.readline, SIZE_LIMIT + 1), b"")))
                else:
                    self._import_record(_parse(_read_all(first + second, stream)))
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from None
        except BadRecord as error:
            raise CommandError(f"Not accepted: {error}") from None

    def _import_record(self, record: object) -> None:
        """Store a match with its facts, and print its code. Raise `BadRecord`."""
        match = import_match(record)
        making.store_facts(match)
        self.stdout.write(json.dumps({"code": match.code, "game": match.game, "moves": match.move_count}))

    def _import_lines(self, lines: Iterable[bytes]) -> None:
        """Import the lines one by one. Raise `CommandError` with a reason for every refused line."""
        reasons = []
        for number, line in enumerate(lines, 1):
            try:
                if line.strip():
                    self._import_line(line)
            except BadRecord as error:
                reasons.append(f"Line {number}: {error}")
        if reasons:
            raise CommandError("\n".join([f"Not accepted: {len(reasons)}. All other matches are stored.", *reasons]))

    def _import_line(self, line: bytes) -> None:
        """Import the match of a line. Skip unfinished matches: a user's archive mentions them, but has no moves."""
        document = _parse(line)
        if isinstance(document, dict) and "format" not in document and document.get("status") in _WITHOUT_RECORD:
            self.stderr.write(f"Skipped: {document.get('code')}, which was not finished.")
        else:
            self._import_record(document)


_WITHOUT_RECORD = set(Match.Status.values) - {Match.Status.OVER}  # An archive has no moves of these matches.


def _is_record(line: bytes) -> bool:
    """Return whether a line is the JSON of a match. If the first line is, a file has one match in each line.

    Otherwise the whole file is one JSON document. A user's archive also has lines for unfinished matches: they have a
    "status", but neither "format" nor moves.
    """
    try:
        document = _parse(line)
    except BadRecord:
        return False
    return isinstance(document, dict) and ("format" in document or "status" in document)


def _read_all(begin: bytes, stream: BinaryIO) -> bytes:
    """Return the whole file, or SIZE_LIMIT + 1 bytes if it is too large."""
    return begin + stream.read(max(0, SIZE_LIMIT + 1 - len(begin)))


def _parse(data: bytes) -> object:
    """Return the parsed JSON document. Raise `BadRecord` with the reason if it can't be parsed."""
    if len(data) > SIZE_LIMIT:
        raise BadRecord("It is too large to be a match.")
    if data.startswith(WIDE) or b"\0" in data[:4]:
        raise BadRecord("It is written in UTF-16 or UTF-32. Save it as UTF-8.")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        byte, line = data[error.start], data.count(b"\n", 0, error.start) + 1
        raise BadRecord(
            f"It is not UTF-8: line {line} has the byte {byte:02x}. It may be in windows-1251, windows-1252 or another "
            "older encoding. Save it as UTF-8."
        ) from None
    except json.JSONDecodeError as error:
        where = f"{error.msg} in line {error.lineno}, column {error.colno}" if data.strip() else "it is empty"
        raise BadRecord(f"It is not JSON: {where}.") from None
    except (ValueError, RecursionError):
        raise BadRecord(
            f"It is not a match in the format {FORMAT}: a number is too long, or lists are nested too deeply."
        ) from None
