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
    """Return the estimated strengths of the players after a match, in the same order as before it.

    A side counts as last if one of its players has left. A partner who stayed loses no points by it.

    before, results: by seat.
    """
    sides = sorted({result.side for result in results})
    members = {side: [seat for seat, result in enumerate(results) if result.side == side] for side in sides}
    last = max(result.place for result in results) + 1
    ranks: list[float] = [
        last if any(results[seat].has_left for seat in members[side]) else results[members[side][0]].place
        for side in sides
    ]
    # The model wants the players of each side together, and ranks the sides from 1, the best.
    teams = [[MODEL.create_rating(list(before[seat])) for seat in members[side]] for side in sides]
    after = list(before)
    for side, team, rank in zip(sides, MODEL.rate(teams, ranks=ranks), ranks, strict=True):
        for seat, rating in zip(members[side], team, strict=True):
            was_deserted = rank == last and not results[seat].has_left
            if not (was_deserted and rating.mu < before[seat].mu):
                after[seat] = Strength(rating.mu, rating.sigma)
    return after
