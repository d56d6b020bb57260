"""What happens by itself, when its time has come."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.catalog import CHANCE
from games.history import lists
from games.kit.search import Searcher
from games.models import Match, Move, Seat
from games.play import due, memory, moves, presence, seating, store
from games.play.errors import StaleMove
from games.play.pace import result_pause
from tests import opening
from tests.matches import play_on
from tests.play.acting import act, late, play_first, think, user_at

pytestmark = pytest.mark.django_db


def test_nothing_happens_by_itself_before_its_time(started):
    assert due.due_codes(timezone.now()) == []
    assert think(started.code) is None


def test_a_player_has_the_time_of_the_move_and_the_reserve(started):
    match = Match.objects.get(code=started.code)

    assert match.wake_at - match.turn_started_at == timedelta(seconds=20 + 120)


def test_the_stand_in_plays_when_the_time_is_up_and_the_seat_stays(started):
    late(started.code)
    Match.objects.filter(code=started.code).update(turn_started_at=timezone.now() - timedelta(seconds=141))

    assert due.due_codes(timezone.now()) == [started.code]
    after = act(started.code)

    move = Move.objects.get(match__code=started.code, index=1)
    assert move.actor == "stand-in"
    assert after.seats[started.to_act].user_id == started.seats[started.to_act].user_id
    assert after.seats[started.to_act].reserve == 0


def test_of_two_sweeps_one_wins(started):
    late(started.code)
    first, second = think(started.code), think(started.code)

    assert moves.play_moves([first])[0].move_count == 2
    assert isinstance(moves.play_moves([second])[0], StaleMove)
    assert Move.objects.filter(match__code=started.code).count() == 2


def test_a_player_who_thinks_too_long_pays_from_the_reserve(started):
    Match.objects.filter(code=started.code).update(turn_started_at=timezone.now() - timedelta(seconds=50))
    memory.forget(started.code)

    after = play_first(started)

    assert after.seats[started.to_act].reserve == pytest.approx(90, abs=1)
    assert Seat.objects.get(match__code=started.code, number=started.to_act).reserve == pytest.approx(90, abs=1)


def test_a_bot_that_fails_does_not_stop_the_match(db, monkeypatch):
    opened = opening.open_table(None, "oh-hell", seats=3, bots=3)
    monkeypatch.setattr(Searcher, "decide", lambda *arguments: 1 / 0)

    assert due.choose(opened) in opened.rules.legal_moves(opened.state)


def test_tables_that_nobody_starts_are_closed(ana):
    opened = opening.open_table(ana, "oh-hell", seats=3)
    late(opened.code)

    assert think(opened.code) is None
    assert Match.objects.get(code=opened.code).status == "closed"


def test_bots_get_their_seats_view_and_nothing_else(started, monkeypatch):
    seen = []

    def think(searcher, table, moves, rng):
        seen.append((table, moves))
        return moves[0], None

    monkeypatch.setattr(Searcher, "decide", think)

    due.choose(started)

    assert seen == [(started.rules.view(started.state, started.to_act), started.rules.legal_moves(started.state))]


def test_a_table_that_starts_at_the_last_moment_is_not_closed(users, monkeypatch):
    opened = opening.open_table(users[0], "oh-hell", seats=3)
    late(opened.code)
    read = store.read

    def read_and_start(code, **options):
        snapshot = read(code, **options)
        monkeypatch.undo()
        seating.start_match(users[0], code)
        return snapshot

    monkeypatch.setattr(store, "read", read_and_start)
    think(opened.code)

    assert Match.objects.get(code=opened.code).status == "playing"


def test_a_match_that_is_over_is_not_postponed(finished):
    due.postpone(finished.code)

    assert Match.objects.get(code=finished.code).wake_at is None


@pytest.mark.whole
def test_a_match_that_everybody_has_left_is_played_out_without_pauses(started):
    people = [user_at(started, number) for number in range(3)]
    play_first(started)
    for user in people:
        after = seating.leave_match(user, started.code)

    while after.status == "playing":
        assert after.wake_at <= timezone.now()
        after = act(started.code)

    assert after.status == "over"
    assert Match.objects.get(code=started.code).score_sheet
    lines = [lists.match_line(Match.objects.get(code=started.code), user) for user in people]
    assert [line["left"] for line in lines] == [True] * 3
    assert sorted(line["finish"] for line in lines)[0] == 1


@pytest.fixture
def result_alone(ana):
    """Ana's match against bots at the result of its first hand."""
    opened = opening.open_table(ana, "oh-hell", seats=3, bots=2, options={"game_style": "short-up"})
    return play_on(opened, until=lambda snapshot: snapshot.to_act == CHANCE)


