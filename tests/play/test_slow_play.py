"""Matches with days for each move: nobody has to be there, and vacations are kept apart from the clock."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import export
from accounts.templatetags.names import as_name
from games.fragments import Fragments
from games.models import Match, Vacation
from games.play import presence, seating, store, vacations
from games.play.errors import Refused
from games.play.pace import DAY, SPEEDS, VACATION_DAYS
from tests import opening
from tests.matches import play_on
from tests.play.acting import act, arrive, late, pass_time, play_first, user_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def slow(users):
    """A match of Oh Hell between Ana, Boris and a bot, with 3 days for each move, at a turn of one of the two."""
    opened = opening.open_table(
        users[0], "oh-hell", seats=3, bots=1, speed="3-days", options={"game_style": "short-up"}, seed="ab" * 32
    )
    return play_on(seating.sit_down(users[1], opened.code), until=lambda snapshot: snapshot.waits_for_person())


def left(snapshot):
    """Days until something happens by itself."""
    return (snapshot.wake_at - timezone.now()).total_seconds() / DAY


def test_a_move_has_one_two_three_or_seven_days():
    assert [speed.move / DAY for speed in SPEEDS.values() if speed.is_slow] == [1, 2, 3, 7]


def test_a_slow_table_waits_for_days_whoever_is_there(slow, users):
    assert left(slow) == pytest.approx(3, abs=0.01)
    arrive(slow.code, *users[:2])
    presence.set_connected(slow.seats[slow.to_act].user_id, slow.code, False)
    away = store.read(slow.code)

    assert left(away) == pytest.approx(3, abs=0.01)
    page = Fragments(away).for_user(None)
    assert "has 2 days and 23 hours for this move." in page
    assert "is away" not in page
    assert away.clock(away.seats[away.to_act]) is None


def test_when_the_days_are_over_a_bot_makes_the_move(slow):
    late(slow.code)

    assert act(slow.code).move_count == slow.move_count + 1


def test_a_slow_table_waits_a_week_for_players(users):
    opened = opening.open_table(users[0], "oh-hell", seats=3, speed="1-day")

    assert left(opened) == pytest.approx(7, abs=0.01)


def test_on_vacation_the_clock_stands_still_and_the_table_is_told(slow):
    user = user_at(slow, slow.to_act)
    pass_time(slow.code, DAY, "turn_started_at", "wake_at")
    vacations.begin(user, 10)

    away = store.read(slow.code)

    assert left(away) == pytest.approx(2 + 10, abs=0.01)
    assert f"{as_name(user)} is on vacation until" in Fragments(away).for_user(None)
    vacations.end(user)
    assert left(store.read(slow.code)) == pytest.approx(2, abs=0.01)


def test_a_turn_that_begins_in_a_vacation_has_all_of_its_time_after_it(slow, users):
    (gone,) = [user for user in users[:2] if user.pk != slow.seats[slow.to_act].user_id]
    vacations.begin(gone, 5)

    assert f"{as_name(gone)} is on vacation until" in Fragments(store.read(slow.code)).for_user(None)
    after = play_on(
        play_first(store.read(slow.code)), until=lambda snapshot: snapshot.seats[snapshot.to_act].user_id == gone.pk
    )

    assert left(after) == pytest.approx(5 + 3, abs=0.01)
    play_first(after)  # they may play all the same


def test_vacations_are_so_many_days_a_year(ana):
    with pytest.raises(Refused, match="from 1 to 21"):
        vacations.begin(ana, VACATION_DAYS + 1)
    vacations.begin(ana, 20)
    with pytest.raises(Refused, match="already"):
        vacations.begin(ana, 1)
    vacations.end(ana)
    assert vacations.days_left(ana) == VACATION_DAYS - 1  # a day that was begun is taken

    Vacation.objects.update(days=VACATION_DAYS)
    with pytest.raises(Refused, match="no vacation days"):
        vacations.begin(ana, 1)
    Vacation.objects.update(year=2020)
    assert vacations.days_left(ana) == VACATION_DAYS


def test_no_vacation_at_a_table_with_a_clock_or_none(started, users):
    before = store.read(started.code)

    for user in users[:3]:
        vacations.begin(user, 3)

    assert store.read(started.code) == before


def test_the_next_table_that_waits(client, users, slow):
    user = user_at(slow, slow.to_act)
    others = [
        play_on(opening.quick_play(user, game), until=lambda snapshot: snapshot.waits_for_person())
        for game in ("oh-hell", "bids")
    ]
    codes = {slow.code, *(each.code for each in others)}
    client.force_login(user)
    assert "bar-next" in client.get(f"/matches/{slow.code}/").text

    visited, code = [], slow.code
    for _ in range(3):
        code = client.get(f"/matches/next/?after={code}").url.split("/")[2]
        visited.append(code)

    assert set(visited) == codes
    assert visited[-1] == slow.code


def test_without_another_table_one_is_told_so(client, slow):
    client.force_login(user_at(slow, slow.to_act))

    page = client.get(f"/matches/next/?after={slow.code}", follow=True)

    assert "No other table waits for you." in page.text


def test_a_vacation_by_the_page(client, ana):
    client.force_login(ana)
    assert client.post("/matches/vacation/", {"days": "40"}).status_code == 400
    page = client.post("/matches/vacation/", {"days": "4"}, follow=True)
    assert "You are on vacation until" in page.text

    page = client.post("/matches/vacation/", follow=True)
    assert f"Days left this year: {VACATION_DAYS - 1}." in page.text


def test_a_vacation_is_in_ones_data(slow, users):
    vacations.begin(users[0], 3)

    (document,) = export.all_exports()[-1].documents(users[0])

    assert document == {"until": vacations.vacation_of(users[0]), "year": timezone.now().year, "days": 3}


def test_a_vacation_takes_its_tables_in_the_order_in_which_moves_do(users):
    for code in ("zz", "aa", "mm"):
        opened = opening.open_table(users[0], "oh-hell", seats=3, speed="3-days")
        Match.objects.filter(code=opened.code).update(code=code)

    with CaptureQueriesContext(connection) as queries:
        vacations.begin(users[0], 3)

    read = [re.search(r"\"code\" = '(\w+)'", query["sql"]) for query in queries if "games_match" in query["sql"]]
    assert list(dict.fromkeys(found[1] for found in read if found)) == ["aa", "mm", "zz"]
