"""Nobody waits in vain: who is away on their turn is counted, voted out for a bot, or waited for in a pause."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from accounts.templatetags.names import as_name
from games.catalog import CHANCE, all_games
from games.fragments import Fragments
from games.history import lists
from games.models import Match, Move, Seat
from games.play import due, memory, moves, presence, seating, store, waiting
from games.play.errors import AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.pace import AWAY_LIMIT, GONE_LIMIT, PAUSE_LIMIT, READING_LIMIT, VOTE_LIMIT
from tests import opening
from tests.kit.cast import in_letters
from tests.matches import play_on
from tests.play.acting import act, all_there, arrive, late, match_of, pass_time, play_first, stored, think, user_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def untimed(users):
    """A match of Oh Hell among three without a clock, all of whom are there."""
    return all_there(match_of(users[:3], speed="untimed"))


def go(snapshot, number):
    """The player of a seat closes the page. Returns the Snapshot."""
    presence.set_connected(snapshot.seats[number].user_id, snapshot.code, False)
    return store.read(snapshot.code)


def someone_away(snapshot):
    """Whoever is to act goes: the Snapshot, and the users who stay."""
    stay = [user_at(snapshot, seat.number) for seat in snapshot.seats if seat.number != snapshot.to_act]
    return go(snapshot, snapshot.to_act), stay


def waits_for(snapshot, seconds):
    """Whether the match waits for that long, to five seconds."""
    return abs((snapshot.wake_at - timezone.now()).total_seconds() - seconds) < 5


# Who is away


def test_a_bot_plays_for_who_is_away_until_they_are_back_without_a_clock_too(untimed):
    number = untimed.to_act
    away, _ = someone_away(untimed)
    assert waits_for(away, AWAY_LIMIT)
    assert f"{as_name(away.seats[number].name)} is away. A bot takes over in" in Fragments(away).for_user(None)
    assert think(away.code) is None

    late(away.code)
    after = act(away.code)

    assert Move.objects.get(match__code=away.code, index=1).actor == "stand-in"
    assert after.bot_plays(after.seats[number])
    assert after.seats[number].user_id == away.seats[number].user_id  # the seat stays theirs
    back = arrive(away.code, user_at(away, number))
    assert not back.bot_plays(back.seats[number])


def test_the_stand_in_that_is_about_to_move_stops_when_the_player_is_back(untimed):
    number = untimed.to_act
    away, _ = someone_away(untimed)
    late(away.code)
    request = think(away.code)

    arrive(away.code, user_at(away, number))
    (outcome,) = moves.play_moves([request])

    assert isinstance(outcome, StaleMove)
    assert Move.objects.filter(match__code=away.code).count() == 1


def test_nobody_is_counted_as_away_when_it_is_not_their_turn(untimed):
    other = (untimed.to_act + 1) % 3

    after = go(untimed, other)

    assert after.away_seat() is None
    assert after.wake_at == untimed.wake_at
    then = play_first(after)
    assert then.away_seat().number == other
    assert waits_for(then, AWAY_LIMIT)


def test_nobody_is_counted_as_away_where_nobody_waits(untimed, ana):
    away = untimed
    for number in range(3):
        away = go(away, number)
    assert away.away_seat() is None
    assert away.waits_forever()

    # The count begins when somebody comes who waits.
    first_back = arrive(away.code, user_at(away, (away.to_act + 1) % 3))
    assert waits_for(first_back, AWAY_LIMIT)

    alone = opening.quick_play(ana, "oh-hell")
    assert arrive(alone.code, ana).away_seat() is None


def test_the_count_goes_on_where_others_come_and_go(untimed):
    away, stay = someone_away(untimed)
    pass_time(away.code, 60, "away_since", "turn_started_at")

    after = go(away, away.seat_of(stay[0].pk).number)

    assert waits_for(after, AWAY_LIMIT - 60)


def test_at_a_timed_table_the_sooner_of_clock_and_absence_holds(started, users):
    present = arrive(started.code, *users[:3])
    away, _ = someone_away(present)
    assert waits_for(away, AWAY_LIMIT)

    pass_time(away.code, 130, "turn_started_at")
    other = (away.to_act + 1) % 3
    assert waits_for(go(away, other), 10)


def test_who_reads_without_scripts_is_not_taken_for_away_nor_voted_out_while_they_think(client, untimed):
    away, (one, _) = someone_away(untimed)
    number = away.to_act
    client.force_login(user_at(away, number))
    client.get(f"/matches/{away.code}/")
    for seconds, there in ((GONE_LIMIT + 30, True), (READING_LIMIT, False)):
        Seat.objects.filter(match__code=away.code, number=number).update(
            seen_at=F("seen_at") - timedelta(seconds=seconds)
        )
        presence.disconnect_unseen()
        assert (store.read(away.code).away_seat() is None) == there
        if there:
            refused(away.code, Refused, waiting.vote_for_stand_in, one.pk, away.code, away.move_count)


# Votes


def test_over_half_of_those_who_are_there_let_the_bot_play(untimed):
    away, (one, other) = someone_away(untimed)
    pass_time(away.code, VOTE_LIMIT + 1, "away_since")
    pass_time(away.code, 60, "turn_started_at")
    seen = away.move_count

    first = waiting.vote_for_stand_in(one.pk, away.code, seen)
    assert first.votes(first.away_seat()) == (1, 2)
    assert think(away.code) is None

    waiting.vote_for_stand_in(other.pk, away.code, seen)
    assert act(away.code).move_count == seen + 1


def test_a_vote_leaves_time_for_a_connection_to_come_back(untimed):
    away, (one, other) = someone_away(untimed)
    waiting.vote_for_stand_in(one.pk, away.code, away.move_count)

    after = waiting.vote_for_stand_in(other.pk, away.code, away.move_count)

    assert waits_for(after, VOTE_LIMIT)


def refused(code, error, act, *arguments):
    """The sentence of a refusal, which has changed nothing."""
    before = stored(code)
    with pytest.raises(error) as refusal:
        act(*arguments)
    assert stored(code) == before
    return str(refusal.value)


def test_there_is_no_vote_against_somebody_who_is_there(untimed):
    voter = user_at(untimed, (untimed.to_act + 1) % 3)

    said = refused(untimed.code, Refused, waiting.vote_for_stand_in, voter.pk, untimed.code, untimed.move_count)

    assert said == "The player to move isn’t away, so no vote is needed. Wait for the move."


def test_there_is_no_vote_against_somebody_who_is_away_when_it_is_not_their_turn(untimed):
    gone = go(untimed, (untimed.to_act + 1) % 3)
    voter = user_at(gone, (untimed.to_act + 2) % 3)

    refused(gone.code, Refused, waiting.vote_for_stand_in, voter.pk, gone.code, gone.move_count)


def test_neither_watchers_nor_those_who_have_left_or_are_away_vote(untimed, users):
    away, (one, _) = someone_away(untimed)
    seen = away.move_count
    refused(away.code, NotAllowed, waiting.vote_for_stand_in, users[3].pk, away.code, seen)
    refused(away.code, NotAllowed, waiting.vote_for_stand_in, None, away.code, seen)

    go(away, away.seat_of(one.pk).number)
    refused(away.code, NotAllowed, waiting.vote_for_stand_in, one.pk, away.code, seen)
    seating.leave_match(one, away.code)
    refused(away.code, NotAllowed, waiting.vote_for_stand_in, one.pk, away.code, seen)


def test_two_tabs_have_one_vote_and_it_counts_for_this_turn_only(untimed):
    away, (one, _) = someone_away(untimed)
    seen = away.move_count
    waiting.vote_for_stand_in(one.pk, away.code, seen)
    refused(away.code, AlreadyPlayed, waiting.vote_for_stand_in, one.pk, away.code, seen)

    arrive(away.code, user_at(away, away.to_act))
    moved = play_first(store.read(away.code))
    gone = go(moved, moved.to_act)
    if gone.away_seat() and gone.seat_of(one.pk).number != gone.to_act:
        assert gone.votes(gone.away_seat())[0] == 0
    refused(away.code, StaleMove, waiting.vote_for_stand_in, one.pk, away.code, seen)


@pytest.mark.parametrize("seen", [None, 0, 999])
def test_a_vote_at_another_position_is_refused(untimed, seen):
    away, (one, _) = someone_away(untimed)

    refused(away.code, StaleMove, waiting.vote_for_stand_in, one.pk, away.code, seen)


def test_a_vote_of_somebody_who_goes_counts_no_longer(untimed):
    away, (one, _) = someone_away(untimed)
    waiting.vote_for_stand_in(one.pk, away.code, away.move_count)

    after = go(away, away.seat_of(one.pk).number)

    assert after.votes(after.away_seat()) == (0, 1)
    assert waits_for(after, AWAY_LIMIT)


# Pauses


def paused(snapshot):
    for number in range(3):
        after = waiting.ask_for_pause(snapshot.seats[number].user_id, snapshot.code)
    return after


def test_a_pause_begins_when_everybody_who_is_there_wants_it_and_clocks_stand_still(started, users):
    present = arrive(started.code, *users[:3])
    pass_time(present.code, 7, "turn_started_at")
    first = waiting.ask_for_pause(users[0].pk, present.code)
    assert not first.paused_until
    assert "would like a pause" in Fragments(first).for_user(users[1].pk)
    refused(present.code, AlreadyPlayed, waiting.ask_for_pause, users[0].pk, present.code)
    waiting.ask_for_pause(users[1].pk, present.code)

    pause = waiting.ask_for_pause(users[2].pk, present.code)

    assert waits_for(pause, PAUSE_LIMIT)
    assert "Paused." in Fragments(pause).for_user(None)
    refused(pause.code, Refused, play_first, pause)
    pause = pass_time(pause.code, 300, "paused_at", "turn_started_at")
    clock = pause.clock(pause.seats[pause.to_act])
    assert not clock["running"]
    assert clock["remaining"] == pytest.approx(140 - 7, abs=5)

    after = waiting.end_pause(users[1].pk, pause.code)

    assert not after.paused_until
    assert waits_for(after, 140 - 7)
    assert not any(seat.wants_pause for seat in after.seats)
    assert play_first(after).move_count == after.move_count + 1


def test_a_pause_ends_by_itself(untimed):
    pause = paused(untimed)
    late(pause.code)

    assert think(pause.code) is None

    assert not store.read(pause.code).paused_until
    assert due.due_codes(timezone.now()) == []


def test_who_is_away_does_not_hinder_a_pause_and_is_not_played_for_in_it(untimed):
    away, (one, other) = someone_away(untimed)
    pass_time(away.code, 100, "away_since", "turn_started_at")
    waiting.ask_for_pause(one.pk, away.code)
    pause = waiting.ask_for_pause(other.pk, away.code)
    assert waits_for(pause, PAUSE_LIMIT)
    refused(away.code, Refused, waiting.vote_for_stand_in, one.pk, away.code, away.move_count)
    pass_time(away.code, 500, "paused_at", "away_since", "turn_started_at")

    after = waiting.end_pause(one.pk, away.code)

    assert waits_for(after, AWAY_LIMIT - 100)


def test_a_pause_takes_no_wish_of_who_has_gone_and_needs_none(untimed):
    one, two = (user_at(untimed, number) for number in range(2))
    waiting.ask_for_pause(one.pk, untimed.code)
    go(untimed, 0)
    back = arrive(untimed.code, one)
    assert not back.seats[0].wants_pause  # one has gone and come: whoever goes agrees to nothing

    waiting.ask_for_pause(one.pk, untimed.code)
    waiting.ask_for_pause(two.pk, untimed.code)

    assert go(untimed, 2).paused_until  # only three had not agreed


def test_a_wish_for_a_pause_can_be_taken_back(untimed):
    one = user_at(untimed, 0)
    waiting.ask_for_pause(one.pk, untimed.code)

    after = waiting.end_pause(one.pk, untimed.code)

    assert not after.seats[0].wants_pause
    refused(untimed.code, AlreadyPlayed, waiting.end_pause, one.pk, untimed.code)


def test_watchers_neither_ask_for_a_pause_nor_end_one(untimed, users):
    refused(untimed.code, NotAllowed, waiting.ask_for_pause, users[3].pk, untimed.code)
    pause = paused(untimed)
    refused(pause.code, NotAllowed, waiting.end_pause, users[3].pk, pause.code)


def test_a_match_that_all_leave_in_a_pause_is_played_to_its_end(untimed):
    people = [user_at(untimed, number) for number in range(3)]
    pause = paused(play_first(untimed))
    for user in people:
        pause = seating.leave_match(user, pause.code)

    assert act(pause.code).move_count > pause.move_count


def test_a_bot_that_thinks_when_a_pause_begins_does_not_move(ana):
    opened = opening.open_table(ana, "oh-hell", seats=3, bots=2, options={"game_style": "short-up"})
    present = arrive(opened.code, ana)
    while present.seats[present.to_act].user_id:
        present = play_first(present)
    late(present.code)
    request = think(present.code)

    waiting.ask_for_pause(ana.pk, present.code)

    assert isinstance(moves.play_moves([request])[0], Refused)


def test_all_of_it_is_stored(untimed):
    away, (one, _) = someone_away(untimed)
    waiting.vote_for_stand_in(one.pk, away.code, away.move_count)
    known = waiting.ask_for_pause(one.pk, away.code)

    memory.forget()
    read = store.read(away.code)

    assert (read.away_since, read.stand_in_at(), read.seats) == (known.away_since, known.stand_in_at(), known.seats)
    assert Seat.objects.filter(match__code=away.code, wants_pause=True, voted_at=away.move_count).count() == 1
    assert read.to_act != CHANCE


def test_nobody_is_the_first_to_ask_for_a_pause_twice_in_a_deal(untimed):
    one, two = user_at(untimed, 0), user_at(untimed, 1)
    waiting.ask_for_pause(one.pk, untimed.code)
    waiting.end_pause(one.pk, untimed.code)

    said = refused(untimed.code, Refused, waiting.ask_for_pause, one.pk, untimed.code)
    assert said == "You have asked for a pause already. Ask again after the next cards are dealt."

    waiting.ask_for_pause(two.pk, untimed.code)
    assert waiting.ask_for_pause(one.pk, untimed.code).seats[0].wants_pause  # to agree is another matter
    with_next = play_on(store.read(untimed.code), until=lambda snapshot: snapshot.deal_count > untimed.deal_count)
    assert waiting.ask_for_pause(one.pk, with_next.code).seats[0].wants_pause


def test_who_stays_alone_does_not_hold_the_table_up_again_and_again(untimed):
    stays = user_at(untimed, (untimed.to_act + 1) % 3)
    for number in {0, 1, 2} - {(untimed.to_act + 1) % 3}:
        go(untimed, number)
    assert waiting.ask_for_pause(stays.pk, untimed.code).paused_until
    late(untimed.code)
    think(untimed.code)

    refused(untimed.code, Refused, waiting.ask_for_pause, stays.pk, untimed.code)


@pytest.mark.parametrize("game", [game.slug for game in all_games()])
def test_in_a_pause_it_is_nobodys_turn(ana, game):
    opened = opening.quick_play(ana, game)
    mine = play_on(opened, until=lambda snapshot: snapshot.to_act == snapshot.player_number(ana.pk))
    Match.objects.filter(code=mine.code).update(speed="normal")
    memory.forget(mine.code)
    arrive(mine.code, ana)
    assert "● Your turn" in in_letters(Fragments(store.read(mine.code)).for_user(ana.pk))
    assert lists.running_matches(ana)[0]["turn"]

    pause = waiting.ask_for_pause(ana.pk, mine.code)

    drawn = in_letters(Fragments(pause).for_user(ana.pk))
    assert "● Your turn" not in drawn
    assert 'data-turn=""' in drawn
    assert "The table is paused" in drawn
    assert not lists.running_matches(ana)[0]["turn"]
