"""Fit the weights of the Oh Hell bot to its own play, and print them as JSON. Needs numpy.

    python -m tools.fit_oh_hell > weights.json && mv weights.json games/oh_hell/weights.json

Each round plays matches with the weights of the previous round, the first round with zeros. Some tables have random
players, and every seat sometimes makes a random move, so that the weights also fit players unlike the bot.
"""

import argparse
import json
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy

from games.catalog import get_rules
from games.kit.arena import play_match
from games.kit.card_sets import NUMBER, beats
from games.kit.contract import Move, RandomBot, Table
from games.oh_hell import bot as oh_hell

RULES = get_rules("oh-hell")
NOTHING = {kind: [0.0] * 11 for kind in ("side", "trump")}
START = {"bid": NOTHING, "keep": NOTHING, "hungry": [1.0, 1.0], "sated": [0.5, 0.5]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--matches", type=int, default=1000, help="in each round")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    oh_hell.WEIGHTS = START
    for _ in range(arguments.rounds):
        oh_hell.WEIGHTS = fit([hand for _ in range(arguments.matches) for hand in played_hands(rng)])
    lines = {"made_by": vars(arguments)} | json.loads(json.dumps(oh_hell.WEIGHTS), parse_float=_round)
    print("{" + ",\n ".join(f"{json.dumps(name)}: {json.dumps(line)}" for name, line in lines.items()) + "}")


def _round(number: str) -> float:
    return round(float(number), 3)


class Learner:
    """The bot with some random moves. It stores pairs of a position and the played card, which is None for a bid."""

    def __init__(self) -> None:
        self.bot = oh_hell.OhHellBot()
        self.decisions: list[tuple[Any, int | None]] = []

    def choose(self, table: Table, moves: Sequence[Move], rng: Random) -> Move:
        move = rng.choice(moves) if rng.random() < 0.05 else self.bot.choose(table, moves, rng)
        self.decisions.append((oh_hell.read_table(table), NUMBER[move["card"]] if table["phase"] == "play" else None))
        return move


def played_hands(rng: Random) -> list[tuple[list, set[int]]]:
    """Return the bot's decisions and the winning cards of each deal of a match with random options."""
    seats = rng.choice(RULES.seat_counts)
    options = {field.name: rng.choice(field.choices).value for field in RULES.option_fields(seats)}
    learner = Learner()
    bots: list[Learner | RandomBot] = [learner] * seats
    if rng.random() < 0.3:
        bots = [RandomBot() if rng.random() < 0.7 else learner for _ in bots]
    hands = []
    for state in play_match(RULES, options, bots, rng, rng):
        if last := RULES.view(state, None)["last_hand"]:
            winners = {
                NUMBER[play["card"]]
                for trick in last["tricks"]
                for play in trick["plays"]
                if play["seat"] == trick["winner"]
            }
            hands.append((learner.decisions, winners))
            learner.decisions = []
    return hands


def fit(hands: list[tuple[list, set[int]]]) -> dict[str, Any]:
    """Return the weights that best explain which cards took tricks."""
    examples: dict[tuple[str, str], tuple[list, list]] = {
        (stage, kind): ([], []) for stage in ("bid", "keep") for kind in ("side", "trump")
    }
    outcomes_of_plays = []  # The threats to each card that led the trick when it was played, and whether it won.
    for decisions, winners in hands:
        for position, chosen in decisions:
            stage = "bid" if chosen is None else "keep"
            for card, kind, numbers in oh_hell.later_features(position):
                if card != chosen:
                    features, outcomes = examples[stage, kind]
                    features.append(numbers)
                    outcomes.append(card in winners)
            if stage == "keep" and (position.best is None or beats(chosen, position.best, position.trump)):
                outcomes_of_plays.append((oh_hell.threats(position, chosen), chosen in winners))
    weights = {
        stage: {kind: logistic_regression(*examples[stage, kind]) for kind in ("side", "trump")}
        for stage in ("bid", "keep")
    }
    return weights | habits(outcomes_of_plays)


def logistic_regression(features: Sequence[Sequence[float]], outcomes: Sequence[bool]) -> list[float]:
    """Return the weights of a regularised logistic regression, by Newton's method."""
    inputs, targets = numpy.array(features), numpy.array(outcomes, dtype=float)
    weights = numpy.zeros(inputs.shape[1])
    for _ in range(12):
        chances = 1 / (1 + numpy.exp(-inputs @ weights))
        slope = inputs.T @ (chances - targets) + weights
        curvature = (inputs.T * (chances * (1 - chances))) @ inputs + numpy.eye(len(weights))
        weights -= numpy.linalg.solve(curvature, slope)
    return weights.tolist()


def habits(plays: Sequence[tuple[list, bool]]) -> dict[str, list[float]]:
    """Return how often rivals beat a card when they can: by a higher card and by a ruff, if they want tricks or not.

    plays: pairs of the `threats` to a card and whether it took the trick. The result is the maximum of the likelihood,
    to the nearest hundredth.
    """
    took = numpy.array([outcome for _, outcome in plays])
    can = numpy.zeros((len(plays), max(RULES.seat_counts) - 1, 4))
    for row, (threats, _) in enumerate(plays):
        for column, (hungry, over, ruff) in enumerate(threats):
            can[row, column, 0 if hungry else 2] = over
            can[row, column, 1 if hungry else 3] = ruff

    def likelihood(often: numpy.ndarray) -> float:
        stands = numpy.clip(numpy.prod(1 - can @ often, axis=1), 1e-4, 1 - 1e-4)
        return numpy.log(numpy.where(took, stands, 1 - stands)).sum()

    often = numpy.array([1.0, 1.0, 0.5, 0.5])
    step = 0.1
    while step > 0.005:
        best = max(((often + step * way).clip(0, 1) for way in (*numpy.eye(4), *-numpy.eye(4))), key=likelihood)
        if likelihood(best) > likelihood(often):
            often = best
        else:
            step /= 2
    return {"hungry": often[:2].tolist(), "sated": often[2:].tolist()}


if __name__ == "__main__":
    main()
