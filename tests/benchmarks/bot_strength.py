"""How strong a bot is: whole matches of one side of it, a seat or two partners, against another kind of bot.

    python tests/benchmarks/bot_strength.py [--matches 100] [--seed 1] [--game oh-hell] [--seats 4]
        [--bot hard] [--rival sensible-1] [--options '{"scoring_style": "negative"}']
        [--deals 1] [--minutes 30]

Every set of deals is played with the bot on each of the sides; with --deals so many of a match and no more. Opponents
are other levels, sensible-1 and random. No weights were fitted by these deals. How it stands is printed on the way, a
line each ten seconds or more, and it ends with the set that is played when its minutes are over: so many are to be
given beforehand, not to be ended when the figures please. At the end it prints one JSON object:

- first, sole_first: matches in which it came first, alone or not, and alone.
- lead: points a deal more than the mean of its rivals, with the standard error over sets of deals.
- milliseconds: CPU time of one decision of the bot, forced moves among them: mean, 99th percentile, most.
"""

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.catalog import get_bot, get_rules
from games.kit.arena import Pairing, sides, standings_of_duel

SHOWN_EVERY = 10  # seconds


def measure(game, seats, options, bot, rival, matches, seed, deals=None):
    """The figures that the script prints, dicts, as they stand after each set of deals. matches: whole sets, two."""
    rules = get_rules(game)
    sets = matches // len(sides(rules, seats))
    known = {
        "game": game,
        "seats": seats,
        "options": rules.clean_options(seats, options),
        "bot": bot,
        "rival": rival,
        "seed": seed,
        "deals": deals,
    }
    bots = get_bot(game, bot), get_bot(game, rival)
    for figures in standings_of_duel(Pairing(rules, seats, options, *bots, deals), sets, seed):
        yield known | figures


def last_of(standings, minutes):
    """The last of these figures, and in time the last before so many minutes are over. Prints how it stands."""
    began = shown = time.monotonic()
    for figures in standings:
        now = time.monotonic()
        if now - shown >= SHOWN_EVERY:
            shown = now
            print(line_of(figures), f"{(now - began) / 60:.1f} min", sep="  ", file=sys.stderr, flush=True)
        if now - began > minutes * 60:
            break
    return figures


def line_of(figures):
    lead, milliseconds = figures["lead"], figures["milliseconds"]
    return (
        f"{figures['matches']} matches  {figures['sole_first']} won  {lead['mean']:+.2f} ± {lead['standard_error']:.2f}"
        f"  CPU {milliseconds['mean']:.1f} / {milliseconds['99th percentile']:.0f} / {milliseconds['most']:.0f} ms"
    )


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
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after which it ends")
    arguments = parser.parse_args()
    count = len(sides(get_rules(arguments.game), arguments.seats))
    if arguments.matches % count or arguments.matches < 2 * count:
        parser.error(f"matches must be a multiple of the {count} sides, {2 * count} at least")
    minutes = vars(arguments).pop("minutes")
    print(json.dumps(last_of(measure(**vars(arguments)), minutes), indent=1))


if __name__ == "__main__":
    main()
