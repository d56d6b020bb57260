"""How strong a bot is: whole matches of one side of it, a seat or two partners, against another kind of bot.

    python tests/benchmarks/bot_strength.py [--matches 100] [--seed 1] [--game oh-hell] [--seats 4]
        [--bot hard] [--rival sensible-1] [--options '{"scoring_style": "negative"}']
        [--deals 1]

Every set of deals is played with the bot on each of the sides; with --deals so many of a match and no more. Prints one
JSON object:

- first, sole_first: matches in which it came first, alone or not, and alone.
- lead: points a deal more than the mean of its rivals, with the standard error over sets of deals.
- milliseconds: CPU time of one decision of the bot, forced moves among them: mean, 99th percentile, most.
"""

import argparse
import json
import sys
from pathlib import Path
from statistics import mean, quantiles, stdev
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.catalog import get_bot, get_rules
from games.kit.arena import contest, sides


class Timed:
    """A bot, with the seconds that each of its decisions took."""

    def __init__(self, bot):
        self.bot = bot
        self.seconds = []

    def choose(self, table, moves, rng):
        began = process_time()
        move = self.bot.choose(table, moves, rng)
        self.seconds.append(process_time() - began)
        return move


def measure(game, seats, options, bot, rival, matches, seed, deals=None):
    """The figures that the script prints, as a dict. matches: at least two sets of deals, whole sets."""
    rules = get_rules(game)
    timed = Timed(get_bot(game, bot))
    rival_bot = get_bot(game, rival)
    count = matches // len(sides(rules, seats))
    sets = [contest(rules, seats, options, timed, rival_bot, f"{seed}:{number}", deals) for number in range(count)]
    results = [result for results in sets for result in results]
    first = [result for result in results if result.place == 1]
    leads = [mean(result.lead for result in results) for results in sets]
    milliseconds = [second * 1000 for second in timed.seconds]
    return {
        "game": game,
        "seats": seats,
        "options": rules.clean_options(seats, options),
        "bot": bot,
        "rival": rival,
        "seed": seed,
        "deals": deals,
        "matches": len(results),
        "first": len(first),
        "sole_first": sum(not result.shared for result in first),
        "lead": {"mean": round(mean(leads), 2), "standard_error": round(stdev(leads) / len(leads) ** 0.5, 2)},
        "milliseconds": {
            "mean": round(mean(milliseconds), 3),
            "99th percentile": round(quantiles(milliseconds, n=100)[-1], 3),
            "most": round(max(milliseconds), 3),
        },
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=100, help="a multiple of the sides, two sets at least")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", default="oh-hell")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--bot", default="hard")
    parser.add_argument("--rival", default="sensible-1")
    parser.add_argument("--options", type=json.loads, default={}, help="as JSON")
    parser.add_argument("--deals", type=int, help="of each match; all of them without it")
    arguments = parser.parse_args()
    count = len(sides(get_rules(arguments.game), arguments.seats))
    if arguments.matches % count or arguments.matches < 2 * count:
        parser.error(f"matches must be a multiple of the {count} sides, {2 * count} at least")
    print(json.dumps(measure(**vars(arguments)), indent=1))


if __name__ == "__main__":
    main()
