"""The options of a match and Belot's cards: ranks, points, the duties of play, and who takes a trick.

Source: "Options", "Seats and pack", "Play" and "Belot" on the rules page.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from games.kit.cards import SUITS, make_pack
from games.kit.contract import Card
from games.kit.tricks import powers, winning_place

SEQUENCE_RANKS = "789TJQKA"  # All three orders go from low to high.
PLAIN_RANKS = "789JQKTA"
TRUMP_RANKS = "78QKTA9J"
PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}
LAST_TRICK = 10  # points
BELOT = 20  # points
WEAK_HAND = 7  # The option `dealer_pass: seven` lets a dealer with up to this many points pass last.
NO_TRUMPS, ALL_TRUMPS = "NT", "AT"  # the contracts that are not a suit
CONTRACTS = (*SUITS, NO_TRUMPS, ALL_TRUMPS)  # low to high
PACKS = {seats: make_pack(SEQUENCE_RANKS[8 - ranks :]) for seats, ranks in ((2, 6), (3, 6), (4, 8))}
ALL_CARDS = frozenset(make_pack(SEQUENCE_RANKS))
OTHER_ROYAL = {first + suit: second + suit for suit in SUITS for first, second in ("KQ", "QK")}


class Match(NamedTuple):
    """The number of seats and the options, under their names."""

    seats: int
    target: int
    deal: str
    dealer_pass: str
    third_double: bool
    trumping: str
    shared_cards: bool
    belot_reply: str
    last_trick_ten: bool
    hanging: bool
    kirtik: bool

    @property
    def sides(self) -> int:
        return 3 if self.seats == 3 else 2

    @property
    def pack(self) -> tuple[Card, ...]:
        return PACKS[self.seats]

    @property
    def club_rules(self) -> bool:
        """Whether a trump must be higher than those in the trick, and is no duty while the partner is winning."""
        return self.trumping == "club"

    @property
    def packets(self) -> tuple[int, ...]:
        """The number of cards in each packet; the last packet is dealt after the bidding."""
        return tuple(map(int, self.deal.split("+")))


@cache
def trump_suits(contract: str | None) -> str:
    """Return the suits that are trumps, as a string: "H" for the contract hearts, all four for "AT" (all trumps).

    It is empty for "NT" (no trumps), and as long as there is no contract (None).
    """
    if contract is None or contract == NO_TRUMPS:
        return ""
    return SUITS if contract == ALL_TRUMPS else contract


@cache
def card_points(contract: str | None) -> dict[Card, int]:
    """Return the points of every card. A card is its rank and its suit, such as "JH". Callers share the dict."""
    trumps = trump_suits(contract)
    return {
        card: (TRUMP_POINTS if card[1] in trumps else PLAIN_POINTS).get(card[0], 0)
        for card in make_pack(SEQUENCE_RANKS)
    }


def points_factor(contract: str) -> int:
    """Return the factor for all points of a deal: no trumps counts double."""
    return 2 if contract == NO_TRUMPS else 1


def winning_index(contract: str, trick: Sequence[Card]) -> int:
    """Return the index of the card that takes `trick`, or is winning it so far."""
    index: int = winning_place(trick, _strongest_suit(contract, trick[0][1]), PLAIN_RANKS, TRUMP_RANKS)
    return index


def duties(match: Match, contract: str, trick: Sequence[Card]) -> tuple[frozenset[Card], ...]:
    """Return which cards a seat must play, as sets in order of priority.

    For example they are the suit led, the trumps, and all cards. The last set always has all cards. The seat must play
    from the first set that has a card of its hand. So its play also shows that it holds none of the sets before.
    trick: the cards played so far.
    """
    if not trick:
        return (ALL_CARDS,)
    winner = winning_index(contract, trick)
    partner_wins = match.seats == 4 and winner == len(trick) - 2  # The partner's card is the last but one.
    may_discard = match.club_rules and partner_wins  # Some clubs let a seat keep its trumps then.
    return _duties(contract, match.club_rules, trick[0][1], trick[winner], may_discard)


@cache
def _duties(contract: str, club_rules: bool, led: str, winning: Card, may_discard: bool) -> tuple[frozenset[Card], ...]:
    """Return which cards a seat must play to a trick that another seat has led to, as sets in order of priority.

    It must play from the first set that has a card of its hand. club_rules: whether a trump must beat the trumps in the
    trick. led: the suit of the first card. winning: the best card so far. may_discard: whether a seat without the suit
    led may play any card.
    """
    by_suit = {suit: frozenset(card for card in ALL_CARDS if card[1] == suit) for suit in SUITS}
    # A number for each card. The highest one in a trick takes it; a discard has the lowest number.
    power = powers(led, _strongest_suit(contract, led), PLAIN_RANKS, TRUMP_RANKS)
    higher = frozenset(card for card in ALL_CARDS if power[card] > power[winning])
    if led in trump_suits(contract):  # A higher trump is a duty, even if the best card is the partner's.
        return higher, by_suit[led], ALL_CARDS
    if contract == NO_TRUMPS or may_discard:
        return by_suit[led], ALL_CARDS
    if club_rules:
        return by_suit[led], higher & by_suit[contract], ALL_CARDS  # Every trump is higher than a plain card.
    return by_suit[led], by_suit[contract], ALL_CARDS


def legal_cards(hand: Sequence[Card], duty_sets: Iterable[frozenset[Card]]) -> list[Card]:
    """Return the cards of `hand` that may be played, in its order.

    duty_sets: sets of cards. A seat must play from the first one that has a card of its hand.
    """
    for cards in duty_sets:
        legal = [card for card in hand if card in cards]
        if legal:
            return legal
    raise AssertionError("a hand is never empty where a card is to be played")


def may_announce(match: Match, contract: str, trick: Sequence[Card], hand: Sequence[Card], card: Card) -> bool:
    """Return whether a seat may announce belot, the king and queen of trumps in its hand, as it plays `card`.

    It may if it leads the card, takes another suit with it, or follows its partner's lead. An option allows it on any
    lead. trick: the cards played before `card`.
    """
    suit = card[1]
    if OTHER_ROYAL.get(card) not in hand or suit not in trump_suits(contract):
        return False  # The card is not one of such a pair.
    if not trick:
        return True
    if suit != trick[0][1]:
        return contract != ALL_TRUMPS  # The trump takes another suit. In all trumps no suit does.
    partner_led = match.seats == 4 and len(trick) == 2
    return match.belot_reply == "any" or partner_led


def _strongest_suit(contract: str, led: str) -> str | None:
    """Return the suit that beats the other suits in this trick. In all trumps it is the suit led."""
    return led if contract == ALL_TRUMPS else trump_suits(contract) or None
