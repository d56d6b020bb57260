"""Time in which the site was away is given back: once, for as much as it took, and with time to come back."""

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone

from games.catalog import CHANCE
from games.fragments import Fragments
from games.models import Gap, Heartbeat, Invitation, Match, Move, Seat
from games.play import due, gaps, hosting, memory, moves, presence, store, vacations, waiting
from games.play.errors import StaleMove
from games.play.gaps import CLOCK, WEB
from games.play.pace import COME_BACK_LIMIT, GONE_LIMIT, OPEN_LIMIT, PAUSE_LIMIT
from games.play.snapshot import TimeAway
from games.play.transition import give_time_back
from tests import opening
from tests.play.acting import all_there, at_once, late, match_of, pass_time, play_first, stored, think, user_at

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def seconds(number):
    return timedelta(seconds=number)


def away_for(number, ended=None):
    """A gap of so many seconds."""
    ended = ended or timezone.now()
    return TimeAway(ended - seconds(number), ended)


def left(snapshot, at):
    """Seconds that the player to act has left, reserve included."""
    started = snapshot.turn_started_at
    return snapshot.speed.time_left(snapshot.seats[snapshot.to_act].reserve, (at - started).total_seconds())


def back_after(number):
    """The site was away for so long, and is back: as a clock finds it that starts."""
    Heartbeat.objects.all().delete()
    Heartbeat.objects.create(kind=CLOCK, beat_at=timezone.now() - seconds(number))
    gaps.forget()
    gaps.beat_as([CLOCK])
    while not gaps.settle():
        pass


def assert_given_back(before):
    """90 seconds, at each of these matches. before: what they were, by code."""
    for code, snapshot in before.items():
        moved = store.read(code).turn_started_at - snapshot.turn_started_at
        assert moved.total_seconds() == pytest.approx(90, abs=1)


# What a match gets back


def test_a_turn_lasts_as_much_longer_as_the_site_was_away(started):
    before = pass_time(started.code, 100, "turn_started_at", "wake_at")
    gap = away_for(90)

    after = give_time_back(before, gap)

    assert after.turn_started_at - before.turn_started_at == seconds(90)
    assert after.wake_at - before.wake_at == seconds(90)
    assert after.clock(after.seats[after.to_act], gap.ended_at)["remaining"] == pytest.approx(130, abs=1)
    assert after.seats == before.seats  # the reserve is not touched


def test_only_the_part_of_a_gap_that_fell_into_the_turn_is_given_back(started):
    before = pass_time(started.code, 30, "turn_started_at", "wake_at")
    gap = away_for(120)

    after = give_time_back(before, gap)

    assert after.turn_started_at == gap.ended_at
    assert left(after, gap.ended_at) == 20 + 120


def test_a_turn_that_began_after_the_gap_gets_nothing(started):
    gap = away_for(120, ended=started.turn_started_at - seconds(30))

    after = give_time_back(started, gap)

    assert (after.turn_started_at, after.wake_at) == (started.turn_started_at, started.wake_at)


def test_time_is_given_back_once_where_gaps_overlap(started):
    before = pass_time(started.code, 100, "turn_started_at", "wake_at")
    now = timezone.now()

    once = give_time_back(before, away_for(50, ended=now - seconds(40)))
    twice = give_time_back(once, away_for(90, ended=now))

    assert twice.turn_started_at - before.turn_started_at == seconds(90)


def test_who_had_hardly_any_time_left_has_time_to_come_back(started):
    before = pass_time(started.code, 149, "turn_started_at", "wake_at")
    gap = away_for(10)  # one second was left

    after = give_time_back(before, gap)

    assert after.wake_at == gap.ended_at + seconds(COME_BACK_LIMIT)
    assert left(after, gap.ended_at) == pytest.approx(COME_BACK_LIMIT)


def test_a_bot_moves_at_once_after_a_gap(ana):
    alone = opening.quick_play(ana, "oh-hell")
    while alone.waits_for_person() or alone.to_act == CHANCE:
        alone = play_first(alone) if alone.to_act != CHANCE else moves.set_ready(ana.pk, alone.code)
    before = pass_time(alone.code, 200, "turn_started_at", "wake_at")
    gap = away_for(190)

    assert give_time_back(before, gap).wake_at <= gap.ended_at + seconds(1)


def test_a_pause_lasts_longer_and_the_turn_gets_nothing_twice(started):
    all_there(started)
    for seat in started.seats:
        waiting.ask_for_pause(seat.user_id, started.code)
    before = pass_time(started.code, 120, "turn_started_at", "paused_at", "paused_until", "wake_at")
    gap = away_for(90)

    after = give_time_back(before, gap)

    assert after.paused_until == before.paused_until + seconds(90)
    assert after.wake_at == after.paused_until
    assert after.turn_started_at == before.turn_started_at  # the pause itself moves it when it ends


