"""Luck: the expected value of each side's cards, compared with the points it scored."""

from typing import TypedDict

from django.utils import timezone

from games.catalog import get_game
from games.deal_index.making import LOOKED_BACK
from games.deal_index.models import SeatFacts
from games.deal_index.sheets import Side, sides_of
from games.kit.words import tenths, with_sign
from games.models import Match


class LuckLine(TypedDict):
    """The sums of a side over all deals, formatted for display."""

    name: str
    seats: list[int]
    points: str
    worth: str
    beyond: str


class Luck(TypedDict):
    """lines: empty until the facts of the match are stored."""

    words: str
    lines: list[LuckLine]


def luck_of(match: Match) -> Luck | None:
    """Return the luck in a finished match, or None if the worth of its cards is unknown."""
    words = get_game(match.game).luck
    if match.status != Match.Status.OVER or not match.counts or not words:
        return None
    sums: dict[int, tuple[float, float]] = {}
    rows = SeatFacts.objects.filter(deal__match=match).values_list("seat__number", "points", "facts")
    for seat, points, facts in rows:
        if "worth" not in facts:
            return None  # An older version stored these facts. They will be recomputed.
        scored, worth = sums.get(seat, (0, 0))
        sums[seat] = scored + points, worth + facts["worth"]
    if not sums and match.ended_at < timezone.now() - LOOKED_BACK:
        return None
    return {"words": words, "lines": [_line(side, *sums[side["seat"]]) for side in sides_of(match)] if sums else []}


def _line(side: Side, points: float, worth: float) -> LuckLine:
    beyond = tenths(points - worth, plus=True)
    return {
        "name": side["name"],
        "seats": side["seats"],
        "points": with_sign(points),
        "worth": tenths(worth),
        "beyond": beyond,
    }
