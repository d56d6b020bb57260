"""Opening tables, sitting down, standing up, starting, leaving, rematches: who may, and what it stores."""

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Match, Move, Seat
from games.play import seating, store
from games.play.errors import NotAllowed, Refused
from games.play.origins import SeatRequest
from tests import opening
from tests.play.acting import act, late, over, user_at

pytestmark = pytest.mark.django_db


def test_a_table_waits_with_its_host_at_it(ana):
    opened = opening.open_table(ana, "oh-hell", seats=4, bots=1)

    assert opened.status == "open"
    assert [seat.kind for seat in opened.seats] == ["user", "bot"]
    assert opened.host_id == ana.pk
    assert len(opened.seed_hash) == 64


@pytest.mark.parametrize(
    "wrong",
    [
        *({"game": "chess"}, {"seats": 8}, {"seats": "4"}, {"options": {"game_style": "endless"}}),
        *({"options": {"house": "rules"}}, {"options": []}, {"speed": "bullet"}, {"bots": 4}, {"bots": -1}),
    ],
)
def test_a_table_that_can_not_be_is_refused_and_not_stored(ana, wrong):
    with pytest.raises(Refused):
        opening.open_table(ana, **{"game": "oh-hell", "seats": 4} | wrong)

    assert not Match.objects.exists()


def test_a_full_table_starts_with_its_seats_drawn_by_lot_and_the_first_deal_made(users):
    lots = set()
    for number in range(12):
        opened = opening.open_table(users[0], "oh-hell", seats=3, seed=f"{number:064x}")
        seating.sit_down(users[1], opened.code)
        begun = seating.sit_down(users[2], opened.code)
        lots.add(tuple(seat.place for seat in begun.seats))

    assert begun.status == "playing"
    assert begun.move_count == begun.deal_count == 1
    assert len(lots) > 2
    assert Move.objects.filter(match__code=begun.code).count() == 1


def test_a_seat_is_taken_once_and_a_full_table_takes_nobody_more(users):
    opened = opening.open_table(users[0], "oh-hell", seats=3)
    seating.sit_down(users[1], opened.code)
    again = seating.sit_down(users[1], opened.code)

    assert len(again.seats) == 2

    seating.sit_down(users[2], opened.code)
    with pytest.raises(Refused, match="started"):
        seating.sit_down(users[3], opened.code)


def test_who_stands_up_frees_the_seat_and_the_next_becomes_host(users):
    opened = opening.open_table(users[0], "oh-hell", seats=4)
    seating.sit_down(users[1], opened.code)

    left = seating.stand_up(users[0], opened.code)

    assert left.host_id == users[1].pk
    assert seating.stand_up(users[1], opened.code).status == "closed"


def test_only_the_host_seats_bots_and_starts(users):
    opened = opening.open_table(users[0], "oh-hell", seats=4)
    seating.sit_down(users[1], opened.code)

    with pytest.raises(NotAllowed):
        seating.seat_bot(users[1], opened.code)
    with pytest.raises(NotAllowed):
        seating.start_match(users[1], opened.code)

    assert seating.start_match(users[0], opened.code).status == "playing"


def test_quick_play_is_against_bots_at_once_by_the_usual_rules_in_the_length_that_was_chosen(users):
    short = opening.quick_play(users[0], "belot", length="short")
    usual = opening.quick_play(users[0], "belot")

    assert (short.status, short.terms.listed, short.terms.speed) == ("playing", False, "untimed")
    assert sorted(seat.kind for seat in short.seats) == ["bot", "bot", "bot", "user"]
    assert (short.options["target"], usual.options["target"]) == (51, 151)
    assert {option: usual.options[option] for option in ("trumping", "belot_reply")} == {
        "trumping": "club",
        "belot_reply": "any",
    }


def test_a_table_for_friends_waits_by_link_only(users):
    opened = opening.open_for_friends(users[0], "bids", length="short")

    assert (opened.status, opened.terms.listed, opened.terms.speed) == ("open", False, "untimed")
    assert [seat.user_id for seat in opened.seats] == [users[0].pk]
    assert opened.options["rounds"] == 2


def test_no_bot_has_the_name_of_somebody_at_the_table(db):
    hosts = [User.objects.create(username=name) for name in ("Ada", "BAS1L", "Клео")]

    names = [[seat.name for seat in opening.quick_play(host, "oh-hell").seats_by_place()] for host in hosts]

    assert names == [
        ["Ada", "Basil", "Cleo", "Dorian"],
        ["BAS1L", "Ada", "Cleo", "Dorian"],
        ["Клео", "Ada", "Basil", "Dorian"],
    ]


