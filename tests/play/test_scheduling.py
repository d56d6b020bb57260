"""A start at a time that the host has set: who starts then, who waits on, who may set it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.fragments import Fragments
from games.models import Match
from games.play import due, hosting, memory, presence, seating, store
from games.play.errors import NotAllowed, Refused, StaleMove
from games.play.pace import OPEN_LIMIT
from tests import opening
from tests.play.acting import stored, think

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(ana):
    """The code of a table for three that starts in an hour, where Ana waits; bots take what is free then."""
    opened = opening.open_table(ana, "oh-hell", seats=3)
    return hosting.set_start(ana, opened.code, in_minutes(60), fills_with_bots=True).code


def in_minutes(minutes):
    return timezone.now() + timedelta(minutes=minutes)


def come(code):
    """The time of the start comes."""
    Match.objects.filter(code=code).update(starts_at=in_minutes(-0.1), wake_at=in_minutes(-0.1))
    memory.forget(code)
    assert due.due_codes(timezone.now()) == [code]
    assert think(code) is None
    return store.read(code)


def test_a_full_table_waits_for_its_time_and_then_starts_whoever_is_there(table, users):
    for user in users[1:3]:
        waits = seating.sit_down(user, table)
    assert (waits.status, waits.full_at) == ("open", None)
    assert waits.wake_at == waits.starts_at
    assert "in <b data-remaining" in Fragments(waits).for_user(users[1].pk)
    assert due.due_codes(timezone.now()) == []

    started = come(table)

    assert (started.status, started.starts_at) == ("playing", None)


def test_bots_take_what_is_free_if_somebody_is_there(table, users):
    seating.sit_down(users[1], table)
    presence.set_connected(users[1].pk, table, True)

    started = come(table)

    assert started.status == "playing"
    assert sorted(seat.kind for seat in started.seats) == ["bot", "user", "user"]


@pytest.mark.parametrize("fills", [True, False])
def test_a_table_that_can_not_start_waits_on_as_any_other(ana, table, fills, users):
    hosting.set_start(ana, table, in_minutes(60), fills_with_bots=fills)
    seating.sit_down(users[1], table)
    if not fills:  # somebody is there, but seats are free
        presence.set_connected(ana.pk, table, True)

    after = come(table)

    assert (after.status, after.starts_at) == ("open", None)
    assert (after.wake_at - timezone.now()).total_seconds() == pytest.approx(OPEN_LIMIT, abs=5)
    assert seating.sit_down(users[2], table).status == "playing"


def test_the_host_starts_sooner_or_sets_no_time(table, users):
    ana, boris, vera, _ = users
    seating.sit_down(boris, table)
    seating.sit_down(vera, table)
    other = opening.open_table(ana, "oh-hell", seats=3)
    hosting.set_start(ana, other.code, in_minutes(60))

    assert hosting.set_start(ana, table, None).status == "playing"
    assert seating.start_match(ana, other.code).status == "playing"


def test_nobody_but_the_host_sets_a_time_nor_one_that_can_not_be(table, users):
    ana, boris, *_ = users
    seating.sit_down(boris, table)
    before = stored(table)

    with pytest.raises(NotAllowed):
        hosting.set_start(boris, table, in_minutes(90))
    for minutes in (-5, 0.5, 60 * 24 * 15):
        with pytest.raises(Refused, match="within the next 14 days"):
            hosting.set_start(ana, table, in_minutes(minutes))
    with pytest.raises(StaleMove):
        hosting.start_on_time(table)

    assert stored(table) == before


def test_two_clocks_start_a_table_once(table, users):
    presence.set_connected(users[0].pk, table, True)
    started = come(table)

    with pytest.raises(StaleMove):
        hosting.start_on_time(table)
    assert store.read(table) == started


def test_no_bot_fills_a_rated_table(table, users):
    ana, boris, *_ = users
    Match.objects.filter(code=table).update(rated=True)
    memory.forget(table)
    hosting.set_start(ana, table, in_minutes(60), fills_with_bots=True)
    seating.sit_down(boris, table)
    presence.set_connected(ana.pk, table, True)

    after = come(table)

    assert (after.status, [seat.kind for seat in after.seats]) == ("open", ["user", "user"])