def test_a_result_rests_until_its_only_reader_goes_on(result_alone, ana):
    presence.set_connected(ana.pk, result_alone.code, True)
    presence.set_connected(ana.pk, result_alone.code, False)

    assert due.due_codes(timezone.now() + timedelta(days=1)) == []
    after = moves.set_ready(ana.pk, result_alone.code)

    assert after.deal_count == 2


def test_a_match_whose_only_player_never_goes_on_is_closed(result_alone):
    late(result_alone.code)

    assert think(result_alone.code) is None
    assert Match.objects.get(code=result_alone.code).status == "closed"


def test_who_comes_back_to_a_result_has_the_time_to_read_it(started):
    snapshot = play_on(started, until=lambda snapshot: snapshot.to_act == CHANCE)
    gone, here = snapshot.seats[0], snapshot.seats[1]
    seating.leave_match(user_at(snapshot, 2), started.code)
    Seat.objects.filter(pk=gone.pk).update(missed_turns=2)
    resting = presence.set_connected(here.user_id, started.code, True)
    Match.objects.filter(code=started.code).update(turn_started_at=timezone.now() - timedelta(hours=1))
    memory.forget(started.code)

    after = presence.set_connected(gone.user_id, started.code, True)

    assert resting.waits_for_go_ahead()
    assert after.next_deal_in() == pytest.approx(result_pause("oh-hell"), abs=1)


def test_a_match_whose_accounts_are_gone_is_played_out_too(started):
    play_first(started)
    for number in range(3):
        user_at(started, number).delete()
    late(started.code)

    after = act(started.code)

    assert after.wake_at <= timezone.now()


def test_a_match_among_bots_keeps_its_pauses(db):
    opened = opening.open_table(None, "oh-hell", seats=3, bots=3)

    assert opened.wake_at > timezone.now()


def test_matches_that_nobody_looks_at_hold_nobody_up(users, monkeypatch):
    monkeypatch.setattr(due, "UNWATCHED_LIMIT", 2)
    codes = [opening.open_table(users[0], "oh-hell", seats=3).code for _ in range(5)]
    for minutes, code in enumerate(codes):
        Match.objects.filter(code=code).update(wake_at=timezone.now() - timedelta(minutes=10 - minutes))
    presence.set_connected(users[0].pk, codes[4], True)

    assert due.due_codes(timezone.now()) == [codes[4], codes[0], codes[1]]


def test_a_table_whose_page_is_closed_while_it_is_looked_for_is_due_once(ana):
    opened = opening.quick_play(ana, "oh-hell")
    presence.set_connected(ana.pk, opened.code, True)
    Match.objects.filter(code=opened.code).update(wake_at=timezone.now())
    asked = []

    def closing(execute, sql, *rest):
        asked.extend([sql] * ("ORDER BY" in sql))
        if len(asked) == 2:  # first those that are watched were looked for, now those that are not
            asked.append("")
            Seat.objects.filter(match__code=opened.code).update(connected=False)
        return execute(sql, *rest)

    with connection.execute_wrapper(closing):
        found = due.due_codes(timezone.now())

    assert len(asked) == 3
    assert found == [opened.code]
