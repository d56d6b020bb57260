"""Fits what calls of Belot are worth over a pass on the same cards, and prints it as JSON.

    python -m tools.fit_belot_calls > calls.json && mv calls.json games/belot/calls.json

It bids deals by the calls of the round before, the first by the rule of thumb. At one call of each auction, picked at
random, it goes on twice: with a natural call, picked at random too, and with a pass. All others call as ever, the cards
are the same, and the play is that of the search's play-outs, some times for each. The difference in match points is
what a regression for each kind of call in each kind of auction explains by the cards.
"""

import argparse
import json
from pathlib import Path
from random import Random

from games.belot import calling
from games.belot.bot import read_auction
from games.belot.brain import Settlements, all_declarations, read_world
from games.belot.simulation import first_lead, play_out
from games.catalog import get_rules

RULES = get_rules("belot")
PLAYED = 4  # times that each contract is played out
SHRINK = 30.0  # as if so many replays had shown no difference


def main():
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
            examples = {}
            for _ in range(arguments.replays):
                if found := replayed(seats, table, rng):
                    cell, numbers, gained = found
                    examples.setdefault(cell, []).append((numbers, gained))
            table[str(seats)] = {cell: fit(found) for cell, found in sorted(examples.items())}
        made_by[str(seats)] = {"rounds": arguments.rounds, "replays": arguments.replays, "seed": arguments.seed}
    print(json.dumps(table, indent=0).replace(",\n", ", ").replace("[\n", "[").replace("\n]", "]"))


def call_of(state, table):
    """The call of the seat to act, by the weights of the table, or by the rule of thumb while there are none."""
    return calling.choose_call(read_auction(RULES.view(state, state.to_act)), RULES.legal_moves(state), table)


def replayed(seats, table, rng):
    """The kind of a call, what speaks for it as numbers, and what it gained over a pass; None if there was none."""
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
        if move["type"] == "pass" and rng.random() < 0.1:  # so that there are unlikely auctions too
            move = rng.choice(natural_calls(state) or [move])
        state = RULES.apply(state, move)
    state = rng.choice(auctions)
    calls = natural_calls(state)
    if not calls:
        return None
    move = rng.choice(calls)
    auction = read_auction(RULES.view(state, state.to_act))
    with_call, with_pass = (finished(RULES.apply(state, each), table) for each in (move, {"type": "pass"}))
    gained = 0.0
    if contract_of(with_call) != contract_of(with_pass):
        side = state.to_act % state.deal.match.sides
        gained = worth(with_call, side, rng) - worth(with_pass, side, rng)
    return calling.weights_key(auction, move), calling.call_features(auction, move), gained


def natural_calls(state):
    hand = state.hands[state.to_act]
    return [move for move in RULES.legal_moves(state) if move["type"] != "pass" and calling.is_natural(hand, move)]


def finished(state, table):
    """The state after the auction."""
    while state.phase == "bid":
        state = RULES.apply(state, call_of(state, table))
    return state


def contract_of(state):
    return state.deal.contract if state.phase == "play" else None


def worth(state, side, rng):
    """The match points by which a side is ahead after the deal, on average; none if it was passed out."""
    if state.phase != "play":
        return 0.0
    table = RULES.view(state, state.to_act)
    world, settlements = read_world(table), Settlements(table, side)
    number = world.cards.number
    world = world._replace(hands=[sum(1 << number[card] for card in hand) for hand in state.hands])
    declared = all_declarations(settlements.match, state.hands) if table["contract"]["contract"] != "NT" else []
    first = first_lead(world)
    played = (settlements.worth(*play_out(world, first, rng), declared) for _ in range(PLAYED))
    return sum(played) / PLAYED


def fit(examples):
    """The weights of a linear regression, shrunk, with two decimals. examples: pairs of numbers and a gain."""
    size = len(examples[0][0])
    matrix = [[SHRINK * (row == column) for column in range(size)] + [0.0] for row in range(size)]
    for numbers, gained in examples:
        filled = [(place, number) for place, number in enumerate(numbers) if number]
        for row, number in filled:
            line = matrix[row]
            for column, other in filled:
                line[column] += number * other
            line[size] += number * gained
    return [round(weight, 2) for weight in solved(matrix)]


def solved(matrix):
    """Solve linear equations by elimination. matrix: positive definite, the right side as last column."""
    for place, line in enumerate(matrix):
        for row in matrix:
            part = row[place] / line[place]
            if part and row is not line:
                row[:] = [number - part * other for number, other in zip(row, line, strict=True)]
    return [row[-1] / row[place] for place, row in enumerate(matrix)]


if __name__ == "__main__":
    main()
