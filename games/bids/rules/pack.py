"""Bids’ cards: the packs, how many of which cards the hands hold, and who wins a trick.

Source: "Seats and pack" and "Who wins a trick" on the rules page.
"""

from collections import Counter
from functools import cache
from typing import NamedTuple

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


class Outcome(NamedTuple):
    """How a trick ends. Places are those of its bids, from 0.

    winning: the bid that wins it, or None. leading: the bid whose seat leads next. by_centre: the prize alone is best.
    """

    winning: int | None
    leading: int
    by_centre: bool


def trick_outcome(cards, prize, *, lowest, colour_bids):
    """The `Outcome` of a trick.

    cards: the bids in the order played. prize: the centre card, or the one that lay under it. lowest: whether the
    lowest number is best.
    """
    sign = -1 if lowest else 1
    bids = [(sign * NUMBER[card], place) for place, card in enumerate(cards) if card in NUMBER]
    centre = None
    if colour_bids:
        top = top_colours(cards)
        bids = [(number, place) for number, place in bids if cards[place][0] in top]
        if BLACK in top and prize in NUMBER:
            centre = sign * NUMBER[prize]

    best = max(bids)[0]
    places = [place for number, place in bids if number == best]
    won = len(places) == 1 and (centre is None or centre < best)
    return Outcome(places[0] if won else None, places[-1], centre is not None and centre > best)


def colour_counts(cards):
    """How many of the bids are of each colour, a Counter; black is counted once more for the centre."""
    counts = Counter(card[0] for card in cards if card != ALLY)
    counts[BLACK] += 1
    return counts


def top_colours(cards):
    """The colours bid most often. One of the bids is always in one of them."""
    counts = colour_counts(cards)
    most = max(counts.values())
    return {colour for colour, count in counts.items() if count == most}
