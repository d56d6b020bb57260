"""The page of the queue, and the strip that other pages show to whoever waits."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import sanctions
from accounts.export import all_exports
from accounts.models import User
from games.models import Match
from games.play.origins import SeatRequest
from games.queue import entering, pairing
from games.queue.models import Kind, QueueEntry
from tests import opening
from tests.accounts.conftest import PASSWORD, log_in, sign_up, who

pytestmark = pytest.mark.django_db

CHOICE = {"kind": "belot:short", "fill": "60"}


@pytest.fixture
def member(db):
    return User.objects.create_user("Maria", password=PASSWORD)


@pytest.fixture
def players(users):
    """Four browsers, each of a member."""
    clients = [Client() for _ in range(4)]
    for client, user in zip(clients, users, strict=False):
        client.force_login(user)
    return clients


def text(client, path="/queue/"):
    return client.get(path).content.decode()


def state(client):
    page = text(client, "/queue/look/")
    return page.partition('data-state="')[2].partition('"')[0]


def test_a_visitor_waits_as_a_guest_and_may_stop(client):
    answer = client.post("/queue/", CHOICE, follow=True)

    entry = QueueEntry.objects.select_related("user").get()
    assert entry.user.is_guest
    assert (entry.game, entry.length, entry.fill_after, entry.rated) == ("belot", "short", 60, False)
    assert "1 of 4 are here." in answer.content.decode()
    assert "Waiting for players" in text(client, "/rules/belot/")

    answer = client.post("/queue/leave/", {"next": "/rules/belot/"})

    assert answer.url == "/rules/belot/"
    assert not QueueEntry.objects.exists()
    assert "Waiting for players" not in text(client, "/rules/belot/")
    assert state(client) == "none"


@pytest.mark.parametrize("enter_account", [log_in, sign_up])
def test_a_guest_who_logs_in_or_signs_up_waits_on(client, member, enter_account):
    client.post("/queue/", CHOICE)

    enter_account(client, "Maria" if enter_account is log_in else "Newcomer")

    assert not who(client).is_guest
    assert QueueEntry.objects.get().user == who(client)
    assert "Waiting for players" in text(client, "/rules/belot/")
    assert state(client) == "waiting"


def test_a_guest_who_logs_in_while_the_account_waits_elsewhere_does_not_wait_twice(client, member):
    entering.enter(member, Kind("bids", "short"), None, SeatRequest())
    client.post("/queue/", CHOICE)

    log_in(client, "Maria")

    assert QueueEntry.objects.get(user=member).game == "bids"


def test_a_guest_who_logs_in_after_the_call_goes_to_the_table_as_the_account(client, member, players):
    client.post("/queue/", CHOICE)
    guest = who(client)
    for player in players[:3]:
        player.post("/queue/", CHOICE)
    pairing.pair()
    table = Match.objects.get().get_absolute_url()

    log_in(client, "Maria")

    assert state(client) == "called"
    for path in ("/rules/belot/", "/queue/"):
        assert f'The seat is for <span translate="no">{guest}</span>. Was that you?' in text(client, path)

    answer = client.post("/accounts/guest/matches/", {"answer": "yes", "next": table})

    assert answer.url == table
    assert Match.objects.get().seats.filter(user=member).exists()
    assert "Leave it to a bot" in text(client, "/rules/belot/")


def test_a_called_guest_who_was_somebody_else_leaves_the_table_to_a_bot(client, member, players):
    client.post("/queue/", CHOICE)
    for player in players[:3]:
        player.post("/queue/", CHOICE)
    pairing.pair()
    log_in(client, "Maria")

    client.post("/accounts/guest/matches/", {"answer": "no"})

    assert state(client) == "none"
    assert not Match.objects.get().seats.filter(user=member).exists()
    assert QueueEntry.objects.count() == 3


def test_without_scripts_the_page_loads_itself_and_goes_to_the_table(players):
    for client in players:
        client.post("/queue/", CHOICE)
    page = text(players[0])
    assert '<noscript><meta http-equiv="refresh" content="4"></noscript>' in page
    assert '<form id="queue-leave" method="post"' in page

    pairing.pair()

    table = f"/matches/{Match.objects.get().code}/"
    assert players[0].get("/queue/").url == table
    assert players[0].post("/queue/", {"kind": "bids:short"}, follow=True).redirect_chain[-1][0] == table


def test_another_page_calls_until_the_table_is_opened(players):
    for client in players:
        client.post("/queue/", CHOICE)
    pairing.pair()
    table = Match.objects.get().get_absolute_url()

    assert f'<a class="button primary" href="{table}">Go to the table</a>' in text(players[0], "/rules/belot/")
    assert state(players[0]) == "called"
    QueueEntry.objects.update(seen_at=timezone.now() - entering.FOLLOW_WITHIN)  # Until then other tabs follow.
    page = text(players[0], table)

    assert "Your table is ready" not in page
    assert "Your table is ready" not in text(players[0], "/rules/belot/")
    assert state(players[0]) == "none"  # in a second tab
    assert "Your table is ready" in text(players[1], "/rules/belot/")


def test_others_see_what_people_wait_for_and_join_them(players, client, settings):
    players[0].post("/queue/", CHOICE)
    players[1].post("/queue/", CHOICE | {"rated": "on"})

    page = text(client)
    assert page.count("1 person waits") == 1  # A guest can't play rated matches.
    assert text(players[2]).count("1 person waits") == 2
    assert "2 people wait" in text(client, "/")
    assert QueueEntry.objects.get(rated=True).fill_after is None


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"kind": "belot"},
        {"kind": "gone:short"},
        {"kind": "belot:short", "fill": "61"},
        {"kind": "\0:", "fill": "x"},
    ],
)
def test_bad_choices_change_nothing(client, fields):
    answer = client.post("/queue/", fields)

    assert answer.status_code == 400
    assert not QueueEntry.objects.exists()
    assert not User.objects.exists()


def test_a_guest_cannot_wait_for_a_rated_match(client):
    client.post("/queue/", CHOICE | {"rated": "on"})

    assert not QueueEntry.objects.get().rated


def test_who_is_suspended_or_at_too_many_tables_cannot_wait(as_ana, ana, settings):
    settings.TABLES_A_USER = 1
    opening.quick_play(ana, "oh-hell")
    answer = as_ana.post("/queue/", CHOICE)
    assert answer.status_code == 429
    assert "You are at as many tables as we allow (1)." in answer.content.decode()

    settings.TABLES_A_USER = 20
    sanctions.impose(ana, "suspension", "Cheated.", days=1)
    assert as_ana.post("/queue/", CHOICE).status_code == 403
    assert as_ana.get("/queue/").status_code == 200
    assert not QueueEntry.objects.exists()


def test_five_tabs_may_ask_every_two_seconds(as_ana):
    as_ana.post("/queue/", CHOICE)

    assert {as_ana.get("/queue/look/").status_code for _ in range(5 * 30)} == {200}


def test_whoever_leaves_the_last_page_is_not_counted(as_ana):
    as_ana.post("/queue/", CHOICE)

    assert as_ana.post("/queue/away/").status_code == 204

    assert "person waits" not in text(Client())
    assert "1 of 4 are here." in text(as_ana)
    assert "1 person waits" in text(Client())


def test_the_waiting_of_others_costs_a_page_nothing(as_ana, ana, players):
    def count(path):
        as_ana.get(path)
        with CaptureQueriesContext(connection) as queries:
            as_ana.get(path)
        return len(queries)

    before = {path: count(path) for path in ("/rules/", "/", "/queue/")}
    for client in players[1:]:
        client.post("/queue/", CHOICE)

    assert {path: count(path) for path in before} == before
    assert not [query for query in _queries(as_ana, "/rules/") if "queueentry" in query]


def _queries(client, path):
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
    return [query["sql"] for query in queries]


def test_a_page_that_stays_the_same_is_drawn_anew_for_who_waits(as_ana, finished):
    address = f"/matches/{finished.code}/sheet/"
    assert as_ana.get(address).has_header("ETag")

    as_ana.post("/queue/", CHOICE)

    assert not as_ana.get(address).has_header("ETag")


def test_the_archive_and_the_admin_show_who_waits(as_ana, ana, client):
    as_ana.post("/queue/", CHOICE, REMOTE_ADDR="192.0.2.7")
    kind = next(kind for kind in all_exports() if kind.name == "queue")

    (document,) = kind.documents(ana)
    assert json.loads(json.dumps(document, default=str)) | {"since": ""} == {
        "game": "belot",
        "length": "short",
        "rated": False,
        "fill_after": 60,
        "since": "",
        "address": "192.0.2.7",
        "called_to": None,
    }
    client.force_login(User.objects.create_superuser("Chief"))
    assert "belot" in text(client, "/admin/queue/queueentry/")
