"""How the match points of a deal came about, in figures. row: a line of the score sheet."""

from typing import NamedTuple

from games.belot.rules.scoring import LIMITS, VALAT, rounded, shared_out, winners_of


class Division(NamedTuple):
    """Points that were divided by ten, all at once. tens: what they came to, before doubling."""

    points: int
    tens: int


def bidding_side(row):
    return row["bidder"] % len(row["points"])


def limit_of(row):
    """The last digit that is rounded either way."""
    return LIMITS.get(row["contract"], 6)


def last_ten(row, side):
    """The ten of the last trick, if this match has it: what the points hold besides all else."""
    if side != row["last_trick"]:
        return 0
    times = 2 if row["contract"] == "NT" else 1
    return row["points"][side] // times - sum(row[part][side] for part in ("cards", "declarations", "belots"))


def half_of(row, side):
    """The points of a bidder that another player got as a half: where two share what one has lost."""
    if row["outcome"] != "inside" or len(row["points"]) < 3:
        return 0
    winners = winners_of("inside", row["points"], row["bidder"])
    return shared_out(row["points"][bidding_side(row)], winners, len(row["points"]))[side]


def is_together(row):
    """Whether the points of all sides were divided as one."""
    return len(row["points"]) == 2 if row["outcome"] == "inside" else row["level"] > 1


def division(row, side):
    """The `Division` by which a side came to its match points, or to those that hang; None where it lost them all."""
    points, limit = row["points"], limit_of(row)
    if row["marks"][side] == "dash":
        return None
    if is_together(row):
        return Division(sum(points), rounded(sum(points), limit, up=False))
    if row["marks"][side] == "hanging":
        return Division(points[side], rounded(points[side], limit, up=True))
    scored = row["mp"][side] - row["pot"][side] - row["kirtik"][side] - (VALAT if row["valat"] == side else 0)
    return Division(points[side] + half_of(row, side), scored // row["level"])


def hung(row):
    """The match points that hang from this deal."""
    return division(row, bidding_side(row)).tens * row["level"] if row["outcome"] == "hanging" else 0
