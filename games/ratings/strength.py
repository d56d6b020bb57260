"""Ratings as figures: the Plackett-Luce model of Weng and Lin (2011), as the library openskill has it, and its display.

It knows sides of several partners and tables of many, and says how sure it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

MODEL = PlackettLuce()

MIDDLE = 1500  # points of somebody of whom nothing is known
UNIT = 60  # points of the model's unit
PROVISIONAL = 10  # rated matches before which a rating is


class Strength(NamedTuple):
    """What is believed of a player: a normal distribution, in the model's unit."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """As players read it."""
        return round(MIDDLE + UNIT * (self.mu - MODEL.mu))

    @property
    def error(self) -> int:
        """One standard deviation, in points."""
        return round(UNIT * self.sigma)


UNKNOWN = Strength(MODEL.mu, MODEL.sigma)


class Result(NamedTuple):
    """How a match ended for one seat."""

    side: int  # partners have the same
    place: int  # in the standings, 1 is best
    left: bool  # for good, before the end


def rated(before: Sequence[Strength], results: Sequence[Result]) -> list[Strength]:
    """What is believed of the players after a match, in their order.

    A side of which somebody left counts as last, whatever its place; the partner who stayed loses nothing by it.
    """
    sides = sorted({result.side for result in results})
    members = {side: [seat for seat, result in enumerate(results) if result.side == side] for side in sides}
    last = max(result.place for result in results) + 1
    ranks = [
        last if any(results[seat].left for seat in members[side]) else results[members[side][0]].place for side in sides
    ]
    teams = [[MODEL.create_rating(list(before[seat])) for seat in members[side]] for side in sides]
    after = list(before)
    for side, team, rank in zip(sides, MODEL.rate(teams, ranks=ranks), ranks, strict=True):
        for seat, rating in zip(members[side], team, strict=True):
            stayed_beside_a_leaver = rank == last and not results[seat].left
            if not (stayed_beside_a_leaver and rating.mu < before[seat].mu):
                after[seat] = Strength(rating.mu, rating.sigma)
    return after