def test_a_pause_that_began_in_a_gap_leaves_the_turn_what_came_before_it(started):
    """Where web processes worked and only the clock did not."""
    all_there(started)
    for seat in started.seats:
        waiting.ask_for_pause(seat.user_id, started.code)
    pass_time(started.code, 30, "paused_at", "paused_until", "wake_at")
    before = pass_time(started.code, 60, "turn_started_at")
    gap = away_for(50)

    after = give_time_back(before, gap)

    assert after.turn_started_at == before.turn_started_at + (before.paused_at - gap.began_at)
    assert after.paused_until == gap.ended_at + seconds(PAUSE_LIMIT)


def test_a_vacation_ends_when_it_was_to_end(users):
    started = match_of(users[:3], speed="1-day")
    vacations.begin(user_at(started, started.to_act), 3)
    before = store.read(started.code)

    after = give_time_back(before, away_for(3600))

    assert (after.turn_started_at, after.wake_at) == (before.turn_started_at, before.wake_at)
    assert after.seats == before.seats


def test_a_question_whether_somebody_is_there_waits_longer(users):
    started = match_of(users[:3], speed="untimed")
    all_there(started)
    Match.objects.filter(code=started.code).update(
        turn_started_at=timezone.now() - seconds(400), asked_at=timezone.now() - seconds(115)
    )
    memory.forget()
    before = store.read(started.code)
    gap = away_for(100)  # 45 of 60 seconds were left

    after = give_time_back(before, gap)

    assert started.waits_for_person()
    assert after.asked_at - before.asked_at == seconds(100)
    assert after.wake_at == after.asked_until() > gap.ended_at + seconds(40)


def test_a_set_start_in_a_gap_leaves_time_to_come(ana):
    opened = opening.open_table(ana, "oh-hell", seats=3)
    hosting.set_start(ana, opened.code, timezone.now() + seconds(600))
    before = pass_time(opened.code, 630, "starts_at", "wake_at")
    gap = away_for(60)

    after = give_time_back(before, gap)

    assert after.starts_at == after.wake_at == gap.ended_at + seconds(COME_BACK_LIMIT)


def test_a_start_that_is_set_for_later_stays(ana):
    opened = opening.open_table(ana, "oh-hell", seats=3)
    before = hosting.set_start(ana, opened.code, timezone.now() + seconds(3600))

    after = give_time_back(before, away_for(60))

    assert (after.starts_at, after.wake_at) == (before.starts_at, before.starts_at)


def test_an_open_table_is_closed_as_much_later(ana):
    before = opening.open_table(ana, "oh-hell", seats=3)

    after = give_time_back(before, away_for(60))

    assert after.wake_at - before.wake_at == seconds(60)
    assert (after.wake_at - timezone.now()).total_seconds() == pytest.approx(OPEN_LIMIT + 60, abs=2)


def test_nobody_is_voted_out_or_away_before_they_could_come_back(users):
    started = match_of(users[:3], speed="untimed")
    all_there(started)
    Seat.objects.update(seen_at=timezone.now() - seconds(GONE_LIMIT + 90))

    back_after(90)
    presence.disconnect_unseen()

    after = store.read(started.code)
    assert all(seat.connected for seat in after.seats)
    gone = presence.set_connected(started.seats[started.to_act].user_id, started.code, False)
    others = [seat for seat in gone.seats if seat.number != gone.to_act]
    for seat in others:
        waiting.vote_for_stand_in(seat.user_id, started.code, gone.move_count)
    assert store.read(started.code).wake_at >= after.gap.ended_at + seconds(COME_BACK_LIMIT)


# What is stored


def test_a_rated_match_goes_on_where_it_stood_and_no_bot_moves(started):
    Match.objects.filter(code=started.code).update(rated=True)
    number = started.to_act
    before = pass_time(started.code, 145, "turn_started_at", "wake_at")  # of 140: its end came in the gap
    assert due.due_codes(timezone.now()) == [started.code]

    back_after(90)

    assert due.due_codes(timezone.now()) == []
    after = store.read(started.code)
    assert after.revision > before.revision
    assert left(after, timezone.now()) == pytest.approx(140 - 55, abs=2)
    played = play_first(after)
    assert played.seats[number].reserve == pytest.approx(85, abs=2)
    assert set(Move.objects.filter(seat__isnull=False).values_list("actor", flat=True)) == {"player"}


def test_a_restart_of_some_seconds_costs_none(started):
    before = pass_time(started.code, 26, "turn_started_at", "wake_at")

    back_after(8)

    after = play_first(store.read(started.code))
    assert after.seats[before.to_act].reserve == 120


