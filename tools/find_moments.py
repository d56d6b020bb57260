"""Find a moment of each game for the front page, in matches among bots, and write it into the game's room.

    python -m tools.find_moments

The moment shows a newcomer what the game is about: a player has a choice, with few cards left. `moment.json` has the
version of the rules, the seat to move, and the position.
"""

import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from random import Random

from games.catalog import YARDSTICK, all_games, get_bot
from games.kit.arena import play_match
from games.kit.contract import Move, Table
from games.kit.game import Game

ROOMS = Path(__file__).parents[1] / "games"
HAND_SIZE = 5  # cards, which fit into a small picture


def main() -> None:
    for game in all_games():
        moment = first_moment(game)
        (ROOMS / game.room / "moment.json").write_text(json.dumps(moment) + "\n")


def first_moment(game: Game) -> dict[str, object]:
    rules = game.newest
    bots = [get_bot(game.slug, YARDSTICK)] * rules.default_seats
    for number in count():
        rng = Random(f"1:{number}")
        for state in play_match(rules, {}, bots, rng, rng):
            seat = rules.to_act(state)
            if seat in range(rules.default_seats) and is_instructive(rules.view(state, seat), rules.legal_moves(state)):
                return {"version": rules.version, "seat": seat, "position": rules.dump(state)}
    raise AssertionError("count() never ends.")


def is_instructive(table: Table, moves: Sequence[Move]) -> bool:
    """Return whether the seat of a table has an interesting choice between these moves."""
    if "reserves" in table:  # Cards of Bleven are played automatically. The choice is before that.
        return table["phase"] == "reply" and table["prediction"]["tricks"] == 2
    plays = table["plays"] if "plays" in table else table["trick"]["plays"]
    cards = {move.get("card") for move in moves}
    is_limited = "centre" in table or 1 < len(cards) < HAND_SIZE
    return len(plays) == table["seats"] - 1 and len(table["hand"]) == HAND_SIZE and is_limited


if __name__ == "__main__":
    main()
