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

OF_DEAL = "deal_"


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
    """Return the score sheet of a finished match. Raises Refused, and Unreadable if its moves can't be read."""
    if match.status != Match.Status.OVER:
        raise Refused(lazy("You can download the sheet once the match is over."))
    deals = facts_of(match).deals
    game = get_game(match.game)
    sides = sides_of(match)
    alone = len(sides) == match.seat_count
    whole = [column for column in game.sheet_columns if column.fact.startswith(OF_DEAL)]
    single = [column for column in game.sheet_columns if alone and not column.fact.startswith(OF_DEAL)]
    for side in sides:
        side["heads"] = [*(str(column.head) for column in single), say("Points"), say("Total")]
    rows = []
    for number, facts in deals.items():
        of_deal = [_value(column, facts.deal.get(column.fact.removeprefix(OF_DEAL))) for column in whole]
        of_sides = []
        for side in sides:
            of_seat = facts.seats[side["seat"]]
            values = [_value(column, of_seat.get(column.fact)) for column in single]
            of_sides.append([*values, of_seat["points"], of_seat["score"]])
        rows.append((number, [number, *of_deal], of_sides))
    heads = [str(game.deal_word).capitalize(), *(str(column.head) for column in whole)]
    return PlainSheet(game_name(match.game), heads, sides, rows)


def sides_of(match: Match) -> list[Side]:
    """Return the sides of a finished match, without headings."""
    sides: dict[object, list[Seat]] = {}
    seats = sorted(match.seats.select_related("user"), key=lambda seat: (seat.number is None, seat.number))
    for seat in seats:
        sides.setdefault(("seat", seat.number) if seat.team is None else seat.team, []).append(seat)
    return [
        {
            "name": join_words([SeatSnapshot.from_seat(seat).name for seat in side]),
            "seat": side[0].number,
            "seats": [seat.number for seat in side],
            "score": side[0].score,
            "place": side[0].finish,
            "heads": [],
        }
        for side in sides.values()
    ]


def _value(column: SheetColumn, value: object) -> object:
    if not column.words:
        return value
    return str(column.words.get(value, ""))
