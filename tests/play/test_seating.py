"""Opening tables, sitting down, standing up, starting, leaving, rematches: who may, and what it stores."""

import pytest
from django.utils import timezone

from games.models import Match, Move, Seat
from games.play import presence, seating, store
from games.play.errors import NotAllowed, Refused
from tests.play.acting import act, late, user_at

pytestmark = pytest.mark.django_db


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


def test_a_rematch_that_was_closed_can_be_asked_for_again(ana, finished):
    Seat.objects.filter(match__code=finished.code, place=0).update(user=ana, bot="")
    Seat.objects.filter(match__code=finished.code, place=1).update(bot="", name="Somebody")
    first = seating.rematch(ana, finished.code, entropy_hash="ab" * 32)
    Match.objects.filter(code=first.code).update(status="closed", ended_at=timezone.now())

    second = seating.rematch(ana, finished.code, entropy_hash="cd" * 32)

    assert second.code != first.code
    assert "cd" * 32 in [seat.entropy_hash for seat in second.seats]


def test_a_deleted_player_leaves_the_others_their_match(started):
    number = started.to_act
    leaver = user_at(started, number)

    seating.leave_all(leaver)
    leaver.delete()

    after = store.read(started.code)
    assert (after.seats[number].kind, after.seats[number].name) == ("deleted", "deleted player")
    assert after.seats[number].bot
