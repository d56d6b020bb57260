"""Fits what the Belot player expects of contracts to its own play, and prints it as JSON. Needs numpy to do so.

    python -m tools.fit_belot > weights.json && mv weights.json games/belot/weights.json

Each round plays deals with the weights of the round before, the first with none. Every seat makes an odd bid now and
then, so that there are contracts of all kinds to learn from.
"""

import argparse
import json
from random import Random

from games.belot import bot as belot
from games.catalog import get_rules
from games.kit.arena import played

RULES = get_rules("belot")
ROLES = ("own", "support", "defend")
KINDS = {"suit": "H", "NT": "NT", "AT": "AT"}  # and a contract of it
ANY_AUCTION = belot.Auction(4, ("7C",), None, 1, "own", is_leader=False, partner_has_bid=False, rival_has_bid=False)
NOTHING = {kind: [0.0] * len(belot.features(ANY_AUCTION, contract)) for kind, contract in KINDS.items()}
ODD_BIDS = 0.12  # how often a seat bids anything at all


def main():
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
    """The bot, but for an odd bid now and then. Keeps how each seat saw the auction in which it called."""

    def __init__(self):
        self.bot = belot.BelotBot()
        self.forget()

    def forget(self):
        self.last_bids, self.last_calls = {}, {}  # by seat: the auction in which it made its last bid, its last call
        self.odd = False  # whether the highest bid is odd

    def choose(self, table, moves, rng):
        if table["phase"] != "bid":
            return self.bot.choose(table, moves, rng)
        bids = [move for move in moves if move["type"] == "bid"]
        odd = bids and rng.random() < ODD_BIDS
        move = rng.choice(bids) if odd else self.bot.choose(table, moves, rng)
        seat = table["seat"]
        self.last_calls[seat] = belot.read_auction(table)
        if move["type"] == "bid":
            self.last_bids[seat] = self.last_calls[seat]
            self.odd = odd
        return move


def deals(seats, count, rng):
    """For each scored deal of matches with random options a list of examples: (role, kind, numbers, margin)."""
    found = []
    while len(found) < count:
        options = {field.name: rng.choice(field.choices).value for field in RULES.option_fields(seats)}
        learner = Learner()
        for state in played(RULES, options, [learner] * seats, rng, rng):
            last = RULES.view(state, None)["last_hand"]
            if last and last["outcome"] != "passed":
                found.append(list(examples_of(last, learner)))
            if last:
                learner.forget()
    return found


def examples_of(last, learner):
    """The examples of a scored deal. Others learn nothing from an odd bid: it would teach them to distrust a bid."""
    contract, bidder, sides = last["contract"], last["bidder"], len(last["points"])
    margin = margin_of(last["points"], bidder % sides, last["outcome"])
    kind = contract if contract in KINDS else "suit"
    yield "own", kind, belot.features(learner.last_bids[bidder], contract), margin
    for seat, auction in learner.last_calls.items():
        if seat != bidder and not learner.odd:
            role = "support" if seat % sides == bidder % sides else "defend"
            yield role, kind, belot.features(auction, contract), margin


def margin_of(points, side, outcome):
    """By how many match points the bidding side is ahead of the mean of the others after this deal, if not doubled."""
    rivals = len(points) - 1
    others = sum(points) - points[side]
    if outcome == "made":
        return (points[side] - others / rivals) / 10
    return -(others if outcome == "hanging" else sum(points)) / rivals / 10


def fit(kind, examples):
    """The weights of a linear regression, shrunk a little, with two decimals. examples: pairs of numbers and margin."""
    if not examples:
        return NOTHING[kind]  # in the first round all bids are odd; and without partners there is nobody to support
    import numpy  # what is tested of this file needs none

    features = numpy.array([numbers for numbers, _ in examples], dtype=float)
    margins = numpy.array([margin for _, margin in examples])
    weights = numpy.linalg.solve(features.T @ features + numpy.eye(features.shape[1]), features.T @ margins)
    return [round(weight, 2) for weight in weights.tolist()]


if __name__ == "__main__":
    main()
