"""Dealing the cards that a seat cannot see, in keeping with what it knows of the hands they are in."""

from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import comb, prod

FEW_HANDS = 1000  # so many are looked through faster than drawn at random


def deal_unseen(cards, sizes, barred, rng):
    """A list of hands of `sizes` dealt from `cards`; what is left over is nobody's.

    barred: for each hand the set of cards that cannot be in it. All deals that fit are equally likely, and there must
    be one. rng: a random.Random.
    """
    order = sorted(range(len(sizes)), key=lambda hand: -len(barred[hand]))  # the narrowest first: fewer cases
    kinds = _kinds(cards, [barred[hand] for hand in order])
    for kind in kinds.values():
        rng.shuffle(kind)

    hands = [[] for _ in sizes]
    for place, hand in enumerate(order):
        counts = tuple(sorted((key, len(kind)) for key, kind in kinds.items()))
        draws, weights = _draws(counts, tuple(sizes[later] for later in order[place:]))
        (draw,) = rng.choices(draws, cum_weights=weights)
        rest = {}
        for (key, _), taken in zip(counts, draw, strict=True):
            kind = kinds[key]
            hands[hand] += kind[:taken]
            if key >> 1 in rest:  # no difference between these kinds any more
                rest[key >> 1] += kind[taken:]
                rng.shuffle(rest[key >> 1])
            else:
                rest[key >> 1] = kind[taken:]
        kinds = rest
    return hands


def deal_fitting(cards, sizes, fits, rng):
    """A list of hands of `sizes` dealt from `cards`, and a list of what is left over, shuffled.

    fits: for each hand a function that says whether cards can be it, or None if all can. All deals that fit are equally
    likely, and there must be one; if hardly any does, this takes long. rng: a random.Random.
    """
    draws = {place: _draw_from(cards, sizes[place], fit, rng) for place, fit in enumerate(fits) if fit}
    hands = {}
    while len(set().union(*hands.values())) < sum(sizes[place] for place in draws):  # till no two share a card
        hands = {place: draw() for place, draw in draws.items()}

    taken = set().union(*hands.values())
    rest = [card for card in cards if card not in taken]
    rng.shuffle(rest)
    for place, size in enumerate(sizes):
        if place not in hands:
            hands[place], rest = rest[:size], rest[size:]
    return [list(hands[place]) for place in range(len(sizes))], rest


def _draw_from(cards, size, fit, rng):
    """A function that draws a hand, any that fits as likely as any other."""
    if comb(len(cards), size) <= FEW_HANDS:
        fitting = [hand for hand in combinations(cards, size) if fit(hand)]
        return lambda: rng.choice(fitting)

    def draw():
        hand = rng.sample(cards, size)
        while not fit(hand):
            hand = rng.sample(cards, size)
        return hand

    return draw


def _kinds(cards, barred):
    """The cards that are open to the same hands, a list under each key. Bit i of a key: open to hand i."""
    everywhere = (1 << len(barred)) - 1
    narrow = [(1 << place, out) for place, out in enumerate(barred) if out]
    kinds = {}
    for card in cards:
        key = everywhere
        for bit, out in narrow:
            if card in out:
                key -= bit
        kinds.setdefault(key, []).append(card)
    return kinds


@lru_cache(maxsize=1 << 12)
def _draws(counts, sizes):
    """The first hand's possible draws, how many cards of each kind, and how many deals start with them, added up.

    counts: pairs of a kind's key and its number of cards, sorted. sizes: of the hands still to be dealt.
    """
    open_to_first = [count if key & 1 else 0 for key, count in counts]
    draws, weights = [], [0]
    for draw in _splits(sizes[0], open_to_first):
        weight = prod(map(comb, open_to_first, draw)) * _deals_after(counts, draw, sizes[1:])
        if weight:
            draws.append(draw)
            weights.append(weights[-1] + weight)
    return draws, weights[1:]


def _deals_after(counts, draw, sizes):
    if not sizes:
        return 1
    rest = Counter()
    for (key, count), taken in zip(counts, draw, strict=True):
        rest[key >> 1] += count - taken
    _, weights = _draws(tuple(sorted(rest.items())), sizes)
    return weights[-1] if weights else 0


def _splits(total, limits):
    """All ways to write `total` as a sum of numbers from 0 up to each of the limits, as tuples."""
    if not limits:
        return [()] if total == 0 else []
    return [
        (first, *others) for first in range(min(total, limits[0]) + 1) for others in _splits(total - first, limits[1:])
    ]
