"""The sensible bots against random ones, in a few matches. tests/benchmarks/bot_strength.py has the real figures."""

from statistics import mean

import pytest

from games.bots import get_bot
from games.bots.arena import contest
from games.rules import get_rules


@pytest.mark.parametrize(
    "seats, options, least",
    [
        (3, {}, 1.5),
        (4, {}, 3.0),
        (4, {"scoring_style": "neutral"}, 3.0),
        (4, {"scoring_style": "negative"}, 14.0),
        (5, {"game_style": "short-up-and-down"}, 3.0),
        (6, {"game_style": "long-inverted"}, 3.0),
        (7, {}, 3.0),
    ],
)
def test_sensible_oh_hell_player_beats_random_ones(seats, options, least):
    bots = get_bot("oh-hell"), get_bot("oh-hell", "random")

    results = [result for seed in range(2) for result in contest(get_rules("oh-hell"), seats, options, *bots, seed)]

    assert sum(result.place == 1 for result in results) >= len(results) * 0.8
    assert mean(result.lead for result in results) > least
