"""The host puts players on sides before the start."""

import pytest

from accounts.templatetags.names import as_name
from games.fragments import Fragments
from games.play import hosting, seating, store
from games.play.errors import NotAllowed, Refused
from games.play.origins import SeatRequest
from tests import opening
from tests.play.acting import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(users):
    """A table of Belot, two against two: Ana, who hosts it, alone against Boris and Vera."""
    ana, boris, vera, _ = users
    code = opening.open_table(ana, "belot", seats=4).code
    seating.sit_down(boris, code, SeatRequest(team=1))
    return seating.sit_down(vera, code, SeatRequest(team=1))


def sides(snapshot):
    """The names on each side."""
    return [{seat.name for seat in snapshot.seats if seat.team == team} for team in (0, 1)]


def seat(snapshot, user):
    return snapshot.seat_of(user.pk).pk


def test_a_player_is_moved_to_a_free_seat_across_and_told(table, users):
    ana, boris, *_ = users

    after = hosting.move_across(ana, table.code, seat(table, boris))

    assert sides(after) == [{"Ana", "Boris"}, {"Vera"}]
    told = f"{as_name('Ana')} has moved you to the other side."
    assert [told in Fragments(after).for_user(user.pk) for user in users] == [False, True, False, False]
    assert told not in Fragments(seating.sit_down(boris, table.code, SeatRequest(team=1))).for_user(
        boris.pk
    )  # their own choice


def test_two_swap_and_both_are_told_but_not_the_host(table, users):
    ana, boris, vera, goran = users
    seating.sit_down(goran, opening.open_table(ana, "belot", seats=4).code)

    after = hosting.swap_sides(ana, table.code, seat(table, ana), seat(table, vera))

    assert sides(after) == [{"Vera"}, {"Ana", "Boris"}]
    assert [after.seat_of(user.pk).moved_by_host for user in (ana, boris, vera)] == [False, False, True]


def test_bots_are_moved_too_and_the_arrangement_holds_at_the_start(table, users):
    ana, boris, vera, _ = users
    with_bot = hosting.move_across(ana, table.code, seat(table, vera))
    started = seating.seat_bot(ana, with_bot.code)

    assert started.status == "playing"
    assert (started.seat_of(ana.pk).number - started.seat_of(vera.pk).number) % 2 == 0
    assert (started.seat_of(ana.pk).number - started.seat_of(boris.pk).number) % 2 == 1


def test_what_can_not_be_arranged_is_refused_and_changes_nothing(table, users):
    ana, boris, vera, goran = users
    hosting.invite(ana, table.code, goran, team=0)
    before = stored(table.code)
    pk = {user.username: seat(table, user) for user in (ana, boris, vera)}

    for error, act, user, *keys in (
        (NotAllowed, hosting.move_across, boris, pk["Vera"]),
        (Refused, hosting.move_across, ana, pk["Boris"]),  # that seat is kept
        (Refused, hosting.move_across, ana, pk["Ana"]),  # both taken
        (Refused, hosting.move_across, ana, 10**9),
        (Refused, hosting.swap_sides, ana, pk["Boris"], pk["Vera"]),
        (Refused, hosting.swap_sides, ana, pk["Ana"], pk["Ana"]),
    ):
        with pytest.raises(error):
            act(user, table.code, *keys)
    assert stored(table.code) == before

    plain = opening.open_table(ana, "oh-hell", seats=3)
    with pytest.raises(Refused, match="drawn at random"):
        hosting.move_across(ana, plain.code, seat(plain, ana))
    started = seating.start_match(ana, table.code)
    with pytest.raises(Refused):
        hosting.move_across(ana, started.code, pk["Boris"])
    assert store.read(started.code).revision == started.revision
