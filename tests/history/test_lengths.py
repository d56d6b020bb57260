"""How long matches are said to take: what people needed here, once there were enough of them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.catalog import get_rules
from games.history import lengths
from games.models import Match, Seat
from tests import opening

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

BELOT = get_rules("belot")
SHORT = BELOT.find_format("short")


def played(user, count, minutes, *, target=51, seats=4):
    """`count` finished matches of Belot that lasted so long, of a user among bots, or of bots alone (None)."""
    now = timezone.now()
    for _ in range(count):
        bots = seats - (user is not None)
        opened = opening.open_table(user, "belot", seats=seats, options={"target": target}, bots=bots, speed="untimed")
        Match.objects.filter(code=opened.code).update(
            status="over",
            score_sheet={},
            standings=[],
            wake_at=None,
            started_at=now,
            ended_at=now + timedelta(minutes=minutes),
        )


def about(seats=4):
    lengths.forget()
    lengths.refresh()
    return lengths.minutes_of(BELOT, seats, SHORT)


def test_before_enough_was_played_the_figure_is_that_of_the_rules(ana):
    played(ana, lengths.ENOUGH - 1, 31)

    assert about() == lengths.round_minutes(SHORT.minutes[4]) == 6


def test_then_it_is_the_median_of_what_people_took(ana):
    played(ana, 3, 3)
    played(ana, 4, 16)
    played(ana, 3, 900)

    assert about() == 15


def test_matches_of_other_seats_and_lengths_and_those_that_people_left_or_never_played_do_not_count(ana):
    played(ana, 10, 31)
    Seat.objects.filter(user=ana).update(left_at=timezone.now())
    played(ana, 10, 31, target=151)
    played(ana, 10, 31, target=101)
    played(None, 10, 31)
    played(ana, 10, 31, seats=3)

    assert about() == 6
    assert about(seats=3) == 30


def test_it_is_looked_at_again_only_after_a_while(ana, django_assert_num_queries):
    lengths.refresh()

    with django_assert_num_queries(0):
        lengths.refresh()


@pytest.mark.parametrize("minutes, said", [(0.4, 1), (5.6, 6), (12.4, 12), (12.6, 15), (17.4, 15), (61, 60)])
def test_minutes_are_told_in_round_figures(minutes, said):
    assert lengths.round_minutes(minutes) == said
