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
    """Return random hands, dealt from `cards`. Nobody holds the remaining cards.

    All deals that fit are equally likely. There must be at least one.

    sizes: the number of cards of each hand. barred: for each hand, the cards that it cannot hold.
    """
    return dealer(cards, sizes, barred)(rng)


def dealer(
    cards: Iterable[Card], sizes: Sequence[int], barred: Sequence[Collection[Card]]
) -> Callable[[Random], Hands]:
    """Return a function deal(rng) that returns random hands, for many deals of the same cards.

    All deals that fit are equally likely. Nobody holds the remaining cards.

    sizes: the number of cards of each hand. barred: for each hand, the cards that it cannot hold.
    """
    if not any(barred):
        return partial(_deal_freely, list(cards), sizes)
    # There are fewer cases to count if the hands that can hold the fewest cards come first.
    order = sorted(range(len(sizes)), key=lambda hand: -len(barred[hand]))
    kinds = _group_by_holders(cards, [barred[hand] for hand in order])
    return partial(_deal_kinds, kinds, order, tuple(sizes[hand] for hand in order))


def _deal_freely(cards: list[Card], sizes: Sequence[int], rng: Random) -> Hands:
    """Return random hands of these sizes. Any hand may hold any card. Changes the order of the list `cards`."""
    total, random = len(cards), rng.random
    for index in range(sum(sizes)):  # Shuffle only the cards that are dealt.
        other = index + int(random() * (total - index))
        cards[index], cards[other] = cards[other], cards[index]
    hands, start = [], 0
    for size in sizes:
        hands.append(cards[start : start + size])
        start += size
    return hands


def _deal_kinds(kinds: Kinds, order: Sequence[int], sizes: tuple[int, ...], rng: Random) -> Hands:
    """Return random hands, filled one after the other. All possible deals are equally likely.

    A kind is all cards that the same hands may hold. kinds: the cards of each kind. The bits of its key say which hands
    these are: bit i stands for the hand `order[i]`. order: the hands, in the order in which they are filled. sizes:
    their numbers of cards, in the same order.
    """
    kinds = {key: shuffled(kind, rng) for key, kind in kinds.items()}
    hands: Hands = [[] for _ in order]
    for index, hand in enumerate(order):
        # Choose how many cards of each kind the hand gets. The more deals begin with such a way, the likelier it is.
        counts = tuple(sorted((key, len(kind)) for key, kind in kinds.items()))
        ways, weights = _ways_to_fill(counts, sizes[index:])  # The weights are cumulative, for `bisect`.
        way = ways[bisect(weights, rng.random() * weights[-1], hi=len(ways) - 1)]
        remaining: Kinds = {}
        for (key, _), number in zip(counts, way, strict=True):
            kind = kinds[key]
            hands[hand] += kind[:number]
            later_hands = key >> 1  # Bit 0 was the hand that is full now.
            if later_hands in remaining:  # Two kinds differed only in the hand that is full now. They become one.
                remaining[later_hands] = shuffled(remaining[later_hands] + kind[number:], rng)
            else:
                remaining[later_hands] = kind[number:]
        kinds = remaining
    return hands


def shuffled[Item](items: Iterable[Item], rng: Random) -> list[Item]:
    """Return a new list of the items in random order. This takes half the time of `rng.shuffle`."""
    items = list(items)
    count, random = len(items), rng.random
    for index in range(count - 1):
        other = index + int(random() * (count - index))
        items[index], items[other] = items[other], items[index]
    return items


def deal_holding(
    cards: Sequence[Card],
    sizes: Sequence[int],
    barred: Sequence[Collection[Card]],
    holdings: Sequence[Iterable[frozenset[Card]]],
    rng: Random,
) -> tuple[Hands, list[frozenset[Card]]]:
    """Return random hands that contain certain sets of cards, and the set (the "holding") chosen for each hand.

    All pairs of a deal and a choice of its holdings are equally likely. A deal that fits more choices is therefore more
    frequent. sizes: the number of cards of each hand. barred: for each hand, the cards that it cannot hold.
    holdings: for each hand, several sets of cards. It holds one of them.
    """
    # Choose the holdings by the number of deals around them. Holdings with the same number of cards of each kind (cards
    # that the same hands may hold) allow equally many, so each group of such holdings is counted only once.
    kind_of = {card: key for key, kind in _group_by_holders(cards, barred).items() for card in kind}
    groups = []
    for choices in holdings:
        group: dict[Counts, list[frozenset[Card]]] = {}
        for holding in choices:
            counts = tuple(sorted(Counter(kind_of[card] for card in holding).items()))
            group.setdefault(counts, []).append(holding)
        groups.append(list(group.items()))

    selections, weights = list(product(*groups)), None
    if len(selections) > 1:
        totals = Counter(kind_of.values())
        weights = [
            prod(len(alike) for _, alike in selection)
            * _count_deals_around(totals, sizes, [counts for counts, _ in selection])
            for selection in selections
        ]
    while True:
        (selection,) = rng.choices(selections, weights)
        choice = [rng.choice(alike) for _, alike in selection]
        held_cards = frozenset[Card]().union(*choice)
        if len(held_cards) < sum(map(len, choice)):
            continue  # Two hands cannot hold the same card.
        free_sizes = [size - len(holding) for size, holding in zip(sizes, choice, strict=True)]
        hands = deal_unseen([card for card in cards if card not in held_cards], free_sizes, barred, rng)
        return [[*holding, *hand] for holding, hand in zip(choice, hands, strict=True)], choice


