"""Every write: who may, what it stores, and that a refused one stores nothing."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.catalog import CHANCE, IllegalMove
from games.models import Match, Move, Seat
from games.play import due, memory, moves, presence, seating, store
from games.play import store as storage
from games.play.errors import AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.requests import MoveRequest

pytestmark = pytest.mark.django_db


def first_move(snapshot):
    return snapshot.rules.legal_moves(snapshot.state)[0]


def play_first(snapshot, **changes):
    """The first legal move of the seat to act."""
    arguments = {"seen": snapshot.move_count} | changes
    return moves.play_move(snapshot.code, snapshot.to_act, first_move(snapshot), **arguments)


def stored(code):
    """All that is stored of a match."""
    return (
        Match.objects.filter(code=code).values().get(),
        list(Seat.objects.filter(match__code=code).values()),
        list(Move.objects.filter(match__code=code).values()),
    )


def user_at(snapshot, number):
    return User.objects.get(pk=snapshot.seats[number].user_id)


# Tables


def test_a_table_waits_with_its_host_at_it(ana):
    opened = seating.open_table(ana, "oh-hell", seats=4, bots=1)

    assert opened.status == "open"
    assert [seat.kind for seat in opened.seats] == ["user", "bot"]
    assert opened.host_id == ana.pk
    assert len(opened.seed_hash) == 64


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"},
        {"seats": 8},
        {"seats": "4"},
        {"options": {"game_style": "endless"}},
        {"options": {"house": "rules"}},
        {"options": []},
        {"speed": "bullet"},
        {"bots": 4},
        {"bots": -1},
    ],
)
def test_a_table_that_can_not_be_is_refused_and_not_stored(ana, wrong):
    with pytest.raises(Refused):
        seating.open_table(ana, **{"game": "oh-hell", "seats": 4} | wrong)

    assert not Match.objects.exists()


def test_a_full_table_starts_with_its_seats_drawn_by_lot_and_the_first_deal_made(users):
    lots = set()
    for number in range(12):
        opened = seating.open_table(users[0], "oh-hell", seats=3, seed=f"{number:064x}")
        seating.sit_down(users[1], opened.code)
        begun = seating.sit_down(users[2], opened.code)
        lots.add(tuple(seat.place for seat in begun.seats))

    assert begun.status == "playing"
    assert begun.move_count == begun.deal_count == 1
    assert len(lots) > 2
    assert Move.objects.filter(match__code=begun.code).count() == 1


def test_a_seat_is_taken_once_and_a_full_table_takes_nobody_more(users):
    opened = seating.open_table(users[0], "oh-hell", seats=3)
    seating.sit_down(users[1], opened.code)
    again = seating.sit_down(users[1], opened.code)

    assert len(again.seats) == 2

    seating.sit_down(users[2], opened.code)
    with pytest.raises(Refused, match="started"):
        seating.sit_down(users[3], opened.code)


def test_who_stands_up_frees_the_seat_and_the_next_becomes_host(users):
    opened = seating.open_table(users[0], "oh-hell", seats=4)
    seating.sit_down(users[1], opened.code)

    left = seating.stand_up(users[0], opened.code)

    assert left.host_id == users[1].pk
    assert seating.stand_up(users[1], opened.code).status == "closed"


def test_only_the_host_seats_bots_and_starts(users):
    opened = seating.open_table(users[0], "oh-hell", seats=4)
    seating.sit_down(users[1], opened.code)

    with pytest.raises(NotAllowed):
        seating.seat_bot(users[1], opened.code)
    with pytest.raises(NotAllowed):
        seating.start_match(users[1], opened.code)

    assert seating.start_match(users[0], opened.code).status == "playing"


def test_quick_play_sits_down_where_somebody_waits_else_plays_bots(users):
    alone = seating.quick_play(users[0], "oh-hell")
    waiting = seating.open_table(users[1], "oh-hell", seats=4)
    presence.set_connected(users[1].pk, waiting.code, True)

    joined = seating.quick_play(users[2], "oh-hell")

    assert alone.status == "playing"
    assert sorted(seat.kind for seat in alone.seats) == ["bot", "bot", "bot", "user"]
    assert joined.code == waiting.code


# Moves


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
        play_first(after, seen=1)
    with pytest.raises(StaleMove):
        play_first(after, seen=7)

    assert stored(started.code) == before


def test_moves_that_are_not_mine_to_make_change_nothing(started):
    before = stored(started.code)
    move = first_move(started)
    other = (started.to_act + 1) % 3

    with pytest.raises(NotAllowed, match="not your turn"):
        moves.play_move(started.code, other, move, seen=1)
    with pytest.raises(NotAllowed, match="no seat"):
        moves.play_move(started.code, None, move, seen=1)
    with pytest.raises(NotAllowed):
        moves.play_move(started.code, CHANCE, None, seen=1, actor="chance")
    with pytest.raises(IllegalMove):
        moves.play_move(started.code, started.to_act, {"type": "bid", "tricks": 99}, seen=1)
    with pytest.raises(Refused):
        moves.play_move("nowhere", 0, move, seen=1)

    assert stored(started.code) == before


def test_moves_before_the_start_and_after_the_end_are_refused(ana, finished):
    opened = seating.open_table(ana, "oh-hell", seats=3)

    with pytest.raises(Refused, match="not started"):
        moves.play_move(opened.code, 0, {"type": "bid", "tricks": 0}, seen=0)
    with pytest.raises(Refused, match="over"):
        moves.play_move(finished.code, 0, {"type": "bid", "tricks": 0}, seen=finished.move_count)


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
    begun = [seating.open_table(None, "oh-hell", seats=3, bots=3, seed=f"{n:064x}") for n in range(3)]
    good = [MoveRequest(match.code, match.to_act, first_move(match), 1, "bot") for match in begun]
    bad = good[1]._replace(move={"type": "bid", "tricks": 99})

    outcomes = moves.play_moves([good[0], bad, good[2], good[0]])

    assert isinstance(outcomes[1], IllegalMove)
    assert isinstance(outcomes[3], StaleMove)
    assert [outcomes[0].move_count, outcomes[2].move_count] == [2, 2]
    assert [Move.objects.filter(match__code=match.code).count() for match in begun] == [2, 1, 2]


def test_a_failure_in_the_middle_stores_nothing_and_is_forgotten(started, monkeypatch):
    before = stored(started.code)
    monkeypatch.setattr(storage, "store_moves", lambda rows: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        play_first(started)

    assert stored(started.code) == before
    monkeypatch.undo()
    assert play_first(started).move_count == 2


@pytest.mark.django_db(transaction=True)
def test_queries_of_a_move_do_not_grow_with_the_match():
    style = {"game_style": "short-up"}
    snapshot = seating.open_table(None, "oh-hell", seats=3, bots=3, seed="01" * 32, options=style)
    counts = {}
    while snapshot.move_count < 60:
        if snapshot.to_act == CHANCE:
            snapshot = moves.play_move(snapshot.code, CHANCE, None, seen=snapshot.move_count, actor="chance")
            continue
        for cold in (True, False):
            if cold:
                memory.forget(snapshot.code)
            with CaptureQueriesContext(connection) as queries:
                after = moves.play_move(
                    snapshot.code, snapshot.to_act, due.choose(snapshot), seen=snapshot.move_count, actor="bot"
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


# Clocks and bots


def late(code):
    """Let the time that the match waits for be over."""
    Match.objects.filter(code=code).update(wake_at=timezone.now() - timedelta(seconds=1))
    memory.forget(code)


def act(code):
    """What the clock does with a match that is due. Returns the Snapshot after it."""
    request = due.think(code)
    (outcome,) = moves.play_moves([request])
    return outcome


def test_nothing_happens_by_itself_before_its_time(started):
    assert due.due(timezone.now()) == []
    assert due.think(started.code) is None


def test_a_player_has_the_time_of_the_move_and_the_reserve(started):
    match = Match.objects.get(code=started.code)

    assert match.wake_at - match.turn_started_at == timedelta(seconds=20 + 120)


def test_the_stand_in_plays_when_the_time_is_up_and_the_seat_stays(started):
    late(started.code)
    Match.objects.filter(code=started.code).update(turn_started_at=timezone.now() - timedelta(seconds=141))

    assert due.due(timezone.now()) == [started.code]
    after = act(started.code)

    move = Move.objects.get(match__code=started.code, index=1)
    assert move.actor == "stand-in"
    assert after.seats[started.to_act].user_id == started.seats[started.to_act].user_id
    assert after.seats[started.to_act].reserve == 0


def test_of_two_sweeps_one_wins(started):
    late(started.code)
    first, second = due.think(started.code), due.think(started.code)

    assert moves.play_moves([first])[0].move_count == 2
    assert isinstance(moves.play_moves([second])[0], StaleMove)
    assert Move.objects.filter(match__code=started.code).count() == 2


def test_a_player_who_thinks_too_long_pays_from_the_reserve(started):
    Match.objects.filter(code=started.code).update(turn_started_at=timezone.now() - timedelta(seconds=50))
    memory.forget(started.code)

    after = play_first(started)

    assert after.seats[started.to_act].reserve == pytest.approx(90, abs=1)
    assert Seat.objects.get(match__code=started.code, number=started.to_act).reserve == pytest.approx(90, abs=1)


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


def test_who_leaves_for_good_is_replaced_by_a_bot_and_it_is_recorded(started):
    number = started.to_act
    leaver = user_at(started, number)

    after = seating.leave_match(leaver, started.code)

    assert after.seats[number].left
    assert after.seats[number].user_id == leaver.pk
    assert (after.wake_at - timezone.now()).total_seconds() < 5
    with pytest.raises(NotAllowed):
        seating.leave_match(leaver, started.code)
    late(started.code)
    act(started.code)
    assert Move.objects.get(match__code=started.code, index=1).actor == "bot"


def test_the_next_deal_waits_until_everybody_who_is_there_is_ready(started):
    for seat in started.seats[:2]:
        snapshot = presence.set_connected(seat.user_id, started.code, True)
    while snapshot.to_act != CHANCE:
        snapshot = play_first(snapshot)

    assert (snapshot.wake_at - timezone.now()).total_seconds() > 5
    moves.set_ready(started.seats[0].user_id, started.code)
    with pytest.raises(AlreadyPlayed):
        moves.set_ready(started.seats[0].user_id, started.code)
    assert due.think(started.code) is None
    after = moves.set_ready(started.seats[1].user_id, started.code)

    assert after.deal_count == 2
    assert not any(seat.ready for seat in after.seats)


def test_a_bot_that_fails_does_not_stop_the_match(db, monkeypatch):
    from games.oh_hell.bot import OhHellBot

    opened = seating.open_table(None, "oh-hell", seats=3, bots=3)
    monkeypatch.setattr(OhHellBot, "choose", lambda *arguments: 1 / 0)

    assert due.choose(opened) in opened.rules.legal_moves(opened.state)


def test_tables_that_nobody_starts_are_closed(ana):
    opened = seating.open_table(ana, "oh-hell", seats=3)
    late(opened.code)

    assert due.think(opened.code) is None
    assert Match.objects.get(code=opened.code).status == "closed"


def test_bots_get_their_seats_view_and_nothing_else(started, monkeypatch):
    from games.oh_hell.bot import OhHellBot

    seen = []
    monkeypatch.setattr(OhHellBot, "choose", lambda self, table, moves, rng: seen.append((table, moves)) or moves[0])

    due.choose(started)

    assert seen == [(started.rules.view(started.state, started.to_act), started.rules.legal_moves(started.state))]


# After the match


def test_rematch_invites_the_same_people_to_the_same_rules(users):
    opened = seating.open_table(users[0], "oh-hell", seats=3, bots=1, options={"game_style": "short-up"})
    seating.sit_down(users[1], opened.code)
    Match.objects.filter(code=opened.code).update(
        status="over", score_sheet={}, standings=[], ended_at=timezone.now(), wake_at=None
    )

    first = seating.rematch(users[0], opened.code)
    again = seating.rematch(users[0], opened.code)
    second = seating.rematch(users[1], opened.code)

    assert first.code == again.code == second.code
    assert second.status == "playing"
    assert second.options == opened.options
    with pytest.raises(NotAllowed):
        seating.rematch(users[2], opened.code)


def test_a_deleted_player_leaves_the_others_their_match(started):
    number = started.to_act
    leaver = user_at(started, number)

    seating.leave_all(leaver)
    leaver.delete()

    after = store.read(started.code)
    assert (after.seats[number].kind, after.seats[number].name) == ("deleted", "deleted player")
    assert after.seats[number].bot


def test_the_stand_in_does_not_play_for_somebody_who_has_just_come_back(started):
    number = started.to_act
    Seat.objects.filter(match__code=started.code, number=number).update(missed_turns=2)
    late(started.code)
    request = due.think(started.code)
    presence.resume(started.seats[number].user_id, started.code)

    (outcome,) = moves.play_moves([request])

    assert isinstance(outcome, StaleMove)
    assert Move.objects.filter(match__code=started.code).count() == 1


def test_a_table_that_starts_at_the_last_moment_is_not_closed(users, monkeypatch):
    opened = seating.open_table(users[0], "oh-hell", seats=3)
    late(opened.code)
    read = store.read

    def read_and_start(code, **options):
        snapshot = read(code, **options)
        monkeypatch.undo()
        seating.start_match(users[0], code)
        return snapshot

    monkeypatch.setattr(store, "read", read_and_start)
    due.think(opened.code)

    assert Match.objects.get(code=opened.code).status == "playing"


def test_who_has_left_does_not_move(started):
    number = started.to_act
    seating.leave_match(user_at(started, number), started.code)

    with pytest.raises(NotAllowed, match="left"):
        play_first(started)


def test_a_rematch_that_was_closed_can_be_asked_for_again(ana, finished):
    Seat.objects.filter(match__code=finished.code, place=0).update(user=ana, bot="")
    Seat.objects.filter(match__code=finished.code, place=1).update(bot="", name="Somebody")
    first = seating.rematch(ana, finished.code, entropy="ab")
    Match.objects.filter(code=first.code).update(status="closed", ended_at=timezone.now())

    second = seating.rematch(ana, finished.code, entropy="cd")

    assert second.code != first.code
    assert "cd" in second.entropies


def test_a_match_that_is_over_is_not_postponed(finished):
    due.postpone(finished.code)

    assert Match.objects.get(code=finished.code).wake_at is None


def test_players_of_a_process_that_was_killed_are_away_after_a_while(started):
    number = started.to_act
    presence.set_connected(started.seats[number].user_id, started.code, True)
    presence.disconnect_unseen()
    assert Seat.objects.get(match__code=started.code, number=number).connected

    Seat.objects.filter(match__code=started.code).update(seen_at=timezone.now() - timedelta(hours=1))
    presence.disconnect_unseen()

    assert not Seat.objects.get(match__code=started.code, number=number).connected


def test_lists_show_matches_whose_options_the_rules_have_no_more(started, client):
    options = {"game_style": "gone", "once": True}
    Match.objects.filter(code=started.code).update(rules_version=0, options=options)
    memory.forget()

    assert client.get("/").status_code == 200
    assert client.get(f"/matches/{started.code}/").status_code == 200
