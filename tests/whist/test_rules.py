"""Whist, in the order of its rules page; what every game promises is tested in tests/kit."""

import pytest

from games.catalog import IllegalMove
from tests.whist.rules import PACK, Whist, WhistByTricks

ACES_UP = sorted(PACK, key=lambda card: card[0] != "A")  # every seat gets an ace first


def dealt(deck=None, rules=None):
    rules = rules or Whist()
    return rules.apply(rules.new_match(4, {}), {"type": "deal", "deck": list(deck or PACK)})


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
