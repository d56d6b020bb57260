"""Search results as files: records as JSON lines, facts as CSV. They are streamed, never all in memory."""

import csv
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from io import StringIO
from itertools import groupby
from operator import attrgetter

from asgiref.sync import sync_to_async
from django.db.models import Q, QuerySet

from accounts.models import User
from games.deal_index.models import SeatFacts
from games.deal_index.search import Deals, Filters, batches
from games.deal_index.sheets import PlainSheet
from games.history.records import export_match
from games.models import Match
from games.play.snapshot import SeatSnapshot

OF_MATCH = (
    "code",
    "ended_at",
    "deal",
    "seat",
    "player",
    "points",
    "score",
)  # The first columns, the same for every game.
MOST_SEATS = 8
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # Spreadsheets evaluate cells that begin with these.


async def stream(pieces: Iterator[str]) -> AsyncIterator[bytes]:
    """Yield texts as bytes. A thread reads the database."""
    next_piece = sync_to_async(lambda: next(pieces, None))
    while (piece := await next_piece()) is not None:
        yield piece.encode()


def records(user: User, filters: Filters) -> Iterator[str]:
    """Yield the record of each finished match of a search, one per line, as in docs/formats.md."""
    for batch in batches(user, filters, own=True):
        numbers = [match for match, _ in batch]
        for match in Match.objects.filter(pk__in=numbers, status=Match.Status.OVER).order_by("-pk"):
            yield json.dumps(export_match(match, user.pk), ensure_ascii=False) + "\n"


def facts(user: User, filters: Filters) -> Iterator[str]:
    """Yield lines of CSV: the column names, then one line per seat and deal of a search in one game.

    The facts of the deal follow the facts of the seat, with "deal_" before their keys. A search without a game yields
    nothing.
    """
    of_seat: tuple[str, ...] = ()
    of_deal: tuple[str, ...] = ()
    for batch in batches(user, filters, own=True) if filters["game"] else ():
        rows = list(_rows(batch, filters))
        if rows and not of_seat:
            of_seat, of_deal = tuple(rows[0].facts), tuple(rows[0].deal.facts)
            yield _line([*OF_MATCH, *of_seat, *(f"deal_{key}" for key in of_deal)])
        yield "".join(_line(_cells(row, of_seat, of_deal)) for row in rows)


def sheets(user: User, filters: Filters) -> Iterator[str]:
    """Yield lines of CSV: one line per scored deal of the finished matches of a search.

    Each seat has three columns: the player, the points of the deal and the score after it.
    """
    of_seats = [f"{name}_{place}" for place in range(1, MOST_SEATS + 1) for name in ("player", "points", "score")]
    yield _line(["code", "game", "ended_at", "deal", *of_seats])
    for batch in batches(user, filters, own=True):
        rows = _rows([(match, None) for match, _ in batch], {"answers": ()})
        yield "".join(_line(_deal_cells(list(of_deal))) for _, of_deal in groupby(rows, attrgetter("deal_id")))


def _deal_cells(rows: Sequence[SeatFacts]) -> list[object]:
    """Return the cells of one deal. rows: the SeatFacts of its seats."""
    match = rows[0].deal.match
    cells = [match.code, match.game, match.ended_at.isoformat(), rows[0].deal.number]
    return cells + [cell for row in rows for cell in (SeatSnapshot.from_seat(row.seat).name, row.points, row.score)]


def sheet_csv(sheet: PlainSheet) -> str:
    """Return a PlainSheet as CSV."""
    return _line(sheet.columns) + "".join(map(_line, sheet.lines))


def _rows(batch: Deals, filters: Filters) -> QuerySet[SeatFacts]:
    """Return the SeatFacts of a batch, newest match first. Without answers to search for it includes all deals."""
    condition = Q(deal__match__in=[match for match, _ in batch])
    if filters["answers"]:
        condition = Q(pk__in=[])
        for match, deals in batch:
            condition |= Q(deal__match=match, deal__number__in=deals)
    rows = SeatFacts.objects.filter(condition).select_related("deal__match", "seat__user")
    return rows.order_by("-deal__match", "deal__number", "seat__number")


def _cells(row: SeatFacts, of_seat: Iterable[str], of_deal: Iterable[str]) -> list[object]:
    """Return the cells of a row. of_seat, of_deal: the keys of its columns, as facts of another version may differ."""
    match = row.deal.match
    name = SeatSnapshot.from_seat(row.seat).name
    of_match = [match.code, match.ended_at.isoformat(), row.deal.number, row.seat.number, name, row.points, row.score]
    return [*of_match, *map(row.facts.get, of_seat), *map(row.deal.facts.get, of_deal)]


def _line(cells: Iterable[object]) -> str:
    text = StringIO()
    csv.writer(text).writerow(map(_harmless, cells))
    return text.getvalue()


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
