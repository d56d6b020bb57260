"""Search results as files: records as JSON lines, facts as CSV. They are streamed, never all in memory.

A spreadsheet reads a CSV file correctly if the file begins with a byte order mark. It must also have the separator and
the decimal mark of the reader's country.
"""

import csv
import json
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from io import StringIO
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from asgiref.sync import sync_to_async
from django.db.models import Q, QuerySet
from django.utils.formats import get_format

from accounts.models import User
from games.deal_index.models import SeatFacts
from games.deal_index.search import Deals, Filters, batches
from games.deal_index.sheets import PlainSheet
from games.history.records import export_match
from games.models import Match
from games.play.snapshot import SeatSnapshot

MATCH_COLUMNS = (
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
CSV = "text/csv; charset=utf-8"
BYTE_ORDER_MARK = "\ufeff"


class CsvForm(NamedTuple):
    """How a CSV file is written."""

    separator: str = ","
    decimal_mark: str = "."
    start: str = BYTE_ORDER_MARK

    def line(self, cells: Iterable[object]) -> str:
        text = StringIO()
        csv.writer(text, delimiter=self.separator).writerow(map(self._cell, cells))
        return text.getvalue()

    def _cell(self, cell: object) -> object:
        """Return a cell as it is written: whole numbers without a fraction, and no text that is a formula."""
        if isinstance(cell, float):
            return int(cell) if cell.is_integer() else str(cell).replace(".", self.decimal_mark)
        # A spreadsheet would evaluate a formula. A name may be an attack.
        return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


CSV_FORMS = {"commas": CsvForm(), "semicolons": CsvForm(";", ","), "plain": CsvForm(start="")}


def csv_form(name: str) -> CsvForm:
    """Return a form of CSV_FORMS. For any other name, return the one that suits the reader's language."""
    usual = "semicolons" if get_format("DECIMAL_SEPARATOR") == "," else "commas"
    return CSV_FORMS.get(name) or CSV_FORMS[usual]


async def stream(pieces: Iterator[str]) -> AsyncIterator[bytes]:
    """Yield texts as bytes. Get each in a thread: the iterator reads the database, which would block the loop."""
    next_piece = sync_to_async(lambda: next(pieces, None))
    while (piece := await next_piece()) is not None:
        yield piece.encode()


def records(user: User, filters: Filters) -> Iterator[str]:
    """Yield the record of each finished match of a search as a line of JSON, in the format of docs/formats.md.

    A record has the players, options and moves of a match. user: the player whose matches are searched.
    """
    for batch in batches(user, filters, own=True):
        keys = [match for match, _ in batch]
        for match in Match.objects.filter(pk__in=keys, status=Match.Status.OVER).order_by("-pk"):
            yield json.dumps(export_match(match, user.pk), ensure_ascii=False) + "\n"


def facts(user: User, filters: Filters, form: CsvForm) -> Iterator[str]:
    """Yield the deals that a search finds as CSV: the column names, then a line for each seat in each deal.

    A line has the facts of the seat (such as its bid), then the facts of the deal (such as its trump suit), with
    "deal_" before their names. Games have different facts, so a search without a game yields nothing. user: the player
    whose matches are searched. filters: the cleaned data of the search form.
    """
    seat_keys: tuple[str, ...] = ()
    deal_keys: tuple[str, ...] = ()
    for batch in batches(user, filters, own=True) if filters["game"] else ():
        rows = list(_seat_facts(batch, filters))
        if rows and not seat_keys:  # The first row decides which columns there are.
            seat_keys, deal_keys = tuple(rows[0].facts), tuple(rows[0].deal.facts)
            yield form.start + form.line([*MATCH_COLUMNS, *seat_keys, *(f"deal_{key}" for key in deal_keys)])
        yield "".join(form.line(_cells(row, seat_keys, deal_keys)) for row in rows)


def sheets(user: User, filters: Filters, form: CsvForm) -> Iterator[str]:
    """Yield the score sheets of the finished matches of a search as CSV: a line for each scored deal.

    Each seat has three columns: the player, the points of the deal and the score after it. They are empty for seats
    that a match does not have. user: the player whose matches are searched. filters: the cleaned data of the search
    form.
    """
    seat_columns = [f"{name}_{place}" for place in range(1, MOST_SEATS + 1) for name in ("player", "points", "score")]
    head = ["code", "game", "ended_at", "deal", *seat_columns]
    yield form.start + form.line(head)
    for batch in batches(user, filters, own=True):
        # None and () stand for all deals of these matches, also those that the search has not found.
        rows = _seat_facts([(match, None) for match, _ in batch], {"answers": ()})
        rows_by_deal = groupby(rows, attrgetter("deal_id"))
        lines = (_deal_cells(list(seat_rows)) for _, seat_rows in rows_by_deal)
        yield "".join(form.line([*cells, *[""] * (len(head) - len(cells))]) for cells in lines)


def _deal_cells(rows: Sequence[SeatFacts]) -> list[object]:
    """Return the cells of a line of CSV about one deal. rows: the facts of its seats, in order."""
    match = rows[0].deal.match
    cells = [match.code, match.game, match.ended_at.isoformat(), rows[0].deal.number]
    return cells + [cell for row in rows for cell in (SeatSnapshot.from_seat(row.seat).name, row.points, row.score)]


def sheet_csv(sheet: PlainSheet, form: CsvForm) -> str:
    """Return a PlainSheet as CSV."""
    return form.start + form.line(sheet.columns) + "".join(map(form.line, sheet.lines))


def _seat_facts(batch: Deals, filters: Filters) -> QuerySet[SeatFacts]:
    """Return a row with the facts of each seat in the deals that a search has found, the newest match first.

    batch: some of its results, as (key of the match, numbers of the deals). A search without "answers" asks nothing
    about deals. Then return the facts of all deals of these matches.
    """
    condition = Q(deal__match__in=[match for match, _ in batch])
    if filters["answers"]:
        condition = Q(pk__in=[])  # This is never true. The loop adds alternatives.
        for match, deals in batch:
            condition |= Q(deal__match=match, deal__number__in=deals)
    rows = SeatFacts.objects.filter(condition).select_related("deal__match", "seat__user")
    return rows.order_by("-deal__match", "deal__number", "seat__number")


def _cells(row: SeatFacts, seat_keys: Iterable[str], deal_keys: Iterable[str]) -> list[object]:
    """Return the cells of a line of CSV about a seat in a deal. row: the facts of the seat, from the database.

    seat_keys, deal_keys: the names of the facts that have a column. Rows of an older version may lack some: their
    cells are empty.
    """
    match = row.deal.match
    name = SeatSnapshot.from_seat(row.seat).name
    of_match = [match.code, match.ended_at.isoformat(), row.deal.number, row.seat.number, name, row.points, row.score]
    return [*of_match, *map(row.facts.get, seat_keys), *map(row.deal.facts.get, deal_keys)]
