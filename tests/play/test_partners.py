"""Partners: choosing sides at a table, the lot that keeps them, histories that show them."""

import itertools

import pytest

from accounts.models import User
from games.history import lists as queries
from games.history import verification
from games.history.records import export_match, import_match
from games.kit import shuffle
from games.models import Match, Seat
from games.pages.filters import FilterForm
from games.play import hosting, seating, store
from games.play.errors import Refused
from games.play.origins import SeatRequest
from tests import opening
from tests.matches import play_on
from tests.play.acting import over


@pytest.fixture
def table(users):
    """An open table of Belot for four with Ana at it."""
    return opening.open_table(users[0], "belot", seats=4)


def sides(code):
    """Who sits on which side: two sets of names."""
    seats = store.read(code).seats
    return [{seat.name for seat in seats if seat.team == team} for team in (0, 1)]


def test_sides_fill_up_equally_by_themselves(table, users):
    for user in users[1:3]:
        seating.sit_down(user, table.code)

    assert sides(table.code) == [{"Ana", "Vera"}, {"Boris"}]


def test_a_player_chooses_the_partner(table, users):
    seating.sit_down(users[1], table.code, SeatRequest(team=0))

    assert sides(table.code) == [{"Ana", "Boris"}, set()]
    with pytest.raises(Refused, match="side"):
        seating.sit_down(users[2], table.code, SeatRequest(team=0))


def test_bots_leave_the_seat_beside_the_host_and_make_way_for_people(users):
    ana, boris = users[:2]
    table = opening.open_table(ana, "belot", seats=4, bots=2)
    assert sides(table.code) == [{"Ana"}, {"Ada", "Basil"}]

    hosting.invite(ana, table.code, boris, team=1)  # A bot moves beside Ana.
    assert sides(table.code) == [{"Ana", "Basil"}, {"Ada"}]
    seating.sit_down(boris, table.code)  # The match begins: the lot may give either pair the even seats.

    assert {frozenset(side) for side in sides(table.code)} == {frozenset({"Ana", "Basil"}), frozenset({"Ada", "Boris"})}


def test_a_player_changes_sides_while_there_is_room(table, users):
    seating.sit_down(users[1], table.code)
    seating.sit_down(users[1], table.code, SeatRequest(team=0))
    seating.sit_down(users[2], table.code)

    assert sides(table.code) == [{"Ana", "Boris"}, {"Vera"}]
    with pytest.raises(Refused, match="side"):
        seating.sit_down(users[2], table.code, SeatRequest(team=0))
    assert sides(table.code) == [{"Ana", "Boris"}, {"Vera"}]


def test_the_host_seats_a_bot_on_either_side(table, users):
    after = seating.seat_bot(users[0], table.code, team=0)

    assert [seat.team for seat in after.seats if seat.bot] == [0]


def test_partners_who_chose_each_other_sit_opposite(table, users):
    seating.sit_down(users[1], table.code, SeatRequest(team=0))
    seating.sit_down(users[2], table.code)
    begun = seating.sit_down(users[3], table.code)

    numbers = {seat.name: seat.number for seat in begun.seats}
    assert (numbers["Ana"] - numbers["Boris"]) % 4 == 2
    assert all(seat.team == seat.number % 2 for seat in begun.seats)


@pytest.mark.parametrize("teams", [[0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 1, 0]])
def test_every_lot_keeps_partners_opposite_and_gives_everybody_every_seat(teams):
    allotted = [shuffle.allotted_numbers(list(lot), teams) for lot in itertools.permutations(range(4))]

    for numbers in allotted:
        assert sorted(numbers) == [0, 1, 2, 3]
        assert [(number - numbers[0]) % 2 for number in numbers] == [(team - teams[0]) % 2 for team in teams]
    for place in range(4):
        assert [sum(numbers[place] == number for numbers in allotted) for number in range(4)] == [6] * 4


def test_without_partners_the_lot_stands_and_nobody_has_a_side(users):
    opened = opening.open_table(users[0], "belot", seats=3, bots=2)

    assert shuffle.allotted_numbers([2, 0, 1], [None] * 3) == [2, 0, 1]
    assert [seat.team for seat in opened.seats] == [None] * 3


@pytest.fixture
def begun(table, users):
    """A match that is over, of Ana and Boris against Vera and a bot."""
    seating.sit_down(users[1], table.code, SeatRequest(team=0))
    seating.seat_bot(users[0], table.code)
    snapshot = seating.sit_down(users[2], table.code)
    over(snapshot)
    return snapshot


def test_a_rematch_keeps_the_partners(begun, users):
    for user in (users[2], users[0], users[1]):
        again = opening.rematch(user, begun.code)

    assert again.status == "playing"
    numbers = {seat.name: seat.number for seat in again.seats}
    assert (numbers["Ana"] - numbers["Boris"]) % 4 == 2


@pytest.fixture
def played(db):
    """A match of Belot among four bots, played out: the Match."""
    opened = opening.open_table(
        None, "belot", seats=4, bots=4, teams=[1, 0, 0, 1], options={"target": 51}, seed="ef" * 32, speed="untimed"
    )
    return Match.objects.get(code=play_on(opened).code)


def test_the_lot_of_partners_is_verified_and_survives_a_record(played):
    assert verification.verify(played).ok

    copy = import_match(export_match(played))

    assert verification.verify(copy).ok
    assert [seat.team for seat in copy.seats.order_by("number")] == [0, 1, 0, 1]


def test_a_lot_that_puts_somebody_elsewhere_is_found_out(played):
    one, other = played.seats.filter(team=0)
    numbers = one.number, other.number
    Seat.objects.filter(pk=one.pk).update(number=7)
    Seat.objects.filter(pk=other.pk).update(number=numbers[0])
    Seat.objects.filter(pk=one.pk).update(number=numbers[1])

    assert not verification.verify(played).lot


def test_lists_show_partners_together_with_one_score(played):
    (line,) = [queries.match_line(match) for match in Match.objects.prefetch_related(queries.SEATS)]

    assert [len(side["players"]) for side in line["sides"]] == [2, 2]
    assert line["sides"][0]["score"] > line["sides"][1]["score"]


def test_a_side_that_is_none_is_refused(table, client):
    client.force_login(User.objects.get(username="Boris"))

    answer = client.post(f"/matches/{table.code}/sit/", {"team": "2"})

    assert answer.status_code == 400
    assert sides(table.code) == [{"Ana"}, set()]


def test_filters_on_options_are_those_of_the_game_chosen():
    names = [name for name in FilterForm({"game": "belot"}).fields if "." in name]

    assert names
    assert all(name.startswith(("belot.", "deal.")) for name in names)
    assert not [name for name in FilterForm({}).fields if "." in name]


def test_coming_to_the_rematch_again_keeps_the_side_chosen_there(begun, users):
    again = opening.rematch(users[0], begun.code)
    opening.rematch(users[2], begun.code)
    seating.stand_up(users[2], again.code)
    opening.rematch(users[1], begun.code)
    seating.sit_down(users[1], again.code, SeatRequest(team=1))
    chosen = sides(again.code)

    opening.rematch(users[1], begun.code)

    assert "Boris" in chosen[1]
    assert sides(again.code) == chosen
