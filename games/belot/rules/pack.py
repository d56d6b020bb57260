"""Belot's cards: the packs, the three orders of rank, and what cards are worth under a contract.

Source: "Seats and pack" on the rules page.
"""

from functools import cache

from games.kit.cards import SUITS, make_pack

SEQUENCE_RANKS = "789TJQKA"  # these three low to high
PLAIN_RANKS = "789JQKTA"
TRUMP_RANKS = "78QKTA9J"
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}
LAST_TRICK, BELOT = 10, 20  # points besides those of cards and declarations
WEAK_HAND = 7  # points of a hand up to which a dealer may pass at some tables
CONTRACTS = (*SUITS, "NT", "AT")  # low to high
PACKS = {seats: make_pack(SEQUENCE_RANKS[8 - ranks :]) for seats, ranks in ((2, 6), (3, 6), (4, 8))}


@cache
def trump_suits(contract):
    """The suits that are trump under this contract, or before there is one (None)."""
    return {None: "", "NT": "", "AT": SUITS}.get(contract, contract)


@cache
def points_of_cards(contract):
    """The points of each card, a dict that all callers share. Without a contract (None) every suit is plain."""
    trumps = trump_suits(contract)
    return {
        card: (TRUMP_POINTS if card[1] in trumps else PLAIN_POINTS).get(card[0], 0)
        for card in make_pack(SEQUENCE_RANKS)
    }


def times(contract):
    """How often all points count."""
    return 2 if contract == "NT" else 1
