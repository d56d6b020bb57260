"""Following suit and taking tricks, in any game."""

import pytest

from games.kit.tricks import Trick, legal_plays, shown_voids, tricks_taken, winning_place


@pytest.mark.parametrize(
    ("hand", "trick", "legal"),
    [
        ("5C 2D KS", "", "5C 2D KS"),
        ("5C 2D KS", "9D", "2D"),
        ("5C 2D KS", "9D AC", "2D"),
        ("5C 2D KS", "9H KS", "5C 2D KS"),
        ("5C 7C KS", "9C", "5C 7C"),
    ],
)
def test_legal_plays(hand, trick, legal):
    assert list(legal_plays(hand.split(), trick.split())) == legal.split()


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [
        ("9H KH AD 3H", "S", 1),
        ("AD 2C KD 3C", "C", 3),
        ("5H AS QH 2H", "H", 2),
        ("TC JC 9C", "D", 1),
        ("2S", "S", 0),
    ],
)
def test_winning_place(trick, trump, place):
    assert winning_place(trick.split(), trump) == place


@pytest.mark.parametrize(
    ("trick", "trump", "place"),
    [("JC TC 9C KC", None, 1), ("JC TC 9D AC", "D", 2), ("9D JD AD TD", "D", 1), ("JC 9D", None, 0)],
)
def test_winning_place_by_other_ranks(trick, trump, place):
    assert winning_place(trick.split(), trump, "789JQKTA", "78QKTA9J") == place


def test_tricks_are_counted_by_seat_or_by_side():
    tricks = [Trick(0, (), winner) for winner in (0, 2, 3, 0)]

    assert tricks_taken(tricks, 4) == [2, 0, 1, 1]
    assert tricks_taken(tricks, 2) == [3, 1]


def test_shown_voids():
    tricks = [(2, ("9H", "KH", "AD")), (0, ("2S", "3C", "4S")), (1, ("7D", "8D"))]

    assert shown_voids(3, tricks) == [set(), {"H", "S"}, set()]
