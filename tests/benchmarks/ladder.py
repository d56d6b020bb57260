"""How far apart the levels of a game's bots are: each level against the next lower one, and the ratings of all.

    python tests/benchmarks/ladder.py GAME [--seats 4] [--deals 2000] [--seed 1] [--minutes 60]

Whole matches with the game's default options are played, until all steps together have had so many deals. Half of the
sides have the higher level. Every deck is played twice, with the levels exchanged. The program prints for each step:

- wins: how often a seat of the higher level comes before one of the lower, a tie counting half. The standard error is
  over decks.

and for each level its rating by openskill after these matches, as the site shows ratings, with one standard deviation.
"""

import argparse
import sys
import time
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.catalog import CHANCE, get_bot, get_rules, levels_of
from games.kit.arena import play_match, sides
from games.ratings.strength import UNKNOWN, Result, Strength, rate


class Match(NamedTuple):
    levels: list[str]  # by seat
    places: dict[int, int]  # by seat, in the final standings
    sides: dict[int, int]  # by seat; partners have the same
    deals: int


def play(game: str, levels: list[str], seed: str) -> Match:
    """Play a match of bots of these levels, by seat, with the decks of this seed."""
    rules, bots = get_rules(game), [get_bot(game, level) for level in levels]
    states = list(play_match(rules, {}, bots, Random(f"{seed}:decks"), Random(f"{seed}:{levels[0]}")))
    return Match(
        levels=levels,
        places={standing["seat"]: standing["place"] for standing in rules.standings(states[-1])},
        sides={seat: side for side, seats in enumerate(sides(rules, len(levels))) for seat in seats},
        deals=sum(rules.to_act(state) == CHANCE for state in states),
    )


def both_ways(game: str, seats: int, step: tuple[str, str], seed: str) -> list[Match]:
    """Play a deck twice. The higher level has the even sides in one match, and the odd ones in the other."""
    matches = []
    for parity in (0, 1):
        levels = [""] * seats
        for side, members in enumerate(sides(get_rules(game), seats)):
            for seat in members:
                levels[seat] = step[side % 2 == parity]
        matches.append(play(game, levels, seed))
    return matches


def wins(match: Match, higher: str) -> float:
    """Return how often a seat of the higher level came before one of the lower."""
    ours = [place for seat, place in match.places.items() if match.levels[seat] == higher]
    theirs = [place for seat, place in match.places.items() if match.levels[seat] != higher]
    return mean((own < their) + (own == their) / 2 for own in ours for their in theirs)


def update_ratings(ratings: dict[str, Strength], match: Match) -> None:
    """Rate a match. A level that has several seats gets the mean of their ratings."""
    results = [Result(match.sides[seat], match.places[seat], has_left=False) for seat in range(len(match.levels))]
    after = rate([ratings[level] for level in match.levels], results)
    for level in {*match.levels}:
        own = [strength for strength, name in zip(after, match.levels, strict=True) if name == level]
        ratings[level] = Strength(mean(each.mu for each in own), mean(each.sigma for each in own))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60, help="after which it ends")
    arguments = parser.parse_args()
    end, game = time.monotonic() + 60 * arguments.minutes, arguments.game
    steps = list(pairwise(levels_of(game)))
    ratings = dict.fromkeys(levels_of(game), UNKNOWN)
    shares: dict[tuple[str, str], list[float]] = {step: [] for step in steps}
    deals = deck = 0
    while deals < arguments.deals and time.monotonic() < end:
        for step in steps:
            matches = both_ways(game, arguments.seats, step, f"{arguments.seed}:{deck}")
            shares[step].append(mean(wins(match, step[1]) for match in matches))
            for match in matches:
                update_ratings(ratings, match)
                deals += match.deals
        deck += 1
    print(f"{game}, {arguments.seats} seats, seed {arguments.seed}: {deals} deals, {deck} decks for each step")
    for (lower, higher), parts in shares.items():
        print(f"{higher} beyond {lower}: wins {mean(parts):.1%} ± {stdev(parts) / len(parts) ** 0.5:.1%}")
    print(", ".join(f"{level} {strength.points} ± {strength.error}" for level, strength in ratings.items()))


if __name__ == "__main__":
    main()
