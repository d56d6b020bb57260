"""From the tricks of a deal to its line on the score sheet. Source: "Scoring" on the rules page."""

from typing import NamedTuple

from games.belot.rules.declarations import counting_side
from games.belot.rules.pack import BELOT, LAST_TRICK, points_of_cards, times
from games.belot.rules.state import Line
from games.kit.contract import as_standings

VALAT = 9
KIRTIK = -10


class Settlement(NamedTuple):
    """What the points of a deal come to in match points, under the keys of a row of the score sheet."""

    outcome: str
    pot: tuple
    kirtik: tuple
    marks: tuple
    mp: tuple
    hanging: int


def score(deal, tricks, declared, belots):
    """The `Line` of a deal whose last card has been played. tricks, declared, belots: as in a `State`."""
    match, (contract, bidder, level) = deal.match, deal.contract
    sides = match.sides
    taken, cards, last_trick = _taken(contract, tricks, sides)
    counting = counting_side(declared, taken, sides)
    declarations = _summed([(counting, each.points) for each in declared if each.seat % sides == counting], sides)
    royals = _summed([(seat % sides, BELOT) for seat, _ in belots], sides)
    tens = _summed([(last_trick, LAST_TRICK)] if match.last_trick_ten else [], sides)
    sums = map(sum, zip(cards, declarations, royals, tens, strict=True))
    points = tuple(times(contract) * amount for amount in sums)
    valat = taken.index(len(tricks)) if len(tricks) in taken else None

    settlement = settle(match, deal.contract, points, valat, deal.hanging)
    return Line(
        deal=deal.number,
        dealer=deal.dealer,
        contract=contract,
        bidder=bidder,
        level=level,
        valat=valat,
        tricks=tuple(taken),
        cards=tuple(cards),
        last_trick=last_trick,
        declarations=tuple(declarations),
        belots=tuple(royals),
        points=points,
        totals=tuple(map(sum, zip(deal.totals, settlement.mp, strict=True))),
        **settlement._asdict(),
    )


def settle(match, contract, points, valat, hanging):
    """The `Settlement` of a deal. points: by side. valat: the side that took all tricks, or None.

    hanging: the match points that hang from earlier deals.
    """
    sides = match.sides
    outcome = _outcome(points, contract.bidder % sides, match.hanging)
    winners = winners_of(outcome, points, contract.bidder)
    written, marks, hung = _written(contract, outcome, points, winners)
    pot = shared_out(hanging, winners, sides)
    kirtik = _kirtik(contract, winners, valat, sides) if match.kirtik else [0] * sides
    nines = _summed([] if valat is None else [(valat, VALAT)], sides)
    mp = map(sum, zip(written, pot, nines, kirtik, strict=True))
    left = 0 if winners else hanging + hung
    return Settlement(outcome, tuple(pot), tuple(kirtik), tuple(marks), tuple(mp), left)


def is_last(line, target):
    """Whether the match is over with this line. Source: "End of the match"."""
    highest = max(line.totals)
    return highest >= target and line.totals.count(highest) == 1 and line.valat is None


def standings(state):
    return as_standings(state.deal.totals, state.deal.match.seats) if state.phase == "over" else []


def _taken(contract, tricks, sides):
    """By side how many tricks it took and what the cards in them are worth, and the side of the last trick."""
    worth = points_of_cards(contract)
    taken, cards = [0] * sides, [0] * sides
    for trick in tricks:
        side = trick.winner % sides
        taken[side] += 1
        cards[side] += sum([worth[card] for card in trick.cards])
    return taken, cards, side


def _summed(amounts, sides):
    """By side the sum of its amounts. amounts: pairs of a side and a number."""
    sums = [0] * sides
    for side, amount in amounts:
        sums[side] += amount
    return sums


def _outcome(points, bidding, may_hang):
    bidders, defenders = points[bidding], sum(points) - points[bidding]
    if bidders > defenders:
        return "made"
    return "hanging" if bidders == defenders and may_hang else "inside"


def winners_of(outcome, points, bidder):
    """The sides that have won the deal; of two defenders the one who gets what is odd comes first."""
    sides = len(points)
    if outcome == "hanging":
        return []
    if outcome == "made":
        return [bidder % sides]
    defenders = [(bidder + place) % sides for place in range(1, sides)]
    return sorted(defenders, key=lambda side: -points[side])


def shared_out(amount, winners, sides):
    """By side what it gets of an amount that goes to the winners: all, or the halves. What is odd goes to the first."""
    shares = [0] * sides
    for side in winners:
        shares[side] = amount // len(winners)
    if winners:
        shares[winners[0]] += amount % len(winners)
    return shares


def _written(contract, outcome, points, winners):
    """By side the match points for the points of the deal and the mark they are written by; then how many hang."""
    sides = len(points)
    bidding, level = contract.bidder % sides, contract.level
    limit = limit_of(contract.contract)
    everything = rounded(sum(points), limit, up=False)
    marks = ["number"] * sides

    if outcome == "hanging":
        if level > 1:
            return [0] * sides, ["hanging"] * sides, everything * level
        written = [rounded(number, limit, up=False) for number in points]
        written[bidding], marks[bidding] = 0, "hanging"
        return written, marks, rounded(points[bidding], limit, up=True)

    if outcome == "made" and level == 1:
        return _all_rounded(points, limit), marks, 0
    marks = ["number" if side in winners else "dash" for side in range(sides)]
    if len(winners) == 1:
        return shared_out(everything * level, winners, sides), marks, 0
    halves = shared_out(points[bidding], winners, sides)
    amounts = [points[side] + halves[side] if side in winners else 0 for side in range(sides)]
    return [number * level for number in _all_rounded(amounts, limit)], marks, 0


def _kirtik(contract, winners, valat, sides):
    """By side the match points lost for having been committed without winning, or for being valat."""
    committed = range(sides) if contract.level > 1 else [contract.bidder % sides]
    lost = {side for side in committed if side not in winners}
    if valat is not None:
        lost.update(side for side in range(sides) if side != valat)
    return [KIRTIK if side in lost else 0 for side in range(sides)]


def _all_rounded(amounts, limit):
    """The points of a deal in match points: at the limit the one highest amount is rounded down, the others up."""
    highest = max(amounts)
    return [rounded(amount, limit, up=amount < highest or amounts.count(highest) > 1) for amount in amounts]


def limit_of(contract):
    """The last digit that is rounded either way."""
    return {"NT": 5, "AT": 4}.get(contract, 6)


def rounded(points, limit, up):
    """Tens of points. up: whether to round up where the last digit is the limit."""
    tens, rest = divmod(points, 10)
    return tens + (rest > limit or (rest == limit and up))


# How the match points of a finished deal came about. row: its line of the score sheet


class Division(NamedTuple):
    """Points that were divided by ten, all at once. tens: what they came to, before doubling."""

    points: int
    tens: int


def bidding_side(row):
    return row["bidder"] % len(row["points"])


def last_ten(row, side):
    """The ten points of the last trick, if this match has them: all points less the other parts."""
    if side != row["last_trick"]:
        return 0
    return row["points"][side] // times(row["contract"]) - sum(
        row[part][side] for part in ("cards", "declarations", "belots")
    )


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
    """The `Division` of a side's points into match points, scored or hanging. None if it lost them all."""
    points, limit = row["points"], limit_of(row["contract"])
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
