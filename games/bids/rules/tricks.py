"""Who wins a trick of Bids.

Source: "Who wins a trick" on the rules page.
"""

from collections import Counter
from typing import NamedTuple

from games.bids.rules.pack import ALLY, BLACK, NUMBER


class Outcome(NamedTuple):
    """How a trick ends. Places are those of its bids, from 0.

    winning: the bid that wins it, or None. leading: the bid whose seat leads next. by_centre: the prize alone is best.
    """

    winning: int | None
    leading: int
    by_centre: bool


def outcome(cards, prize, *, lowest, colour_bids):
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
