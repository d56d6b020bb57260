"""Positions in which club players never err. Normal and hard make the right move in all of them.

`right` are the only cards that a club player bids; `wrong` are cards that no club player bids.
"""

import json
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from games.bids.rules.pack import COLOURS
from games.catalog import get_bot, get_rules
from tests.bids.test_bot import table

rules = get_rules("bids")
ABSURDITIES = json.loads(Path(__file__).with_name("absurdities.json").read_text())
SEEDS = 12
SEATS = {"seat", "to_act", "leader", "first_leader", "winner", "partner"}
BY_SEAT = {
    *("hand_counts", "trick_points", "doubling", "black_cards", "null", "lucky_loser", "ally_change", "total"),
    *("null_rounds", "totals"),
}


def turned(view, turn, colours):
    """Return the view with all seats `turn` further on, and the colours exchanged. colours: the new by the old."""
    seats = view["seats"]

    def move(value, key=None):
        if key in SEATS and value is not None:
            return (value + turn) % seats
        if key in BY_SEAT and value:
            return [value[(seat - turn) % seats] for seat in range(seats)]
        if isinstance(value, str):
            return exchange(value, colours)
        if isinstance(value, dict):
            return {name: move(each, name) for name, each in value.items()}
        return [move(each) for each in value] if isinstance(value, list) else value

    other = move(view)
    return other | {"hand": sorted(other["hand"], key=order), "legal_moves": sorted(other["legal_moves"], key=order)}


def order(card):
    """Return the key of the order of cards in a hand, and of their moves."""
    name = card["card"] if isinstance(card, dict) else card
    number = name[1:]
    return "RGYBK".find(name[0]) if name != "ALLY" else 9, int(number) if number.lstrip("-").isdigit() else 99


def exchange(card, colours):
    return colours.get(card[0], card[0]) + card[1:] if card[1:].isdigit() else card


def assert_sound(absurdity, level, seeds):
    view = table(absurdity["tricks"], absurdity["hand"], absurdity.get("seats", 4), **absurdity.get("options", {}))
    used = COLOURS[view["seats"]]
    orders = list(permutations(used))
    for seed in seeds:
        colours = dict(zip(used, orders[(seed * 5) % len(orders)], strict=True))
        other = turned(view, seed % view["seats"], colours)
        card = get_bot("bids", level).choose(other, other["legal_moves"], Random(seed))["card"]
        if "right" in absurdity:
            assert card in [exchange(each, colours) for each in absurdity["right"]], f"seed {seed}: {card}"
        else:
            assert card not in [exchange(each, colours) for each in absurdity["wrong"]], f"seed {seed}: {card}"


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize("absurdity", ABSURDITIES, ids=lambda absurdity: absurdity["why"])
def test_it_makes_no_move_that_a_club_player_calls_absurd(absurdity, level):
    assert_sound(absurdity, level, range(2))


@pytest.mark.thorough
@pytest.mark.parametrize("level", ["normal", "hard"])
def test_it_makes_none_with_other_seeds_seats_and_colours(level):
    for absurdity in ABSURDITIES:
        assert_sound(absurdity, level, range(2, SEEDS))
