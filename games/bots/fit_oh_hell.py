"""Fits the weights of the Oh Hell player to its own play, and prints them as JSON. Needs numpy, which playing does not.

    python -m games.bots.fit_oh_hell > weights.json && mv weights.json games/bots/oh_hell.json

Each round plays matches with the weights of the round before, the first with none. Random players sit in at some tables
and every seat makes an odd move now and then, so that the weights also hold among players unlike the bot.
"""

import argparse
import json
from random import Random

import numpy

from games.bots import oh_hell
from games.bots.base import RandomBot
from games.bots.cards import NUMBER, beats
from games.rules import CHANCE, get_rules

RULES = get_rules("oh-hell")
NOTHING = {kind: [0.0] * 11 for kind in ("side", "trump")}
START = {"bid": NOTHING, "keep": NOTHING, "hungry": [1.0, 1.0], "sated": [0.5, 0.5]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--matches", type=int, default=500, help="in each round")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    oh_hell.WEIGHTS = START
    for _ in range(arguments.rounds):
        oh_hell.WEIGHTS = fit([hand for _ in range(arguments.matches) for hand in played_hands(rng)])
    print(json.dumps({"made by": vars(arguments)} | rounded(oh_hell.WEIGHTS), indent=1))


def played_hands(rng):
    """The hands of one match with options drawn at random: pairs of the bot's decisions and the cards that took tricks.

    A decision is a pair of its position and the card played, None for a bid.
    """
    seats = rng.choice(RULES.seat_counts)
    options = {field.name: rng.choice(field.choices).value for field in RULES.option_fields(seats)}
    bots = [oh_hell.OhHellBot()] * seats
    if rng.random() < 0.3:
        bots = [RandomBot() if rng.random() < 0.7 else bot for bot in bots]
    state = RULES.new_match(seats, options)
    hands, decisions = [], []
    while (seat := RULES.to_act(state)) is not None:
        if seat == CHANCE:
            deck = RULES.deck(state)
            rng.shuffle(deck)
            move = {"type": "deal", "deck": deck}
            decisions = []
        else:
            table, moves = RULES.view(state, seat), RULES.legal_moves(state)
            odd = rng.random() < 0.05
            move = rng.choice(moves) if odd else bots[seat].choose(table, moves, rng)
            if bots[seat].name != "random":
                decisions.append((oh_hell.read_table(table), NUMBER[move["card"]] if "card" in move else None))
        state = RULES.apply(state, move)
        if RULES.to_act(state) in (CHANCE, None):
            tricks = RULES.view(state, None)["last_hand"]["tricks"]
            hands.append((decisions, {_winning_card(trick) for trick in tricks}))
    return hands


def fit(hands):
    """The weights that explain best which cards took tricks in these hands."""
    examples = {(stage, kind): ([], []) for stage in ("bid", "keep") for kind in ("side", "trump")}
    held = []  # for each card played that could be beaten, what threatened it and whether it took the trick
    for decisions, winners in hands:
        for position, played in decisions:
            stage = "bid" if played is None else "keep"
            for card, kind, numbers in oh_hell.later_features(position):
                if card != played:
                    features, outcomes = examples[stage, kind]
                    features.append(numbers)
                    outcomes.append(card in winners)
            if stage == "keep" and (position.best is None or beats(played, position.best, position.trump)):
                held.append((oh_hell.threats(position, played), played in winners))
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
    """How often rivals that can beat a card do, by likelihood: those that want tricks ("hungry") and the others."""
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
        trials = [often.clip(0, 1) for _ in range(8)]
        for number, trial in enumerate(trials):
            trial[number // 2] = min(max(trial[number // 2] + (step, -step)[number % 2], 0.0), 1.0)
        best = max(trials, key=likelihood)
        if likelihood(best) > likelihood(often):
            often = best
        else:
            step /= 2
    return {"hungry": often[:2].tolist(), "sated": often[2:].tolist()}


def rounded(weights):
    """The weights with three decimals."""
    if isinstance(weights, dict):
        return {name: rounded(part) for name, part in weights.items()}
    return [round(weight, 3) for weight in weights]


def _winning_card(trick):
    return NUMBER[next(play["card"] for play in trick["plays"] if play["seat"] == trick["winner"])]


if __name__ == "__main__":
    main()
