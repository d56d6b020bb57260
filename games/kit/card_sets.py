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
    """Return the numbers of the cards of a set, which are the bits of an int, in ascending order."""
    numbers = []
    while cards:
        numbers.append((cards & -cards).bit_length() - 1)  # The lowest bit.
        cards &= cards - 1  # All bits but the lowest.
    return numbers


def any_of(cards: int, random: Callable[[], float]) -> int:
    """Return the number of a random card of a set, which is the bits of an int.

    random: a function that returns a number from 0 up to 1, such as `Random.random`.
    """
    for _ in range(int(random() * cards.bit_count())):
        cards &= cards - 1  # All bits but the lowest.
    return (cards & -cards).bit_length() - 1  # The lowest bit.


def beats(card: int, best: int, trump: int | None) -> bool:
    """Return whether `card` takes the trick from `best`, the best card so far. trump: a suit, or None."""
    return card > best if SUIT[card] == SUIT[best] else SUIT[card] == trump
