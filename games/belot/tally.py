"""Deals of Belot at a real table: contract and bidder, declarations and belots, card points, the last trick.

Card points are entered with the ten for the last trick, as players count them, and before no trumps doubles them.
"""

from collections.abc import Sequence
from functools import cache

from games.belot.rules.declarations import SEQUENCES, SQUARES
from games.belot.rules.pack import ALL_TRUMPS, BELOT, CONTRACTS, LAST_TRICK, NO_TRUMPS, PACKS, Match, card_points
from games.belot.rules.scoring import Counts, after_row, score_counts
from games.belot.rules.state import BySide, Contract, State, between_deals, next_deal
from games.belot.table.terms import CONTRACT_WORDS, KINDS, SIGNS, TIMES
from games.kit.contract import Sheet
from games.kit.language import lazy
from games.kit.tallies import Body, CannotBe, Field, Names, Option, Scorer, chosen, number_of, seat_options

PASSED = "pass"
VALAT = "v"  # the prefix of the answer that a side took all tricks
FOURS = {"square": SQUARES["A"], "nines": SQUARES["9"], "jacks": SQUARES["J"]}
POINTS = {"belot": BELOT, **dict(SEQUENCES.values()), **FOURS}
WORDS = {**KINDS, "nines": lazy("Four nines"), "jacks": lazy("Four jacks"), "belot": lazy("Belot")}
BY_NAME = ("belot", "square")  # Others are known by their points.
ONCE = ("nines", "jacks")
MOST = 4  # of any other kind: there are four suits


class BelotScorer(Scorer[State]):
    def fields(self, state: State, answers: Body, names: Names) -> list[Field]:
        match, sides = state.deal.match, self.side_names(names)
        bids = []
        for seat, name in enumerate(names):
            for contract in CONTRACTS:
                title = lazy("{name}: {contract}", name=name, contract=CONTRACT_WORDS[contract])
                bids.append(Option(f"{seat}{contract}", SIGNS[contract], title, row=contract == "C" and name))
        fields = [
            Field("bid", lazy("Contract"), (*bids, Option(PASSED, lazy("Everybody passed"), row=" ")), early=True)
        ]
        bid = str(answers.get("bid", ""))
        if bid in ("", PASSED):
            return fields
        levels = (1, 2, 4, 8) if match.third_double else (1, 2, 4)
        doubles = tuple([Option(level, TIMES[level] or "×1") for level in levels])
        fields.append(Field("level", lazy("Doubled"), doubles, early=True, default=1))
        contract, bidder = bid[1:], int(bid[0])
        if contract != NO_TRUMPS:
            fields += [_declared(side, name, contract, answers) for side, name in enumerate(sides)]
        return fields + _points(match, bidder % match.sides, contract, answers, sides)

    def add(self, state: State, body: Body) -> State:
        deal = state.deal
        if body["bid"] == PASSED:
            return between_deals(next_deal(deal))
        bid = str(body["bid"])
        contract = Contract(bid[1:], int(bid[0]), number_of(body, "level"))
        counts = _counts(deal.match, contract, body)
        return between_deals(*after_row(deal, score_counts(deal._replace(contract=contract), counts)))

    def totals(self, state: State) -> Sequence[float]:
        return state.deal.totals

    def sheet(self, state: State, bodies: Sequence[Body]) -> Sheet:
        sheet = self.rules.score_sheet(state)
        for row in sheet["rows"]:
            if row["valat"] is None:
                row["tricks"] = [None] * len(row["tricks"])
        return sheet

    def rows(self, bodies: Sequence[Body]) -> list[int]:
        return [index for index, body in enumerate(bodies) if body["bid"] != PASSED]


SCORER = BelotScorer


def _declared(side: int, name: str, contract: str, answers: Body) -> Field:
    """Return the field for what a side counts. A kind can be chosen again after it has been chosen."""
    kinds = [each.split(".")[0] for each in chosen(answers, f"declared{side}")]
    options = []
    for kind, points in POINTS.items():
        most = 1 if kind in ONCE or (kind == "belot" and contract != ALL_TRUMPS) else MOST
        for number in range(1, min(kinds.count(kind) + 1, most) + 1):
            value = kind if number == 1 else f"{kind}.{number}"
            options.append(Option(value, WORDS[kind] if kind in BY_NAME else str(points), WORDS[kind]))
    group = lazy("Declarations and belots that count") if side == 0 else ""
    return Field(f"declared{side}", name, tuple(options), "many", group=group)


