"""Hands that fit what was played. How cards take tricks is compared with plain implementations in test_counts.py."""

import random

from games.kit.cards import make_pack
from games.kit.tricks import Trick, dealer_of_hands, find_voids


def test_shown_voids():
    tricks = [(2, ("9H", "KH", "AD")), (0, ("2S", "3C", "4S")), (1, ("7D", "8D"))]

    assert find_voids(3, tricks) == [set(), {"H", "S"}, set()]


def test_hands_that_are_dealt_fit_what_was_played():
    view = {
        "seat": 0,
        "seats": 3,
        "turned": "2H",
        "hand": ["5C", "2D"],
        "hand_counts": [2, 1, 2],
        "trick": {"leader": 0, "plays": [{"seat": 0, "card": "KC"}, {"seat": 1, "card": "3D"}]},
    }
    tricks = (Trick(0, ("4H", "5S", "6H"), 2),)
    deal, rng = dealer_of_hands(make_pack(), view, tricks), random.Random(1)

    dealt = [deal(rng) for _ in range(300)]

    assert {hands[0] for hands in dealt} == {("5C", "2D")}
    assert {len(hands[2]) for hands in dealt} == {2}
    own, others = {card for (card,) in (hands[1] for hands in dealt)}, {card for hands in dealt for card in hands[2]}
    assert {card[1] for card in own} == {"D", "S"}  # it has followed neither hearts nor clubs
    assert {card[1] for card in others} == set("CDHS")
    assert not (own | others) & {"2H", "5C", "2D", "KC", "3D", "4H", "5S", "6H"}
