"""Positions in which club players never err. Normal and hard make the right move in all of them.

`right` are the only moves that a club player makes; `wrong` are moves that no club player makes.
"""

import json
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from games.catalog import get_bot, get_rules
from games.kit.cards import SUITS
from tests.belot.test_bot import as_move, deck

rules = get_rules("belot")
ABSURDITIES = json.loads(Path(__file__).with_name("absurdities.json").read_text())
SUIT_ORDERS = list(permutations(SUITS))
SEEDS = 12


def position(absurdity, turn, suits):
    """Return the position with all seats `turn` further on, and clubs to spades replaced by `suits`."""
    state = rules.new_match(4, absurdity.get("options", {}))
    ordered = deck(state, [hand.split() for hand in absurdity["hands"]])
    for _ in range(turn):
        for move in [{"type": "deal", "deck": rules.deck(state)}, *[{"type": "pass"}] * 4]:
            state = rules.apply(state, move)
    state = rules.apply(state, {"type": "deal", "deck": [exchange(card, suits) for card in ordered]})
    for word in absurdity["moves"].split():
        state = rules.apply(state, as_move(state, exchange(word, suits)))
    return state


def exchange(word, suits):
    """Return a bid or a card with its suit exchanged, and any other call as it is."""
    if word in SUITS:
        return suits[SUITS.index(word)]
    if word[1:2] and word[1] in SUITS:
        return word[0] + suits[SUITS.index(word[1])] + word[2:]
    return word


def word_of(move):
    if move["type"] == "play":
        return move["card"] + "+" * ("belot" in move)
    return move.get("contract", move["type"])


def assert_sound(absurdity, level, seeds):
    for seed in seeds:
        suits = SUIT_ORDERS[(seed * 7 + seed // 24) % len(SUIT_ORDERS)]
        state = position(absurdity, seed % 4, suits)
        moves = rules.legal_moves(state)
        word = word_of(get_bot("belot", level).choose(rules.view(state, rules.to_act(state)), moves, Random(seed)))
        if "right" in absurdity:
            assert word in [exchange(each, suits) for each in absurdity["right"]], f"seed {seed}: {word}"
        else:
            assert word not in [exchange(each, suits) for each in absurdity["wrong"]], f"seed {seed}: {word}"


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize("absurdity", ABSURDITIES, ids=lambda absurdity: absurdity["why"])
def test_it_makes_no_move_that_a_club_player_calls_absurd(absurdity, level):
    assert_sound(absurdity, level, range(1))


@pytest.mark.thorough
@pytest.mark.parametrize("level", ["normal", "hard"])
def test_it_makes_none_with_other_seeds_seats_and_suits(level):
    for absurdity in ABSURDITIES:
        assert_sound(absurdity, level, range(1, SEEDS))
