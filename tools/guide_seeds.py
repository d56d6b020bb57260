"""Find seeds for the guides: their deals must show a newcomer as many of the guide's notes as possible.

    python -m tools.guide_seeds bids --tries 500

This plays the deal of each seed with a bot in every seat, as games.play does. It prints the seeds with the most notes,
the newcomer's first hand, and the notes in order. A person then chooses the seed that teaches best.
"""

import argparse
import hashlib
from random import Random

from games.catalog import CHANCE, YARDSTICK, Meaning, get_bot, get_game
from games.kit.game import Game
from games.kit.shuffle import Shuffles

MAX_NOTES = 12  # per deal
MAX_SEEDS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", help="a slug")
    parser.add_argument("--tries", type=int, default=200)
    arguments = parser.parse_args()
    seeds = []
    for number in range(arguments.tries):
        seed = hashlib.sha256(f"a first deal of {arguments.game}, {number}".encode()).hexdigest()
        hand, names = first_deal(get_game(arguments.game), seed)
        if len(names) <= MAX_NOTES:
            seeds.append((len(names), seed, hand, names))
    for count, seed, hand, names in sorted(seeds, reverse=True)[:MAX_SEEDS]:
        print(f"{seed}: {count} notes\n    {' '.join(hand)}\n    {' '.join(names)}")


def first_deal(game: Game, seed: str) -> tuple[list[str], list[str]]:
    """Return the newcomer's first hand, and the names of the notes in the deal when a bot plays for them."""
    rules, guide = game.newest, game.guide
    assert guide
    options = rules.usual_options(guide.seats, rules.formats[0])
    shuffles = Shuffles(seed, ("",) * guide.seats)
    state = rules.new_match(guide.seats, options)
    sides = [rules.team_of(place, guide.seats) for place in range(guide.seats)]
    newcomer = shuffles.seats(sides)[0]
    hand: list[str] = []
    names: dict[str, None] = {}
    moves, deals, is_scored = 0, 0, False
    while not is_scored:
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
        is_scored = any(rules.meaning(event) is Meaning.DEAL_SCORED for event in rules.events(state, move, after))
        state = after
        moves += 1
    names |= dict.fromkeys(note["name"] for note in guide.notes_for(rules.view(state, newcomer), []))
    return hand, list(names)


if __name__ == "__main__":
    main()
