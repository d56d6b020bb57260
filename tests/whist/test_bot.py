"""The Whist player, where there is little doubt."""

import random

import pytest

from tests.whist.bot import WhistBot


def choose(hand, trick, turned="2S"):
    table = {"turned": turned, "trick": {"plays": [{"card": card} for card in trick]}}
    moves = [{"type": "play", "card": card} for card in hand]
    return WhistBot().choose(table, moves, random.Random(1))["card"]


@pytest.mark.parametrize(
    "hand, trick, card",
    [
        (["2H", "QH", "AH"], ["TH"], "QH"),  # the cheapest that wins
        (["2H", "9H"], ["TH"], "2H"),  # nothing wins: the lowest
        (["2D", "3S"], ["TH"], "3S"),  # a trump
    ],
)
def test_takes_the_trick_cheaply_or_not_at_all(hand, trick, card):
    assert choose(hand, trick) == card
