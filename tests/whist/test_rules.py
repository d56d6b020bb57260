"""Whist, in the order of its rules page; what every game promises is tested in tests/kit."""

from functools import reduce

import pytest

from games.catalog import IllegalMove
from tests.whist.rules import PACK, Whist, WhistByTricks

ACES_UP = sorted(PACK, key=lambda card: card[0] != "A")  # every seat gets an ace first


def dealt(deck=None, rules=None):
    rules = rules or Whist()
    return rules.apply(rules.new_match(4, {}), {"type": "deal", "deck": list(deck or PACK)})


def test_the_first_dealer_sits_in_the_last_seat():
    state = dealt()

    assert Whist().view(state, None)["dealer"] == 3
    assert state.to_act == 0


def test_cards_are_dealt_singly_and_the_next_one_is_turned():
    state = dealt()

    assert state.hands[0] == tuple(PACK[0:24:4])
    assert state.turned == PACK[24]


def test_who_can_follow_suit_must():
    rules, state = Whist(), dealt(ACES_UP)
    state = rules.apply(state, {"type": "play", "card": "AC"})
    club = next((card for card in state.hands[1] if card[1] == "C"), None)
    other = next(card for card in state.hands[1] if card[1] != "C")

    assert club
    with pytest.raises(IllegalMove, match="You hold a club, so you must follow suit"):
        rules.apply(state, {"type": "play", "card": other})


@pytest.mark.parametrize(
    "rules, taken, points",
    [
        (Whist(), (6, 0), (3, 0)),
        (Whist(), (4, 2), (1, 0)),
        (Whist(), (3, 3), (0, 0)),
        (WhistByTricks(), (6, 0), (6, 0)),
        (WhistByTricks(), (2, 4), (2, 4)),
    ],
)
def test_points_of_each_version(rules, taken, points):
    assert rules.points(taken) == points


def test_the_winner_of_a_trick_leads_to_the_next():
    rules, state = Whist(), dealt()
    cards = [rules.legal_moves(state)[0]]
    state = reduce(rules.apply, cards, state)
    while state.trick:
        state = rules.apply(state, rules.legal_moves(state)[0])

    assert state.leader == state.to_act == state.tricks[-1].winner