def _points(match: Match, bidding: int, contract: str, answers: Body, sides: Sequence[str]) -> list[Field]:
    """Return the fields for the points of the cards. The defenders of four seats are asked first: they have fewer."""
    total, winner = total_points(match, contract), _valat(answers)
    valats = [Option(f"{VALAT}{side}", lazy("Valat: {side}", side=name)) for side, name in enumerate(sides)]
    group = lazy("Card points of {total}, with the last trick", total=total)
    if match.seats == 4:
        whose = [Option(str(side), name) for side, name in enumerate(sides)]
        counted = Field("counted", lazy("Points of"), (*whose, *valats), default=str(1 - bidding), group=group)
        points = [Field("points", lazy("Card points"), most=total)] if winner is None else []
    else:
        usual = Option("all", lazy("No valat"))
        counted = Field("counted", lazy("Valat"), (usual, *valats), default="all", group=group)
        # At three seats the points of the last side follow, and all of them from a valat.
        sides_to_enter = [0, 1] if winner is None else [winner] if match.seats == 2 else []
        points = [Field(f"points{side}", sides[side], most=total) for side in sides_to_enter]
    last = seat_options(sides) if winner is None else seat_options(sides)[winner : winner + 1]
    return [counted, *points, Field("last", lazy("Last trick by"), last, "end", note=lazy("Save. Last trick by"))]


def _valat(body: Body) -> int | None:
    counted = str(body.get("counted", ""))
    return int(counted[1:]) if counted.startswith(VALAT) else None


@cache
def _sums(seats: int, contract: str) -> frozenset[int]:
    """Return the sums of points that some cards of the pack can have."""
    sums = {0}
    for points in _values(seats, contract):
        sums |= {points + each for each in sums}
    return frozenset(sums)


def _values(seats: int, contract: str) -> list[int]:
    points = card_points(contract)
    return sorted(points[card] for card in PACKS[seats])


def total_points(match: Match, contract: str) -> int:
    """Return the points of all cards and of the last trick."""
    return sum(_values(match.seats, contract)) + LAST_TRICK * match.last_trick_ten


def _counts(match: Match, contract: Contract, body: Body) -> Counts:
    """Return what the sides have taken. Raise CannotBe."""
    sides, total, valat = match.sides, total_points(match, contract.contract), _valat(body)
    last = number_of(body, "last")
    points = _points_by_side(match, total, body)
    ten = LAST_TRICK * match.last_trick_ten
    cards = tuple([amount - ten * (side == last) for side, amount in enumerate(points)])
    possible = _sums(match.seats, contract.contract)
    if cards[last] < 0:
        raise CannotBe(lazy("The last trick alone is {ten} points. Check who took it.", ten=LAST_TRICK))
    for amount in cards:
        if amount not in possible:
            raise CannotBe(lazy("No cards are worth {points} points together. Count again.", points=amount))
    least = total - sum(_values(2, contract.contract)[-6:])
    if match.seats == 2 and not least <= sum(points) <= total:
        sentence = "Together these are {points} points. With six cards out it can be from {least} to {total}."
        raise CannotBe(lazy(sentence, points=sum(points), least=least, total=total))
    declarations, belots = _declarations(contract, body, sides, valat)
    tricks = tuple([8 + (match.seats == 2) if side == valat else 0 for side in range(sides)])
    return Counts(tricks, cards, last, declarations, belots, valat)


def _points_by_side(match: Match, total: int, body: Body) -> list[int]:
    """Return the points of the cards and of the last trick by side."""
    valat = _valat(body)
    if match.seats == 2:
        return [number_of(body, "points0"), number_of(body, "points1")]
    if valat is not None:
        return [total if side == valat else 0 for side in range(match.sides)]
    if match.seats == 4:
        own, side = number_of(body, "points"), number_of(body, "counted")
        return [own, total - own] if side == 0 else [total - own, own]
    first, second = number_of(body, "points0"), number_of(body, "points1")
    if first + second > total:
        raise CannotBe(lazy("Together these are {points} points of {total}.", points=first + second, total=total))
    return [first, second, total - first - second]


def _declarations(contract: Contract, body: Body, sides: int, valat: int | None) -> tuple[BySide, BySide]:
    """Return the points of declarations and of belots by side. Raise CannotBe."""
    declarations, belots = [0] * sides, [0] * sides
    for side in range(sides):
        for answer in chosen(body, f"declared{side}"):
            kind = answer.split(".")[0]
            (belots if kind == "belot" else declarations)[side] += POINTS[kind]
    if sum(map(bool, declarations)) > 1:
        raise CannotBe(lazy("Only one side counts its declarations: the one with the highest."))
    if valat is not None and sum(declarations) != declarations[valat]:
        raise CannotBe(lazy("Without a trick a side counts no declarations."))
    if sum(belots) > BELOT * (MOST if contract.contract == ALL_TRUMPS else 1):
        raise CannotBe(lazy("There are not so many belots in this contract."))
    return tuple(declarations), tuple(belots)
