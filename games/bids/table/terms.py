"""The cards of Bids as they are printed, named and laid out, and what black cards are worth."""

from games.bids.rules.pack import ALLY, BLACK, DOUBLE, LOWEST, NUMBER, SURPRISE
from games.kit.markup import add_pack
from games.kit.words import counted, signed

COLOUR_WORDS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", BLACK: "black"}  # as they lie in a hand
PLACE_IN_HAND = {colour: place for place, colour in enumerate(COLOUR_WORDS)}
SPECIAL_WORDS = {DOUBLE: "black 2×", LOWEST: "Lowest card", SURPRISE: "Surprise card", ALLY: "Ally"}
SPECIAL_PRINTS = {DOUBLE: "2×", LOWEST: "low", SURPRISE: "?", ALLY: "ally"}

PRINTS = {card: signed(number) for card, number in NUMBER.items()} | SPECIAL_PRINTS

add_pack({card: f"{COLOUR_WORDS[card[0]]} {signed(number)}" for card, number in NUMBER.items()} | SPECIAL_WORDS, PRINTS)


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
    one = abs(number) in (1, 0.5)
    return counted(1 if one else 2, "{points} point", "{points} points", points=signed(number))


def sum_of(cards):
    """What black cards are worth together, step by step and in all: ("9 + 7 − 5", 11)."""
    numbers = [NUMBER[card] for card in cards if card in NUMBER]
    steps = "".join(f" {'−' if number < 0 else '+'} {abs(number)}" for number in numbers[1:])
    return (signed(numbers[0]) + steps if numbers else "0"), sum(numbers)


def in_sum(number):
    """A number as it stands after a plus."""
    return f"({signed(number)})" if number < 0 else signed(number)
