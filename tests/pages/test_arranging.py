"""What a host arranges before the start: invitations, sides, the time; and what those who are asked see."""

import re
from datetime import datetime, timedelta
from html import unescape
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from icalendar import Calendar

from accounts.guests import new_guest
from accounts.models import User
from accounts.people import ties
from games.clubs import joining
from games.models import Invitation, Match
from games.play import completion, hosting, seating, store
from games.play.errors import Refused
from tests import opening
from tests.play.acting import note_completion

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


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
    assert completion.rates_to_ask(vera) == []


def befriend(user, other):
    ties.ask(user, other)
    ties.accept(other, user)


def html(client, user, path):
    client.force_login(user)
    return unescape(client.get(path).content.decode())


def test_the_host_keeps_a_seat_for_a_friend_who_finds_it_in_the_lobby(as_ana, table, ana, boris):
    befriend(ana, boris)

    answer = as_ana.post(f"/matches/{table}/invite/", {"user": boris.pk}, follow=True)

    assert "Boris is invited, and a seat is kept for them." in unescape(answer.content.decode())
    assert "Take back" in html(as_ana, ana, f"/matches/{table}/")
    lobby = html(as_ana, boris, "/")
    assert "You’re invited" in lobby
    assert f"/matches/{table}/" in lobby
    as_ana.post(f"/matches/{table}/invite/decline/")
    assert "You’re invited" not in html(as_ana, boris, "/")


def test_strangers_and_nonsense_are_refused_with_a_sentence(client, table, ana, boris):
    client.force_login(ana)
    for wrong in (boris.pk, "", "x", "9" * 30, ana.pk):
        answer = client.post(f"/matches/{table}/invite/", {"user": wrong})
        assert answer.status_code == 400, wrong
        assert "invite friends" in answer.content.decode()
    assert client.post(f"/matches/{table}/invite/take-back/", {"user": "x"}).status_code == 400
    client.force_login(boris)
    assert client.get(f"/matches/{table}/invite/").status_code == 403
    assert client.post(f"/matches/{table}/invite/decline/").status_code == 400
    assert client.get("/matches/nnnnnnnn/invite/").status_code == 404
    assert not Invitation.objects.exists()


def test_the_page_draws_the_link_as_a_code_and_needs_no_script(client, table, ana):
    page = html(client, ana, f"/matches/{table}/invite/")

    assert f'value="http://testserver/matches/{table}/"' in page
    assert re.search(r'role="img" aria-label="QR code of the link"><svg [^>]*>.*<path ', page, re.DOTALL)
    assert "style=" not in page.split("<figure")[1].split("</figure")[0]


def test_others_at_the_table_have_link_and_code_only(client, table, ana, boris):
    befriend(boris, ana)
    seating.sit_down(boris, table)

    page = html(client, boris, f"/matches/{table}/invite/")

    assert "<svg" in page
    assert "People you know" not in page
    client.force_login(boris)
    vera = User.objects.get(username="Vera")
    befriend(boris, vera)
    assert client.post(f"/matches/{table}/invite/", {"user": vera.pk}).status_code == 403


def test_a_stranger_at_the_link_of_a_table_whose_seats_are_kept_is_told_so(as_ana, ana, boris, users):
    table = opening.open_table(ana, "oh-hell", seats=3, bots=1).code
    befriend(ana, boris)
    as_ana.post(f"/matches/{table}/invite/", {"user": boris.pk})

    assert "The free seats are kept" in html(as_ana, users[2], f"/matches/{table}/")
    assert 'id="sit-button"' not in html(as_ana, users[2], f"/matches/{table}/")
    assert 'id="sit-button"' in html(as_ana, boris, f"/matches/{table}/")


def test_guests_one_has_played_with_are_invited_too_and_told_nothing_of_blocks(as_ana, ana, table):
    guest = new_guest()
    seating.sit_down(guest, opening.open_table(ana, "bids").code)
    ties.block(guest, ana)

    assert as_ana.post(f"/matches/{table}/invite/", {"user": guest.pk}).status_code == 302

    assert f"{guest}" in html(as_ana, ana, f"/matches/{table}/")
    assert "You’re invited" not in html(as_ana, guest, "/")


def test_page_and_lobby_take_as_many_queries_for_many_as_for_one(client, ana, table):
    def more(count):
        for _ in range(count):
            friend = User.objects.create(username=f"Friend{User.objects.count()}")
            befriend(ana, friend)
            opened = opening.open_table(friend, "oh-hell", seats=3)
            Invitation.objects.create(match_id=opened.pk, user=ana)

    def queries(path):
        client.force_login(ana)
        with CaptureQueriesContext(connection) as seen:
            client.get(path)
        return len(seen)

    more(1)
    queries("/")  # what a process reads only now and then
    one = queries(f"/matches/{table}/invite/"), queries("/")
    more(3)
    assert (queries(f"/matches/{table}/invite/"), queries("/")) == one
