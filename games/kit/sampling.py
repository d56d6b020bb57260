"""Dealing the cards that a seat cannot see, in keeping with what it knows of the hands they are in."""

from bisect import bisect
from collections import Counter
from functools import lru_cache, partial
from itertools import combinations, product
from math import comb, prod

FEW_HANDS = 1000  # so many are looked through faster than picked at random


def deal_unseen(cards, sizes, barred, rng):
    """A list of hands of `sizes` dealt from `cards`; what is left over is nobody's.

    barred: for each hand the set of cards that cannot be in it. All deals that fit are equally likely, and there must
    be one. rng: a random.Random.
    """
    return dealer(cards, sizes, barred)(rng)


def dealer(cards, sizes, barred):
    """A function deal(rng) that deals as `deal_unseen` does, for many deals of the same cards."""
    order = sorted(range(len(sizes)), key=lambda hand: -len(barred[hand]))  # the narrowest first: fewer cases
    if not any(barred):
        return partial(_dealt_freely, list(cards), sizes)
    kinds = _kinds(cards, [barred[hand] for hand in order])
    return partial(_dealt, kinds, sizes, order, tuple(sizes[hand] for hand in order))


def _dealt_freely(cards, sizes, rng):
    """Hands of any of the cards. The list of cards is left in another order."""
    last, random = len(cards), rng.random
    for place in range(sum(sizes)):
        other = place + int(random() * (last - place))
        cards[place], cards[other] = cards[other], cards[place]
    hands, start = [], 0
    for size in sizes:
        hands.append(cards[start : start + size])
        start += size
    return hands


def _dealt(kinds, sizes, order, ordered_sizes, rng):
    """Hands of cards by kind, the hands that are filled first in this order."""
    kinds = {key: shuffled(kind, rng) for key, kind in kinds.items()}
    hands = [[] for _ in sizes]
    for place, hand in enumerate(order):
        counts = tuple(sorted((key, len(kind)) for key, kind in kinds.items()))
        ways, weights = _ways_to_fill(counts, ordered_sizes[place:])
        way = ways[bisect(weights, rng.random() * weights[-1], hi=len(ways) - 1)]
        rest = {}
        for (key, _), taken in zip(counts, way, strict=True):
            kind = kinds[key]
            hands[hand] += kind[:taken]
            if key >> 1 in rest:  # no difference between these kinds any more
                rest[key >> 1] = shuffled(rest[key >> 1] + kind[taken:], rng)
            else:
                rest[key >> 1] = kind[taken:]
        kinds = rest
    return hands


def shuffled(cards, rng):
    """The cards in any order, a new list. Half the time of rng.shuffle."""
    cards, left, random = list(cards), len(cards), rng.random
    for place in range(left - 1):
        other = place + int(random() * (left - place))
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def deal_holding(cards, sizes, barred, holdings, rng):
    """A list of hands dealt as by `deal_unseen`, and a list of what each of them is known to hold.

    holdings: for each hand a list of frozensets of cards open to it, one of which it holds. All pairs of a deal and a
    choice of holdings that are in it are equally likely, so that a deal comes up as often as such choices fit it.
    """
    kind_of = {card: key for key, kind in _kinds(cards, barred).items() for card in kind}
    groups = []  # for each hand its holdings, by how many cards of which kind are in them
    for choices in holdings:
        alike = {}
        for holding in choices:
            alike.setdefault(_counts(map(kind_of.get, holding)), []).append(holding)
        groups.append(list(alike.items()))

    selections, weights = list(product(*groups)), None
    if len(selections) > 1:
        number = Counter(kind_of.values())
        weights = [
            prod(len(alike) for _, alike in selection) * _deals_beside(number, sizes, [held for held, _ in selection])
            for selection in selections
        ]
    while True:
        (selection,) = rng.choices(selections, weights)
        held = [rng.choice(alike) for _, alike in selection]
        taken = frozenset().union(*held)
        if len(taken) < sum(map(len, held)):
            continue  # two hands cannot hold the same card
        rest = [size - len(holding) for size, holding in zip(sizes, held, strict=True)]
        dealt = deal_unseen([card for card in cards if card not in taken], rest, barred, rng)
        return [[*holding, *hand] for holding, hand in zip(held, dealt, strict=True)], held


def deal_fitting(cards, sizes, fits, rng):
    """A list of hands of `sizes` dealt from `cards`, and a list of what is left over, shuffled.

    fits: for each hand a function that says whether cards can be it, or None if all can. All deals that fit are equally
    likely, and there must be one; if hardly any does, this takes long. rng: a random.Random.
    """
    pickers = {place: _picker(cards, sizes[place], fit, rng) for place, fit in enumerate(fits) if fit}
    hands = {}
    while len(set().union(*hands.values())) < sum(sizes[place] for place in pickers):  # till no two share a card
        hands = {place: pick() for place, pick in pickers.items()}

    taken = set().union(*hands.values())
    rest = [card for card in cards if card not in taken]
    rng.shuffle(rest)
    for place, size in enumerate(sizes):
        if place not in hands:
            hands[place], rest = rest[:size], rest[size:]
    return [list(hands[place]) for place in range(len(sizes))], rest


def _picker(cards, size, fit, rng):
    """A function that picks a hand, any that fits as likely as any other."""
    if comb(len(cards), size) <= FEW_HANDS:
        fitting = [hand for hand in combinations(cards, size) if fit(hand)]
        return lambda: rng.choice(fitting)

    def pick():
        hand = rng.sample(cards, size)
        while not fit(hand):
            hand = rng.sample(cards, size)
        return hand

    return pick


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


def _counts(keys):
    """How many times each key is there: sorted pairs."""
    return tuple(sorted(Counter(keys).items()))


def _deals_beside(number, sizes, held):
    """How many deals there are of the cards beside those held. number: of cards by kind. held: by hand, `_counts`."""
    number = number.copy()
    for counts in held:
        number.subtract(dict(counts))
    sizes = tuple(size - sum(count for _, count in counts) for size, counts in zip(sizes, held, strict=True))
    return 0 if min(number.values()) < 0 or min(sizes) < 0 else _deals(tuple(sorted(number.items())), sizes)


@lru_cache(maxsize=1 << 12)
def _ways_to_fill(counts, sizes):
    """The ways to fill the first hand, how many cards of each kind, and how many deals start with them, added up.

    counts: pairs of a kind's key and its number of cards, sorted. sizes: of the hands still to be dealt.
    """
    open_to_first = [count if key & 1 else 0 for key, count in counts]
    ways, weights = [], [0]
    for way in _splits(sizes[0], open_to_first):
        rest = Counter()
        for (key, count), taken in zip(counts, way, strict=True):
            rest[key >> 1] += count - taken
        weight = prod(map(comb, open_to_first, way)) * _deals(tuple(sorted(rest.items())), sizes[1:])
        if weight:
            ways.append(way)
            weights.append(weights[-1] + weight)
    return ways, weights[1:]


def _deals(counts, sizes):
    """How many deals of hands of these sizes there are. counts: as in `_ways_to_fill`."""
    if not sizes:
        return 1
    _, weights = _ways_to_fill(counts, sizes)
    return weights[-1] if weights else 0


def _splits(total, limits):
    """All ways to write `total` as a sum of numbers from 0 up to each of the limits, as tuples."""
    if not limits:
        return [()] if total == 0 else []
    return [
        (first, *others) for first in range(min(total, limits[0]) + 1) for others in _splits(total - first, limits[1:])
    ]
