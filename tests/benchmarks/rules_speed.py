"""How fast the rules are: random Oh Hell deals in our rules and in OpenSpiel's, taking turns in one run.

    python tests/benchmarks/rules_speed.py [--seats 4] [--rounds 40] [--deals 25]

A deal has ten tricks; it starts before the shuffle and ends when it is scored. All sides are driven the same way, from
Python: ask who is to act, ask for the legal moves, pick one at random, make it. What is compared:

- valat: rules.apply(state, move) returns a new state.
- child: OpenSpiel's immutable way, state.child(action), likewise a new state. This is the one to compare with.
- in place: OpenSpiel's state.apply_action(action), which changes the state; ours has no such way.

OpenSpiel deals a card a move and so spends 43 moves on a deal of ours; the figures for the player's moves alone
leave dealing out. Medians over all rounds; CPU time of this process.
"""

import argparse
import random
import sys
from pathlib import Path
from statistics import median
from time import process_time

import pyspiel

sys.path.insert(0, str(Path(__file__).parents[2]))

from games.catalog import CHANCE, get_rules


def play_ours(rules, start, rng):
    """Play a deal. Returns the seconds that dealing took, those of the players' moves, and their number."""
    began = process_time()
    deck = rules.deck(start)
    rng.shuffle(deck)
    state = rules.apply(start, {"type": "deal", "deck": deck})
    dealt = process_time()
    moves = 0
    while rules.to_act(state) != CHANCE:
        legal = rules.legal_moves(state)
        state = rules.apply(state, legal[int(rng.random() * len(legal))])
        moves += 1
    return dealt - began, process_time() - dealt, moves


def play_child(game, rng):
    """The same by state.child."""
    began = process_time()
    state = game.new_initial_state()
    while state.current_player() == pyspiel.PlayerId.CHANCE:
        legal = state.legal_actions()
        state = state.child(legal[int(rng.random() * len(legal))])
    dealt = process_time()
    moves = 0
    while state.current_player() != pyspiel.PlayerId.TERMINAL:
        legal = state.legal_actions()
        state = state.child(legal[int(rng.random() * len(legal))])
        moves += 1
    return dealt - began, process_time() - dealt, moves


def play_in_place(game, rng):
    """The same by state.apply_action; written out again, so that neither pays for a call in between."""
    began = process_time()
    state = game.new_initial_state()
    while state.current_player() == pyspiel.PlayerId.CHANCE:
        legal = state.legal_actions()
        state.apply_action(legal[int(rng.random() * len(legal))])
    dealt = process_time()
    moves = 0
    while state.current_player() != pyspiel.PlayerId.TERMINAL:
        legal = state.legal_actions()
        state.apply_action(legal[int(rng.random() * len(legal))])
        moves += 1
    return dealt - began, process_time() - dealt, moves


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seats", type=int, choices=(3, 4, 5), default=4)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--deals", type=int, default=25, help="deals of each side in a round")
    options = parser.parse_args()

    rng = random.Random(1)
    rules = get_rules("oh-hell")
    start = rules.new_match(options.seats, {})
    game = pyspiel.load_game(f"oh_hell(players={options.seats},num_tricks_fixed=10)")
    sides = {
        "valat": lambda: play_ours(rules, start, rng),
        "child": lambda: play_child(game, rng),
        "in place": lambda: play_in_place(game, rng),
    }
    seconds = {name: ([], []) for name in sides}  # of whole deals, of players' moves alone; per deal
    for _ in range(options.rounds):
        for name, play in sides.items():
            deals = [play() for _ in range(options.deals)]
            assert {moves for *_, moves in deals} == {options.seats * 11}
            seconds[name][0].append(sum(dealing + playing for dealing, playing, _ in deals) / len(deals))
            seconds[name][1].append(sum(playing for _, playing, _ in deals) / len(deals))

    ours_deal, ours_moves = map(median, seconds["valat"])
    print(f"{options.seats} seats, 10 tricks, {options.rounds} rounds of {options.deals} deals each")
    print("          µs a deal  valat's speed  µs a player's move  valat's speed")
    for name, (deal, moves) in seconds.items():
        deal, moves = median(deal), median(moves)
        each = moves / (options.seats * 11)
        print(f"{name:9}{deal * 1e6:10.0f}{deal / ours_deal:14.2f}x{each * 1e6:19.2f}{moves / ours_moves:14.2f}x")


if __name__ == "__main__":
    main()
