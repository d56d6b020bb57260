"""What a match does to ratings."""

import pytest

from games.ratings.strength import UNKNOWN, Result, Strength, rate


def alone(*places, left=()):
    return [Result(seat, place, seat in left) for seat, place in enumerate(places)]


def test_somebody_unknown_has_1500_points_and_a_wide_error():
    assert (UNKNOWN.points, UNKNOWN.error) == (1500, 500)


def test_who_comes_first_gains_and_who_comes_last_loses():
    first, middle, last = rate([UNKNOWN] * 3, alone(1, 2, 3))

    assert first.points > 1500 > last.points
    assert last.points < middle.points < first.points
    assert all(after.error < UNKNOWN.error for after in (first, middle, last))


def test_equals_who_share_a_place_gain_the_same():
    one, other, last = rate([UNKNOWN] * 3, alone(1, 1, 3))

    assert one == other
    assert one.mu > last.mu


def test_a_surprise_is_worth_more():
    strong, weak = Strength(30, 2), Strength(20, 2)

    expected = rate([strong, weak], alone(1, 2))[0].mu - strong.mu
    surprise = rate([strong, weak], alone(2, 1))[1].mu - weak.mu

    assert surprise > 3 * expected > 0


def test_partners_win_and_lose_together():
    results = [Result(0, 1, False), Result(1, 2, False), Result(0, 1, False), Result(1, 2, False)]

    after = rate([UNKNOWN] * 4, results)

    assert after[0] == after[2] != after[1] == after[3]
    assert after[0].mu > UNKNOWN.mu > after[1].mu


def test_who_has_left_is_last_wherever_the_bot_took_them():
    left_and_won = rate([UNKNOWN] * 3, alone(1, 2, 3, left=[0]))

    assert left_and_won == [left_and_won[0], *rate([UNKNOWN] * 3, alone(3, 1, 2))[1:]]
    assert left_and_won[0].mu < UNKNOWN.mu < left_and_won[1].mu


@pytest.mark.parametrize("place", [1, 2])
def test_a_partner_who_stays_loses_nothing(place):
    results = [
        Result(0, place, True),
        Result(1, 3 - place, False),
        Result(0, place, False),
        Result(1, 3 - place, False),
    ]

    left, winner, stayed, _ = rate([UNKNOWN] * 4, results)

    assert left.mu < UNKNOWN.mu < winner.mu
    assert stayed == UNKNOWN
