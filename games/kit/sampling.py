"""Dealing of the cards that a seat cannot see, consistent with what it knows about the hands."""

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations, product
from math import comb, prod
from random import Random

from games.kit.contract import Card

FEW_HANDS = 1000  # Up to this number, listing all hands is faster than picking at random.

type Hands = list[list[Card]]
type Kinds = dict[int, list[Card]]  # the cards that the same hands may hold. Bit i of a key: hand i may
type Counts = tuple[tuple[int, int], ...]  # sorted pairs of the key of a kind and its number of cards


def deal_unseen(cards: Iterable[Card], sizes: Sequence[int], barred: Sequence[Collection[Card]], rng: Random) -> Hands:
    """Return hands of `sizes`, dealt from `cards`. Nobody holds the remaining cards.

    barred: for each hand the cards that it cannot hold. All deals that fit are equally likely. There must be at least
    one.
    """
    return dealer(cards, sizes, barred)(rng)


def dealer(
    cards: Iterable[Card], sizes: Sequence[int], barred: Sequence[Collection[Card]]
) -> Callable[[Random], Hands]:
    """Return a function deal(rng) that deals as `deal_unseen` does, for many deals of the same cards."""
    if not any(barred):
        return partial(_deal_freely, list(cards), sizes)
    order = sorted(range(len(sizes)), key=lambda hand: -len(barred[hand]))  # With the narrowest first, cases are fewer.
    kinds = _kinds(cards, [barred[hand] for hand in order])
    return partial(_deal_kinds, kinds, order, tuple(sizes[hand] for hand in order))


def _deal_freely(cards: list[Card], sizes: Sequence[int], rng: Random) -> Hands:
    """Return hands of any of the cards. Changes the order of the list `cards`."""
    last, random = len(cards), rng.random
    for place in range(sum(sizes)):
        other = place + int(random() * (last - place))
        cards[place], cards[other] = cards[other], cards[place]
    hands, start = [], 0
    for size in sizes:
        hands.append(cards[start : start + size])
        start += size
    return hands


def _deal_kinds(kinds: Kinds, order: Sequence[int], sizes: tuple[int, ...], rng: Random) -> Hands:
    """Return hands. They are filled in `order`, which is also that of the kinds' keys and of `sizes`."""
    kinds = {key: shuffled(kind, rng) for key, kind in kinds.items()}
    hands: Hands = [[] for _ in order]
    for place, hand in enumerate(order):
        counts = tuple(sorted((key, len(kind)) for key, kind in kinds.items()))
        ways, weights = _ways_to_fill(counts, sizes[place:])
        way = ways[bisect(weights, rng.random() * weights[-1], hi=len(ways) - 1)]
        rest: Kinds = {}
        for (key, _), number in zip(counts, way, strict=True):
            kind = kinds[key]
            hands[hand] += kind[:number]
            if key >> 1 in rest:  # The kinds differed only in the hand that is full now.
                rest[key >> 1] = shuffled(rest[key >> 1] + kind[number:], rng)
            else:
                rest[key >> 1] = kind[number:]
        kinds = rest
    return hands


def shuffled[Item](items: Iterable[Item], rng: Random) -> list[Item]:
    """Return a new list of the items in random order. Takes half the time of `rng.shuffle`."""
    items = list(items)
    count, random = len(items), rng.random
    for place in range(count - 1):
        other = place + int(random() * (count - place))
        items[place], items[other] = items[other], items[place]
    return items


def deal_holding(
    cards: Sequence[Card],
    sizes: Sequence[int],
    barred: Sequence[Collection[Card]],
    holdings: Sequence[Iterable[frozenset[Card]]],
    rng: Random,
) -> tuple[Hands, list[frozenset[Card]]]:
    """Return hands as `deal_unseen` does, and the holding of each hand.

    holdings: for each hand several sets of cards that it may hold; it holds one of them. All pairs of a deal and a
    choice of its holdings are equally likely. A deal that fits more choices is therefore more frequent.
    """
    kind_of = {card: key for key, kind in _kinds(cards, barred).items() for card in kind}
    groups = []  # for each hand the holdings with equal counts of each kind
    for choices in holdings:
        group: dict[Counts, list[frozenset[Card]]] = {}
        for holding in choices:
            counts = tuple(sorted(Counter(kind_of[card] for card in holding).items()))
            group.setdefault(counts, []).append(holding)
        groups.append(list(group.items()))

    selections, weights = list(product(*groups)), None
    if len(selections) > 1:
        number = Counter(kind_of.values())
        weights = [
            prod(len(alike) for _, alike in selection)
            * _deals_beside(number, sizes, [counts for counts, _ in selection])
            for selection in selections
        ]
    while True:
        (selection,) = rng.choices(selections, weights)
        choice = [rng.choice(alike) for _, alike in selection]
        held_cards = frozenset[Card]().union(*choice)
        if len(held_cards) < sum(map(len, choice)):
            continue  # Two hands cannot hold the same card.
        rest = [size - len(holding) for size, holding in zip(sizes, choice, strict=True)]
        hands = deal_unseen([card for card in cards if card not in held_cards], rest, barred, rng)
        return [[*holding, *hand] for holding, hand in zip(choice, hands, strict=True)], choice


