"""Moves as they are stored: who may make one, what a refused one leaves, many at once."""

from dataclasses import replace

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.catalog import CHANCE, IllegalMove, all_games
from games.models import Match, Move, Seat
from games.play import memory, moves, presence, seating
from games.play import store as storage
from games.play.errors import AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.requests import MoveRequest
from games.play.transition import advance
from tests import opening
from tests.matches import play_on, sensible
from tests.play.acting import first_move, late, play_first, stored, think, user_at

pytestmark = pytest.mark.django_db


def test_a_move_is_stored_with_its_seat_and_time(started):
    after = play_first(started)

    move = Move.objects.get(match__code=started.code, index=1)
    assert (move.seat, move.actor, move.move) == (started.to_act, "player", first_move(started))
    assert after.move_count == 2
    assert Match.objects.get(code=started.code).move_count == 2


def test_second_click_on_a_move_changes_nothing(started):
    play_first(started)
    before = stored(started.code)

    with pytest.raises(AlreadyPlayed):
        play_first(started)

    assert stored(started.code) == before


def test_second_click_that_comes_with_the_first_is_told_so(started):
    click = MoveRequest(started.code, started.to_act, first_move(started), started.move_count)

    after, refusal = moves.play_moves([click, click])

    assert isinstance(refusal, AlreadyPlayed)
    assert after.move_count == Move.objects.filter(match__code=started.code).count() == 2


def test_a_move_on_an_old_position_changes_nothing(started):
    after = play_first(started)
    before = stored(started.code)

    with pytest.raises(StaleMove):
        play_first(after, seen_count=1)
    with pytest.raises(StaleMove):
        play_first(after, seen_count=7)

    assert stored(started.code) == before


def test_moves_that_are_not_mine_to_make_change_nothing(started):
    before = stored(started.code)
    move = first_move(started)
    other = (started.to_act + 1) % 3

    with pytest.raises(NotAllowed, match="Wait for yours"):
        moves.play_move(started.code, other, move, seen_count=1)
    with pytest.raises(NotAllowed, match="no seat"):
        moves.play_move(started.code, None, move, seen_count=1)
    with pytest.raises(NotAllowed):
        moves.play_move(started.code, CHANCE, None, seen_count=1, actor="chance")
    with pytest.raises(IllegalMove):
        moves.play_move(started.code, started.to_act, {"type": "bid", "tricks": 99}, seen_count=1)
    with pytest.raises(Refused):
        moves.play_move("nowhere", 0, move, seen_count=1)

    assert stored(started.code) == before


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_a_move_between_deals_is_refused_in_the_words_of_the_game(ana, game):
    opened = opening.open_table(ana, game.slug, seats=4, bots=3, speed="untimed", seed="ab" * 32)
    scored = play_on(opened, until=lambda snapshot: snapshot.to_act == CHANCE)

    with pytest.raises(StaleMove, match="next cards are about to be dealt"):
        moves.play_move(
            scored.code, scored.player_number(ana.pk), {"type": "bid", "tricks": 0}, seen_count=scored.move_count
        )


def test_moves_before_the_start_and_after_the_end_are_refused(ana, finished):
    opened = opening.open_table(ana, "oh-hell", seats=3)

    with pytest.raises(Refused, match="hasn’t started"):
        moves.play_move(opened.code, 0, {"type": "bid", "tricks": 0}, seen_count=0)
    with pytest.raises(Refused, match="over"):
        moves.play_move(finished.code, 0, {"type": "bid", "tricks": 0}, seen_count=finished.move_count)


def test_a_process_with_an_old_snapshot_plays_on_the_present_position(started):
    """Another process has moved: its move is in the database, not in our memory."""
    after = play_first(started)
    memory.forget(started.code)
    memory.remember(started)

    third = play_first(after)

    assert third.move_count == 3


def test_a_late_move_of_a_process_with_an_old_snapshot_changes_nothing(started):
    play_first(started)
    memory.forget(started.code)
    memory.remember(started)
    before = stored(started.code)

    with pytest.raises(StaleMove):
        play_first(started)

    assert stored(started.code) == before


def test_moves_of_many_matches_share_a_transaction_and_fail_alone(users):
    begun = [opening.open_table(None, "oh-hell", seats=3, bots=3, seed=f"{n:064x}") for n in range(3)]
    good = [MoveRequest(match.code, match.to_act, first_move(match), 1, "bot") for match in begun]
    bad = good[1]._replace(move={"type": "bid", "tricks": 99})

    outcomes = moves.play_moves([good[0], bad, good[2], good[0]])

    assert isinstance(outcomes[1], IllegalMove)
    assert isinstance(outcomes[3], StaleMove)
    assert [outcomes[0].move_count, outcomes[2].move_count] == [2, 2]
    assert [Move.objects.filter(match__code=match.code).count() for match in begun] == [2, 1, 2]


