"""The cards of Bids as they are printed, named and laid out, and what black cards are worth."""

from games.bids.rules.pack import ALLY, BLACK, DOUBLE, LOWEST, NUMBER, SURPRISE
from games.kit.language import lazy, lazy_all, lazy_all_in, lazy_in, say_count
from games.kit.markup import add_pack
from games.kit.words import with_sign

COLOUR_CLASSES = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", BLACK: "black"}  # as they lie in a hand
COLOUR_WORDS = lazy_all_in("colour of cards", {"R": "red", "Y": "yellow", "G": "green", "B": "blue", BLACK: "black"})
PLACE_IN_HAND = {colour: place for place, colour in enumerate(COLOUR_WORDS)}

# Cards, by themselves and where "the" stands before them
_NAMES = {
    "R": "red {number}",
    "Y": "yellow {number}",
    "G": "green {number}",
    "B": "blue {number}",
    BLACK: "black {number}",
}
_SPECIAL = lazy_all({DOUBLE: "black 2×", LOWEST: "Lowest card", SURPRISE: "Surprise card"})
_SPECIAL[ALLY] = lazy_in("card", "Ally")
_THE_SPECIAL = lazy_all_in(
    "the card", {DOUBLE: "black 2×", LOWEST: "Lowest card", SURPRISE: "Surprise card", ALLY: "Ally"}
)
SPECIAL_PRINTS = {
    DOUBLE: "2×",
    LOWEST: lazy_in("printed on a card", "low"),
    SURPRISE: "?",
    ALLY: lazy_in("printed on a card", "ally"),
}

PRINTS = {card: with_sign(number) for card, number in NUMBER.items()} | SPECIAL_PRINTS

add_pack(
    {card: lazy(_NAMES[card[0]], number=with_sign(number)) for card, number in NUMBER.items()} | _SPECIAL,
    PRINTS,
    {card: lazy_in("the card", _NAMES[card[0]], number=with_sign(number)) for card, number in NUMBER.items()}
    | _THE_SPECIAL,
)


def laid_out(hand, _trump=None):
    """A hand as a list of colours, each a list of cards from the lowest number up; black and the Ally at the right."""
    held = {}
    for card in hand:
        held.setdefault(card if card == ALLY else card[0], []).append(card)
    return [
        sorted(held[colour], key=NUMBER.get) if colour != ALLY else held[colour]
        for colour in sorted(held, key=lambda colour: PLACE_IN_HAND.get(colour, len(PLACE_IN_HAND)))
    ]


def points_words(number):
    """ "1 point", "12 points", "½ point"."""
    return _counted_points(number, with_sign(number))


def points_unit(number):
    """The same without the number."""
    return _counted_points(number, "").strip()


def _counted_points(number, figure):
    counts = 1 if abs(number) == 0.5 else int(abs(number)) if number == int(number) else 2  # of a half: as in English
    return say_count(counts, "{points} point", "{points} points", points=figure)


def sum_of(cards):
    """What black cards are worth together, step by step and in all: ("9 + 7 − 5", 11)."""
    numbers = [NUMBER[card] for card in cards if card in NUMBER]
    steps = "".join(f" {'−' if number < 0 else '+'} {abs(number)}" for number in numbers[1:])
    return (with_sign(numbers[0]) + steps if numbers else "0"), sum(numbers)


def in_sum(number):
    """A number as it stands after a plus."""
    return f"({with_sign(number)})" if number < 0 else with_sign(number)
