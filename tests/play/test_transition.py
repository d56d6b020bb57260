"""What a request makes of a match, tried without a database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from games.catalog import CHANCE, get_rules
from games.models import Match, Move, Terms
from games.play.errors import AlreadyPlayed
from games.play.pace import BOT_PAUSE, IDLE_LIMIT, TRICK_PAUSE, result_pause
from games.play.requests import MoveRequest, ReadyRequest
from games.play.snapshot import SeatSnapshot, Snapshot
from games.play.transition import advance, schedule

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
RULES = get_rules("oh-hell")
SEATS = 3


def seat(number, **changes):
    usual = SeatSnapshot(
        pk=number + 1,
        place=number,
        number=number,
        team=None,
        user_id=number + 100,
        name=["Ana", "Boris", "Vera"][number],
        kind="user",
        profile="",
        owner="",
        bot="",
        entropy_hash="",
        entropy="",
        reserve=120.0,
        missed_turns=0,
        connected=True,
        ready=False,
        left=False,
    )
    return replace(usual, **changes)


def match_before_the_first_deal(speed="normal"):
    options = RULES.clean_options(SEATS, {"game_style": "short-up"})
    return Snapshot(
        pk=1,
        code="abcdefgh",
        game=RULES.slug,
        rules_version=RULES.version,
        rules=RULES,
        options=options,
        seat_count=SEATS,
        terms=Terms(speed=speed),
        status=Match.Status.PLAYING,
        host_id=100,
        full_at=NOW,
        rematch_code="",
        revision=0,
        move_count=0,
        deal_count=0,
        state=RULES.new_match(SEATS, options),
        seats=tuple(map(seat, range(SEATS))),
        turn_started_at=NOW,
        wake_at=NOW,
        seed="ab" * 32,
        seed_hash="",
        shuffle_code="abcdefgh",
    )


def deal(snapshot, **changes):
    request = MoveRequest(snapshot.code, CHANCE, None, snapshot.move_count, Move.Actor.CHANCE, **changes)
    return advance(snapshot, request, NOW)[0]


def play(snapshot, move=None, *, now=NOW, **changes):
    """The snapshot after a move of the seat to act, the first legal one if none is given, and the moves to store."""
    move = move or RULES.legal_moves(snapshot.state)[0]
    request = MoveRequest(snapshot.code, snapshot.to_act, move, snapshot.move_count)
    return advance(snapshot, request._replace(**changes), now)


def played_until(snapshot, condition):
    while not condition(snapshot):
        snapshot, _ = play(snapshot)
    return snapshot


@pytest.fixture
def dealt():
    return deal(match_before_the_first_deal())


@pytest.fixture
def scored(dealt):
    """After the last card of the first hand."""
    return played_until(dealt, lambda snapshot: snapshot.to_act == CHANCE)


def test_a_shuffle_follows_from_the_seed_alone():
    start = match_before_the_first_deal()

    assert deal(start) == deal(start)
    assert deal(start).state != deal(replace(start, seed="cd" * 32)).state


def test_a_move_comes_with_the_row_to_store(dealt):
    after, (row,) = play(dealt, {"type": "bid", "tricks": 1})

    assert row == (dealt.pk, 1, dealt.to_act, {"type": "bid", "tricks": 1}, Move.Actor.PLAYER, NOW)
    assert (after.move_count, after.revision) == (2, dealt.revision + 1)
    bid = {"type": "bid", "seat": dealt.to_act, "tricks": 1}
    assert after.moves_since(dealt.move_count) == ((dealt.to_act, (bid,)),)
    assert [move.seat for move in after.moves_since(0)] == [None, dealt.to_act]


def test_what_is_given_is_left_as_it_is(dealt):
    before = replace(dealt)

    play(dealt)

    assert dealt == before


def test_a_snapshot_with_other_values_is_one_of_its_own(dealt):
    before, speed = replace(dealt), dealt.speed

    after = dealt.replace(move_count=7, wake_at=NOW)

    assert after == replace(before, move_count=7, wake_at=NOW)
    assert (dealt, after.speed) == (before, speed)
    with pytest.raises(AssertionError):
        dealt.replace(no_such_field=1)


def test_a_move_of_the_stand_in_is_counted_and_one_of_the_player_ends_the_count(dealt):
    number = dealt.to_act

    missed, _ = play(dealt, actor=Move.Actor.STAND_IN)
    back, _ = play(dealt.with_seat(number, missed_turns=5))

    assert missed.seats[number].missed_turns == 1
    assert back.seats[number].missed_turns == 0


def test_a_finished_trick_is_looked_at_before_the_clock_runs(dealt):
    dealt = replace(dealt, state=dealt.state)
    last_card = played_until(dealt, lambda snapshot: len(snapshot.state.trick) == SEATS - 1)

    after, _ = play(last_card)

    assert after.turn_started_at == NOW + timedelta(seconds=TRICK_PAUSE)


def test_the_result_of_a_deal_stays_until_everybody_is_ready(scored):
    assert scored.wake_at == scored.turn_started_at + timedelta(seconds=result_pause("oh-hell"))
    one, none = advance(scored, ReadyRequest(scored.code, 100), NOW)
    two, _ = advance(one, ReadyRequest(scored.code, 101), NOW)

    after, (row,) = advance(two, ReadyRequest(scored.code, 102), NOW)

    assert none == []
    assert (row.seat, row.move["type"]) == (None, "deal")
    assert not any(seat.ready for seat in after.seats)


def test_being_ready_twice_is_said(scored):
    once, _ = advance(scored, ReadyRequest(scored.code, 100), NOW)

    with pytest.raises(AlreadyPlayed, match="Wait for the others"):
        advance(once, ReadyRequest(scored.code, 100), NOW)


def test_players_who_are_away_are_not_waited_for(scored):
    away = scored.with_seat(1, connected=False).with_seat(2, connected=False)

    after, moves = advance(away, ReadyRequest(scored.code, 100), NOW)

    assert [move.seat for move in moves] == [None]
    assert after.deal_count == 2


def test_a_result_stays_for_those_whose_pages_need_no_scripts(scored):
    """Without a socket nobody counts as connected."""
    nobody_there = replace(scored, seats=tuple(replace(seat, connected=False) for seat in scored.seats))

    after = schedule(nobody_there, NOW)
    one, _ = advance(after, ReadyRequest(scored.code, 100), NOW)

    assert after.wake_at == NOW + timedelta(seconds=result_pause("oh-hell"))
    assert one.deal_count == 1


def test_a_result_stays_longer_where_there_is_more_to_read():
    assert result_pause("belot") > result_pause("oh-hell") < result_pause("bids")


def alone(snapshot, **changes):
    """The snapshot with Ana's seat changed, and bots in the others."""
    seats = [
        seat(0, **changes),
        *(seat(number, bot="sensible", kind="bot", user_id=None) for number in range(1, SEATS)),
    ]
    return replace(snapshot, seats=tuple(seats))


