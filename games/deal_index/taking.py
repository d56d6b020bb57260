"""What a search has found, to be taken away: records as JSON lines, facts as CSV, never all of it in memory."""

import csv
import json
from io import StringIO
from itertools import groupby
from operator import attrgetter

from asgiref.sync import sync_to_async
from django.db.models import Q

from games.deal_index.models import SeatFacts
from games.deal_index.search import batches
from games.history.records import export_match
from games.models import Match
from games.play.snapshot import SeatSnapshot

OF_MATCH = ("code", "ended_at", "deal", "seat", "player", "points", "score")  # the first columns, of every game
MOST_SEATS = 8
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what begins with these is reckoned out by spreadsheets


async def stream(pieces):
    """The bytes of texts, one by one; the database is read in another thread."""
    while (piece := await sync_to_async(next)(pieces, None)) is not None:
        yield piece.encode()


def records(user, asked):
    """Yield the record of each finished match that is asked for, as docs/formats.md has it, on a line of its own."""
    for found in batches(user, asked, own=True):
        numbers = [match for match, _ in found]
        for match in Match.objects.filter(pk__in=numbers, status=Match.Status.OVER).order_by("-pk"):
            yield json.dumps(export_match(match, user.pk), ensure_ascii=False) + "\n"


def facts(user, asked):
    """Yield lines of CSV: the names of the columns, then each seat of each deal of one game that is asked for.

    The facts of the deal come after those of the seat, as "deal_" and their keys. Without a game there is nothing.
    """
    of_seat, of_deal = (), ()
    for found in batches(user, asked, own=True) if asked["game"] else ():
        rows = list(_rows(found, asked))
        if rows and not of_seat:
            of_seat, of_deal = tuple(rows[0].facts), tuple(rows[0].deal.facts)
            yield _line([*OF_MATCH, *of_seat, *(f"deal_{key}" for key in of_deal)])
        yield "".join(_line(_cells(row, of_seat, of_deal)) for row in rows)


def sheets(user, asked):
    """Yield lines of CSV: of the finished matches that are asked for, each scored deal with every seat's points.

    A match has as many columns as it has seats, three for each: who, the points of the deal, the score after it.
    """
    of_seats = [f"{name}_{place}" for place in range(1, MOST_SEATS + 1) for name in ("player", "points", "score")]
    yield _line(["code", "game", "ended_at", "deal", *of_seats])
    for found in batches(user, asked, own=True):
        rows = _rows([(match, None) for match, _ in found], {"answers": ()})
        yield "".join(_line(_deal_cells(list(of_deal))) for _, of_deal in groupby(rows, attrgetter("deal_id")))


def _deal_cells(rows):
    """The cells of one deal, of all its seats."""
    match = rows[0].deal.match
    cells = [match.code, match.game, match.ended_at.isoformat(), rows[0].deal.number]
    return cells + [cell for row in rows for cell in (SeatSnapshot.from_seat(row.seat).name, row.points, row.score)]


def sheet_csv(sheet):
    """A PlainSheet as CSV, a text."""
    return "".join(map(_line, [sheet.columns, *sheet.lines]))


def _rows(found, asked):
    """The SeatFacts of the deals that were found, newest match first; of all its deals where none was asked for."""
    wanted = Q(deal__match__in=[match for match, _ in found])
    if asked["answers"]:
        wanted = Q(pk__in=[])
        for match, deals in found:
            wanted |= Q(deal__match=match, deal__number__in=deals)
    rows = SeatFacts.objects.filter(wanted).select_related("deal__match", "seat__user")
    return rows.order_by("-deal__match", "deal__number", "seat__number")


def _cells(row, of_seat, of_deal):
    """A line of the table. of_seat, of_deal: the keys of its columns, by name: another version may have others."""
    match = row.deal.match
    name = SeatSnapshot.from_seat(row.seat).name
    of_match = [match.code, match.ended_at.isoformat(), row.deal.number, row.seat.number, name, row.points, row.score]
    return [*of_match, *map(row.facts.get, of_seat), *map(row.deal.facts.get, of_deal)]


def _line(cells):
    text = StringIO()
    csv.writer(text).writerow(map(_harmless, cells))
    return text.getvalue()


def _harmless(cell):
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
