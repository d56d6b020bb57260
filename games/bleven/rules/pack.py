"""Bleven's cards: the pack, its order from low to high, and what cards count in a sum.

Source: "Seats and pack" on the rules page.
"""

from games.kit.cards import make_pack

RANKS = "A234567JQK"  # low to high
PACK = make_pack(RANKS)
VALUE = {card: RANKS.index(card[0]) + 1 for card in PACK}
ASCENDING = sorted(PACK, key=lambda card: (VALUE[card], "HDCS".index(card[1])))
POWER = {card: power for power, card in enumerate(ASCENDING)}
VALUES = [VALUE[card] for card in ASCENDING]  # by power


def in_order(cards):
    """The cards as a tuple, ascending."""
    return tuple(sorted(cards, key=POWER.__getitem__))


def field_sum(cards):
    return sum([VALUE[card] for card in cards])
