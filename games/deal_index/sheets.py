"""The score sheet of a finished match as a plain table for files, built from its facts for any game."""

from typing import NamedTuple

from games.catalog import game_name, get_game
from games.deal_index.making import facts_of
from games.kit.language import lazy, say
from games.kit.words import join_words
from games.models import Match
from games.play.errors import Refused
from games.play.snapshot import SeatSnapshot

OF_DEAL = "deal_"


class PlainSheet(NamedTuple):
    """A score sheet as a table.

    heads: the headings of columns about the whole deal. sides: {"name", "heads", "score", "place"} of each side.
    rows: for each scored deal its number, the values under `heads`, and the values of each side under its own heads.
    Values are numbers, texts or None.
    """

    title: str
    heads: list[str]
    sides: list[dict]
    rows: list[tuple[int, list, list[list]]]

    @property
    def columns(self):
        """The headings of all columns. Headings of a side start with its name."""
        return [*self.heads, *(f"{side['name']}: {head}" for side in self.sides for head in side["heads"])]

    @property
    def lines(self):
        """The values of each row, one list a row."""
        return [[*of_deal, *(value for of_side in sides for value in of_side)] for _, of_deal, sides in self.rows]


def plain_sheet(match):
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


def sides_of(match):
    """Return {"name", "seat", "seats", "score", "place"} of each side of a finished match. seat: its first seat."""
    sides = {}
    seats = sorted(match.seats.select_related("user"), key=lambda seat: (seat.number is None, seat.number))
    for seat in seats:
        side = sides.setdefault(
            ("seat", seat.number) if seat.team is None else seat.team,
            {"names": [], "seats": [], "seat": seat.number, "score": seat.score, "place": seat.finish},
        )
        side["names"].append(SeatSnapshot.from_seat(seat).name)
        side["seats"].append(seat.number)
    return [side | {"name": join_words(side["names"])} for side in sides.values()]


def _value(column, value):
    if not column.words:
        return value
    return str(column.words.get(value, ""))
