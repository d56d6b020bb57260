"""Fit the expected points of a hand of Oh Hell or Belot to the scores of bots, and print it as JSON. Needs numpy.

    python -m tools.fit_luck oh-hell > luck.json
    python -m tools.fit_luck belot > luck.json

Move the output to games/oh_hell/luck.json or games/belot/luck.json. It includes a copy of the bots' weights.json,
because stored facts must not change when bots learn more. Run this only with a new version of the facts of the game.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy

from games.catalog import get_bot, get_rules
from games.kit.arena import play_match
from games.kit.contract import Card, Rules

# `from games.belot import facts` would import the function of that name.
belot, oh_hell = import_module("games.belot.facts"), import_module("games.oh_hell.facts")

GAMES = Path(__file__).resolve().parent.parent / "games"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=["oh-hell", "belot"])
    parser.add_argument("--matches", type=int, default=250, help="of each number of seats and each way of scoring")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lines = {"made_by": vars(arguments)} | FITTERS[arguments.game](arguments.matches, arguments.seed)
    print("{" + ",\n ".join(f"{json.dumps(name)}: {json.dumps(line)}" for name, line in lines.items()) + "}")


def fit_oh_hell(matches: int, seed: int) -> dict[str, Any]:
    rules = get_rules("oh-hell")
    oh_hell.WEIGHTS.update(json.loads((GAMES / "oh_hell" / "weights.json").read_text())["bid"])
    fitted: dict[str, Any] = {}
    (scorings,) = [field.choices for field in rules.option_fields(3) if field.name == "scoring_style"]
    for scoring in (str(choice.value) for choice in scorings):
        fitted[scoring] = {}
        for seats in rules.seat_counts:
            rng = Random(f"{seed}:{scoring}:{seats}")
            examples = [
                (oh_hell.numbers_of(scoring, row, seat, hand), row["points"][seat])
                for row, hands in scored(rules, seats, matches, rng, scoring_style=scoring)
                for seat, hand in enumerate(hands)
            ]
            fitted[scoring][str(seats)] = fit(examples)
    return {kind: oh_hell.WEIGHTS[kind] for kind in ("side", "trump")} | {"points": fitted}


def fit_belot(matches: int, seed: int) -> dict[str, Any]:
    rules = get_rules("belot")
    weights = json.loads((GAMES / "belot" / "weights.json").read_text())
    fitted: dict[str, Any] = {}
    for count in rules.seat_counts:
        seats = str(count)
        fitted[seats] = {role: weights[seats][role] for role in ("own", "support")}
        belot.WEIGHTS[seats] = fitted[seats]
        examples = []
        for row, hands in scored(rules, count, matches, Random(f"{seed}:{seats}")):
            sides = len(row["mp"])
            worths = belot.best_contract_worths(sides, row["dealer"], hands)
            for side, points in enumerate(row["mp"]):
                examples.append((belot.luck_features(worths, side, row["dealer"] % sides == side), points))
        fitted[seats]["points"] = fit(examples)
    return fitted


FITTERS = {"oh-hell": fit_oh_hell, "belot": fit_belot}


def scored(
    rules: Rules, seats: int, matches: int, rng: Random, **options: object
) -> Iterator[tuple[dict[str, Any], list[list[Card]]]]:
    """Yield the view of each scored deal in matches of bots, and the cards that each seat has played."""
    bots = [get_bot(rules.slug, "sensible-1")] * seats
    lengths = [field for field in rules.option_fields(seats) if field.name in rules.length_options]
    for _ in range(matches):
        chosen = options | {field.name: rng.choice(field.choices).value for field in lengths}
        for state in play_match(rules, rules.clean_options(seats, chosen), bots, rng, rng):
            last = rules.view(state, None)["last_hand"]
            if last and last.get("outcome") != "passed":
                plays = [play for trick in last.get("played", last["tricks"]) for play in trick["plays"]]
                hands = [[play["card"] for play in plays if play["seat"] == seat] for seat in range(seats)]
                yield last | {"seats": range(seats)}, hands


def fit(examples: Sequence[tuple[Sequence[float], float]]) -> list[float]:
    """Return the weights of a linear regression, with four decimals. examples: pairs of features and points."""
    numbers = numpy.array([numbers for numbers, _ in examples], dtype=float)
    points = numpy.array([points for _, points in examples], dtype=float)
    return [round(weight, 4) for weight in numpy.linalg.lstsq(numbers, points, rcond=None)[0].tolist()]


if __name__ == "__main__":
    main()
