"""Cards of the French pack: two characters, rank then suit. "TH" is the ten of hearts."""

from collections.abc import Iterable, Sequence
from typing import TypedDict

RANKS = "23456789TJQKA"  # low to high
SUITS = "CDHS"


def make_pack(ranks: str = RANKS) -> tuple[str, ...]:
    """Return all cards of these ranks in canonical order: suit by suit, the ranks of each in the order of `ranks`."""
    return tuple(rank + suit for suit in SUITS for rank in ranks)


def is_permutation(deck: object, pack: Sequence[str]) -> bool:
    """Return whether `deck` is a list of exactly the cards of `pack`. It may be any value."""
    return (
        type(deck) is list
        and len(deck) == len(pack)
        and all(type(card) is str for card in deck)
        and set(deck) == set(pack)
    )


def deal_singly(cards: Sequence[str], seats: int, first: int) -> list[Sequence[str]]:
    """Deal all of `cards` one at a time, starting at seat `first`. Return the cards of each seat."""
    return [cards[(seat - first) % seats :: seats] for seat in range(seats)]


class Dealing(TypedDict):
    """How the decks of a match are made and dealt.

    packets: for each deal, how many cards every seat gets at a time, from the seat that acts first. After the last
    entry it starts again. draws: whether players may draw from the front of the rest of the deck.
    parts: empty if each deal has one shuffle. With two, the first deals nothing, and parts holds lists [count, cards].
    The pack of the second shuffle is, for each of them, the first `count` of `cards` in the first, and `added`.
    """

    pack: list[str]
    packets: list[list[int]]
    draws: bool
    parts: list[list[int | list[str]]]
    added: list[str]


def dealing(
    pack: Iterable[str],
    packets: Iterable[Iterable[int]],
    *,
    draws: bool = False,
    parts: Iterable[tuple[int, Iterable[str]]] = (),
    added: Iterable[str] = (),
) -> Dealing:
    """Return how the decks of a match are shuffled and dealt, as plain JSON types.

    pack: the cards to shuffle. packets: for each deal, how many cards every seat gets at a time: [3, 2] is three cards
    each, then two each. draws: whether players may draw more cards from the deck.
    parts, added: only for deals with two shuffles. The first shuffle chooses the pack of the second: for each (count,
    cards) of `parts`, the `count` of `cards` that come first in it, and all of `added`.
    """
    return {
        "pack": list(pack),
        "packets": [list(sizes) for sizes in packets],
        "draws": draws,
        "parts": [[count, list(cards)] for count, cards in parts],
        "added": list(added),
    }


def suit(card: str) -> str:
    return card[1]


_PLACE = {card: place for place, card in enumerate(make_pack())}


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Sort cards of the French pack in canonical order."""
    return tuple(sorted(cards, key=_PLACE.__getitem__))
