"""Belot’s cards: the packs, the orders of rank, what cards are worth; which may be played, and who takes a trick.

Source: "Seats and pack", "Play" and "Belot" on the rules page.
"""

from functools import cache

from games.kit.cards import SUITS, make_pack
from games.kit.tricks import powers, winning_place

SEQUENCE_RANKS = "789TJQKA"  # these three low to high
PLAIN_RANKS = "789JQKTA"
TRUMP_RANKS = "78QKTA9J"
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}
LAST_TRICK, BELOT = 10, 20  # points for the last trick and for a belot
WEAK_HAND = 7  # With more points in hand the dealer must bid, at some tables.
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


ALL_CARDS = frozenset(make_pack(SEQUENCE_RANKS))
OTHER_OF_BELOT = {first + suit: second + suit for suit in "CDHS" for first, second in ("KQ", "QK")}


def winner_of(contract, trick):
    """Which card of `trick` takes it, counted from 0."""
    return winning_place(trick, _strongest_suit(contract, trick[0][1]), PLAIN_RANKS, TRUMP_RANKS)


def duties(match, contract, trick):
    """Sets of cards: one must be played of the first set of which the hand holds any. Any card is in the last.

    So a card that was played shows that its seat held none of the sets before the first that it is in.
    trick: the cards played to it so far.
    """
    if not trick:
        return (ALL_CARDS,)
    place = winner_of(contract, trick)
    spared = match.trumping == "club" and match.seats == 4 and place == len(trick) - 2  # the partner is winning
    return _duties(contract, match.trumping, trick[0][1], trick[place], spared)


@cache
def _duties(contract, trumping, led, winning, spared):
    of_suit = {suit: frozenset(card for card in ALL_CARDS if card[1] == suit) for suit in "CDHS"}
    power = powers(led, _strongest_suit(contract, led), PLAIN_RANKS, TRUMP_RANKS)
    higher = frozenset(card for card in ALL_CARDS if power[card] > power[winning])
    if led in trump_suits(contract):
        return higher, of_suit[led], ALL_CARDS
    if contract == "NT" or spared:
        return of_suit[led], ALL_CARDS
    if trumping == "always":
        return of_suit[led], of_suit[contract], ALL_CARDS
    return of_suit[led], higher & of_suit[contract], ALL_CARDS  # any trump is higher than a plain card


def legal_cards(hand, wanted):
    """The cards of `hand` that may be played, in its order. wanted: the `duties`."""
    for cards in wanted:
        legal = [card for card in hand if card in cards]
        if legal:
            return legal
    raise AssertionError("a hand is never empty where a card is to be played")


def may_announce(match, contract, trick, hand, card):
    """Whether a seat may announce belot as it plays this card of its hand. trick: the cards played to it so far."""
    suit = card[1]
    if OTHER_OF_BELOT.get(card) not in hand or suit not in trump_suits(contract):
        return False
    if not trick:
        return True
    if suit != trick[0][1]:
        return contract != "AT"  # trumping another suit; in all trumps it would be a discard
    return match.belot_reply == "any" or (match.seats == 4 and len(trick) == 2)  # the partner led


def _strongest_suit(contract, led):
    """The suit that wins a trick with this lead if it is in it, or None. In all trumps it is the suit led."""
    return led if contract == "AT" else trump_suits(contract) or None
