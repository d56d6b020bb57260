"""The pack of Bleven, the order of its cards from low to high, and their values.

Source: "Seats and pack" on the rules page.
"""

from collections.abc import Iterable

from games.kit.cards import make_pack
from games.kit.contract import Card

type Cards = tuple[Card, ...]

RANKS = "A234567JQK"  # low to high
PACK = make_pack(RANKS)
VALUE = {card: RANKS.index(card[0]) + 1 for card in PACK}
ASCENDING = sorted(PACK, key=lambda card: (VALUE[card], "HDCS".index(card[1])))
POWER = {card: power for power, card in enumerate(ASCENDING)}
VALUES = [VALUE[card] for card in ASCENDING]  # by power


def sort_cards(cards: Iterable[Card]) -> Cards:
    return tuple(sorted(cards, key=POWER.__getitem__))


def field_sum(cards: Iterable[Card]) -> int:
    return sum([VALUE[card] for card in cards])
