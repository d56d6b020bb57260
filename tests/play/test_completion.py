"""Who plays on to the end: what counts, and for whom."""

import pytest

from accounts.guests import new_guest
from games.models import Match
from games.play import seating
from games.play.completion import completion_of, record_end
from tests import opening
from tests.matches import play_on
from tests.play.acting import late, play_first, think, user_at

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def test_who_plays_to_the_end_has_completed_the_match(started, users):
    play_on(started)

    assert [completion_of(user) for user in users] == [(1, 1), (1, 1), (1, 1), (0, 0)]


def test_who_leaves_others_has_not_and_those_who_stay_have(started, users):
    left = seating.leave_match(users[0], play_first(started).code)
    assert completion_of(users[0]) == (0, 1)

    play_on(left)

    assert [completion_of(user) for user in users[:3]] == [(0, 1), (1, 1), (1, 1)]


def test_who_is_played_for_at_the_end_has_not_completed_it(started):
    absent = user_at(started, 0)

    record_end(started.with_seat(0, missed_turns=2))

    assert completion_of(absent) == (0, 1)
    assert completion_of(user_at(started, 1)) == (1, 1)


def test_matches_against_bots_count_for_nothing(ana):
    over = play_on(opening.quick_play(ana, "oh-hell"))
    assert over.status == "over"
    seating.leave_match(ana, play_first_of_mine(opening.quick_play(ana, "oh-hell"), ana).code)

    assert completion_of(ana) == (0, 0)


def play_first_of_mine(snapshot, user):
    """The match at the user's turn, with one move of theirs made."""
    snapshot = play_on(snapshot, until=lambda snapshot: snapshot.to_act == snapshot.player_number(user.pk))
    return play_first(snapshot)


def test_the_last_one_who_leaves_lets_nobody_down(started, users):
    code = play_first(started).code
    for user in users[:3]:
        seating.leave_match(user, code)

    assert [completion_of(user) for user in users[:3]] == [(0, 1), (0, 1), (0, 0)]


def test_a_guest_who_leaves_is_noted_and_keeps_it(users):
    guest = new_guest()
    opened = opening.open_table(users[0], "oh-hell", seats=3, bots=1)
    code = seating.sit_down(guest, opened.code).code

    seating.leave_match(guest, code)

    assert completion_of(guest) == (0, 1)


def test_who_lets_an_untimed_match_lie_until_it_is_closed_has_given_it_up(users):
    opened = opening.open_table(users[0], "oh-hell", seats=3, bots=1, speed="untimed")
    running = seating.sit_down(users[1], opened.code)
    running = play_on(running, until=lambda snapshot: snapshot.waits_forever())
    late(running.code)

    assert think(running.code) is None

    assert Match.objects.get(code=running.code).status == "closed"
    rates = {seat.user_id: completion_of(user_at(running, seat.number)) for seat in running.seats if seat.user_id}
    assert rates.pop(running.seats[running.to_act].user_id) == (0, 1)
    assert list(rates.values()) == [(0, 0)]


def test_the_profile_says_so(client, started, users):
    seating.leave_match(users[0], play_first(started).code)

    assert "0 of the last 1 match with other people" in client.get("/players/Ana/").text.replace("\n", " ")
