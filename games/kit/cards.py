"""Cards of the French pack: two characters, rank then suit. "TH" is the ten of hearts."""

from collections.abc import Iterable
from typing import Any, TypedDict

RANKS = "23456789TJQKA"  # low to high
SUITS = "CDHS"


def make_pack(ranks=RANKS):
    """All cards of these ranks, a tuple in canonical order: suit by suit, the ranks of each as given."""
    return tuple(rank + suit for suit in SUITS for rank in ranks)


def is_permutation(deck, pack):
    """Whether `deck`, whatever it may be, is a list of just the cards of `pack`."""
    return (
        type(deck) is list
        and len(deck) == len(pack)
        and all(type(card) is str for card in deck)
        and set(deck) == set(pack)
    )


def deal_singly(cards, seats, first):
    """The cards that each seat gets, a list by seat, when all of `cards` are dealt one at a time from `first` on."""
    return [cards[(seat - first) % seats :: seats] for seat in range(seats)]


class Dealing(TypedDict):
    """How the decks of a match are made and dealt.

    packets: for each deal, how many cards every seat gets at a time, from the seat that acts first. After the last
    entry it starts again. draws: whether players may draw the cards that were not dealt, from the front of the deck.
    parts: empty if each deal has one shuffle. With two, the first deals nothing. The pack of the second is then the
    first `how many` of `cards` in it, for each part [how many, cards], and the cards `added`.
    """

    pack: list[str]
    packets: list[list[int]]
    draws: bool
    parts: list[list[Any]]
    added: list[str]


def dealing(
    pack: Iterable[str],
    packets: Iterable[Iterable[int]],
    *,
    draws: bool = False,
    parts: Iterable[tuple[int, Iterable[str]]] = (),
    added: Iterable[str] = (),
) -> Dealing:
    return {
        "pack": list(pack),
        "packets": [list(sizes) for sizes in packets],
        "draws": draws,
        "parts": [[count, list(cards)] for count, cards in parts],
        "added": list(added),
    }


def suit(card):
    return card[1]


_PLACE = {card: place for place, card in enumerate(make_pack())}


def in_order(cards):
    """These cards as a tuple in canonical order."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))
