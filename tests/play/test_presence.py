"""Who is there, and who plays for those who are not."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.catalog import CHANCE
from games.models import Seat
from games.play import due, memory, presence, store
from tests.matches import play_on
from tests.play.acting import act, late, play_first

pytestmark = pytest.mark.django_db


def test_a_player_who_is_away_is_played_for_quickly_until_back(started):
    number = started.to_act
    Seat.objects.filter(match__code=started.code, number=number).update(missed_turns=2)
    user_id = started.seats[number].user_id
    late(started.code)
    act(started.code)
    snapshot = memory.recent(started.code)
    while snapshot.to_act != number:
        snapshot = act(snapshot.code) if snapshot.to_act == CHANCE else play_first(snapshot)
        if snapshot.to_act == CHANCE:
            late(snapshot.code)

    assert (snapshot.wake_at - timezone.now()).total_seconds() < 5

    back = presence.resume(user_id, started.code)

    assert back.seats[number].missed_turns == 0
    assert (back.wake_at - timezone.now()).total_seconds() > 15


def test_a_visitor_brings_no_seat_back(started):
    seats = Seat.objects.filter(match__code=started.code, number=started.to_act)
    seats.update(user=None, missed_turns=2)

    assert presence.resume(None, started.code) is None
    assert seats.get().missed_turns == 2


def test_players_of_a_process_that_was_killed_are_away_after_a_while(started):
    number = started.to_act
    presence.set_connected(started.seats[number].user_id, started.code, True)
    presence.disconnect_unseen()
    assert Seat.objects.get(match__code=started.code, number=number).connected

    Seat.objects.filter(match__code=started.code).update(seen_at=timezone.now() - timedelta(hours=1))
    presence.disconnect_unseen()

    assert not Seat.objects.get(match__code=started.code, number=number).connected


@pytest.mark.parametrize("how", ["over", "closed"])
def test_nobody_is_there_or_away_when_a_match_has_ended(started, how):
    for seat in started.seats:
        presence.set_connected(seat.user_id, started.code, True)

    if how == "over":
        after = play_on(store.read(started.code))
        assert all(player["connected"] for player in after.players())
    else:
        due.close_table(started.code)
    presence.set_connected(started.seats[0].user_id, started.code, True)

    assert not Seat.objects.filter(connected=True)
