"""What share of matches a bot wins: whole matches of it in each seat among another kind of bot, on the same decks.

    python tests/benchmarks/match_share.py [--game oh-hell] [--bot hard] [--rival sensible-1] [--seats 3 4 5 6 7]
        [--decks 20] [--seed 1] [--options '{"scoring_style": "negative"}']

Without options a match has those of its game's default. It prints a line for each number of seats:

- won: the part of its matches that the bot won, ties for first place split, and that over the fair part, 1 / seats.
- share: w (n - 1) / (w (n - 1) + 1 - w) of that part w at n seats: 0.5 is level, 1 wins all.
- line: the same drawn by two straight lines instead, through 0, 0.5 at the fair part, and 1.
- half: w n / (w n + 2 (1 - w)), which is level at 0.43 for three seats and at 0.37 for seven.
- lead: points of a deal beyond the mean of the rivals.
- CPU milliseconds of a decision of the bot with two moves or more: mean, 95th percentile, most.

Errors are standard errors over decks.
"""

import argparse
import json
import sys
from pathlib import Path
from random import Random
from statistics import mean, quantiles, stdev
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.catalog import get_bot, get_rules
from games.kit.arena import play_match


class Timed:
    """A bot, with the CPU seconds of each of its decisions between two moves or more."""

    def __init__(self, bot):
        self.bot = bot
        self.seconds: list[float] = []

    def choose(self, table, moves, rng):
        began = process_time()
        move = self.bot.choose(table, moves, rng)
        if len(moves) > 1:
            self.seconds.append(process_time() - began)
        return move


class Seating(NamedTuple):
    """A bot in one seat, its rival in all others, and what they play."""

    game: str
    options: dict
    bot: Timed
    rival: object
    seats: int
    seat: int


def result(seating: Seating, seed: str) -> tuple[float, float]:
    """(the bot's part of the win of a match, its lead in points a deal)."""
    rules = get_rules(seating.game)
    bots = [seating.bot if seat == seating.seat else seating.rival for seat in range(seating.seats)]
    *_, state = play_match(rules, seating.options, bots, Random(f"{seed}:decks"), Random(f"{seed}:{seating.seat}"))
    standings = rules.standings(state)
    first = [line["seat"] for line in standings if line["place"] == 1]
    scores = {line["seat"]: line["score"] for line in standings}
    own = scores.pop(seating.seat)
    deals = rules.score_sheet(state).get("hands_played", 1)
    return (seating.seat in first) / len(first), (own - mean(scores.values())) / deals


def shares(won: float, seats: int) -> dict[str, float]:
    """The part of the matches won, on three scales."""
    rest, fair = 1 - won, won * seats
    return {
        "share": won * (seats - 1) / (won * (seats - 1) + rest),
        "line": fair / 2 if fair < 1 else 0.5 + 0.5 * (fair - 1) / (seats - 1),
        "half": fair / (fair + 2 * rest),
    }


def measure(arguments: argparse.Namespace, seats: int) -> str:
    """The line of a number of seats."""
    bot = Timed(get_bot(arguments.game, arguments.bot))
    rival = get_bot(arguments.game, arguments.rival)
    won, leads = [], []
    for deck in range(arguments.decks):
        seatings = (Seating(arguments.game, arguments.options, bot, rival, seats, seat) for seat in range(seats))
        results = [result(seating, f"{arguments.seed}:{deck}") for seating in seatings]
        won.append(mean(part for part, _ in results))
        leads.append(mean(lead for _, lead in results))
    part, error = mean(won), stdev(won) / len(won) ** 0.5
    scales = shares(part, seats)
    slopes = {name: (value - scales[name]) / 0.001 for name, value in shares(part + 0.001, seats).items()}
    figures = "  ".join(f"{name} {scales[name]:.3f} ± {error * slopes[name]:.3f}" for name in scales)
    milliseconds = [1000 * second for second in bot.seconds]
    return (
        f"{seats} seats  won {part:.3f} ± {error:.3f} ({part * seats:.2f} fair)  {figures}  lead {mean(leads):+.2f} ± "
        f"{stdev(leads) / len(leads) ** 0.5:.2f}  CPU {mean(milliseconds):.1f} / "
        f"{quantiles(milliseconds, n=20)[-1]:.1f} / {max(milliseconds):.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="oh-hell")
    parser.add_argument("--bot", default="hard")
    parser.add_argument("--rival", default="sensible-1")
    parser.add_argument("--seats", type=int, nargs="+", default=[3, 4, 5, 6, 7])
    parser.add_argument("--decks", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--options", type=json.loads, default={}, help="as JSON")
    arguments = parser.parse_args()
    for seats in arguments.seats:
        print(measure(arguments, seats), flush=True)


if __name__ == "__main__":
    main()
