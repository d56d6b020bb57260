"""The sensible bots against random ones, in a few matches. tests/benchmarks/bot_strength.py has the real figures."""

from statistics import mean

import pytest

from games.bots import get_bot
from games.bots.arena import contest
from games.rules import get_rules


@pytest.mark.parametrize(
    "game, sets, seats, options, least",
    [
        ("oh-hell", 2, 3, {}, 1.5),
        ("oh-hell", 2, 4, {}, 3.0),
        ("oh-hell", 2, 4, {"scoring_style": "neutral"}, 3.0),
        ("oh-hell", 2, 4, {"scoring_style": "negative"}, 14.0),
        ("oh-hell", 2, 5, {"game_style": "short-up-and-down"}, 3.0),
        ("oh-hell", 2, 6, {"game_style": "long-inverted"}, 3.0),
        ("oh-hell", 2, 7, {}, 3.0),
        ("belot", 20, 4, {}, 20.0),
        ("belot", 10, 4, {"dealer_pass": "never", "third_double": True, "trumping": "club", "kirtik": True}, 20.0),
        ("belot", 10, 4, {"deal": "3+3+2", "last_trick_ten": False, "hanging": False}, 20.0),
        ("belot", 10, 3, {}, 10.0),
        ("belot", 10, 2, {}, 10.0),
    ],
)
def test_sensible_player_beats_random_ones(game, sets, seats, options, least):
    bots = get_bot(game), get_bot(game, "random")

    results = [result for seed in range(sets) for result in contest(get_rules(game), seats, options, *bots, seed)]

    assert sum(result.place == 1 for result in results) >= len(results) * 0.8
    assert mean(result.lead for result in results) > least
