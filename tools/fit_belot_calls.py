"""Fit the gain of calls of Belot over a pass with the same cards, and print the weights as JSON.

    python -m tools.fit_belot_calls > calls.json && mv calls.json games/belot/calls.json

Deals are bid by the weights of the previous round, in the first round by the rule of thumb. One turn of each auction is
picked at random. The deal goes on from there twice: with a random natural call, and with a pass. All later calls follow
the weights, and the cards are played several times by the play-outs of the search. A regression for each kind of call
in each kind of auction explains the difference in match points by the cards.
"""

import argparse
import json
from pathlib import Path
from random import Random
from typing import Any

from games.belot import calling
from games.belot.bot import read_auction
from games.belot.brain import Settlements, all_declarations, read_world
from games.belot.simulation import first_lead, play_out
from games.catalog import get_rules
from games.kit.contract import Move, State

type Examples = list[tuple[list[float], float]]  # Features and a gain.
type Weights = dict[str, Any]

RULES = get_rules("belot")
PLAY_OUTS = 4  # per contract
SHRINKAGE = 30.0  # The number of imaginary replays without a difference.


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--replays", type=int, default=8000, help="in each round, for each number of seats")
    parser.add_argument("--seats", type=int, nargs="*", default=[4])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", help="a file that this program printed: other seats are kept, these begin with it")
    arguments = parser.parse_args()
    table = json.loads(Path(arguments.start).read_text()) if arguments.start else {}
    made_by = table.setdefault("made_by", {})
    for seats in arguments.seats:
        rng = Random(f"{arguments.seed}:{seats}")
        for _ in range(arguments.rounds):
            examples: dict[str, Examples] = {}
            for _ in range(arguments.replays):
                if example := replay_call(seats, table, rng):
                    cell, numbers, gain = example
                    examples.setdefault(cell, []).append((numbers, gain))
            table[str(seats)] = {cell: fit(of_cell) for cell, of_cell in sorted(examples.items())}
        made_by[str(seats)] = {"rounds": arguments.rounds, "replays": arguments.replays, "seed": arguments.seed}
    print(json.dumps(table, indent=0).replace(",\n", ", ").replace("[\n", "[").replace("\n]", "]"))


def call_of(state: State, table: Weights) -> Move:
    """Return the call of the seat to move by these weights, or by the rule of thumb if there are none."""
    return calling.choose_call(read_auction(RULES.view(state, state.to_act)), RULES.legal_moves(state), table)


def replay_call(seats: int, table: Weights, rng: Random) -> tuple[str, list[float], float] | None:
    """Return the kind of a call, its features and its gain over a pass, or None if there is no natural call."""
    options = {field.name: rng.choice(field.choices).value for field in RULES.option_fields(seats)}
    options |= {"dealer_pass": "free", "kirtik": False} | (
        {"deal": "3+2+3"} if seats > 2 and rng.random() < 0.7 else {}
    )
    state = RULES.new_match(seats, options)
    dealer = rng.randrange(seats)
    state = state._replace(deal=state.deal._replace(dealer=dealer))
    deck = RULES.deck(state)
    rng.shuffle(deck)
    state = RULES.apply(state, {"type": "deal", "deck": deck})
    auctions = []
    while state.phase == "bid":
        auctions.append(state)
        move = call_of(state, table)
        if move["type"] == "pass" and rng.random() < 0.1:  # This gives examples of unlikely auctions too.
            move = rng.choice(natural_calls(state) or [move])
        state = RULES.apply(state, move)
    state = rng.choice(auctions)
    calls = natural_calls(state)
    if not calls:
        return None
    move = rng.choice(calls)
    auction = read_auction(RULES.view(state, state.to_act))
    with_call, with_pass = (finish_auction(RULES.apply(state, each), table) for each in (move, {"type": "pass"}))
    gain = 0.0
    if contract_of(with_call) != contract_of(with_pass):
        side = state.to_act % state.deal.match.sides
        gain = worth(with_call, side, rng) - worth(with_pass, side, rng)
    return calling.weights_key(auction, move), calling.call_features(auction, move), gain


def natural_calls(state: State) -> list[Move]:
    hand = state.hands[state.to_act]
    return [move for move in RULES.legal_moves(state) if move["type"] != "pass" and calling.is_natural(hand, move)]


def finish_auction(state: State, table: Weights) -> State:
    while state.phase == "bid":
        state = RULES.apply(state, call_of(state, table))
    return state


def contract_of(state: State) -> str | None:
    return state.deal.contract if state.phase == "play" else None


def worth(state: State, side: int, rng: Random) -> float:
    """Return the average lead of a side after the deal in match points, or 0 if the deal was passed out."""
    if state.phase != "play":
        return 0.0
    table = RULES.view(state, state.to_act)
    world, settlements = read_world(table), Settlements(table, side)
    number = world.cards.number
    world = world._replace(hands=[sum(1 << number[card] for card in hand) for hand in state.hands])
    declared = all_declarations(settlements.match, state.hands) if table["contract"]["contract"] != "NT" else []
    first = first_lead(world)
    total = 0.0
    for _ in range(PLAY_OUTS):
        points, tricks = play_out(world, first, rng)
        total += settlements.worth(points, tricks, declared)
    return total / PLAY_OUTS


def fit(examples: Examples) -> list[float]:
    """Return the weights of a ridge regression, with two decimals. examples: pairs of features and a gain."""
    size = len(examples[0][0])
    matrix = [[SHRINKAGE * (row == column) for column in range(size)] + [0.0] for row in range(size)]
    for numbers, gain in examples:
        nonzero = [(place, number) for place, number in enumerate(numbers) if number]
        for row, number in nonzero:
            line = matrix[row]
            for column, other in nonzero:
                line[column] += number * other
            line[size] += number * gain
    return [round(weight, 2) for weight in solve(matrix)]


def solve(matrix: list[list[float]]) -> list[float]:
    """Solve linear equations by elimination. matrix: positive definite, with the right side as last column."""
    for place, line in enumerate(matrix):
        for row in matrix:
            part = row[place] / line[place]
            if part and row is not line:
                row[:] = [number - part * other for number, other in zip(row, line, strict=True)]
    return [row[-1] / row[place] for place, row in enumerate(matrix)]


if __name__ == "__main__":
    main()
