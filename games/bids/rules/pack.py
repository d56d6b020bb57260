"""Bids' cards: the packs, and how many of which cards the hands hold.

Source: "Seats and pack" on the rules page.
"""

from functools import cache

BLACK = "K"
COLOURS = {3: "RGY", 4: "RGYB", 5: "RGYB", 6: "RGYB"}  # by seats, without black
HIGHEST = {3: 10, 4: 10, 5: 12, 6: 14}  # the highest number of every colour and of black, by seats
MINUS_5, DOUBLE, LOWEST, SURPRISE, ALLY = "K-5", "Kx2", "KLOW", "K?", "ALLY"
NUMBER = {colour + str(number): number for colour in "RGYBK" for number in range(1, 15)} | {MINUS_5: -5}
PLACE = {card: place for place, card in enumerate([*NUMBER, DOUBLE, LOWEST, SURPRISE, ALLY])}  # canonical order


@cache
def make_pack(seats, *, ally, minus5_2x, lowest, surprise):
    """All cards of a match, a tuple in canonical order. The flags say which special cards are in."""
    numbers = range(1, HIGHEST[seats] + 1)
    cards = [colour + str(number) for colour in COLOURS[seats] + BLACK for number in numbers]
    flags = [(MINUS_5, minus5_2x), (DOUBLE, minus5_2x), (LOWEST, lowest), (SURPRISE, surprise), (ALLY, ally)]
    return (*cards, *(card for card, is_in in flags if is_in))


def pack_of(match):
    """All cards of the match, a tuple in canonical order."""
    _, _, ally, minus5_2x, lowest, surprise, _ = match
    return make_pack(match.seats, ally=ally, minus5_2x=minus5_2x, lowest=lowest, surprise=surprise)


def black_in_hands(seats, ally):
    """How many black cards all hands hold together after the deal."""
    if seats == 6:
        return 3 if ally else 4
    return 2 if seats == 5 else 1


def coloured_in_hands(seats, ally):
    """How many coloured cards all hands hold together after the deal."""
    return 10 * seats - black_in_hands(seats, ally) - ally


def is_black(card):
    return card[0] == BLACK


def in_order(cards):
    return tuple(sorted(cards, key=PLACE.__getitem__))
