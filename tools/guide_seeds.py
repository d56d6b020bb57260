"""Looks for the seeds of the guides: deals in which somebody new to a game meets what its guide's notes are about.

    python -m tools.guide_seeds bids --tries 500

Plays the deal of each seed with a bot in every seat, as games.play does, and prints the seeds that most notes come up
with, the newcomer's first cards, and the notes in order. Which of them teaches well is then for a person to say.
"""

import argparse
import hashlib
from random import Random

from games.catalog import CHANCE, YARDSTICK, Meaning, get_bot, get_game
from games.kit.shuffle import Shuffles

LIMIT = 12  # notes that somebody should be asked to read in one deal
SHOWN = 20  # seeds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="a slug")
    parser.add_argument("--tries", type=int, default=200)
    arguments = parser.parse_args()
    found = []
    for number in range(arguments.tries):
        seed = hashlib.sha256(f"a first deal of {arguments.game}, {number}".encode()).hexdigest()
        hand, names = first_deal(get_game(arguments.game), seed)
        if len(names) <= LIMIT:
            found.append((len(names), seed, hand, names))
    for count, seed, hand, names in sorted(found, reverse=True)[:SHOWN]:
        print(f"{seed}: {count} notes\n    {' '.join(hand)}\n    {' '.join(names)}")


def first_deal(game, seed):
    """The newcomer's first hand, and the names of the notes that come up in the deal when a bot plays for them."""
    rules, guide = game.newest, game.guide
    options = rules.usual_options(guide.seats, rules.formats[0])
    shuffles = Shuffles(seed, ("",) * guide.seats)
    state = rules.new_match(guide.seats, options)
    sides = [rules.team_of(place, guide.seats) for place in range(guide.seats)]  # as partners sit down
    newcomer = shuffles.seats(sides)[0]
    moves, deals, scored, hand, names = 0, 0, False, [], {}
    while not scored:
        seat = rules.to_act(state)
        if seat == CHANCE:
            deals += 1
            move = {"type": "deal", "deck": shuffles.deck(rules.deck(state), deals)}
        else:
            legal = rules.legal_moves(state)
            table = rules.view(state, seat)
            if seat == newcomer:
                hand = hand or table["hand"]
                names |= dict.fromkeys(note["name"] for note in guide.notes_for(table, legal))
            move = get_bot(game.slug, YARDSTICK).choose(table, legal, Random(f"{seed}:{moves}:{seat}"))
        after = rules.apply(state, move)
        scored = any(rules.meaning(event) is Meaning.DEAL_SCORED for event in rules.events(state, move, after))
        state = after
        moves += 1
    names |= dict.fromkeys(note["name"] for note in guide.notes_for(rules.view(state, newcomer), []))
    return hand, list(names)


if __name__ == "__main__":
    main()