def test_the_stand_in_that_was_about_to_move_does_not_after_a_gap(started):
    late(started.code)
    request = think(started.code)

    back_after(60)
    (outcome,) = moves.play_moves([request])

    assert isinstance(outcome, StaleMove)
    assert not Move.objects.filter(actor="stand-in").exists()


def test_those_who_are_back_see_why_they_have_time(started):
    back_after(90)

    told = Fragments(store.read(started.code)).for_user(started.seats[0].user_id)

    assert "The site was away for 90 seconds. The clocks stood still." in told
    assert "The site was away" not in Fragments(started).for_user(started.seats[0].user_id)
    back_after(3)
    assert "The site was away" not in Fragments(store.read(started.code)).for_user(started.seats[0].user_id)


def test_matches_that_are_over_get_nothing(finished):
    before = stored(finished.code)

    gaps.give_back(finished.code, away_for(60))
    back_after(60)

    assert stored(finished.code) == before


def test_invitations_wait_on(ana, boris):
    opened = opening.open_table(ana, "oh-hell", seats=3)
    Invitation.objects.create(match_id=opened.pk, user=boris)

    back_after(3 * OPEN_LIMIT)

    assert due.due_codes(timezone.now()) == []
    assert Invitation.objects.filter(user=boris).exists()


def test_a_match_that_would_wait_long_is_not_written_for_a_short_gap(ana):
    alone = opening.open_table(ana, "oh-hell", seats=3, bots=2, speed="untimed")
    Match.objects.filter(code=alone.code).update(wake_at=timezone.now() + timedelta(days=14))
    before = stored(alone.code)

    back_after(10)

    assert stored(alone.code) == before


# The heartbeat


def test_a_regular_heartbeat_makes_no_gap():
    for second in range(5):
        gaps.beat([WEB], NOON + seconds(second))
        gaps.beat([CLOCK], NOON + seconds(second + 0.5))

    assert not Gap.objects.exists()
    assert dict(Heartbeat.objects.values_list("kind", "beat_at")) == {
        "web": NOON + seconds(4),
        "clock": NOON + seconds(4.5),
    }


def test_of_many_clocks_one_that_beats_is_enough():
    gaps.beat([CLOCK], NOON)
    for second in range(1, 60):
        gaps.beat([CLOCK], NOON + seconds(second))  # the other one stands still
    gaps.beat([CLOCK], NOON + seconds(59.5))

    assert not Gap.objects.exists()


@pytest.mark.parametrize("kind, other", [(WEB, CLOCK), (CLOCK, WEB)])
def test_a_gap_of_either_kind_counts(kind, other):
    gaps.beat([WEB, CLOCK], NOON)
    for second in range(1, 60):
        gaps.beat([other], NOON + seconds(second))

    gaps.beat([kind], NOON + seconds(59.5))

    (gap,) = Gap.objects.all()
    assert (gap.began_at, gap.ended_at) == (NOON, NOON + seconds(59.5))


def test_a_gap_lasts_until_both_kinds_are_back():
    gaps.beat([WEB, CLOCK], NOON)

    gaps.beat([WEB], NOON + seconds(60))
    assert Gap.objects.get().ended_at is None
    gaps.beat([WEB], NOON + seconds(61))
    gaps.beat([CLOCK], NOON + seconds(62))

    gap = Gap.objects.get()
    assert (gap.began_at, gap.ended_at) == (NOON, NOON + seconds(62))


def test_a_heartbeat_that_comes_late_out_of_a_stopped_process_sets_nothing_back():
    gaps.beat([CLOCK], NOON + seconds(60))
    gaps.beat([CLOCK], NOON + seconds(59))

    assert Heartbeat.objects.get().beat_at == NOON + seconds(60)
    assert not Gap.objects.exists()


def test_a_clock_hurries_nobody_while_no_web_process_works(started, ana):
    late(started.code)
    now = timezone.now()
    Heartbeat.objects.create(kind=WEB, beat_at=now - seconds(30))
    Heartbeat.objects.create(kind=CLOCK, beat_at=now - seconds(1))

    gaps.beat_as([CLOCK])
    assert not gaps.settle()
    assert not gaps.settle()

    assert think(started.code) is not None
    assert due.handle_due(started.code, skip_deadlines=True) is None
    gaps.come_back([WEB])
    assert gaps.settle()
    assert think(started.code) is None


def test_a_bots_turn_comes_while_no_web_process_works(ana):
    alone = opening.open_table(None, "oh-hell", seats=3, bots=3)
    late(alone.code)

    assert due.handle_due(alone.code, skip_deadlines=True) is not None


