"""The pages on which a host arranges the start."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from games.clubs import joining
from games.models import Match
from games.play import completion, hosting, seating, store
from games.play.errors import Refused
from tests import opening
from tests.play.acting import note_completion

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(client, ana):
    """The code of a table of Belot that Ana, whose client it is, has opened."""
    client.force_login(ana)
    return opening.open_table(ana, "belot", seats=4, listed=False).code


def tomorrow(zone):
    return (datetime.now(ZoneInfo(zone)) + timedelta(days=1)).replace(hour=20, minute=0, second=0, microsecond=0)


@pytest.mark.parametrize("zone", ["", "Europe/Sofia", "America/Los_Angeles"])
def test_a_time_is_taken_by_the_clock_of_the_browser(client, table, zone, settings):
    moment = tomorrow(zone or settings.TIME_ZONE)
    fields = {"starts_at": f"{moment:%Y-%m-%dT%H:%M}", "time_zone": zone, "fills_with_bots": "yes"}

    answer = client.post(f"/matches/{table}/start-time/", fields)

    assert answer.status_code == 302
    assert store.read(table).starts_at == moment
    assert "Add to your calendar" in client.get(f"/matches/{table}/").text


@pytest.mark.parametrize(
    "fields",
    [
        {"starts_at": "2020-01-01T10:00"},
        {"starts_at": "soon"},
        {},
        {"starts_at": "2999-01-01T10:00"},
        {"starts_at": f"{timezone.now() + timedelta(days=1):%Y-%m-%dT%H:%M}", "time_zone": "../../etc/passwd"},
    ],
)
def test_a_time_that_can_not_be_is_answered_by_the_form(client, table, fields):
    answer = client.post(f"/matches/{table}/start-time/", fields | {"fills_with_bots": "no"})

    assert answer.status_code == 400
    assert store.read(table).starts_at is None


def test_the_calendar_file_says_when_and_where_to_whoever_may_see_the_table(client, table, boris):
    moment = tomorrow("Europe/Sofia")
    fields = {"starts_at": f"{moment:%Y-%m-%dT%H:%M}", "time_zone": "Europe/Sofia", "fills_with_bots": "no"}
    client.post(f"/matches/{table}/start-time/", fields)

    answer = Client().get(f"/matches/{table}/start.ics")

    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    (event,) = Calendar.from_ical(answer.content).events
    assert event.start == moment
    assert event.end > moment
    assert event["URL"] == f"http://testserver/matches/{table}/"
    client.post(f"/matches/{table}/start-time/", {"none": "1"})
    assert client.get(f"/matches/{table}/start.ics").status_code == 404


def test_refused_calendar_and_refused_club_say_why(client, ana, boris):
    hidden = opening.open_table(ana, "oh-hell", seats=3, bots=2, watching="off").code
    club = joining.found(ana, "Card Corner", "")
    joining.join(boris, club.invitation)
    client.force_login(boris)

    calendar = client.get(f"/matches/{hidden}/start.ics")
    settings = client.get(f"/clubs/{club.code}/settings/")
    leads = client.get(f"/clubs/{club.code}/ways/new/")

    assert (calendar.status_code, settings.status_code, leads.status_code) == (403, 200, 403)
    assert f"/matches/{hidden}/" in calendar.text
    assert "/matches/" + club.code not in leads.text


def test_only_the_host_sets_the_time_and_moves_players(client, table, boris):
    seating.sit_down(boris, table)
    client.force_login(boris)
    key = store.read(table).seat_of(boris.pk).pk

    assert client.get(f"/matches/{table}/start-time/").status_code == 403
    assert client.post(f"/matches/{table}/arrange/", {"seat": key}).status_code == 403
    assert "Set a time" not in client.get(f"/matches/{table}/").text


def test_players_are_moved_by_a_form(client, table, ana, boris):
    snapshot = seating.sit_down(boris, table)
    own, other = (snapshot.seat_of(user.pk).pk for user in (ana, boris))
    page = client.get(f"/matches/{table}/").text
    assert f'value="{other}"' in page
    assert f'value="{own}:{other}"' in page

    assert client.post(f"/matches/{table}/arrange/", {"seat": other}).status_code == 302
    assert store.read(table).seat_of(boris.pk).team == 0
    for keys in ("", "x", "1:2:3", f"{own}:", f"{10**30}"):
        assert client.post(f"/matches/{table}/arrange/", {"seat": keys}).status_code == 400


# Who finishes their matches


def test_a_host_asks_for_no_more_than_they_do_themselves(client, ana, boris):
    note_completion(ana, 5, 1)  # 83 %
    note_completion(boris, 3, 1)  # 75 %
    client.force_login(ana)
    page = client.get("/tables/new/?game=belot").text
    assert "80% or more" in page
    assert "90% or more" not in page
    fields = {"seats": "4", "bots": "0", "listed": "yes", "speed": "normal", "preset": "usual"}

    assert client.post("/tables/new/?game=belot", fields | {"completion_asked": "90"}).status_code == 400
    with pytest.raises(Refused, match="no higher completion rate than your own"):
        opening.open_table(ana, "belot", completion_asked=90)
    client.force_login(boris)
    assert "80% or more" not in client.get("/tables/new/?game=belot").text


def test_who_finishes_less_or_has_no_record_is_told_so_unless_invited(client, ana, users):
    _, boris, vera, goran = users
    note_completion(ana, 5, 1)
    note_completion(boris, 3, 1)
    note_completion(goran, 9, 1)
    table = opening.open_table(ana, "belot", seats=4, completion_asked=80).code
    assert "at least 80% of their matches" in client.get(f"/matches/{table}/").text
    assert "80% finished" in client.get("/").text

    with pytest.raises(Refused, match="You have finished 75%"):
        seating.sit_down(boris, table)
    with pytest.raises(Refused, match="haven’t played any with others yet"):
        seating.sit_down(vera, table)
    seating.sit_down(goran, table)
    hosting.invite(ana, table, boris)
    seating.sit_down(boris, table)
    assert Match.objects.get(code=table).seats.count() == 3
    assert completion.may_ask_for(vera) == []
