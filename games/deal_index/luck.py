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
    """The luck of all sides. lines: empty until the facts of the match are stored."""

    words: str
    lines: list[LuckLine]


def luck_of(match: Match) -> Luck | None:
    """Return for each side of a finished match the points it made, and how many its cards bring on average.

    The second number is the worth of its cards: the higher it is, the more luck the side had. The worth is stored for
    each seat and deal soon after the end of a match. Until then "lines" is []. Return None if there will be no worth,
    as in a game that does not compute it.
    """
    words = get_game(match.game).luck
    if match.status != Match.Status.OVER or not match.counts or not words:
        return None
    sums: dict[int, tuple[float, float]] = {}
    rows = SeatFacts.objects.filter(deal__match=match).values_list("seat__number", "points", "facts")
    for seat, points, facts in rows:
        if "worth" not in facts:
            return None  # An older version of the site stored these facts. They will be recomputed.
        points_sum, worth_sum = sums.get(seat, (0, 0))
        sums[seat] = points_sum + points, worth_sum + facts["worth"]
    if not sums and match.ended_at < timezone.now() - LOOKED_BACK:
        return None  # By now its facts would be stored if they could be.
    return {
        "words": words,
        "lines": [_luck_line(side, *sums[side["seat"]]) for side in sides_of(match)] if sums else [],
    }


def _luck_line(side: Side, points: float, worth: float) -> LuckLine:
    beyond = tenths(points - worth, plus=True)
    return {
        "name": side["name"],
        "seats": side["seats"],
        "points": with_sign(points),
        "worth": tenths(worth),
        "beyond": beyond,
    }
