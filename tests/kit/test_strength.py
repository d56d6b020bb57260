"""The sensible bots against random ones, in a few matches. tests/benchmarks/bot_strength.py has the real figures."""

from statistics import mean

import pytest

from games.catalog import get_bot, get_rules
from games.kit.arena import contest

pytestmark = [pytest.mark.whole, pytest.mark.thorough]

LOWEST = {"lowest": True}
COLOUR_BIDS = {"colour_bids": True}
ALL_SPECIAL = {"ally": True, "minus5_2x": True, "lowest": True, "surprise": True}


@pytest.mark.parametrize(
    "game, seats, options, sets, first, lead",
    [
        ("oh-hell", 3, {}, 2, 0.8, 1.5),
        ("oh-hell", 4, {}, 2, 0.8, 3.0),
        ("oh-hell", 4, {"scoring_style": "neutral"}, 2, 0.8, 3.0),
        ("oh-hell", 4, {"scoring_style": "negative"}, 2, 0.8, 14.0),
        ("oh-hell", 5, {"game_style": "short-up-and-down"}, 2, 0.8, 3.0),
        ("oh-hell", 6, {"game_style": "long-inverted"}, 2, 0.8, 3.0),
        ("oh-hell", 7, {}, 2, 0.8, 3.0),
        ("belot", 4, {}, 20, 0.9, 20.0),
        ("belot", 4, {"dealer_pass": "never", "third_double": True, "trumping": "club", "kirtik": True}, 10, 0.9, 20.0),
        ("belot", 4, {"deal": "3+3+2", "last_trick_ten": False, "hanging": False}, 10, 0.9, 20.0),
        ("belot", 3, {}, 10, 0.8, 10.0),
        ("belot", 2, {}, 10, 0.8, 10.0),
        ("bleven", 2, {"crowns": 2}, 8, 0.8, 2.0),
        ("bleven", 2, {"crowns": 2, "deduced_miss": "bet"}, 8, 0.8, 2.0),
        ("bleven", 4, {"crowns": 2}, 6, 0.8, 2.0),
        ("bleven", 4, {"max_bet": 30}, 6, 0.8, 2.0),
        ("bids", 3, {}, 8, 0.9, 14.0),
        ("bids", 4, {}, 10, 0.85, 10.0),
        ("bids", 4, LOWEST, 6, 0.75, 8.0),
        ("bids", 5, {}, 6, 0.55, 4.0),
        ("bids", 5, ALL_SPECIAL, 6, 0.5, 4.0),
        ("bids", 6, {}, 5, 0.5, 4.0),
        ("bids", 4, COLOUR_BIDS, 6, 0.7, 6.0),
    ],
)
def test_sensible_bot_beats_random_ones(game, seats, options, sets, first, lead):
    """first: the least part of the matches to come first in. lead: the least points a deal above the rivals' mean."""
    bots = get_bot(game), get_bot(game, "random")

    results = [result for seed in range(sets) for result in contest(get_rules(game), seats, options, *bots, seed)]

    assert sum(result.place == 1 for result in results) >= len(results) * first
    print(mean(result.lead for result in results))
    assert mean(result.lead for result in results) > lead


@pytest.mark.parametrize(
    "game, seats, name, rival, sets, deals, lead",
    [
        ("oh-hell", 4, "easy", "random", 4, 1, 2.0),  # on average 4.2; the mean of four sets has an error of 1
        ("oh-hell", 4, "hard", "random", 100, 1, 3.0),
        ("belot", 4, "easy", "random", 5, 4, 15.0),
        ("belot", 4, "normal", "sensible-1", 10, 4, 0.0),
        ("belot", 2, "normal", "sensible-1", 20, 4, 0.0),
        ("bids", 4, "easy", "random", 8, 1, 6.0),
        ("bids", 3, "hard", "sensible-1", 10, 1, 0.0),
        ("bids", 5, "hard", "sensible-1", 5, 1, 0.0),
    ],
)
def test_levels_beat_what_is_weaker(game, seats, name, rival, sets, deals, lead):
    """sets: so many first deals of matches, each with the level on every side. lead: as above."""
    bots, rules = (get_bot(game, name), get_bot(game, rival)), get_rules(game)

    results = [result for seed in range(sets) for result in contest(rules, seats, {}, *bots, f"levels {seed}", deals)]

    print(mean(result.lead for result in results))
    assert mean(result.lead for result in results) > lead
