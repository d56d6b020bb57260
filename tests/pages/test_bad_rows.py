"""Matches whose rows this site can't read, in every way and on every page: no page breaks, nobody is stuck."""

import logging
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import services as accounts
from accounts.archive import pieces
from accounts.models import User
from games.history import folding
from games.models import Match, Move, Seat
from games.play import due, memory, presence, seating, store
from tests import opening
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def rows(**changes):
    return lambda match: Match.objects.filter(pk=match.pk).update(**changes)


def another_move(match, index=1, move=None):
    Move.objects.filter(match=match, index=index).update(move=move or {"type": "bid", "tricks": 99})


def no_position_and_a_bad_move(match):
    another_move(match)
    rows(position={"broken": 1})(match)


def unknown_bot(match):
    Seat.objects.filter(match=match, bot="").update(bot="genius", user=None, name="Deep Tarok")


KINDS = {
    "game": rows(game="gone"),
    "rules": rows(rules_version=99),
    "speed": rows(speed="blitz"),
    "bot": unknown_bot,
    "position": rows(position={"broken": 1}),
    "position of a list": rows(position=[1, 2]),
    "position of other seats": rows(seat_count=7),
    "options": rows(options={"game_style": "backwards"}),
    "options of a list": rows(options=[]),
    "seats": rows(seat_count=8),
    "a seat less": lambda match: Seat.objects.filter(match=match, number=1).delete(),
    "a seat without its number": lambda match: Seat.objects.filter(match=match, number=1).update(number=None),
    "moves": another_move,
    "a damaged move": lambda match: another_move(match, move=[1, 2]),
    "a damaged shuffle": lambda match: another_move(match, index=0, move="deck"),
    "moves and position": no_position_and_a_bad_move,
    "no moves": lambda match: Move.objects.filter(match=match).delete(),
}
SENTENCES = {
    "game": "by version 1 of the rules of Gone, which are not available at the moment.",
    "rules": "by version 99 of the rules of Oh Hell, which are not available at the moment.",
    "speed": "at the speed “blitz”, which is not available at the moment.",
    "options": "of this match can’t be read.",
    "options of a list": "of this match can’t be read.",
    "seats": "of this match can’t be read.",
    "moves and position": "of this match can’t be read.",
}

GETS = [
    *("/", "/matches/", "/matches/?game=oh-hell&result=running", "/players/Ana/", "/matches/{code}/"),
    *("/matches/{code}/sheet/", "/matches/{code}/replay/", "/matches/{code}/replay/?move=1&seat=0&open=1"),
    *("/matches/{code}/replay/frames/?from=0&to=3", "/matches/{code}/shuffle/", "/accounts/settings/"),
    *("/admin/games/match/", "/admin/games/match/{pk}/change/"),
]
POSTS = ["sit", "stand", "bot", "entropy", "start", "ready", "resume", "rematch", "move", "leave"]

kinds = pytest.mark.parametrize("kind", KINDS)
OPEN, OVER, CLOSED = (pytest.param(stage, marks=pytest.mark.thorough) for stage in ("open", "over", "closed"))
stages = pytest.mark.parametrize("stage", ["playing", OPEN, OVER, CLOSED])
open_or_playing = pytest.mark.parametrize("stage", ["playing", OPEN])


@pytest.fixture
def staff(ana):
    """Ana, who may look at everything, plays along."""
    User.objects.filter(pk=ana.pk).update(is_staff=True, is_superuser=True)
    return ana


@pytest.fixture
def row(users, stage, staff, kind):
    """The row of a match of Ana and Boris at a stage, spoilt."""
    full = {"seats": 3, "options": {"game_style": "short-up"}, "speed": "normal"}
    opened = opening.open_table(users[0], "oh-hell", **full)
    if stage in ("playing", "over"):
        seating.sit_down(users[1], opened.code)
        begun = seating.seat_bot(users[0], opened.code)
        play_on(begun, until=lambda snapshot: stage == "playing" and snapshot.move_count > 6)
    elif stage == "closed":
        due.close_table(opened.code)
    match = Match.objects.get(code=opened.code)
    KINDS[kind](match)
    memory.forget()
    folding.forget()
    return Match.objects.get(pk=match.pk)


@kinds
@stages
def test_no_page_breaks(row, client, staff, kind):
    client.force_login(staff)

    answers = {path: client.get(path.format(code=row.code, pk=row.pk)).status_code for path in GETS}

    assert {path: status for path, status in answers.items() if status not in (200, 400, 403, 404, 409)} == {}
    everywhere = ["/", "/matches/", "/players/Ana/", "/matches/{code}/", "/admin/games/match/"]
    assert [answers[path] for path in everywhere] == [200] * 5


