"""The packs of Bids, the number of black cards in the hands, and the winner of a trick.

Source: "Seats and pack" and "Who wins a trick" on the rules page.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from games.kit.contract import Card

if TYPE_CHECKING:
    from games.bids.rules.state import Match

BLACK = "K"
COLOURS = {3: "RGY", 4: "RGYB", 5: "RGYB", 6: "RGYB"}  # by the number of seats, without black
HIGHEST = {3: 10, 4: 10, 5: 12, 6: 14}  # the highest number, by the number of seats
MINUS_5, DOUBLE, LOWEST, SURPRISE, ALLY = "K-5", "Kx2", "KLOW", "K?", "ALLY"
NUMBER = {colour + str(number): number for colour in "RGYBK" for number in range(1, 15)} | {MINUS_5: -5}
PLACE = {card: place for place, card in enumerate([*NUMBER, DOUBLE, LOWEST, SURPRISE, ALLY])}  # canonical order


@cache
def make_pack(seats: int, *, ally: bool, minus5_2x: bool, lowest: bool, surprise: bool) -> tuple[Card, ...]:
    """Return all cards of a match, colour by colour from 1 up, with the special cards last: "R1", "R2" … "K14", "K-5".

    The colours and the highest number depend on the number of seats. ally, minus5_2x, lowest, surprise: whether the
    pack has these special cards.
    """
    numbers = range(1, HIGHEST[seats] + 1)
    cards = [colour + str(number) for colour in COLOURS[seats] + BLACK for number in numbers]
    flags = [(MINUS_5, minus5_2x), (DOUBLE, minus5_2x), (LOWEST, lowest), (SURPRISE, surprise), (ALLY, ally)]
    return (*cards, *(card for card, flag in flags if flag))


def pack_of(match: "Match") -> tuple[Card, ...]:
    """Return all cards of the match in canonical order."""
    _, _, ally, minus5_2x, lowest, surprise, _ = match
    return make_pack(match.seats, ally=ally, minus5_2x=minus5_2x, lowest=lowest, surprise=surprise)


def black_in_hands(seats: int, ally: bool) -> int:
    """Return how many black cards are dealt to all hands together. ally: whether the pack has the Ally, a special card.

    Every hand has ten cards. At six seats there are too few coloured cards for that, so black ones fill the gap.
    """
    if seats == 6:
        return 3 if ally else 4
    return 2 if seats == 5 else 1


def coloured_in_hands(seats: int, ally: bool) -> int:
    """Return the number of coloured cards in all hands together after the deal."""
    return 10 * seats - black_in_hands(seats, ally) - ally


def is_black(card: Card) -> bool:
    return card[0] == BLACK


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=PLACE.__getitem__))


class Outcome(NamedTuple):
    """The result of a trick. Bids are numbered from 0 in the order played."""

    winning: int | None  # the bid that wins, or None if the trick is burnt
    leading: int  # the bid whose seat leads next
    by_centre: bool  # whether the prize alone is best


def trick_outcome(cards: Sequence[Card], prize: Card, *, lowest: bool, colour_bids: bool) -> Outcome:
    """Return which bid (played card) wins a trick, if any, and which seat leads next. Some bid must have a number.

    The best number wins, but nobody wins if two bids have it. cards: the bids in the order played. prize: the black
    card that the trick is played for. lowest: whether the lowest number is best. colour_bids: whether only the colours
    that were bid most often can win. The prize counts as a black bid then, and nobody wins if it is the best.
    """
    sign = -1 if lowest else 1  # so that the greatest signed number is best
    bids = [(sign * NUMBER[card], place) for place, card in enumerate(cards) if card in NUMBER]
    prize_number = None  # None if the prize does not compete with the bids
    if colour_bids:
        top = top_colours(cards)
        bids = [(number, place) for number, place in bids if cards[place][0] in top]
        if BLACK in top and prize in NUMBER:
            prize_number = sign * NUMBER[prize]

    best, _ = max(bids)
    places = [place for number, place in bids if number == best]
    has_winner = len(places) == 1 and (prize_number is None or prize_number < best)
    return Outcome(
        winning=places[0] if has_winner else None,
        leading=places[-1],  # Without a winner the last of the best bids decides who leads.
        by_centre=prize_number is not None and prize_number > best,
    )


def colour_counts(cards: Iterable[Card]) -> Counter[str]:
    """Return the number of bids of each colour. cards: the bids, with the letter of their colour first ("R7")."""
    counts = Counter(card[0] for card in cards if card != ALLY)  # The Ally has no colour.
    counts[BLACK] += 1  # The black card in the centre counts as a bid too.
    return counts


def top_colours(cards: Iterable[Card]) -> set[str]:
    """Return the colours that were bid most often. cards: the bids of a trick.

    With the option for colour bids only cards of these colours can win the trick.
    """
    counts = colour_counts(cards)
    most = max(counts.values())
    return {colour for colour, count in counts.items() if count == most}
