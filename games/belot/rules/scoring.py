"""From the tricks of a deal to its row on the score sheet. Source: "Scoring" on the rules page."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.belot.rules.declarations import counting_side
from games.belot.rules.pack import ALL_TRUMPS, BELOT, LAST_TRICK, NO_TRUMPS, card_points, points_factor
from games.belot.rules.state import (
    BelotPair,
    BySide,
    Contract,
    Deal,
    Declaration,
    Match,
    ScoredDeal,
    State,
    next_deal,
)
from games.belot.rules.types import SheetRow
from games.kit.contract import Seat, Standing, as_standings
from games.kit.tricks import Trick

VALAT = 9  # match points
KIRTIK = -10  # match points


class Counts(NamedTuple):
    """What the sides have taken in a deal, by side. cards: the points of their cards. last_trick: a side.

    valat: the side that took all tricks, or None.
    """

    tricks: BySide
    cards: BySide
    last_trick: int
    declarations: BySide
    belots: BySide
    valat: int | None


class Settlement(NamedTuple):
    """The match points of a deal, under the keys of a row of the score sheet."""

    outcome: str
    pot: BySide
    kirtik: BySide
    marks: tuple[str, ...]
    mp: BySide
    hanging: int


def score(
    deal: Deal, tricks: Sequence[Trick], declarations: Sequence[Declaration], belots: Sequence[BelotPair]
) -> ScoredDeal:
    """Return the row of the score sheet for a deal whose last card has been played.

    It holds the points of each side, and the match points that the side gets for them. A side is a team, or a player
    without a partner; a seat is on the side `seat % sides`. tricks: all of the deal. declarations: the sequences and
    squares of all seats. belots: pairs of a seat and the trump suit whose king and queen it has announced.
    """
    match, contract = deal.match, deal.contract
    assert contract
    sides = match.sides
    trick_counts, cards, last_trick = _count_tricks(contract.contract, tricks, sides)
    counting = counting_side(declarations, trick_counts, sides)  # Only one side counts its declarations, or nobody.
    counted = [(counting, each.points) for each in declarations if each.seat % sides == counting]
    declaration_points = _sum_by_side(counted, sides)
    belot_points = _sum_by_side([(seat % sides, BELOT) for seat, _ in belots], sides)
    # The side that has taken all tricks, if any. That is a "valat".
    valat = trick_counts.index(len(tricks)) if len(tricks) in trick_counts else None
    return score_counts(
        deal,
        Counts(tuple(trick_counts), tuple(cards), last_trick, tuple(declaration_points), tuple(belot_points), valat),
    )


def score_counts(deal: Deal, counts: Counts) -> ScoredDeal:
    """Return the row of the score sheet for a deal with a contract, from what the sides have taken."""
    match, contract = deal.match, deal.contract
    assert contract
    last_trick_points = _sum_by_side([(counts.last_trick, LAST_TRICK)] if match.last_trick_ten else [], match.sides)
    sums = map(sum, zip(counts.cards, counts.declarations, counts.belots, last_trick_points, strict=True))
    points = tuple(points_factor(contract.contract) * amount for amount in sums)
    settlement = settle(match, contract, points, counts.valat, deal.hanging)
    return ScoredDeal(
        deal=deal.number,
        dealer=deal.dealer,
        **contract._asdict(),
        **counts._asdict(),
        points=points,
        totals=tuple(map(sum, zip(deal.totals, settlement.mp, strict=True))),
        **settlement._asdict(),
    )


def settle(match: Match, contract: Contract, points: BySide, valat: int | None, hanging: int) -> Settlement:
    """Convert the points of a deal, by side, to match points. These decide the match.

    valat: the side that took all tricks, or None. hanging: the match points that are left over from earlier deals. If
    a deal is level, the bidding side's points "hang": the winners of the next decided deal get them.
    """
    sides = match.sides
    outcome = _outcome(points, contract.bidder % sides, match.hanging)
    winners = winning_sides(outcome, points, contract.bidder)
    amounts, marks, newly_hanging = _divide_points(contract, outcome, points, winners)
    pot = share(hanging, winners, sides)  # the part of each side in what was left over
    kirtik = _penalties(contract, winners, valat, sides) if match.kirtik else [0] * sides  # an option
    valat_points = _sum_by_side([] if valat is None else [(valat, VALAT)], sides)
    mp = map(sum, zip(amounts, pot, valat_points, kirtik, strict=True))  # all match points, by side
    still_hanging = 0 if winners else hanging + newly_hanging
    return Settlement(outcome, tuple(pot), tuple(kirtik), tuple(marks), tuple(mp), still_hanging)


def is_last(row: ScoredDeal, target: int) -> bool:
    """Return whether this deal ends the match. Source: "End of the match".

    One side alone must have the highest total. A valat (one side took all tricks) never ends a match.
    """
    highest = max(row.totals)
    return highest >= target and row.totals.count(highest) == 1 and row.valat is None


def after_row(deal: Deal, row: ScoredDeal) -> tuple[Deal, str]:
    """Return the next deal and the phase after a scored deal, or that deal and "over" if it ends the match."""
    deal = deal._replace(lines=(*deal.lines, row), totals=row.totals, hanging=row.hanging)
    return (deal, "over") if is_last(row, deal.match.target) else (next_deal(deal), "deal")


def standings(state: State) -> list[Standing]:
    return as_standings(state.deal.totals, state.deal.match.seats) if state.phase == "over" else []


def _count_tricks(contract: str, tricks: Sequence[Trick], sides: int) -> tuple[list[int], list[int], int]:
    """Return by side the number of tricks, and the points of their cards. Third comes the side of the last trick."""
    points = card_points(contract)
    trick_counts, sums = [0] * sides, [0] * sides
    for trick in tricks:
        side = trick.winner % sides
        trick_counts[side] += 1
        sums[side] += sum([points[card] for card in trick.cards])
    return trick_counts, sums, tricks[-1].winner % sides


def _sum_by_side(amounts: Iterable[tuple[int, int]], sides: int) -> list[int]:
    """Return the sum of each side's amounts. amounts: pairs of a side and a number."""
    sums = [0] * sides
    for side, amount in amounts:
        sums[side] += amount
    return sums