type Fit = Callable[[list[Card]], bool]


def deal_fitting(
    cards: Sequence[Card], sizes: Sequence[int], fits: Sequence[Fit | None], rng: Random
) -> tuple[Hands, list[Card]]:
    """Return random hands that meet conditions, dealt from `cards`, and the remaining cards, shuffled.

    All deals that fit are equally likely. There must be at least one; with very few, this takes long.
    sizes: the number of cards of each hand.

    fits: for each hand, a function that returns whether the hand may consist of these cards, or None if any cards are
    possible.
    """
    pickers = {index: _picker(cards, sizes[index], fit, rng) for index, fit in enumerate(fits) if fit}
    hands: dict[int, Sequence[Card]] = {}
    picked_count = sum(sizes[index] for index in pickers)
    while len(set[Card]().union(*hands.values())) < picked_count:  # If two hands share a card, pick all again.
        hands = {index: pick() for index, pick in pickers.items()}

    picked_cards = set[Card]().union(*hands.values())
    remaining = [card for card in cards if card not in picked_cards]
    rng.shuffle(remaining)
    for index, size in enumerate(sizes):
        if index not in hands:
            hands[index], remaining = remaining[:size], remaining[size:]
    return [list(hands[index]) for index in range(len(sizes))], remaining


def _picker(cards: Sequence[Card], size: int, fits: Fit, rng: Random) -> Callable[[], Sequence[Card]]:
    """Return a function that picks a random hand of `size` cards. All hands that `fits` accepts are equally likely."""
    if comb(len(cards), size) <= FEW_HANDS:  # Listing all hands is faster.
        fitting = [hand for hand in map(list, combinations(cards, size)) if fits(hand)]
        return lambda: rng.choice(fitting)

    def pick() -> list[Card]:
        hand = rng.sample(cards, size)
        while not fits(hand):
            hand = rng.sample(cards, size)
        return hand

    return pick


def _group_by_holders(cards: Iterable[Card], barred: Sequence[Collection[Card]]) -> Kinds:
    """Group cards by the hands that may hold them. The bits of a key are these hands: bit i stands for hand i.

    barred: for each hand, the cards that it cannot hold.
    """
    all_hands = (1 << len(barred)) - 1
    exclusions = [(1 << index, excluded) for index, excluded in enumerate(barred) if excluded]
    kinds: Kinds = {}
    for card in cards:
        key = all_hands
        for bit, excluded in exclusions:
            if card in excluded:
                key -= bit
        kinds.setdefault(key, []).append(card)
    return kinds


def _count_deals_around(totals: Counter[int], sizes: Sequence[int], holdings: Sequence[Counts]) -> int:
    """Return in how many ways the other cards can be dealt if each hand already holds certain cards.

    A kind is all cards that the same hands may hold. totals: the number of cards of each kind. sizes: the number of
    cards of each hand. holdings: for each hand, pairs of a kind and the number of cards of it that the hand holds.
    """
    remaining = totals.copy()
    for counts in holdings:
        remaining.subtract(dict(counts))
    free_sizes = tuple(size - sum(count for _, count in counts) for size, counts in zip(sizes, holdings, strict=True))
    if min(remaining.values()) < 0 or min(free_sizes) < 0:  # The hands hold more cards than there are, or than fit.
        return 0
    return _count_deals(tuple(sorted(remaining.items())), free_sizes)


@lru_cache(maxsize=1 << 12)
def _ways_to_fill(counts: Counts, sizes: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the ways to fill the first hand, and for each the number of deals that start with it or an earlier one.

    A kind is all cards that the same hands may hold. A way is the number of cards of each kind that the hand gets.

    counts: pairs of a kind and its number of cards. A kind is a number whose bit i says that hand i may hold its cards.
    sizes: the numbers of cards of all hands.
    """
    open_to_first = [count if key & 1 else 0 for key, count in counts]
    ways, cumulative = [], [0]
    for way in _ways_to_split(sizes[0], open_to_first):
        remaining = Counter[int]()
        for (key, count), number in zip(counts, way, strict=True):
            remaining[key >> 1] += count - number  # The second hand becomes the first.
        choices = prod(map(comb, open_to_first, way))  # A way says how many cards, not which.
        deals = choices * _count_deals(tuple(sorted(remaining.items())), sizes[1:])
        if deals:
            ways.append(way)
            cumulative.append(cumulative[-1] + deals)
    return ways, cumulative[1:]


def _count_deals(counts: Counts, sizes: tuple[int, ...]) -> int:
    """Return in how many ways hands of these sizes can be dealt.

    counts: pairs of a kind and its number of cards. A kind is a number whose bit i says that hand i may hold its cards.
    """
    if not sizes:  # There is one way to deal nothing.
        return 1
    _, weights = _ways_to_fill(counts, sizes)
    return weights[-1] if weights else 0


def _ways_to_split(total: int, limits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write `total` as a sum of numbers from 0 up to each of the limits."""
    if not limits:
        if total == 0:
            yield ()
        return
    for first in range(min(total, limits[0]) + 1):
        for others in _ways_to_split(total - first, limits[1:]):
            yield first, *others
