"""Shuffles: what they depend on, and what they don't; the page and its script are tested in history and scripts."""

from collections import Counter
from itertools import permutations

import pytest

from games.kit.shuffle import Shuffles, commitment

SEED = "5a" * 32
SHARES = ("11" * 32, "", "cc" * 32, "77" * 32)
PACK = ["2C", "9C", "TD", "AH", "KS", "7S"]


def test_the_deck_depends_on_nothing_that_the_server_may_still_choose():
    """Not on the match's code, nor the order of sitting down, nor the order of the pack."""
    deck = Shuffles(SEED, SHARES).deck(PACK, 1)

    for shares in permutations(SHARES):
        assert Shuffles(SEED, shares).deck(PACK[::-1], 1) == deck


def test_the_deck_depends_on_all_that_was_promised():
    decks = {
        tuple(Shuffles(seed, shares).deck(PACK * 9, number))
        for seed in (SEED, "5b" * 32)
        for shares in (SHARES, SHARES[:3], ("11" * 32,), ())
        for number in (1, 2)
    }

    assert len(decks) == 16


def test_the_seat_of_who_gave_a_share_does_not_depend_on_the_order_of_sitting_down():
    by_order = set()
    for shares in permutations(SHARES):
        seats = Shuffles(SEED, shares).seats([None] * 4)
        by_order.add(tuple(seats[shares.index(share)] for share in SHARES))

    assert len(by_order) == 1


@pytest.mark.parametrize("teams", [(0, 0, 1, 1), (0, 1, 0, 1), (1, 0, 0, 1)])
def test_partners_sit_opposite_in_any_order_of_sitting_down(teams):
    for shares in permutations(SHARES):
        seats = Shuffles(SEED, shares).seats(teams)
        assert sorted(seats) == [0, 1, 2, 3]
        assert len({(seat + team) % 2 for seat, team in zip(seats, teams, strict=True)}) == 1


def test_every_seat_and_every_order_is_as_likely():
    """1,200 shuffles of three cards: each of six orders 200 times, give or take 5 standard deviations of 13."""
    orders = Counter(tuple(Shuffles(SEED, ()).deck(["a", "b", "c"], number)) for number in range(1, 1201))

    assert len(orders) == 6
    assert all(135 < count < 265 for count in orders.values())


def test_a_browser_keeps_its_word_or_gives_nothing():
    hashes = [commitment(share) if share else "" for share in SHARES]

    assert Shuffles(SEED, SHARES).match_commitments(hashes)
    assert Shuffles(SEED, ("", "", *SHARES[2:])).match_commitments(hashes)
    assert not Shuffles(SEED, ("ab" * 32, *SHARES[1:])).match_commitments(hashes)
    assert not Shuffles(SEED, (*SHARES[:1], "ab" * 32, *SHARES[2:])).match_commitments(hashes)  # never promised
    assert not Shuffles(SEED, ("1", *SHARES[1:])).match_commitments(hashes)
