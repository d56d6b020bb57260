"""Dealing unseen cards: every deal that fits, and no other, as often as any other."""

import random
from collections import Counter
from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kit.cards import SUITS, make_pack, suit
from games.kit.sampling import FEW_HANDS, deal_fitting, deal_holding, deal_unseen


def all_deals(cards, sizes, barred):
    """Every way to fill hands of these sizes, one card after another."""
    if not sizes:
        return [()]
    return [
        (frozenset(hand), *others)
        for hand in combinations(sorted(cards), sizes[0])
        if not barred[0].intersection(hand)
        for others in all_deals(cards - set(hand), sizes[1:], barred[1:])
    ]


def assert_equally_often(counts, cases, mean):
    """Each of the cases, and nothing else, has come up about as often as the mean."""
    assert counts.keys() == set(cases)
    freedom = len(cases) - 1
    chi_square = sum((counts[case] - mean) ** 2 / mean for case in cases)
    assert chi_square <= freedom + 4 * (2 * freedom) ** 0.5  # four standard deviations


@pytest.mark.parametrize(
    ("cards", "sizes", "barred"),
    [
        ("2C 3C 2D 3D 2H", [2, 1], ["", ""]),
        ("2C 3C 4C 2D 3D 2H", [2, 2], ["2C 3C 4C", ""]),
        ("2C 3C 4C 2D 3D 2H", [2, 2], ["2C 3C 4C", "2D 3D"]),
        ("2C 3C 4C 2D 3D 2H", [2, 2, 2], ["2C 3C 4C", "2D 3D", "2H"]),
        ("2C 3C 2D 3D 2H 2S", [1, 2, 1], ["2C 3C 2S", "2D 3D 2S", "2C 2D 2H"]),
        ("2C 3C 4C 2D", [1, 3], ["2C 3C 4C", "2D"]),
    ],
)
def test_all_deals_that_fit_are_equally_likely(cards, sizes, barred):
    cards, barred = set(cards.split()), [set(out.split()) for out in barred]
    deals = all_deals(cards, sizes, barred)
    rng, draws = random.Random(1), 200 * len(deals)

    dealt = Counter(
        tuple(frozenset(hand) for hand in deal_unseen(sorted(cards), sizes, barred, rng)) for _ in range(draws)
    )

    assert_equally_often(dealt, deals, 200)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("cards", "sizes", "barred", "holdings"),
    [
        ("2C 3C 2D 3D", [2, 2], ["", ""], [["2C"], ["2D", "3D"]]),
        ("2C 3C 2D 3D 2H", [2, 2], ["", ""], [["2C", "2D"], ["2C", "3D"]]),
        ("2C 3C 2D 3D 2H 3H", [2, 2, 2], ["2C 3C", "", "2D"], [["2D", "2H"], ["2C", "2D 3D"], [""]]),
        ("2C 3C 2D 3D 2H 3H 2S", [3, 2], ["2S", "2C 2D"], [["2C 3C", "2C 2D", "2D 3H"], ["3C", "2H 2S"]]),
        ("2C 3C 2D 3D", [2, 2], ["2C", ""], [["2D", "3D"], [""]]),
    ],
)
def test_all_deals_with_a_choice_of_what_hands_hold_are_equally_likely(cards, sizes, barred, holdings):
    cards, barred = set(cards.split()), [set(out.split()) for out in barred]
    holdings = [[frozenset(holding.split()) for holding in choices] for choices in holdings]
    pairs = [
        (deal, choice)
        for deal in all_deals(cards, sizes, barred)
        for choice in product(*holdings)
        if all(holding <= hand for holding, hand in zip(choice, deal, strict=True))
    ]
    rng, drawn = random.Random(1), Counter()

    for _ in range(200 * len(pairs)):
        hands, held = deal_holding(sorted(cards), sizes, barred, holdings, rng)
        drawn[tuple(map(frozenset, hands)), tuple(held)] += 1

    assert_equally_often(drawn, pairs, 200)


@settings(max_examples=60, deadline=None, database=None)
@given(st.integers(2, 7), st.integers(1, 7), st.randoms(use_true_random=True))
def test_a_deal_that_fits_is_found_however_tight(hands, size, rng):
    pack = list(make_pack())
    rng.shuffle(pack)
    true = [set(pack[number * size : (number + 1) * size]) for number in range(hands)]
    cards = pack[: hands * size + 1]  # one card is left over
    barred = [{card for card in cards if suit(card) not in map(suit, hand)} for hand in true]  # all that may be known

    dealt = deal_unseen(cards, [size] * hands, barred, rng)

    assert [len(hand) for hand in dealt] == [size] * hands
    assert len(set().union(*dealt)) == hands * size
    assert all(out.isdisjoint(hand) for out, hand in zip(barred, dealt, strict=True))


def test_hand_void_in_all_suits_but_one():
    cards = list(make_pack("23"))
    barred = [{card for card in cards if suit(card) != other} for other in SUITS]

    dealt = deal_unseen(cards, [2, 2, 2, 2], barred, random.Random(1))

    assert [sorted(hand) for hand in dealt] == [["2" + other, "3" + other] for other in SUITS]


def has_a_club(hand):
    return any(suit(card) == "C" for card in hand)


def is_in_clubs(hand):
    return all(suit(card) == "C" for card in hand)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("sizes", "fits"),
    [
        ([2, 1], [None, None]),
        ([2, 1], [None, has_a_club]),
        ([2, 2], [has_a_club, has_a_club]),
        ([1, 2, 1], [has_a_club, None, is_in_clubs]),
        ([2, 0, 1], [is_in_clubs, None, is_in_clubs]),
    ],
)
def test_all_deals_of_fitting_hands_are_equally_likely(sizes, fits):
    cards = {"2C", "3C", "4C", "2D", "3D", "2H"}
    deals = [
        deal
        for deal in all_deals(cards, sizes, [set()] * len(sizes))
        if all(fit is None or fit(hand) for fit, hand in zip(fits, deal, strict=True))
    ]
    rng, dealt = random.Random(1), Counter()

    for _ in range(200 * len(deals)):
        hands, rest = deal_fitting(sorted(cards), sizes, fits, rng)
        assert {*rest}.union(*hands) == cards
        dealt[tuple(map(frozenset, hands))] += 1

    assert_equally_often(dealt, deals, 200)


def test_fitting_hand_among_too_many_to_list():
    cards = list(make_pack())
    assert comb(len(cards), 3) > FEW_HANDS

    (hand,), rest = deal_fitting(cards, [3], [is_in_clubs], random.Random(1))

    assert is_in_clubs(hand)
    assert sorted(hand + rest) == sorted(cards)
