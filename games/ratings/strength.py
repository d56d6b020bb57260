"""The rating model: Plackett-Luce by Weng and Lin (2011), from the library openskill, and its display in points.

The model supports partners and more than two sides, and knows the error of a rating.
"""

from collections.abc import Sequence
from typing import NamedTuple

from openskill.models import PlackettLuce

MODEL = PlackettLuce()

MIDDLE = 1500  # The points of a new player.
UNIT = 60  # The points in one unit of the model.
PROVISIONAL = 10  # A rating is provisional until this many rated matches.


class Strength(NamedTuple):
    """The estimated strength of a player: a normal distribution, in units of the model."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        return round(MIDDLE + UNIT * (self.mu - MODEL.mu))

    @property
    def error(self) -> int:
        """One standard deviation, in points."""
        return round(UNIT * self.sigma)


UNKNOWN = Strength(MODEL.mu, MODEL.sigma)


class Result(NamedTuple):
    """The result of a match for one seat.

    side: the same number for partners. place: in the final standings, from 1. has_left: the player left before the end.
    """

    side: int
    place: int
    has_left: bool


def rate(before: Sequence[Strength], results: Sequence[Result]) -> list[Strength]:
    """Return the estimated strength of each player after a match.

    before: their strengths before it. results: their results. These lists and the returned one go by seat.

    Partners are one side. A side counts as last if one of its players has left the match early. A partner who stayed
    loses no points by it.
    """
    sides = sorted({result.side for result in results})
    seats_of = {side: [seat for seat, result in enumerate(results) if result.side == side] for side in sides}
    deserted = {result.side for result in results if result.has_left}
    last = max(result.place for result in results) + 1
    # The model wants the players of each side together, and ranks the sides from 1, the best. Partners share a place.
    teams = [[MODEL.create_rating(list(before[seat])) for seat in seats_of[side]] for side in sides]
    ranks: list[float] = [last if side in deserted else results[seats_of[side][0]].place for side in sides]
    after = list(before)
    for side, team in zip(sides, MODEL.rate(teams, ranks=ranks), strict=True):
        for seat, rating in zip(seats_of[side], team, strict=True):
            stayed_alone = side in deserted and not results[seat].has_left
            if not (stayed_alone and rating.mu < before[seat].mu):  # mu is the middle of the estimate.
                after[seat] = Strength(rating.mu, rating.sigma)
    return after
