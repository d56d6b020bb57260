"""How often simple plans win against a bot of Bleven: matches won, and the lead in stones a round.

    python tests/benchmarks/bleven_probes.py [--sets 200] [--seats 2] [--bot hard] [--seed 1] [PLAN ...]
        [--options '{"max_bet": 4}' '{"leave_cost": 1}' ...]

Every set of deals is played with the plan on each of the two sides. Standard errors are over sets. The plans are those
of `tests/bleven/plans.py`; without names, all.
"""

import argparse
import json
import sys
from pathlib import Path
from statistics import mean, stdev

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.catalog import get_bot, get_rules
from games.kit.arena import Pairing, contest
from tests.bleven.plans import PLANS


def measure(plan, bot, seats, options, sets, seed):
    """The share of matches that the plan wins, and its lead: two pairs of a mean and a standard error."""
    pairing = Pairing(get_rules("bleven"), seats, options, plan, bot)
    played = [contest(pairing, f"{seed}:{number}") for number in range(sets)]
    won = [mean(result.place == 1 for result in results) for results in played]
    leads = [mean(result.lead for result in results) for results in played]
    return [(mean(values), stdev(values) / sets**0.5) for values in (won, leads)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plans", nargs="*", metavar="PLAN")
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--bot", default="hard")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--options", type=json.loads, nargs="+", default=[{}], help="as JSON, of one or more matches")
    arguments = parser.parse_args()
    bot = get_bot("bleven", arguments.bot)
    for options in arguments.options:
        print(options)
        for name in arguments.plans or PLANS:
            won, lead = measure(PLANS[name], bot, arguments.seats, options, arguments.sets, arguments.seed)
            print(
                f"{name:34} wins {won[0]:6.1%} ±{won[1]:.1%}  lead {lead[0]:+.2f} ±{lead[1]:.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
