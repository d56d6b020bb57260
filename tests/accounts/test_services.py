"""Deleting an account, and taking one's data along."""

import io
import json
import zipfile

import pytest
from asgiref.sync import async_to_sync
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Match, Seat
from games.play import seating
from tests import opening
from tests.accounts.conftest import confirm, log_in, who
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def archive_of(client):
    """The files in the archive of one's data, by name."""
    response = client.get("/accounts/download/")

    async def whole():
        return b"".join([piece async for piece in response.streaming_content])

    with zipfile.ZipFile(io.BytesIO(async_to_sync(whole)())) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def played_match(user):
    """A finished match in which bots played every seat but one, and then that one too."""
    opened = opening.open_table(
        user, "oh-hell", seats=3, bots=2, options={"game_style": "short-up"}, seed="cd" * 32, speed="untimed"
    )
    return play_on(opened)


def test_deleting_needs_the_name(marias, member):
    answer = marias.post("/accounts/delete/", {"name": "Mario"})

    assert answer.status_code == 400
    assert "nothing was deleted" in answer.text
    assert who(marias) == member


def test_a_deleted_account_leaves_a_seat_without_a_name(client, member, boris):
    finished = played_match(member)
    running = opening.open_table(member, "oh-hell", seats=3, bots=1)
    seating.sit_down(boris, running.code)
    waiting = opening.open_table(member, "oh-hell", seats=3)
    log_in(client, "Maria")
    other = type(client)()
    log_in(other, "Maria")
    confirm(client)

    answer = client.post("/accounts/delete/", {"name": "Maria"})

    assert answer["Location"] == "/"
    assert not User.objects.filter(username="Maria").exists()
    assert Session.objects.filter(session_key=other.session.session_key).count() == 0
    assert other.get("/accounts/delete/").status_code == 302
    assert Match.objects.get(code=waiting.code).status == "closed"
    assert Seat.objects.get(match__code=finished.code, bot="").name == ""
    left = Seat.objects.get(match__code=running.code, left_at__isnull=False)
    assert (left.user, left.name, bool(left.bot)) == (None, "", True)
    page = type(client)().get(f"/matches/{running.code}/").text
    assert "Maria" not in page
    assert "deleted player" in page


def test_a_guest_confirms_by_name(guest_client):
    guest = who(guest_client)

    assert guest_client.post("/accounts/delete/", {"name": "Somebody"}).status_code == 400
    assert guest_client.post("/accounts/delete/", {"name": guest.username.lower()}).status_code == 302

    assert not User.objects.exists()


def test_the_only_administrator_stays(client, host):
    log_in(client, "Host")
    confirm(client)

    answer = client.post("/accounts/delete/", {"name": "Host"})

    assert "the only administrator" in answer.text
    assert who(client) == host


def test_nobody_else_reaches_the_pages_of_an_account(client):
    for page in ("download", "delete", "email", "bots"):
        assert client.get(f"/accounts/{page}/")["Location"] == f"/accounts/login/?next=/accounts/{page}/"


def test_the_archive_holds_the_account_and_its_matches(marias, member):
    finished = played_match(member)
    files = archive_of(marias)

    stored = ["bell.jsonl", "clubs.jsonl", "comments.jsonl", "deals.jsonl", "lines.jsonl", "matches.jsonl"]
    stored += ["notes.jsonl", "notices.jsonl", "odd_plays.jsonl", "people.jsonl", "queue.jsonl"]
    stored += ["ratings.jsonl", "solved_mistakes.jsonl", "statistics_shown.jsonl", "talk.jsonl", "tallies.jsonl"]
    stored += ["vacations.jsonl"]
    assert sorted(files) == sorted(["README.txt", *stored, "profile.json", "sessions.json"])
    assert json.loads(files["profile.json"])["name"] == "Maria"
    assert len(json.loads(files["sessions.json"])) == 1
    (record,) = (json.loads(line) for line in files["matches.jsonl"].splitlines())
    assert (record["code"], len(record["moves"])) == (finished.code, finished.move_count)


def test_the_archive_holds_nothing_hidden(marias, member):
    played_match(member)
    running = opening.open_table(member, "oh-hell", seats=3, bots=2)
    match = Match.objects.get(code=running.code)
    deck = match.moves.get(index=0).move["deck"]
    files = archive_of(marias)

    line = json.loads(files["matches.jsonl"].splitlines()[0])
    assert line["code"] == running.code
    known = {"code", "game", "options", "speed", "status", "guide", "aside", "created_at", "started_at", "players"}
    assert set(line) == known
    assert len(deck) == 52
    text = "".join(files.values())
    assert match.seed not in text
    assert member.password not in text
    assert not any(f'"{card}"' in files["matches.jsonl"].splitlines()[0] for card in deck)


def test_the_archive_costs_one_query_a_table(marias, member):
    counts = []
    for more in (1, 2):
        for _ in range(more):
            opening.open_table(member, "oh-hell", seats=3)
        with CaptureQueriesContext(connection) as queries:
            archive_of(marias)
        counts.append(len(queries))

    assert counts[1] == counts[0] + 2


def test_the_archive_is_not_made_over_and_over(marias):
    codes = [marias.get("/accounts/download/").status_code for _ in range(7)]

    assert codes == [200] * 6 + [429]