def _outcome(points: BySide, bidding_side: int, may_hang: bool) -> str:
    bidders, defenders = points[bidding_side], sum(points) - points[bidding_side]
    if bidders > defenders:
        return "made"
    return "hanging" if bidders == defenders and may_hang else "inside"


def winning_sides(outcome: str, points: Sequence[int], bidder: Seat) -> list[int]:
    """Return the sides that have won the deal: the bidding side, or else all defenders.

    Two defenders will share what the bidder has lost, and the first in this list gets an odd point. It is the one with
    more points, or else the next in turn after the bidder. points: by side.
    """
    sides = len(points)
    if outcome == "hanging":
        return []  # All points are level, and nobody has won.
    if outcome == "made":
        return [bidder % sides]
    defenders_in_turn = [(bidder + distance) % sides for distance in range(1, sides)]
    return sorted(defenders_in_turn, key=lambda side: -points[side])


def share(amount: int, winners: Sequence[int], sides: int) -> list[int]:
    """Divide an amount equally among the winners, and return the share of every side.

    winners: at most two sides, or () if the amount goes to nobody. The first one gets an odd point.
    """
    shares = [0] * sides
    for side in winners:
        shares[side] = amount // len(winners)
    if winners:
        shares[winners[0]] += amount % len(winners)
    return shares


def _divide_points(
    contract: Contract, outcome: str, points: BySide, winners: Sequence[int]
) -> tuple[list[int], list[str], int]:
    """Divide the points of a deal by ten into match points, and decide which sides get them.

    Return two lists by side: match points, and marks for the score sheet. A mark is "number", "dash" (the side lost its
    points) or "hanging" (the points were level). The third value is the number of match points that "hang": they wait
    for the winners of the next deal. outcome: "made", "inside" (the bidder lost) or "hanging".
    """
    sides = len(points)
    bidding_side, level = contract.bidder % sides, contract.level  # level: 1, or 2, 4 or 8 after doubles
    limit = rounding_limit(contract.contract)  # the last digit that is rounded up or down according to the case
    all_points = in_tens(sum(points), limit, up=False)
    marks = ["number"] * sides

    if outcome == "hanging":
        if level > 1:  # The winner of a doubled deal takes everything, so everything waits for a winner.
            return [0] * sides, ["hanging"] * sides, all_points * level
        # The points of the bidding side wait for a winner. The others score theirs.
        amounts = [in_tens(number, limit, up=False) for number in points]
        amounts[bidding_side], marks[bidding_side] = 0, "hanging"
        return amounts, marks, in_tens(points[bidding_side], limit, up=True)

    if outcome == "made" and level == 1:  # Every side scores its own points.
        return _all_in_tens(points, limit), marks, 0
    # The contract was doubled or lost: the winners take the points of the losers too.
    marks = ["number" if side in winners else "dash" for side in range(sides)]
    if len(winners) == 1:
        return share(all_points * level, winners, sides), marks, 0
    # Each of two defenders keeps its own points, and gets half of the bidder's.
    halves = share(points[bidding_side], winners, sides)
    sums = [points[side] + halves[side] if side in winners else 0 for side in range(sides)]
    return [number * level for number in _all_in_tens(sums, limit)], marks, 0


