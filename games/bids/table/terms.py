"""The names and prints of the cards of Bids, the order of a hand, and sums of points in words."""

from collections.abc import Sequence

from games.bids.rules.pack import ALLY, BLACK, DOUBLE, LOWEST, NUMBER, SURPRISE
from games.kit.contract import Card, Score
from games.kit.language import lazy, lazy_all, lazy_all_in, lazy_in, say_count
from games.kit.markup import add_pack
from games.kit.words import with_sign

COLOUR_CLASSES = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", BLACK: "black"}  # in the order of a hand
COLOUR_WORDS = lazy_all_in("colour of cards", {"R": "red", "Y": "yellow", "G": "green", "B": "blue", BLACK: "black"})
PLACE_IN_HAND = {colour: place for place, colour in enumerate([*COLOUR_WORDS, ALLY])}

# Some languages need two forms of a card's name: one alone, and one after "the".
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


def group_by_colour(hand: Sequence[Card], _trump: str | None = None) -> list[list[Card]]:
    """Return the colours of a hand as lists of cards, each from the lowest number up.

    Black comes last, and after it the Ally, a card without colour and number. _trump: ignored. Other games need it, so
    all functions that sort hands get it.
    """
    colours: dict[str, list[Card]] = {}
    for card in hand:
        colour = card if card == ALLY else card[0]
        colours.setdefault(colour, []).append(card)
    return [
        sorted(colours[colour], key=lambda card: NUMBER.get(card, 0))
        for colour in sorted(colours, key=PLACE_IN_HAND.__getitem__)
    ]


def points_words(number: Score) -> str:
    """Return "1 point", "12 points" or "½ point"."""
    return _count_points(number, with_sign(number))


def points_unit(number: Score) -> str:
    """Return `points_words` without the number."""
    return _count_points(number, "").strip()


def _count_points(number: Score, figure: str) -> str:
    """Return a figure with the word "point" in the right form: "½ point", "10½ points".

    number: the points, which decide between singular and plural. figure: the same as text, or "".
    """
    count = 1 if abs(number) == 0.5 else abs(number)  # Half a point is like one.
    return say_count(count, "{points} point", "{points} points", points=figure)


def add_up(cards: Sequence[Card]) -> tuple[str, int]:
    """Return the sum of the numbers on cards, as it is written and as a number: ("9 + 7 − 5", 11).

    Special cards have no number and count 0.
    """
    numbers = [NUMBER[card] for card in cards if card in NUMBER]
    steps = "".join(f" {'−' if number < 0 else '+'} {abs(number)}" for number in numbers[1:])
    return (with_sign(numbers[0]) + steps if numbers else "0"), sum(numbers)


def as_summand(number: Score) -> str:
    """Return the number as it is written after a plus sign."""
    return f"({with_sign(number)})" if number < 0 else with_sign(number)
