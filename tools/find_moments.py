"""Finds the moment of each game that the front page shows, in matches among bots, and writes it into the game's room.

    python -m tools.find_moments

A moment is one in which a newcomer sees what the game is about: somebody is to choose, with few cards left. It is kept
as `moment.json`: the version of the rules, the seat that is to act, and the position.
"""

import json
from itertools import count
from pathlib import Path
from random import Random

from games.catalog import YARDSTICK, all_games, get_bot
from games.kit.arena import played

ROOMS = Path(__file__).parents[1] / "games"
HAND = 5  # cards, as many as fit a small picture


def main():
    for game in all_games():
        moment = first_moment(game)
        (ROOMS / game.room / "moment.json").write_text(json.dumps(moment) + "\n")


def first_moment(game):
    rules = game.newest
    bots = [get_bot(game.slug, YARDSTICK)] * rules.default_seats
    for number in count():
        rng = Random(f"1:{number}")
        for state in played(rules, {}, bots, rng, rng):
            seat = rules.to_act(state)
            if seat in range(rules.default_seats) and tells_much(rules.view(state, seat), rules.legal_moves(state)):
                return {"version": rules.version, "seat": seat, "position": rules.dump(state)}


def tells_much(table, moves):
    """Whether there is much to see for the seat of `table`, which may make `moves`."""
    if "reserves" in table:  # Bleven plays its cards by itself: what counts is said before
        return table["phase"] == "reply" and table["prediction"]["tricks"] == 2
    plays = table["plays"] if "plays" in table else table["trick"]["plays"]
    cards = {move.get("card") for move in moves}
    binding = "centre" in table or 1 < len(cards) < HAND
    return len(plays) == table["seats"] - 1 and len(table["hand"]) == HAND and binding


if __name__ == "__main__":
    main()
