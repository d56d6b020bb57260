"""Tricks: following suit, and who takes them. A trick is the cards played to it in order, the lead first."""

from functools import cache

from games.rules.cards import RANKS, make_pack, suit


def legal_plays(hand, trick):
    """The cards of `hand` that may be played to `trick`, in the order of `hand`.

    Follow suit if you can; if void, play anything.
    """
    if not trick:
        return hand
    led = trick[0][1]
    return [card for card in hand if card[1] == led] or hand


def winning_place(trick, trump):
    """Which card of `trick` takes it, counted from 0: the highest trump, else the highest of the suit led."""
    power = _power(suit(trick[0]), trump)
    return trick.index(max(trick, key=power.__getitem__))


def shown_voids(seats, tricks):
    """For each seat the set of suits in which it did not follow, and so holds no card any more.

    tricks: pairs of the seat that led and the cards played, of one deal.
    """
    voids = [set() for _ in range(seats)]
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            if suit(card) != suit(cards[0]):
                voids[(leader + place) % seats].add(suit(cards[0]))
    return voids


@cache
def _power(led, trump):
    """How much each card counts in a trick with this lead: nothing off suit, every trump more than any other."""
    power = dict.fromkeys(make_pack(), 0)
    power |= {rank + led: number for number, rank in enumerate(RANKS, 1)}
    power |= {rank + trump: number for number, rank in enumerate(RANKS, 1 + len(RANKS))}
    return power
