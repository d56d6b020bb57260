"""A moment of each game as a small picture: a real position, as the seat to act sees it."""

import json
from pathlib import Path
from typing import Any

from games.catalog import get_game, get_rules
from games.kit.cards import make_pack
from games.kit.language import cache_by_language
from games.kit.markup import FACES, SMALL_FACES, back

ROOMS = Path(__file__).parents[1]
NAMES = ["Ana", "Boris", "Vera", "Goran", "Mila", "Petar", "Rada"]  # who plays in pictures and examples


@cache_by_language(20)
def moment_of(slug: str) -> dict[str, Any] | None:
    """{"plays", "centre", "hand", "words", "own_pack"} of the moment kept in a game's room; None where it has none.

    plays: [{"name", "face"}], the cards on the table, or another hand. centre: the card they are played for, or "".
    hand: [{"face", "may"}]; may: it is one of those that can be played, where not all can.
    words: what is expected of the seat. own_pack: whether its cards are drawn by the game's own style sheet.
    """
    game = get_game(slug)
    path = ROOMS / game.room / "moment.json"
    if not path.exists():
        return None
    stored = json.loads(path.read_text())
    rules = get_rules(slug, stored["version"])
    state = rules.load(stored["position"])
    table, moves = rules.view(state, stored["seat"]), rules.legal_moves(state)
    hand = [card for suit in game.drawing.suits_of(table) for card in suit]
    playable = {move["card"] for move in moves if "card" in move}
    plays = table["plays"] if "plays" in table else table.get("trick", {}).get("plays", ())
    return {
        "plays": [{"name": NAMES[play["seat"]], "face": SMALL_FACES[play["card"]]} for play in plays] or _backs(table),
        "centre": SMALL_FACES[table["centre"]] if table.get("centre") else "",
        "hand": [{"face": FACES[card], "may": card in playable and len(playable) < len(hand)} for card in hand],
        "words": game.drawing.mine(table, moves, _players(table["seats"]))["sentence"],
        "own_pack": not set(hand) <= set(make_pack()),
    }


def _backs(table) -> list[dict[str, Any]]:
    """The hand of the seat before the one that sees `table`, face down, with the name in its middle."""
    other = table["seat"] - 1
    count = table["hand_counts"][other]
    return [
        {"name": NAMES[other % table["seats"]] if place == count // 2 else "", "face": back()} for place in range(count)
    ]


def _players(seats: int) -> list[dict[str, Any]]:
    """Players of a drawing, all of them there."""
    absent = dict.fromkeys(("profile", "clock", "level", "owner", "avatar"), "")
    absent |= dict.fromkeys(("stand_in", "left", "ready"), False)
    return [absent | {"seat": seat, "name": NAMES[seat], "kind": "user", "connected": True} for seat in range(seats)]
