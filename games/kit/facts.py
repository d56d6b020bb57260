"""What a game tells of a deal that has been scored, and how that stands on a plain score sheet."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class DealFacts(NamedTuple):
    """What there is to know of a scored deal: of all of it, and of each seat, by number.

    Each fact is a string, a number or a bool, or None where there is none, under a key of the game's rules page. Of
    each seat there are at least "points", what the deal gave it or its side, and "score", what it has after the deal.
    """

    deal: dict[str, Any]
    seats: tuple[dict[str, Any], ...]


class SheetColumn(NamedTuple):
    """A fact that stands on a plain score sheet, the one without drawings: its head, and words for its values, if any.

    Facts of the whole deal have "deal_" before them. Those of seats are left out where partners share a column.
    """

    head: str
    fact: str
    words: Mapping[Any, str] = {}
