"""Fits the weights of the Oh Hell player to its own play, and prints them as JSON. Needs numpy, which playing does not.

    python -m tools.fit_oh_hell > weights.json && mv weights.json games/oh_hell/weights.json

Each round plays matches with the weights of the round before, the first with none. Random players sit in at some tables
and every seat makes an odd move now and then, so that the weights also hold among players unlike the bot.
"""

import argparse
import json
from random import Random

import numpy

from games.catalog import get_rules
from games.kit.arena import played
from games.kit.card_sets import NUMBER, beats
from games.kit.contract import RandomBot
from games.oh_hell import bot as oh_hell

RULES = get_rules("oh-hell")
NOTHING = {kind: [0.0] * 11 for kind in ("side", "trump")}
START = {"bid": NOTHING, "keep": NOTHING, "hungry": [1.0, 1.0], "sated": [0.5, 0.5]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--matches", type=int, default=1000, help="in each round")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    oh_hell.WEIGHTS = START
    for _ in range(arguments.rounds):
        oh_hell.WEIGHTS = fit([hand for _ in range(arguments.matches) for hand in played_hands(rng)])
    lines = {"made_by": vars(arguments)} | json.loads(json.dumps(oh_hell.WEIGHTS), parse_float=_rounded)
    print("{" + ",\n ".join(f"{json.dumps(name)}: {json.dumps(line)}" for name, line in lines.items()) + "}")


def _rounded(number):
    return round(float(number), 3)


class Learner:
    """The bot, but for an odd move now and then. Keeps pairs of position and card played, the card None for a bid."""

    def __init__(self):
        self.bot = oh_hell.OhHellBot()
        self.decisions = []

    def choose(self, table, moves, rng):
        move = rng.choice(moves) if rng.random() < 0.05 else self.bot.choose(table, moves, rng)
        self.decisions.append((oh_hell.read_table(table), NUMBER[move["card"]] if table["phase"] == "play" else None))
        return move


def played_hands(rng):
    """For each hand of a match with random options the bot's decisions and the cards that took tricks."""
    seats = rng.choice(RULES.seat_counts)
    options = {field.name: rng.choice(field.choices).value for field in RULES.option_fields(seats)}
    learner = Learner()
    bots = [learner] * seats
    if rng.random() < 0.3:
        bots = [RandomBot() if rng.random() < 0.7 else learner for _ in bots]
    hands = []
    for state in played(RULES, options, bots, rng, rng):
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


def fit(hands):
    """The weights that explain best which cards took tricks in these hands."""
    examples = {(stage, kind): ([], []) for stage in ("bid", "keep") for kind in ("side", "trump")}
    held = []  # for each card played that could be beaten, what threatened it and whether it took the trick
    for decisions, winners in hands:
        for position, chosen in decisions:
            stage = "bid" if chosen is None else "keep"
            for card, kind, numbers in oh_hell.later_features(position):
                if card != chosen:
                    features, outcomes = examples[stage, kind]
                    features.append(numbers)
                    outcomes.append(card in winners)
            if stage == "keep" and (position.best is None or beats(chosen, position.best, position.trump)):
                held.append((oh_hell.threats(position, chosen), chosen in winners))
    weights = {
        stage: {kind: logistic_regression(*examples[stage, kind]) for kind in ("side", "trump")}
        for stage in ("bid", "keep")
    }
    return weights | habits(held)


def logistic_regression(features, outcomes):
    """The weights of a logistic regression, by Newton's method, shrunk a little."""
    features, outcomes = numpy.array(features), numpy.array(outcomes, dtype=float)
    weights = numpy.zeros(features.shape[1])
    for _ in range(12):
        chances = 1 / (1 + numpy.exp(-features @ weights))
        slope = features.T @ (chances - outcomes) + weights
        curvature = (features.T * (chances * (1 - chances))) @ features + numpy.eye(len(weights))
        weights -= numpy.linalg.solve(curvature, slope)
    return weights.tolist()


def habits(held):
    """How often rivals do what threatens a card: follow higher and ruff, for those that want tricks and the others.

    held: pairs of `threats` and whether the card took the trick. The likeliest values, to the nearest hundredth.
    """
    took = numpy.array([outcome for _, outcome in held])
    can = numpy.zeros((len(held), max(RULES.seat_counts) - 1, 4))
    for row, (threats, _) in enumerate(held):
        for column, (hungry, over, ruff) in enumerate(threats):
            can[row, column, 0 if hungry else 2] = over
            can[row, column, 1 if hungry else 3] = ruff

    def likelihood(often):
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