type Fit = Callable[[list[Card]], bool]


def deal_fitting(
    cards: Sequence[Card], sizes: Sequence[int], fits: Sequence[Fit | None], rng: Random
) -> tuple[Hands, list[Card]]:
    """Return hands of `sizes`, dealt from `cards`, and the remaining cards, shuffled.

    fits: for each hand a function that returns whether the hand may consist of these cards, or None if any cards are
    possible. All deals that fit are equally likely. There must be at least one; with very few, this takes long.
    """
    pickers = {place: _picker(cards, sizes[place], fit, rng) for place, fit in enumerate(fits) if fit}
    hands: dict[int, Sequence[Card]] = {}
    while len(set[Card]().union(*hands.values())) < sum(sizes[place] for place in pickers):  # until they share no card
        hands = {place: pick() for place, pick in pickers.items()}

    picked_cards = set[Card]().union(*hands.values())
    rest = [card for card in cards if card not in picked_cards]
    rng.shuffle(rest)
    for place, size in enumerate(sizes):
        if place not in hands:
            hands[place], rest = rest[:size], rest[size:]
    return [list(hands[place]) for place in range(len(sizes))], rest


def _picker(cards: Sequence[Card], size: int, fit: Fit, rng: Random) -> Callable[[], Sequence[Card]]:
    """Return a function that picks a hand. All hands that fit are equally likely."""
    if comb(len(cards), size) <= FEW_HANDS:
        fitting = [hand for hand in map(list, combinations(cards, size)) if fit(hand)]
        return lambda: rng.choice(fitting)

    def pick() -> list[Card]:
        hand = rng.sample(cards, size)
        while not fit(hand):
            hand = rng.sample(cards, size)
        return hand

    return pick


def _kinds(cards: Iterable[Card], barred: Sequence[Collection[Card]]) -> Kinds:
    everywhere = (1 << len(barred)) - 1
    narrow = [(1 << place, out) for place, out in enumerate(barred) if out]
    kinds: Kinds = {}
    for card in cards:
        key = everywhere
        for bit, out in narrow:
            if card in out:
                key -= bit
        kinds.setdefault(key, []).append(card)
    return kinds


def _deals_beside(number: Counter[int], sizes: Sequence[int], holdings: Sequence[Counts]) -> int:
    """Return the number of deals of the cards that are in none of the holdings. number: of cards by kind."""
    number = number.copy()
    for counts in holdings:
        number.subtract(dict(counts))
    rest = tuple(size - sum(count for _, count in counts) for size, counts in zip(sizes, holdings, strict=True))
    return 0 if min(number.values()) < 0 or min(rest) < 0 else _deals(tuple(sorted(number.items())), rest)


@lru_cache(maxsize=1 << 12)
def _ways_to_fill(counts: Counts, sizes: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the ways to fill the first hand, and the cumulative numbers of deals that start with them.

    A way is the number of cards of each kind. sizes: of the hands that are not dealt yet.
    """
    open_to_first = [count if key & 1 else 0 for key, count in counts]
    ways, weights = [], [0]
    for way in _splits(sizes[0], open_to_first):
        rest = Counter[int]()
        for (key, count), number in zip(counts, way, strict=True):
            rest[key >> 1] += count - number
        weight = prod(map(comb, open_to_first, way)) * _deals(tuple(sorted(rest.items())), sizes[1:])
        if weight:
            ways.append(way)
            weights.append(weights[-1] + weight)
    return ways, weights[1:]


def _deals(counts: Counts, sizes: tuple[int, ...]) -> int:
    """Return the number of deals of hands of these sizes."""
    if not sizes:
        return 1
    _, weights = _ways_to_fill(counts, sizes)
    return weights[-1] if weights else 0


def _splits(total: int, limits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write `total` as a sum of numbers from 0 up to each of the limits."""
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]) + 1):
        for others in _splits(total - first, limits[1:]):
            yield first, *others
