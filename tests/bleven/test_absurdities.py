"""Positions in which club players never err. Normal and hard make the right move in all of them.

`right` are the keys of the only moves that a club player makes; `wrong` those of moves that no club player makes.
"""

import json
from functools import reduce
from pathlib import Path
from random import Random

import pytest

from games.bleven.rules.pack import PACK
from games.catalog import CHANCE, get_bot, get_rules
from tests.bleven.shorthand import dealt, move, play

rules = get_rules("bleven")
ABSURDITIES = json.loads(Path(__file__).with_name("absurdities.json").read_text())
SEEDS = 4


def position(absurdity, turn):
    """Return the position after `turn` rounds that the cutter has won at once, so that all seats are further on."""
    fields = [field.split() for field in absurdity["fields"]]
    seats = len(fields)
    state = rules.new_match(seats, absurdity.get("options", {}))
    for _ in range(turn):
        state = play(dealt(state, "KS KC KD", *["AH AD AC", "2H 2D 2C", "3H 3D 3C"][: seats - 1]), "declare")
        while rules.to_act(state) != CHANCE:
            state = play(state, "leave")
    top = [card for cards in zip(*fields, strict=True) for card in cards] + absurdity.get("pile", "").split()
    deck = top + [card for card in PACK if card not in top]
    return reduce(rules.apply, map(move, absurdity["moves"]), rules.apply(state, {"type": "deal", "deck": deck}))


def agrees(choice, keys):
    return all(choice.get(key) == value for key, value in keys.items())


def assert_sound(absurdity, level, seeds):
    for seed in seeds:
        state = position(absurdity, seed % len(absurdity["fields"]))
        table, moves = rules.view(state, rules.to_act(state)), rules.legal_moves(state)
        choice = get_bot("bleven", level).choose(table, moves, Random(seed))
        assert any(agrees(choice, keys) for keys in absurdity.get("right", [choice])), f"seed {seed}: {choice}"
        assert not any(agrees(choice, keys) for keys in absurdity.get("wrong", [])), f"seed {seed}: {choice}"


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize("absurdity", ABSURDITIES, ids=lambda absurdity: absurdity["why"])
def test_it_makes_no_move_that_a_club_player_calls_absurd(absurdity, level):
    assert_sound(absurdity, level, range(SEEDS))
