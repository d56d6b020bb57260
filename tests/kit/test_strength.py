"""The sensible bots against random ones, in a few matches. tests/benchmarks/bot_strength.py has the real figures."""

from statistics import mean
from typing import NamedTuple

import pytest

from games.catalog import get_bot, get_rules
from games.kit.arena import Pairing, contest

pytestmark = [pytest.mark.whole, pytest.mark.thorough]

LOWEST = {"lowest": True}
COLOUR_BIDS = {"colour_bids": True}
ALL_SPECIAL = {"ally": True, "minus5_2x": True, "lowest": True, "surprise": True}


class Aim(NamedTuple):
    """What a bot must reach. first: the part of the matches to come first in. lead: points a deal above the others."""

    sets: int
    first: float
    lead: float


@pytest.mark.parametrize(
    "game, seats, options, aim",
    [
        ("oh-hell", 3, {}, Aim(2, 0.8, 1.5)),
        ("oh-hell", 4, {}, Aim(2, 0.8, 3.0)),
        ("oh-hell", 4, {"scoring_style": "neutral"}, Aim(2, 0.8, 3.0)),
        ("oh-hell", 4, {"scoring_style": "negative"}, Aim(2, 0.8, 14.0)),
        ("oh-hell", 5, {"game_style": "short-up-and-down"}, Aim(2, 0.8, 3.0)),
        ("oh-hell", 6, {"game_style": "long-inverted"}, Aim(2, 0.8, 3.0)),
        ("oh-hell", 7, {}, Aim(2, 0.8, 3.0)),
        ("belot", 4, {}, Aim(20, 0.9, 20.0)),
        (
            "belot",
            4,
            {"dealer_pass": "never", "third_double": True, "trumping": "club", "kirtik": True},
            Aim(10, 0.9, 20.0),
        ),
        ("belot", 4, {"deal": "3+3+2", "last_trick_ten": False, "hanging": False}, Aim(10, 0.9, 20.0)),
        ("belot", 3, {}, Aim(10, 0.8, 10.0)),
        ("belot", 2, {}, Aim(10, 0.8, 10.0)),
        ("bleven", 2, {"crowns": 2}, Aim(8, 0.8, 2.0)),
        ("bleven", 2, {"crowns": 2, "deduced_miss": "bet"}, Aim(8, 0.8, 2.0)),
        ("bleven", 4, {"crowns": 2}, Aim(6, 0.8, 2.0)),
        ("bleven", 4, {"max_bet": 30}, Aim(6, 0.8, 2.0)),
        ("bids", 3, {}, Aim(8, 0.9, 14.0)),
        ("bids", 4, {}, Aim(10, 0.85, 10.0)),
        ("bids", 4, LOWEST, Aim(6, 0.75, 8.0)),
        ("bids", 5, {}, Aim(6, 0.55, 4.0)),
        ("bids", 5, ALL_SPECIAL, Aim(6, 0.5, 4.0)),
        ("bids", 6, {}, Aim(5, 0.5, 4.0)),
        ("bids", 4, COLOUR_BIDS, Aim(6, 0.7, 6.0)),
    ],
)
def test_sensible_bot_beats_random_ones(game, seats, options, aim):
    pairing = Pairing(get_rules(game), seats, options, get_bot(game), get_bot(game, "random"))

    results = [result for seed in range(aim.sets) for result in contest(pairing, seed)]

    assert sum(result.place == 1 for result in results) >= len(results) * aim.first
    assert mean(result.lead for result in results) > aim.lead


@pytest.mark.parametrize(
    "game, seats, bots, matches, lead",
    [
        ("oh-hell", 4, ("easy", "random"), (4, 1), 2.0),  # on average 4.2; the mean of four sets has an error of 1
        ("oh-hell", 4, ("hard", "random"), (100, 1), 3.0),
        ("belot", 4, ("easy", "random"), (5, 4), 15.0),
        ("belot", 4, ("normal", "sensible-1"), (10, 4), 0.0),
        ("belot", 2, ("normal", "sensible-1"), (20, 4), 0.0),
        ("bids", 4, ("easy", "random"), (8, 1), 6.0),
        ("bids", 3, ("hard", "sensible-1"), (10, 1), 0.0),
        ("bids", 5, ("hard", "sensible-1"), (5, 1), 0.0),
    ],
)
def test_levels_beat_what_is_weaker(game, seats, bots, matches, lead):
    """matches: how many, each with the level on every side, and how many of their deals. lead: as above."""
    sets, deals = matches
    pairing = Pairing(get_rules(game), seats, {}, *[get_bot(game, name) for name in bots], deals)

    results = [result for seed in range(sets) for result in contest(pairing, f"levels {seed}")]

    assert mean(result.lead for result in results) > lead