@pytest.mark.parametrize("speed", ["untimed", "normal"])
@pytest.mark.parametrize("connected", [True, False])
def test_alone_with_bots_a_result_stays_until_one_goes_on(scored, speed, connected):
    before = schedule(replace(alone(scored, connected=connected), terms=Terms(speed=speed)), NOW)

    after, (row,) = advance(before, ReadyRequest(scored.code, 100), NOW + timedelta(hours=1))

    assert before.wake_at == NOW + timedelta(seconds=IDLE_LIMIT)
    assert before.next_deal_in(NOW) is None
    assert (row.move["type"], after.deal_count) == ("deal", 2)
    assert not after.seats[0].ready


def test_who_plays_on_alone_after_the_others_have_left_is_waited_for(scored):
    left = scored
    for number in (1, 2):
        left = left.with_seat(number, bot="sensible", left=True, connected=False)

    assert schedule(scored, NOW).next_deal_in(NOW) == result_pause("oh-hell")
    assert schedule(left, NOW).wake_at == NOW + timedelta(seconds=IDLE_LIMIT)


def test_who_lets_a_bot_play_holds_nobody_up(scored):
    for_everybody = replace(scored, seats=tuple(seat(number, missed_turns=2) for number in range(SEATS)))
    asleep = scored.with_seat(1, missed_turns=2).with_seat(2, missed_turns=2)
    one_gone = alone(scored, missed_turns=2, connected=False)

    after, _ = advance(schedule(asleep, NOW), ReadyRequest(scored.code, 100), NOW)

    assert after.deal_count == 2
    assert schedule(for_everybody, NOW).wake_at == NOW + timedelta(seconds=result_pause("oh-hell"))
    assert schedule(one_gone, NOW).wake_at == NOW + timedelta(seconds=BOT_PAUSE)


def test_slow_bots_pause_twice_as_long(dealt):
    among_bots = replace(dealt, seats=tuple(seat(number, bot="easy", kind="bot") for number in range(SEATS)))

    slow = schedule(replace(among_bots, terms=Terms(slow_bots=True)), NOW)

    assert schedule(among_bots, NOW).wake_at == NOW + timedelta(seconds=BOT_PAUSE)
    assert slow.wake_at == NOW + timedelta(seconds=2 * BOT_PAUSE)


def test_the_next_deal_is_counted_down_to_on_the_clock_of_the_server(scored):
    moment = scored.turn_started_at + timedelta(seconds=4)

    assert scored.next_deal_in(moment) == pytest.approx(result_pause("oh-hell") - 4)
    assert scored.next_deal_in(moment + timedelta(days=1)) == 0
    assert deal(scored).next_deal_in(moment) is None
