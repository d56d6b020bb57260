"""Tries other values for a constant of the Bleven player, or for a field of its `Turns`, and prints the leads.

    python -m tools.fit_bleven ready 3 5 7 [--seats 2] [--sets 100] [--seed 1]

It plays matches against the bot as it is. For each value: points a round more than the rivals make, with the standard
error over sets of deals. Random rivals, who predict and stay at will, are met as well as the player with its present
value, so that a value does not only fit players of its kind.
"""

import argparse
from statistics import mean, stdev

from games.bleven import bot as bleven
from games.catalog import get_rules
from games.kit.arena import Pairing, contest
from games.kit.contract import RandomBot


class Variant:
    """The bot with another value for one of its constants, or of the fields of its `Turns`."""

    def __init__(self, constant, value):
        self.constant, self.value = constant, value

    def choose(self, table, moves, rng):
        if self.constant in bleven.Turns._fields:
            turns = bleven.TURNS._replace(**{self.constant: self.value})
            return bleven.BlevenBot(turns=turns).choose(table, moves, rng)
        usual = getattr(bleven, self.constant)
        setattr(bleven, self.constant, self.value)
        try:
            return bleven.BlevenBot().choose(table, moves, rng)
        finally:
            setattr(bleven, self.constant, usual)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("constant")
    parser.add_argument("values", type=float, nargs="+")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--sets", type=int, default=100, help="of deals, each played from both sides")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for value in arguments.values:
        for name, rival in (("itself", bleven.BlevenBot()), ("random", RandomBot())):
            print(f"{arguments.constant} {value} against {name}:", lead(arguments, value, rival), flush=True)


def lead(arguments, value, rival):
    variant, rules = Variant(arguments.constant, value), get_rules("bleven")
    pairing = Pairing(rules, arguments.seats, {}, variant, rival)
    leads = [
        mean(result.lead for result in contest(pairing, f"{arguments.seed}:{number}"))
        for number in range(arguments.sets)
    ]
    return f"{mean(leads):+.2f} ±{stdev(leads) / len(leads) ** 0.5:.2f}"


if __name__ == "__main__":
    main()
