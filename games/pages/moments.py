"""A moment of each game as a small picture: a real position, as the seat to act sees it."""

import json
from pathlib import Path
from typing import TypedDict

from games.catalog import get_game, get_rules
from games.kit.cards import make_pack
from games.kit.contract import Table
from games.kit.drawing import Players
from games.kit.language import cache_by_language, lazy
from games.kit.markup import FACES, SMALL_FACES, back

ROOMS = Path(__file__).parents[1]
NAMES = (  # of the players in pictures and examples
    *(lazy("Ana"), lazy("Boris"), lazy("Vera"), lazy("Goran")),
    *(lazy("Mila"), lazy("Petar"), lazy("Rada")),
)


class MomentPlay(TypedDict):
    """A card on the table, with the name of its player, or "" for a hand face down."""

    name: str
    face: str


class MomentCard(TypedDict):
    """A card in the hand. may: whether it is playable while others are not."""

    face: str
    may: bool


class GameMoment(TypedDict):
    """A position of a game, for its picture."""

    plays: list[MomentPlay]  # the cards on the table, or another hand
    centre: str  # the face of the card at stake, or ""
    hand: list[MomentCard]
    words: str  # the next step of the seat
    own_pack: bool  # whether the game's own style sheet draws the cards


@cache_by_language(20)
def moment_of(slug: str) -> GameMoment | None:
    """Return a typical moment of a game as a picture for the front page, or None if its folder has none.

    The moment is a stored position with the seat that looks at it. The picture has the cards on the table, or another
    hand face down, and the hand of that seat with marks on its playable cards.
    """
    game = get_game(slug)
    path = ROOMS / game.room / "moment.json"
    if not path.exists():
        return None
    stored = json.loads(path.read_text())
    rules = get_rules(slug, stored["version"])
    state = rules.load(stored["position"])
    table, moves = rules.view(state, stored["seat"]), rules.legal_moves(state)  # The view has no hidden cards.
    hand = [card for suit in game.drawing.suits_of(table) for card in suit]
    playable = {move["card"] for move in moves if "card" in move}
    marks_playable = len(playable) < len(hand)  # A mark on all cards would say nothing.
    # Games store the trick in one of these two places.
    plays = table["plays"] if "plays" in table else table.get("trick", {}).get("plays", ())
    trick: list[MomentPlay] = [{"name": str(NAMES[play["seat"]]), "face": SMALL_FACES[play["card"]]} for play in plays]
    return {
        "plays": trick or _covered_hand(table),
        "centre": SMALL_FACES[table["centre"]] if table.get("centre") else "",
        "hand": [{"face": FACES[card], "may": card in playable and marks_playable} for card in hand],
        "words": game.drawing.mine(table, moves, example_players(table["seats"]))["sentence"],
        "own_pack": not set(hand) <= set(make_pack()),  # The usual pack of 52 cards.
    }


def _covered_hand(table: Table) -> list[MomentPlay]:
    """Draw the hand of the seat before the viewer face down, with the player's name at its middle card.

    table: what the viewer's seat sees, from `rules.view`.
    """
    other = (table["seat"] - 1) % table["seats"]
    count = table["hand_counts"][other]
    return [{"name": str(NAMES[other]) if place == count // 2 else "", "face": back()} for place in range(count)]


def example_players(seats: int) -> Players:
    """Return players for pictures and examples, all of them connected."""
    return [
        {
            "seat": seat,
            "name": str(NAMES[seat]),
            "kind": "user",
            "level": None,
            "owner": "",
            "profile": "",
            "avatar": None,
            "connected": True,
            "stand_in": False,
            "left": False,
            "ready": False,
            "clock": None,
        }
        for seat in range(seats)
    ]
