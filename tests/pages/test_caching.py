"""What browsers may keep: nothing of one's own, and pages of finished matches for as long as they still hold."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.archive import pieces
from accounts.models import User
from games.models import Seat
from games.pages import looking as finished_pages
from games.play import presence
from tests.play.acting import stored

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

UNCHANGING = ["replay/", "replay/?move=3&seat=1&open=1", "replay/frames/?deal=1", "sheet/", "shuffle/"]


@pytest.fixture
def of_ana(finished, ana):
    """The code of a finished match that Ana has played."""
    Seat.objects.filter(match__code=finished.code, number=0).update(user=ana, bot="", name="")
    return finished.code


@pytest.fixture
def as_ana(ana):
    client = Client()
    client.force_login(ana)
    return client


@pytest.mark.parametrize("page", ["/", "/matches/", "/players/Ana/", "/accounts/settings/", "/rules/", "/nowhere/"])
def test_pages_of_somebody_logged_in_are_kept_by_nobody(as_ana, page):
    assert as_ana.get(page)["Cache-Control"] == "private, no-store"


@pytest.mark.django_db(transaction=True)
async def test_so_are_they_under_asgi(async_client, ana):
    await async_client.aforce_login(ana)

    assert (await async_client.get("/accounts/settings/"))["Cache-Control"] == "private, no-store"


def test_a_hand_is_kept_by_nobody_while_the_match_goes_on(client, started):
    client.force_login(Seat.objects.get(match__code=started.code, number=0).user)

    for page in ("", *UNCHANGING[:1], *UNCHANGING[3:]):
        answer = client.get(f"/matches/{started.code}/{page}")
        assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")
        assert not answer.has_header("ETag")


def test_pages_of_nobody_in_particular_are_left_alone(client):
    assert not client.get("/rules/").has_header("Cache-Control")


@pytest.mark.parametrize("page", UNCHANGING)
def test_a_page_of_a_finished_match_is_sent_once(client, finished, page):
    address = f"/matches/{finished.code}/{page}"
    first = client.get(address)
    again = client.get(address, headers={"If-None-Match": first["ETag"]})

    assert (first.status_code, first["Cache-Control"]) == (200, "private, no-cache")
    assert (again.status_code, again.content) == (304, b"")
    assert {"Cookie", "HX-Request"} <= set(first["Vary"].split(", "))


@pytest.mark.parametrize("page", UNCHANGING)
def test_it_is_sent_anew_to_others_and_when_anything_in_it_has_changed(client, as_ana, of_ana, page, monkeypatch):
    address = f"/matches/{of_ana}/{page}"
    seen = [client.get(address)["ETag"], as_ana.get(address)["ETag"]]
    seen.append(client.get(address, headers={"HX-Request": "true"})["ETag"])
    client.cookies["theme"] = "dark"
    seen.append(client.get(address)["ETag"])
    User.objects.filter(username="Ana").update(username="Anastasia")
    seen.append(client.get(address)["ETag"])
    monkeypatch.setattr(finished_pages, "_cached_hash_of_code", lambda: "a later one")
    seen.append(client.get(address)["ETag"])

    assert len(set(seen)) == len(seen)
    assert client.get(address, headers={"If-None-Match": ", ".join(seen[:-1])}).status_code == 200


def test_a_refusal_is_not_kept(client, finished):
    answer = client.get(f"/matches/{finished.code}/replay/?seat=9")

    assert answer.status_code == 400
    assert not answer.has_header("ETag")
    assert f'href="/matches/{finished.code}/"' in answer.text


@pytest.mark.parametrize("reader", ["nobody", "Boris", "Ana"])
def test_a_finished_match_is_not_written_by_being_looked_at(client, users, of_ana, reader):
    user = next((user for user in users if user.username == reader), None)
    if user:
        client.force_login(user)
    before = stored(of_ana)

    with CaptureQueriesContext(connection) as queries:
        for page in ["", *UNCHANGING]:
            assert client.get(f"/matches/{of_ana}/{page}").status_code == 200
        for page in ["/", "/matches/", "/players/Ana/"]:
            client.get(page)
        if user:
            for connected in (True, False, True):  # as its sockets do
                presence.set_connected(user.pk, of_ana, connected)
            presence.disconnect_unseen()
            assert b"".join(pieces(user, "valat.example"))

    assert stored(of_ana) == before
    assert [query["sql"] for query in queries if _writes(query["sql"])] == []


def _writes(sql):
    return any(f'{verb} "games_' in sql for verb in ("UPDATE", "INSERT INTO", "DELETE FROM"))