def test_a_clock_that_is_killed_while_it_gives_time_back_leaves_the_rest_to_the_next(users, monkeypatch):
    codes = [match_of(users[:3]).code for _ in range(3)]
    before = {code: pass_time(code, 120, "turn_started_at", "wake_at") for code in codes}
    save = gaps.save_change
    written = []

    def dies_at_the_second(match):
        written.append(match.code)
        if len(written) == 2:
            raise OperationalError("The process is killed here.")
        return save(match)

    monkeypatch.setattr(gaps, "save_change", dies_at_the_second)
    with pytest.raises(OperationalError):
        back_after(90)
    monkeypatch.undo()
    assert Match.objects.filter(gap_ended_at=None).count() == 2

    while not gaps.settle():
        pass

    assert_given_back(before)
    assert Gap.objects.get().is_settled


@pytest.mark.django_db(transaction=True)
def test_two_clocks_that_start_at_once_give_time_back_once(users):
    codes = [match_of(users[:3]).code for _ in range(5)]
    before = {code: pass_time(code, 120, "turn_started_at", "wake_at") for code in codes}
    Heartbeat.objects.create(kind=CLOCK, beat_at=timezone.now() - seconds(90))

    assert at_once(*[lambda: gaps.come_back([CLOCK])] * 3) == [None] * 3

    assert Gap.objects.count() == 1
    assert_given_back(before)


@pytest.mark.parametrize("beats_first", [False, True])
def test_a_process_that_stood_still_gives_time_back_before_it_plays(started, beats_first):
    """As after the lid of a laptop was closed, or while the database was away."""
    gaps.come_back([WEB])
    before = pass_time(started.code, 100, "turn_started_at", "wake_at")
    stood_still = timezone.now() - seconds(90)
    for kind in (WEB, CLOCK):
        Heartbeat.objects.update_or_create(kind=kind, defaults={"beat_at": stood_still})
    gaps._process.beats[WEB] = stood_still
    if beats_first:
        gaps.beat_as([WEB])

    after = play_first(before)

    assert after.seats[before.to_act].reserve == 120


def test_a_web_process_that_could_not_begin_gives_time_back_with_its_first_heartbeat(started):
    """The database was away when it started."""
    before = pass_time(started.code, 100, "turn_started_at", "wake_at")
    for kind in (WEB, CLOCK):
        Heartbeat.objects.create(kind=kind, beat_at=timezone.now() - seconds(90))
    gaps.forget()

    gaps.beat_as([WEB])
    after = play_first(before)

    assert after.seats[before.to_act].reserve == 120


def test_moves_cost_no_time_while_only_the_clock_is_away(started):
    before = pass_time(started.code, 50, "turn_started_at", "wake_at")
    Heartbeat.objects.create(kind=CLOCK, beat_at=timezone.now() - seconds(300))
    gaps.beat_as([WEB])

    after = play_first(before)

    assert after.seats[before.to_act].reserve == 120


def test_outages_are_forgotten_after_a_while():
    long_ago = timezone.now() - timedelta(days=40)
    kept = [
        Gap.objects.create(began_at=long_ago, is_settled=False),
        Gap.objects.create(began_at=NOON, ended_at=timezone.now(), is_settled=True),
    ]
    Gap.objects.create(began_at=long_ago, ended_at=long_ago + seconds(60), is_settled=True)

    call_command("tidy", stdout=StringIO())

    assert list(Gap.objects.order_by("pk")) == kept


def test_a_process_beats_while_it_gives_time_back_at_many_matches(users, monkeypatch):
    codes = [match_of(users[:3]).code for _ in range(3)]
    monkeypatch.setattr(gaps, "MOMENT", 0.0)  # one match at a time
    Heartbeat.objects.create(kind=CLOCK, beat_at=timezone.now() - seconds(90))

    gaps.come_back([CLOCK])

    gap = Gap.objects.get()
    assert gap.is_settled
    assert Heartbeat.objects.get().beat_at > gap.ended_at
    assert Match.objects.filter(code__in=codes, gap_ended_at=gap.ended_at).count() == 3


def test_what_waits_for_days_gets_its_time_back_after_the_start(ana, started, monkeypatch):
    slow = [opening.open_table(ana, "oh-hell", seats=3, bots=2, speed="1-day").code for _ in range(3)]
    stood_still = timezone.now() - seconds(3600)
    Match.objects.update(turn_started_at=stood_still - seconds(10), created_at=stood_still - seconds(20))
    Match.objects.filter(code__in=slow).update(wake_at=timezone.now() + timedelta(hours=20))
    for kind in (WEB, CLOCK):
        Heartbeat.objects.update_or_create(kind=kind, defaults={"beat_at": stood_still})
    gaps.forget()
    monkeypatch.setattr(gaps, "MOMENT", 0.0)  # one match at a time

    gaps.come_back([WEB, CLOCK])

    unpaid = Match.objects.filter(gap_ended_at=None)
    assert unpaid.exists()
    assert not unpaid.exclude(code__in=slow).exists()
    while not gaps.settle():
        pass
    assert not unpaid.exists()
