"""The score sheet of a finished match as a plain table for files, built from its facts for any game."""

from typing import NamedTuple, TypedDict

from games.catalog import game_name, get_game
from games.deal_index.making import facts_of
from games.kit.facts import SheetColumn
from games.kit.language import lazy, say
from games.kit.words import join_words
from games.models import Match, Seat
from games.play.errors import Refused
from games.play.snapshot import SeatSnapshot

DEAL_PREFIX = "deal_"


type Values = list[object]


class Side(TypedDict):
    """A side of a finished match. seat: its first seat. heads: of its columns on a plain sheet."""

    name: str
    seat: int
    seats: list[int]
    score: float
    place: int
    heads: list[str]


class PlainSheet(NamedTuple):
    """A score sheet as a table.

    heads: the headings of columns about the whole deal.
    rows: for each scored deal its number, the values under `heads`, and the values of each side under its own heads.
    Values are numbers, texts or None.
    """

    title: str
    heads: list[str]
    sides: list[Side]
    rows: list[tuple[int, Values, list[Values]]]

    @property
    def columns(self) -> list[str]:
        """The headings of all columns. Headings of a side start with its name."""
        return [*self.heads, *(f"{side['name']}: {head}" for side in self.sides for head in side["heads"])]

    @property
    def lines(self) -> list[Values]:
        """The values of each row, one list a row."""
        return [[*of_deal, *(value for of_side in sides for value in of_side)] for _, of_deal, sides in self.rows]


def plain_sheet(match: Match) -> PlainSheet:
    """Return the score sheet of a finished match as a table: a row for each deal, and columns for each side.

    A side is a team or a single seat. Columns show facts, which a game notes about a deal or about a seat in it, such
    as the trump suit or a bid. Raise Refused if the match is not over, and Unreadable if its moves can't be replayed.
    """
    if match.status != Match.Status.OVER:
        raise Refused(lazy("You can download the sheet once the match is over."))
    facts_by_deal = facts_of(match).deals
    game = get_game(match.game)
    sides = sides_of(match)
    deal_columns = [column for column in game.sheet_columns if column.fact.startswith(DEAL_PREFIX)]
    # Partners share columns, so a fact of one seat, such as its bid, has no place there.
    are_single_seats = len(sides) == match.seat_count
    seat_columns = [
        column for column in game.sheet_columns if are_single_seats and not column.fact.startswith(DEAL_PREFIX)
    ]
    for side in sides:
        side["heads"] = [*(str(column.head) for column in seat_columns), say("Points"), say("Total")]
    rows = []
    for number, facts in facts_by_deal.items():
        deal_cells = [_cell(column, facts.deal.get(column.fact.removeprefix(DEAL_PREFIX))) for column in deal_columns]
        cells_of_sides = []
        for side in sides:
            seat_facts = facts.seats[side["seat"]]  # Of the first seat. Partners have the same points and score.
            seat_cells = [_cell(column, seat_facts.get(column.fact)) for column in seat_columns]
            cells_of_sides.append([*seat_cells, seat_facts["points"], seat_facts["score"]])
        rows.append((number, [number, *deal_cells], cells_of_sides))
    heads = [str(game.deal_word).capitalize(), *(str(column.head) for column in deal_columns)]
    return PlainSheet(game_name(match.game), heads, sides, rows)


def sides_of(match: Match) -> list[Side]:
    """Return a dict for each side of a finished match: for each team, or for each seat if there are no teams.

    "seat" is the first seat of the side. "heads" is empty: a score sheet puts the headings of the side's columns there.
    """
    seats_by_side: dict[object, list[Seat]] = {}
    seats = sorted(match.seats.select_related("user"), key=lambda seat: (seat.number is None, seat.number))
    for seat in seats:
        side = ("seat", seat.number) if seat.team is None else seat.team
        seats_by_side.setdefault(side, []).append(seat)
    return [
        {
            "name": join_words([SeatSnapshot.from_seat(seat).name for seat in seats]),
            "seat": seats[0].number,
            "seats": [seat.number for seat in seats],
            "score": seats[0].score,
            "place": seats[0].finish,
            "heads": [],
        }
        for seats in seats_by_side.values()
    ]


def _cell(column: SheetColumn, value: object) -> object:
    if not column.words:
        return value
    return str(column.words.get(value, ""))
