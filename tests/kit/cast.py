"""Players for a table, and a match played at random to be drawn."""

import re

from games.catalog import CHANCE

NAMES = ["Ana", "Boris", "Vera", "Goran", "Iva", "Petar", "Mira"]


def cast(count, **changes):
    """Players by seat. changes: seat_1={"left": True} and so on."""
    players = []
    for seat in range(count):
        player = {"seat": seat, "name": NAMES[seat], "kind": "user", "profile": f"/players/{NAMES[seat]}/"}
        player |= {"connected": True, "stand_in": False, "left": False, "ready": False, "clock": None}
        players.append(player | changes.get(f"seat_{seat}", {}))
    return players


def a_match(rules, seats, rng, **options):
    """Every state of a match played at random."""
    state = rules.new_match(seats, options)
    yield state
    while (actor := rules.to_act(state)) is not None:
        move = rng.choice(rules.legal_moves(state))
        if actor == CHANCE:
            rng.shuffle(move["deck"])
        state = rules.apply(state, move)
        yield state


def cards_on(page):
    return set(re.findall(r'data-card="([^"]+)"', page))
