"""Cards as numbers and sets of cards as the bits of an int, for bots that look at many cards many times.

A card is its place in the canonical order of the French pack, from 0 for 2C to 51 for AS; a suit is 0 (C) to 3 (S).
"""

from games.kit.cards import RANKS, SUITS, make_pack

PACK = make_pack()
NUMBER = {card: number for number, card in enumerate(PACK)}
ALL = (1 << len(PACK)) - 1
SUIT = tuple(number // len(RANKS) for number in range(len(PACK)))
OF_SUIT = tuple((1 << len(RANKS)) - 1 << len(RANKS) * suit for suit in range(len(SUITS)))
HIGHER = tuple(OF_SUIT[suit] >> number + 1 << number + 1 for number, suit in enumerate(SUIT))  # of the same suit
LOWER = tuple(OF_SUIT[suit] & (1 << number) - 1 for number, suit in enumerate(SUIT))


def to_set(cards):
    """The set of these cards, given as strings."""
    return sum(1 << NUMBER[card] for card in cards)


def members(cards):
    """The cards of a set as a list, lowest number first."""
    found = []
    while cards:
        found.append((cards & -cards).bit_length() - 1)
        cards &= cards - 1
    return found


def any_of(cards, random):
    """A card of the set, each as likely as the other."""
    for _ in range(int(random() * cards.bit_count())):
        cards &= cards - 1
    return (cards & -cards).bit_length() - 1


def beats(card, best, trump):
    """Whether `card` takes the trick from `best`, the best card of it so far."""
    return card > best if SUIT[card] == SUIT[best] else SUIT[card] == trump