@pytest.mark.parametrize("name", ["ADA", "Ада"])
def test_bot_gives_way_to_a_player_of_its_name(ana, name):
    opened = opening.open_table(ana, "oh-hell", bots=2)

    seated = seating.sit_down(User.objects.create(username=name), opened.code)

    assert [seat.name for seat in opened.seats_by_place()] == ["Ana", "Ada", "Basil"]
    assert [seat.name for seat in seated.seats_by_place()] == ["Ana", "Cleo", "Basil", name]


def test_a_bot_has_its_name_in_the_alphabet_of_the_reader(as_ana, ana):
    code = opening.open_table(ana, "oh-hell", bots=2).code
    as_ana.cookies["language"] = "bg"

    page = as_ana.get(f"/matches/{code}/").content.decode()

    assert "Базил" in page
    assert "Basil" not in page


def test_bot_gives_way_to_a_player_who_takes_its_name(ana):
    code = opening.quick_play(ana, "oh-hell").code

    ana.username = "Basil"
    ana.save()
    seating.redraw_name(ana)

    assert [seat.name for seat in store.read(code).seats_by_place()] == ["Basil", "Ada", "Dorian", "Cleo"]


# The host frees seats


@pytest.fixture
def waiting(users):
    """A table of Ana's at which Boris and a bot wait, too."""
    opened = opening.open_table(users[0], "oh-hell", seats=4, bots=1)
    return seating.sit_down(users[1], opened.code)


def test_the_host_frees_the_seats_of_players_and_bots(users, waiting):
    bot = next(seat for seat in waiting.seats if seat.bot)

    seating.free_seat(users[0], waiting.code, bot.pk)
    freed = seating.free_seat(users[0], waiting.code, waiting.seat_of(users[1].pk).pk)

    assert [seat.user_id for seat in freed.seats] == [users[0].pk]
    assert freed.revision == waiting.revision + 2
    assert freed.removed == (users[1].pk,)


def test_who_was_removed_can_not_join_that_table_again_but_others_can(users, waiting):
    seating.free_seat(users[0], waiting.code, waiting.seat_of(users[1].pk).pk)

    with pytest.raises(Refused, match="removed you"):
        seating.sit_down(users[1], waiting.code)

    assert seating.sit_down(users[2], waiting.code).seat_of(users[2].pk)


def test_a_seat_is_freed_by_the_host_only_once_and_never_their_own(users, waiting):
    boris, own = waiting.seat_of(users[1].pk).pk, waiting.seat_of(users[0].pk).pk
    with pytest.raises(NotAllowed):
        seating.free_seat(users[1], waiting.code, own)
    with pytest.raises(Refused, match="your own seat"):
        seating.free_seat(users[0], waiting.code, own)
    seating.free_seat(users[0], waiting.code, boris)

    with pytest.raises(Refused, match="already free"):
        seating.free_seat(users[0], waiting.code, boris)

    assert Match.objects.get(code=waiting.code).seats.count() == 2


def test_nobody_is_removed_by_the_seat_that_somebody_else_had(users, waiting):
    """Boris stood up and Vera sat down in his place while the host's hand was on its way."""
    boris = waiting.seat_of(users[1].pk)
    seating.stand_up(users[1], waiting.code)
    vera = seating.sit_down(users[2], waiting.code).seat_of(users[2].pk)

    with pytest.raises(Refused, match="already free"):
        seating.free_seat(users[0], waiting.code, boris.pk)

    assert vera.place == boris.place
    assert Seat.objects.filter(pk=vera.pk).exists()


def test_no_seat_is_freed_once_the_match_has_started(users, waiting):
    begun = seating.start_match(users[0], waiting.code)

    with pytest.raises(Refused, match="already started"):
        seating.free_seat(users[0], waiting.code, begun.seat_of(users[1].pk).pk)

    assert begun.seat_of(users[1].pk).user_id == users[1].pk


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
    opened = opening.open_table(users[0], "oh-hell", seats=3, bots=1, options={"game_style": "short-up"})
    seating.sit_down(users[1], opened.code)
    over(opened)

    first = opening.rematch(users[0], opened.code)
    again = opening.rematch(users[0], opened.code)
    second = opening.rematch(users[1], opened.code)

    assert first.code == again.code == second.code
    assert second.status == "playing"
    assert second.options == opened.options
    with pytest.raises(NotAllowed):
        opening.rematch(users[2], opened.code)


def test_a_rematch_that_was_closed_can_be_asked_for_again(ana, finished):
    Seat.objects.filter(match__code=finished.code, place=0).update(user=ana, bot="")
    Seat.objects.filter(match__code=finished.code, place=1).update(bot="", name="Somebody")
    first = opening.rematch(ana, finished.code, SeatRequest(entropy_hash="ab" * 32))
    Match.objects.filter(code=first.code).update(status="closed", ended_at=timezone.now())

    second = opening.rematch(ana, finished.code, SeatRequest(entropy_hash="cd" * 32))

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
