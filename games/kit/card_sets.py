"""Cards as numbers and sets of cards as the bits of an int, for fast bots.

The number of a card is its place in the canonical order of the French pack, from 0 for 2C to 51 for AS. The suits are
0 (C) to 3 (S).
"""

from collections.abc import Callable, Iterable

from games.kit.cards import RANKS, SUITS, make_pack

PACK = make_pack()
NUMBER = {card: number for number, card in enumerate(PACK)}
ALL = (1 << len(PACK)) - 1
SUIT = tuple(number // len(RANKS) for number in range(len(PACK)))
OF_SUIT = tuple((1 << len(RANKS)) - 1 << len(RANKS) * suit for suit in range(len(SUITS)))
HIGHER = tuple(OF_SUIT[suit] >> number + 1 << number + 1 for number, suit in enumerate(SUIT))  # Of the same suit.
LOWER = tuple(OF_SUIT[suit] & (1 << number) - 1 for number, suit in enumerate(SUIT))


def to_set(cards: Iterable[str]) -> int:
    return sum(1 << NUMBER[card] for card in cards)


def members(cards: int) -> list[int]:
    """Return the cards of a set in ascending order."""
    numbers = []
    while cards:
        numbers.append((cards & -cards).bit_length() - 1)
        cards &= cards - 1
    return numbers


def any_of(cards: int, random: Callable[[], float]) -> int:
    """Return a random card of a set. random: as `Random.random`."""
    for _ in range(int(random() * cards.bit_count())):
        cards &= cards - 1
    return (cards & -cards).bit_length() - 1


def beats(card: int, best: int, trump: int | None) -> bool:
    """Return whether `card` takes the trick from `best`, the best card so far. trump: a suit, or None."""
    return card > best if SUIT[card] == SUIT[best] else SUIT[card] == trump
