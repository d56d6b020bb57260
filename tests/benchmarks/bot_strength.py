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

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.catalog import get_bot, get_rules
from games.kit.arena import duel, sides


def measure(game, seats, options, bot, rival, matches, seed, deals=None):
    """The figures that the script prints, as a dict. matches: at least two sets of deals, whole sets."""
    rules = get_rules(game)
    sets = matches // len(sides(rules, seats))
    return {
        "game": game,
        "seats": seats,
        "options": rules.clean_options(seats, options),
        "bot": bot,
        "rival": rival,
        "seed": seed,
        "deals": deals,
        **duel(rules, seats, options, get_bot(game, bot), get_bot(game, rival), sets, seed, deals),
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
