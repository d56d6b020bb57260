"""Seats that a host keeps for people."""

from functools import partial

import pytest

from accounts.people import ties
from accounts.programs import make_program
from games.history import lists
from games.models import Invitation, Match
from games.play import hosting, seating, store
from games.play.errors import NotAllowed, Refused
from games.play.origins import SeatRequest
from games.play.snapshot import Reservation
from tests import opening
from tests.play.acting import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(ana):
    """The code of a table for three where Ana waits."""
    return opening.open_table(ana, "oh-hell", seats=3).code


def test_a_kept_seat_is_for_who_is_invited_and_nobody_else(table, users):
    ana, boris, vera, goran = users
    assert hosting.invite(ana, table, boris).reservations == (Reservation(boris.pk, "Boris"),)
    seating.sit_down(vera, table)

    with pytest.raises(Refused, match="for invited people"):
        seating.sit_down(goran, table)
    with pytest.raises(Refused, match="invited"):
        seating.seat_bot(ana, table)
    with pytest.raises(Refused, match="invited"):
        hosting.invite(ana, table, goran)

    assert seating.sit_down(boris, table).status == "playing"
    assert not Invitation.objects.exists()


def test_a_seat_that_was_declined_or_taken_back_is_for_anybody(table, users):
    ana, boris, vera, goran = users
    hosting.invite(ana, table, boris)
    hosting.invite(ana, table, vera)

    assert hosting.decline(boris, table).reservations == (Reservation(vera.pk, "Vera"),)
    assert hosting.cancel_invitation(ana, table, vera.pk).reservations == ()

    seating.sit_down(goran, table)
    with pytest.raises(Refused, match="any more"):
        hosting.decline(boris, table)


def test_who_has_declined_is_not_asked_again_and_may_still_come(table, users):
    ana, boris, vera, _ = users
    hosting.invite(ana, table, boris)
    hosting.decline(boris, table)

    with pytest.raises(Refused, match="Boris has declined"):
        hosting.invite(ana, table, boris)
    hosting.cancel_invitation(ana, table, boris.pk)
    with pytest.raises(Refused, match="Boris has declined"):
        hosting.invite(ana, table, boris)

    assert lists.invitations([boris.pk]) == {}
    seating.sit_down(vera, table)
    assert seating.sit_down(boris, table).status == "playing"


def test_only_the_host_keeps_seats_and_only_before_the_start(table, users):
    ana, boris, vera, goran = users
    seating.sit_down(boris, table)
    for act in (hosting.invite, lambda user, code, other: hosting.cancel_invitation(user, code, other.pk)):
        with pytest.raises(NotAllowed):
            act(boris, table, vera)
    seating.sit_down(vera, table)

    with pytest.raises(Refused):
        hosting.invite(ana, table, goran)


def test_who_can_not_be_invited(table, ana, boris, users):
    bot, _ = make_program(ana, "Robo")
    seating.sit_down(boris, table)
    ties.block(ana, users[2])

    for who, why in ((bot, "invited"), (boris, "already"), (ana, "already"), (users[2], "blocked")):
        with pytest.raises(Refused, match=why):
            hosting.invite(ana, table, who)
    assert not Invitation.objects.exists()


def test_who_was_removed_may_be_invited_back(table, ana, boris):
    seating.sit_down(boris, table)
    seat = next(seat for seat in store.read(table).seats if seat.user_id == boris.pk)
    seating.free_seat(ana, table, seat.pk)

    hosting.invite(ana, table, boris)

    assert len(seating.sit_down(boris, table).seats) == 2


def test_an_invitation_opens_no_way_around_a_block(table, users):
    ana, boris, vera, _ = users
    ties.block(boris, vera)
    hosting.invite(ana, table, vera)
    seating.sit_down(boris, table)

    with pytest.raises(Refused, match="All seats"):
        seating.sit_down(vera, table)


def test_twice_invited_is_invited_once_and_a_closed_table_invites_nobody(table, ana, boris):
    hosting.invite(ana, table, boris)
    hosting.invite(ana, table, boris)
    assert Invitation.objects.count() == 1

    seating.stand_up(ana, table)

    assert not Invitation.objects.exists()


def test_the_host_may_start_with_bots_all_the_same(table, ana, boris):
    hosting.invite(ana, table, boris)

    assert seating.start_match(ana, table).status == "playing"
    assert not Invitation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_last_seat_is_kept_or_taken_but_not_both(table, users):
    ana, boris, vera, goran = users
    seating.sit_down(boris, table)

    outcomes = at_once(partial(hosting.invite, ana, table, vera), partial(seating.sit_down, goran, table))

    snapshot = store.read(table)
    assert sum(isinstance(outcome, Refused) for outcome in outcomes) == 1
    assert len(snapshot.seats) + len(snapshot.reservations) == 3


def test_where_nobody_has_a_partner_a_kept_seat_is_on_no_side(table, users):
    assert hosting.invite(users[0], table, users[1], team=1).reservations == (Reservation(users[1].pk, "Boris"),)


# Sides


@pytest.fixture
def belot(users):
    """The code of a table of Belot for two against two, where Ana waits on the first side."""
    return opening.open_table(users[0], "belot", seats=4).code


def test_a_seat_is_kept_on_the_side_that_the_host_chose(belot, users):
    ana, boris, vera, _ = users
    assert hosting.invite(ana, belot, boris, team=0).reservations == (Reservation(boris.pk, "Boris", 0),)

    with pytest.raises(Refused, match="that side are taken or reserved"):
        hosting.invite(ana, belot, vera, team=0)
    with pytest.raises(Refused, match="kept for somebody"):
        seating.sit_down(vera, belot, SeatRequest(team=0))
    assert seating.sit_down(vera, belot).seat_of(vera.pk).team == 1
    assert seating.seat_bot(ana, belot).seats[2].team == 1

    boris_seat = seating.sit_down(boris, belot).seat_of(boris.pk)

    assert boris_seat.team == Match.objects.get(code=belot).seats.get(user=ana).team
    assert store.read(belot).status == "playing"
