"""A tally as a file: JSON that any Valat site reads, and a plain sheet for CSV and pictures."""

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from django.db import transaction

from accounts.models import User
from games.catalog import deal_words, game_name
from games.deal_index.sheets import PlainSheet, Side
from games.kit.language import lazy, say
from games.play.errors import Refused
from games.tallies import keeping
from games.tallies.folding import Entry, sheet_of, standings_of
from games.tallies.keeping import MAX_ENTRIES, Person, Start, entries_of, ledger_of
from games.tallies.models import Tally

FORMAT, VERSION = "valat-tally", 1
MAX_FILE = 500_000  # bytes
UNREADABLE = lazy("This is no tally of a Valat site. Choose the JSON file of one.")


def document(tally: Tally) -> dict[str, Any]:
    """Return a tally as a document for JSON: docs/formats.md explains it. Writers are numbers, not names."""
    setting, ledger = ledger_of(tally)
    entries = entries_of(tally)
    writers = {key: number for number, key in enumerate(dict.fromkeys(entry.by for entry in entries))}
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": tally.game,
        "rules_version": tally.rules_version,
        "options": tally.options,
        "players": ledger.names,
        "begun_at": tally.created_at.isoformat(),
        "ended_at": tally.ended_at and tally.ended_at.isoformat(),
        "entries": [entry._asdict() | {"by": writers[entry.by]} for entry in entries],
        "sheet": sheet_of(setting, ledger),
        "standings": standings_of(setting, ledger) if tally.ended_at else [],
    }


def read_file(user: User, content: bytes) -> Tally:
    """Begin a tally with the entries of a file, which are checked as others are. Raise Refused."""
    if len(content) > MAX_FILE:
        raise Refused(lazy("This file is too large for a tally."))
    try:
        data = json.loads(content)
        is_ours = data["format"] == FORMAT and data["version"] == VERSION and len(data["entries"]) <= MAX_ENTRIES
        people = [Person(str(name)) for name in data["players"]][:8]
        if not is_ours or not isinstance(data["options"], dict):
            raise ValueError
        entries = [_entry(user, each) for each in data["entries"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Refused(UNREADABLE) from None
    with transaction.atomic():
        tally = keeping.begin(user, Start(str(data["game"]), data["options"], people))
        if tally.rules_version != data.get("rules_version"):
            raise Refused(lazy("This tally was counted by another version of the rules, which this site cannot read."))
        keeping.add_entries(tally, entries)
    return tally


def _entry(user: User, data: Mapping[str, Any]) -> Entry:
    """Return an entry of a file. The entries of the main writer are now the user's, the others are nobody's."""
    entry = Entry(*(data[name] for name in ("id", "kind", "deal", "body", "seen")))
    return keeping.clean_entry(entry)._replace(by=None if data["by"] else user.pk)


def plain_sheet(tally: Tally) -> PlainSheet:
    """Return the points and totals of each side as a plain table, with a row for each deal."""
    setting, ledger = ledger_of(tally)
    if not ledger.deals:
        raise Refused(lazy("You can download the sheet once a deal is entered."))
    scorer, names = setting.scorer, setting.scorer.side_names(ledger.names)
    lines = {line["seat"]: line for line in standings_of(setting, ledger)}
    sides = [
        Side(
            name=name,
            seat=side,
            seats=list(range(side, tally.seat_count, len(names))),
            score=lines[side]["score"],
            place=lines[side]["place"],
            heads=[say("Points"), say("Total")],
        )
        for side, name in enumerate(names)
    ]
    totals = [scorer.totals(state) for state in ledger.states]
    rows: list[tuple[int, list[object], list[list[object]]]] = [
        (number, [number], [[after[side] - before[side], after[side]] for side in range(len(names))])
        for number, (before, after) in enumerate(pairwise(totals), 1)
    ]
    return PlainSheet(game_name(tally.game), [str(deal_words(tally.game).one).capitalize()], sides, rows)
