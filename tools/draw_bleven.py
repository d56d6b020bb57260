"""Draw random fields of Bleven after each number of draws, and print them as JSON by the number of discards.

    python -m tools.draw_bleven > drawn.json && mv drawn.json games/bleven/drawn.json

A field begins with three cards. After each draw the player discards the card that leaves the best field for four seats.
`games/bleven/pairs.py` uses these fields for the hidden cards of others. To draw them there would take seconds.
"""

import json
from random import Random

from games.bleven.classes import LETTERS
from games.bleven.prospects import best_discard
from games.bleven.rules.pack import VALUES
from games.bleven.rules.state import FIELD_SIZE, FULL_RESERVE

SEATS = 4
FIELDS = 2000  # for each number of discards


def drawn(discards: int, rng: Random) -> str:
    """A field after so many draws: a letter for each card, ascending."""
    pack = rng.sample(range(len(VALUES)), FIELD_SIZE + discards)
    field = pack[:FIELD_SIZE]
    for card in pack[FIELD_SIZE:]:
        field.append(card)
        field.remove(best_discard(tuple(sorted(field)), SEATS))
    return "".join(LETTERS[card] for card in sorted(field))


def main() -> None:
    found = {}
    for discards in range(FULL_RESERVE + 1):
        rng = Random(discards)
        found[discards] = " ".join(drawn(discards, rng) for _ in range(FIELDS))
    print(json.dumps(found, indent=0))


if __name__ == "__main__":
    main()
