"""The sensible bots against random ones, in a few matches. tests/benchmarks/bot_strength.py has the real figures."""

from statistics import mean

import pytest

from games.bots import get_bot
from games.bots.arena import contest
from games.rules import get_rules


@pytest.mark.parametrize(
    "game, seats, options, sets, least",
    [
        ("oh-hell", 3, {}, 2, 1.5),
        ("oh-hell", 4, {}, 2, 3.0),
        ("oh-hell", 4, {"scoring_style": "neutral"}, 2, 3.0),
        ("oh-hell", 4, {"scoring_style": "negative"}, 2, 14.0),
        ("oh-hell", 5, {"game_style": "short-up-and-down"}, 2, 3.0),
        ("oh-hell", 6, {"game_style": "long-inverted"}, 2, 3.0),
        ("oh-hell", 7, {}, 2, 3.0),
        ("bleven", 2, {"crowns": 2}, 8, 2.0),
        ("bleven", 2, {"crowns": 2, "deduced_miss": "bet"}, 8, 2.0),
        ("bleven", 4, {"crowns": 2}, 6, 2.0),
        ("bleven", 4, {"max_bet": 30}, 6, 2.0),
    ],
)
def test_sensible_player_beats_random_ones(game, seats, options, sets, least):
    bots = get_bot(game), get_bot(game, "random")

    results = [result for seed in range(sets) for result in contest(get_rules(game), seats, options, *bots, seed)]

    assert sum(result.place == 1 for result in results) >= len(results) * 0.8
    assert mean(result.lead for result in results) > least
