"""The page that asks people to a table, and what those who are asked see."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.guests import new_guest
from accounts.models import User
from accounts.people import ties
from games.models import Invitation
from games.play import seating
from tests import opening

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def table(ana):
    return opening.open_table(ana, "oh-hell", seats=4, listed=False).code


def befriend(user, other):
    ties.ask(user, other)
    ties.accept(other, user)


def html(client, user, path):
    client.force_login(user)
    return unescape(client.get(path).content.decode())


def test_the_host_keeps_a_seat_for_a_friend_who_finds_it_in_the_lobby(client, table, ana, boris):
    befriend(ana, boris)
    client.force_login(ana)

    answer = client.post(f"/matches/{table}/invite/", {"user": boris.pk}, follow=True)

    assert "Boris is invited, and a seat is kept for them." in unescape(answer.content.decode())
    assert "Take back" in html(client, ana, f"/matches/{table}/")
    lobby = html(client, boris, "/")
    assert "You’re invited" in lobby
    assert f"/matches/{table}/" in lobby
    client.post(f"/matches/{table}/invite/decline/")
    assert "You’re invited" not in html(client, boris, "/")


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


def test_a_stranger_at_the_link_of_a_table_whose_seats_are_kept_is_told_so(client, ana, boris, users):
    table = opening.open_table(ana, "oh-hell", seats=3, bots=1).code
    befriend(ana, boris)
    client.force_login(ana)
    client.post(f"/matches/{table}/invite/", {"user": boris.pk})

    assert "The free seats are kept" in html(client, users[2], f"/matches/{table}/")
    assert 'id="sit-button"' not in html(client, users[2], f"/matches/{table}/")
    assert 'id="sit-button"' in html(client, boris, f"/matches/{table}/")


def test_guests_one_has_played_with_are_invited_too_and_told_nothing_of_blocks(client, ana, table):
    guest = new_guest()
    seating.sit_down(guest, opening.open_table(ana, "bids").code)
    ties.block(guest, ana)
    client.force_login(ana)

    assert client.post(f"/matches/{table}/invite/", {"user": guest.pk}).status_code == 302

    assert f"{guest}" in html(client, ana, f"/matches/{table}/")
    assert "You’re invited" not in html(client, guest, "/")


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
