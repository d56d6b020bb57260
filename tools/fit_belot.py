"""Fit the weights that the Belot bot estimates contracts by to its own play, and print them as JSON. Needs numpy.

    python -m tools.fit_belot > weights.json && mv weights.json games/belot/weights.json

Each round plays deals with the weights of the previous round, the first round with zeros. Every seat sometimes makes a
random bid, so that there are contracts of all kinds to learn from.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from random import Random

from games.belot import bot as belot
from games.catalog import get_rules
from games.kit.arena import play_match
from games.kit.contract import Move, Table

RULES = get_rules("belot")
ROLES = ("own", "support", "defend")
KINDS = {"suit": "H", "NT": "NT", "AT": "AT"}  # Each with an example of a contract.
ANY_AUCTION = belot.Auction(4, ("7C",), None, 1, "own", is_leader=False, partner_has_bid=False, rival_has_bid=False)
NOTHING = {kind: [0.0] * len(belot.features(ANY_AUCTION, contract)) for kind, contract in KINDS.items()}
type Example = tuple[str, str, list[float], float]  # The role, the kind of contract, the features, the margin.

ODD_BIDS = 0.12  # The share of random bids.


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--deals", type=int, default=6000, help="scored ones, in each round, for each number of seats")
    parser.add_argument("--seats", type=int, nargs="*", default=RULES.seat_counts)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    belot.WEIGHTS = {}
    for seats in arguments.seats:
        rng = Random(f"{arguments.seed}:{seats}")
        belot.WEIGHTS[str(seats)] = dict.fromkeys(ROLES, NOTHING)
        for _ in range(arguments.rounds):
            examples = [example for deal in deals(seats, arguments.deals, rng) for example in deal]
            belot.WEIGHTS[str(seats)] = {
                role: {kind: fit(kind, [each[2:] for each in examples if each[:2] == (role, kind)]) for kind in KINDS}
                for role in ROLES
            }
    lines = {"made_by": vars(arguments)} | belot.WEIGHTS
    print("{" + ",\n ".join(f"{json.dumps(name)}: {json.dumps(line)}" for name, line in lines.items()) + "}")


class Learner:
    """The bot with some random bids. It remembers each seat's view of the auction at its last bid and last call."""

    def __init__(self) -> None:
        self.bot = belot.BelotBot()
        self.forget()

    def forget(self) -> None:
        self.last_bids: dict[int, belot.Auction] = {}
        self.last_calls: dict[int, belot.Auction] = {}
        self.is_odd = False  # Whether the highest bid is a random one.

    def choose(self, table: Table, moves: Sequence[Move], rng: Random) -> Move:
        if table["phase"] != "bid":
            return self.bot.choose(table, moves, rng)
        bids = [move for move in moves if move["type"] == "bid"]
        is_odd = bool(bids) and rng.random() < ODD_BIDS
        move = rng.choice(bids) if is_odd else self.bot.choose(table, moves, rng)
        seat = table["seat"]
        self.last_calls[seat] = belot.read_auction(table)
        if move["type"] == "bid":
            self.last_bids[seat] = self.last_calls[seat]
            self.is_odd = is_odd
        return move


def deals(seats: int, count: int, rng: Random) -> list[list[Example]]:
    """Return a list of examples for each scored deal of matches with random options."""
    examples: list[list[Example]] = []
    while len(examples) < count:
        options = {field.name: rng.choice(field.choices).value for field in RULES.option_fields(seats)}
        learner = Learner()
        for state in play_match(RULES, options, [learner] * seats, rng, rng):
            last = RULES.view(state, None)["last_hand"]
            if last and last["outcome"] != "passed":
                examples.append(list(examples_of(last, learner)))
            if last:
                learner.forget()
    return examples


def examples_of(last: Table, learner: Learner) -> Iterator[Example]:
    """Yield the examples of a scored deal.

    After a random bid only the bidder learns. The others would learn to distrust bids.
    """
    contract, bidder, sides = last["contract"], last["bidder"], len(last["points"])
    margin = margin_of(last["points"], bidder % sides, last["outcome"])
    kind = contract if contract in KINDS else "suit"
    yield "own", kind, belot.features(learner.last_bids[bidder], contract), margin
    for seat, auction in learner.last_calls.items():
        if seat != bidder and not learner.is_odd:
            role = "support" if seat % sides == bidder % sides else "defend"
            yield role, kind, belot.features(auction, contract), margin


def margin_of(points: Sequence[float], side: int, outcome: str) -> float:
    """Return how many match points the bidding side has more than the mean of the others in an undoubled deal."""
    rivals = len(points) - 1
    others = sum(points) - points[side]
    if outcome == "made":
        return (points[side] - others / rivals) / 10
    return -(others if outcome == "hanging" else sum(points)) / rivals / 10


def fit(kind: str, examples: Sequence[tuple[list[float], float]]) -> list[float]:
    """Return the weights of a ridge regression, with two decimals. examples: pairs of features and a margin."""
    if not examples:  # In the first round all bids are random. Without partners nobody supports a bid.
        return NOTHING[kind]
    import numpy  # The tests import this module without numpy.

    features = numpy.array([numbers for numbers, _ in examples], dtype=float)
    margins = numpy.array([margin for _, margin in examples])
    weights = numpy.linalg.solve(features.T @ features + numpy.eye(features.shape[1]), features.T @ margins)
    return [round(weight, 2) for weight in weights.tolist()]


if __name__ == "__main__":
    main()
