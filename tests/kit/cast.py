"""Players for a table, a match played at random to be drawn, and its fragments as pages have them."""

import re

from games.catalog import CHANCE, get_game
from games.fragments import felt_html, mine_html

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


MATCH = {"code": "K7QM2ZPX", "status": "playing", "revision": "6", "rematch_code": ""}


def html_of_felt(game, felt):
    """The felt that a drawing made, as HTML. game: a slug."""
    return felt_html(get_game(game), {"moves": "5", "news": ""} | felt, MATCH)


def html_of_mine(game, mine, seat):
    """One seat's own part, as HTML; seat: None for what spectators have."""
    viewer = "" if seat is None else str(seat)
    return mine_html(get_game(game), mine | {"seen": "5", "viewer": viewer, "say": "", "countdown": None}, MATCH)


def cards_on(page):
    return set(re.findall(r'data-card="([^"]+)"', page))