@kinds
@stages
def test_no_act_breaks(row, client, boris, kind):
    client.force_login(boris)

    for act in POSTS:
        answer = client.post(f"/matches/{row.code}/{act}/", {"type": "bid", "tricks": "0", "seen": row.move_count})

        assert answer.status_code in (302, 400, 403, 409), act


@pytest.mark.parametrize("kind", SENTENCES)
@pytest.mark.parametrize("stage", ["playing"])
def test_the_page_says_why(row, client, kind):
    page = client.get(f"/matches/{row.code}/")

    assert SENTENCES[kind] in page.content.decode()


@pytest.mark.parametrize("kind", ["game", "rules", "speed", "options"])
@open_or_playing
def test_nobody_sits_down_and_nothing_is_played(row, client, users, kind):
    client.force_login(users[2])

    refused = client.post(f"/matches/{row.code}/sit/")
    client.force_login(users[0])
    started = client.post(f"/matches/{row.code}/start/")

    assert refused.status_code in (400, 409)
    assert started.status_code in (400, 409)
    assert Seat.objects.filter(match=row).count() == (1 if row.status == "open" else 3)
    assert Match.objects.get(pk=row.pk).move_count == row.move_count


@kinds
@open_or_playing
def test_the_host_closes_it(row, client, staff, kind):
    client.force_login(staff)

    client.post("/admin/games/match/", {"action": "close", "_selected_action": [row.pk]})

    assert Match.objects.get(pk=row.pk).status == "closed"


@kinds
@open_or_playing
def test_players_leave_and_come_back(row, users, client, kind):
    Seat.objects.filter(match=row, user=users[1]).update(missed_turns=2)
    presence.set_connected(users[0].pk, row.code, True)
    presence.resume(users[1].pk, row.code)
    presence.set_connected(users[0].pk, row.code, False)
    client.force_login(users[0])

    left = client.post(f"/matches/{row.code}/leave/")

    if kind not in ("bot", "a seat less"):  # there she may have none
        assert left.status_code == 302
        assert not Seat.objects.filter(match=row, user=users[0], left_at=None).exists()


@kinds
@stages
def test_an_account_is_renamed_exported_and_deleted(row, users, kind):
    b"".join(pieces(users[0], "valat.example"))
    seating.redraw_name(users[0])

    accounts.delete_account(users[0])

    assert not User.objects.filter(username="Ana").exists()


def sweep(code):
    """What every clock does ten times a second. Returns whether it found something to do."""
    found = due.due_codes(timezone.now())
    for each in found:
        due.handle_due(each)
    return code in found


@pytest.mark.parametrize("kind", [*SENTENCES, "position of other seats"])
@pytest.mark.parametrize("stage", ["playing"])
def test_the_clock_speaks_of_it_once_and_then_leaves_it_alone(row, caplog, kind):
    Match.objects.filter(pk=row.pk).update(wake_at=timezone.now() - timedelta(days=30))

    with caplog.at_level(logging.INFO, logger="valat"):
        sweep(row.code)
        spoken = len(caplog.records)
        assert not sweep(row.code)

    assert spoken <= 2
    assert len(caplog.records) == spoken
    assert not any(record.exc_info for record in caplog.records)
    assert Match.objects.get(pk=row.pk).move_count == row.move_count


@pytest.mark.parametrize("kind", ["game", "rules", "speed", "position"])
@open_or_playing
def test_a_clock_that_starts_says_what_it_leaves_alone(row, kind):
    assert (row.code in due.describe_unplayable()) == (kind != "position")


@pytest.mark.parametrize("kind", SENTENCES)
@pytest.mark.parametrize("stage", ["playing"])
def test_the_host_is_told_why(row, client, staff, kind):
    client.force_login(staff)

    page = client.get(f"/admin/games/match/{row.pk}/change/").content.decode()

    assert SENTENCES[kind] in page


@pytest.mark.parametrize("kind", ["position", "position of a list", "bot"])
@pytest.mark.parametrize("stage", ["playing"])
def test_what_moves_and_bots_can_replace_plays_on(row, client, caplog, kind):
    with caplog.at_level(logging.ERROR, logger="valat"):
        for _ in range(3):
            store.read(row.code)

    over = play_on(store.read(row.code))

    assert over.status == "over"
    assert len(caplog.records) == (kind != "bot")


@pytest.mark.parametrize("kind", ["game", "speed", "moves and position"])
@pytest.mark.parametrize("stage", ["playing"])
def test_a_socket_is_given_the_sentence(row, kind):
    from games.fragments import Fragments

    html = Fragments(store.read(row.code)).for_user(None)

    assert re.search("not available at the moment|can’t be read", html)


@pytest.mark.parametrize("kind", ["game", "rules", "speed"])
@pytest.mark.parametrize("stage", ["open"])
def test_the_lobby_leaves_it_out(row, client, kind):
    assert row.code not in client.get("/").content.decode()
