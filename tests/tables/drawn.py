"""Players to draw, and what is on a page that was drawn."""

import re

NAMES = ["Ana", "Boris", "Vera", "Goran", "Iva", "Petar", "Mira"]


def cast(count, **changes):
    """Players by seat. changes: seat_1={"left": True} and so on."""
    players = []
    for seat in range(count):
        player = {"seat": seat, "name": NAMES[seat], "kind": "user", "profile": f"/players/{NAMES[seat]}/"}
        player |= {"connected": True, "stand_in": False, "left": False, "ready": False, "clock": None}
        players.append(player | changes.get(f"seat_{seat}", {}))
    return players


def cards_on(page):
    return set(re.findall(r'data-card="(..)"', page))