def test_positions_of_many_matches_are_stored_by_one_statement_and_what_is_behind_by_itself(users):
    """Two moves in a row at one match; one match that another process has changed since."""
    begun = [opening.open_table(None, "oh-hell", seats=3, bots=3, seed=f"{n:064x}") for n in range(4)]
    requests = [MoveRequest(match.code, match.to_act, first_move(match), 1, "bot") for match in begun]
    then, _ = advance(begun[0], requests[0], timezone.now())
    requests.append(MoveRequest(then.code, then.to_act, first_move(then), 2, "bot"))
    for match in begun:
        memory.remember(match)
    Match.objects.filter(code=begun[3].code).update(revision=begun[3].revision + 1)

    with CaptureQueriesContext(connection) as queries:
        outcomes = moves.play_moves(requests)

    assert [outcome.move_count for outcome in outcomes] == [2, 2, 2, 2, 3]
    assert outcomes[3].revision == begun[3].revision + 2
    for outcome in outcomes[1:]:
        found = storage.read(outcome.code)
        assert (found.state, found.revision, found.wake_at) == (outcome.state, outcome.revision, outcome.wake_at)
        assert Move.objects.filter(match__code=outcome.code).count() == outcome.move_count
    updates = [query["sql"] for query in queries if 'UPDATE "games_match"' in query["sql"]]
    # Of the one that was changed: once in vain on what is known, then on what is read.
    assert [sql.startswith("WITH") for sql in updates] == [True, False, False]


def test_what_is_looked_at_anew_in_vain_takes_nothing_back_of_the_others(users, monkeypatch):
    """The database goes away when what could be played at once is stored."""
    begun = [opening.open_table(None, "oh-hell", seats=3, bots=3, seed=f"{n:064x}") for n in range(3)]
    requests = [MoveRequest(match.code, match.to_act, first_move(match), 1, "bot") for match in begun]
    for match in begun:
        memory.remember(match)
    Match.objects.filter(code=begun[2].code).update(revision=begun[2].revision + 1)
    before = stored(begun[2].code)
    away = OperationalError("away")

    def read(*_, **__):
        raise away

    monkeypatch.setattr(storage, "read", read)
    outcomes = moves.play_moves(requests)

    assert [outcomes[0].move_count, outcomes[1].move_count, outcomes[2]] == [2, 2, away]
    assert [Move.objects.filter(match__code=match.code).count() for match in begun] == [2, 2, 1]
    assert stored(begun[2].code) == before
    monkeypatch.undo()
    assert moves.play_moves([requests[2]])[0].move_count == 2


def test_a_failure_in_the_middle_stores_nothing_and_is_forgotten(started, monkeypatch):
    before = stored(started.code)
    monkeypatch.setattr(storage, "store_moves", lambda rows: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        play_first(started)

    assert stored(started.code) == before
    monkeypatch.undo()
    assert play_first(started).move_count == 2


def test_a_snapshot_from_a_future_that_was_taken_back_is_forgotten(started):
    """A backup has been restored: what is known here has never been."""
    memory.remember(replace(started, revision=started.revision + 50))

    after = play_first(started)

    assert after.revision == started.revision + 1
    assert memory.recent(started.code) is None or memory.recent(started.code).revision <= after.revision


def test_what_is_known_stays_known_when_another_process_was_first(started):
    known = memory.recent(started.code) or memory.remember(started)
    Match.objects.filter(code=started.code).update(revision=started.revision + 1)

    after = play_first(started)

    assert after.revision == started.revision + 2
    assert memory.recent(started.code) is known


@pytest.mark.django_db(transaction=True)
def test_queries_of_a_move_do_not_grow_with_the_match():
    style = {"game_style": "short-up"}
    snapshot = opening.open_table(None, "oh-hell", seats=3, bots=3, seed="01" * 32, options=style)
    counts = {}
    while snapshot.move_count < 60:
        if snapshot.to_act == CHANCE:
            snapshot = moves.play_move(snapshot.code, CHANCE, None, seen_count=snapshot.move_count, actor="chance")
            continue
        for cold in (True, False):
            if cold:
                memory.forget(snapshot.code)
            with CaptureQueriesContext(connection) as queries:
                after = moves.play_move(
                    snapshot.code, snapshot.to_act, sensible(snapshot), seen_count=snapshot.move_count, actor="bot"
                )
            counts.setdefault(cold, []).append(len(queries))
            snapshot = after
            if snapshot.to_act == CHANCE:
                break

    assert set(counts[False]) <= {2, 4}  # update and insert; on SQLite begin and commit are counted too
    assert max(counts[True]) <= 8
    assert len(set(counts[True])) == 1


def test_a_finished_match_holds_its_sheet_and_places(finished):
    match = Match.objects.get(code=finished.code)
    seats = match.seats.order_by("number")

    assert match.status == "over"
    assert match.wake_at is None
    assert [result["seat"] for result in sorted(match.standings, key=lambda result: result["seat"])] == [0, 1, 2]
    assert [seat.score for seat in seats] == match.score_sheet["totals"]
    assert min(seat.finish for seat in seats) == 1


def test_who_has_left_does_not_move(started):
    number = started.to_act
    seating.leave_match(user_at(started, number), started.code)

    with pytest.raises(NotAllowed, match="left"):
        play_first(started)


def test_the_stand_in_does_not_play_for_somebody_who_has_just_come_back(started):
    number = started.to_act
    Seat.objects.filter(match__code=started.code, number=number).update(missed_turns=2)
    late(started.code)
    request = think(started.code)
    presence.resume(started.seats[number].user_id, started.code)

    (outcome,) = moves.play_moves([request])

    assert isinstance(outcome, StaleMove)
    assert Move.objects.filter(match__code=started.code).count() == 1