def _penalties(contract: Contract, winners: Sequence[int], valat: int | None, sides: int) -> list[int]:
    """Return by side the penalty of the option "kirtik": 0, or KIRTIK, a negative number of match points.

    A side pays it if it promised to win and did not, or if another side took all tricks. It pays only once for both.
    valat: the side that took all tricks, or None.
    """
    # After a double every side has promised to win, otherwise only the side that bid.
    committed = range(sides) if contract.level > 1 else [contract.bidder % sides]
    losers = {side for side in committed if side not in winners}
    if valat is not None:
        losers.update(side for side in range(sides) if side != valat)
    return [KIRTIK if side in losers else 0 for side in range(sides)]


def _all_in_tens(amounts: Sequence[int], limit: int) -> list[int]:
    """Divide the amounts of all sides by ten, and round them.

    Last digits below the limit go down, and those above it up. The limit itself goes down in the highest amount, if
    only one side has it, and up in all others.
    """
    highest = max(amounts)
    return [in_tens(amount, limit, up=amount < highest or amounts.count(highest) > 1) for amount in amounts]


def rounding_limit(contract: str) -> int:
    """Return the limit for the division of points by ten: the last digit that may be rounded down or up.

    Smaller last digits always go down, and larger ones up. The limit itself goes one way or the other, according to the
    points of the other sides.
    """
    return {NO_TRUMPS: 5, ALL_TRUMPS: 4}.get(contract, 6)


def in_tens(points: int, limit: int, up: bool) -> int:
    """Divide points by ten. up: whether to round up if the last digit is the limit."""
    tens, last_digit = divmod(points, 10)
    return tens + (last_digit > limit or (last_digit == limit and up))


# How the match points in a row of the score sheet were computed


class Division(NamedTuple):
    """Points that were divided by ten as one amount. tens: the rounded result, before doubling."""

    points: int
    tens: int


def bidding_side(row: SheetRow) -> int:
    return row["bidder"] % len(row["points"])


def last_trick_points(row: SheetRow, side: int) -> int:
    """Return the extra points that a side got for the last trick, from a row of the score sheet.

    The row does not hold them: they are the rest when all other parts are subtracted from the side's points.
    """
    if side != row["last_trick"]:  # the side that took it
        return 0
    other_parts = row["cards"][side] + row["declarations"][side] + row["belots"][side]
    return row["points"][side] // points_factor(row["contract"]) - other_parts


def bidder_half(row: SheetRow, side: int) -> int:
    """Return the half of the bidder's points that this side gets, or 0. row: a deal on the score sheet.

    Only with three players are there two defenders. They share the points of a bidder who lost ("inside").
    """
    if row["outcome"] != "inside" or len(row["points"]) < 3:
        return 0
    winners = winning_sides("inside", row["points"], row["bidder"])
    return share(row["points"][bidding_side(row)], winners, len(row["points"]))[side]


def is_divided_as_one(row: SheetRow) -> bool:
    """Return whether the points of all sides were added before the division by ten. row: a deal on the score sheet.

    They were if they all go to one side. That is the only defender of a lost contract ("inside"), or the winner of a
    doubled one.
    """
    has_single_defender = len(row["points"]) == 2
    return has_single_defender if row["outcome"] == "inside" else row["level"] > 1


def division(row: SheetRow, side: int) -> Division | None:
    """Return the points of a side before the division by ten, and the result. None if the side lost its points.

    row: a deal on the score sheet. It does not hold the result, only the match points ("mp") that followed from it.
    """
    points, limit = row["points"], rounding_limit(row["contract"])
    if row["marks"][side] == "dash":
        return None
    if is_divided_as_one(row):
        return Division(sum(points), in_tens(sum(points), limit, up=False))
    if row["marks"][side] == "hanging":
        return Division(points[side], in_tens(points[side], limit, up=True))
    # Compute back from the match points. They are the result times the level (2, 4 or 8 after doubles), plus extras:
    # points from earlier deals ("pot"), a penalty ("kirtik"), and those for all tricks ("valat").
    extras = row["pot"][side] + row["kirtik"][side] + (VALAT if row["valat"] == side else 0)
    return Division(points[side] + bidder_half(row, side), (row["mp"][side] - extras) // row["level"])


def hanging_points(row: SheetRow) -> int:
    """Return the match points that this deal, if its points were level, leaves to the winners of the next one."""
    share_of_bidders = division(row, bidding_side(row))
    return share_of_bidders.tens * row["level"] if share_of_bidders and row["outcome"] == "hanging" else 0
