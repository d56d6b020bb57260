"""Blocks at tables: every way in, and every way around."""

import re
from functools import partial

import pytest
from django.test import Client

from accounts.guests import new_guest
from accounts.models import User
from accounts.people import ties
from games.models import Match
from games.play import hosting, seating, store
from games.play.access import FULL, why_hidden
from games.play.errors import Refused
from tests import opening
from tests.matches import play_on
from tests.play.acting import at_once, match_of, stored

TOLD = "Somebody you have blocked is at this table. Choose another one."


def seated(code):
    return {seat.user.username for seat in Match.objects.get(code=code).seats.filter(user__isnull=False)}


def open_by(user, **options):
    return opening.open_table(user, "oh-hell", seats=3, **options).code


@pytest.mark.parametrize("listed", [True, False])
def test_who_is_blocked_reads_what_they_read_at_a_full_table(ana, boris, listed):
    ties.block(ana, boris)
    code = open_by(ana, listed=listed)

    with pytest.raises(Refused) as refusal:
        seating.sit_down(boris, code)

    assert str(refusal.value) == FULL
    assert seated(code) == {"Ana"}


def test_who_has_blocked_is_told_why(ana, boris):
    ties.block(ana, boris)
    code = open_by(boris)

    with pytest.raises(Refused) as refusal:
        seating.sit_down(ana, code)

    assert str(refusal.value) == TOLD


def test_a_guest_blocks_and_is_blocked_also_after_signing_up(ana):
    guest = new_guest()
    ties.block(ana, guest)
    code = open_by(ana)
    with pytest.raises(Refused, match=FULL):
        seating.sit_down(guest, code)

    User.objects.filter(pk=guest.pk).update(is_guest=False, username="Mira")

    with pytest.raises(Refused, match=FULL):
        seating.sit_down(User.objects.get(pk=guest.pk), code)


def test_a_rematch_brings_nobody_together_who_has_parted(users):
    ana, boris, vera, _ = users
    over = play_on(match_of([ana, boris, vera], speed="untimed"))
    ties.block(ana, boris)
    again = opening.rematch(ana, over.code)

    with pytest.raises(Refused, match=FULL):
        opening.rematch(boris, over.code)

    opening.rematch(vera, over.code)
    assert seated(again.code) == {"Ana", "Vera"}


def test_the_host_who_blocks_frees_the_others_seat(ana, boris, django_capture_on_commit_callbacks):
    code = open_by(ana)
    seating.sit_down(boris, code)

    with django_capture_on_commit_callbacks(execute=True):
        ties.block(ana, boris)

    assert seated(code) == {"Ana"}
    with pytest.raises(Refused):
        seating.sit_down(boris, code)


def test_anybody_else_who_blocks_leaves_the_table_that_waits(users, django_capture_on_commit_callbacks):
    ana, boris, vera, goran = users
    by_boris = open_by(boris)
    by_other = opening.open_table(vera, "oh-hell", seats=5).code
    for code in (by_boris, by_other):
        seating.sit_down(ana, code)
    seating.sit_down(boris, by_other)
    seating.sit_down(goran, by_other)

    with django_capture_on_commit_callbacks(execute=True):
        ties.block(ana, boris)

    assert seated(by_boris) == {"Boris"}
    assert seated(by_other) == {"Vera", "Boris", "Goran"}


def test_a_match_that_has_begun_goes_on(started, ana, boris, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        ties.block(ana, boris)

    assert seated(started.code) == {"Ana", "Boris", "Vera"}
    assert not why_hidden(boris.pk, store.read(started.code))


def test_neither_watches_the_other_until_the_match_is_over(started, users):
    ana, goran = users[0], users[3]
    assert not why_hidden(goran.pk, started)
    ties.block(goran, ana)
    assert why_hidden(goran.pk, started)
    ties.unblock(goran, ana)
    ties.block(ana, goran)
    assert why_hidden(goran.pk, started)
    assert not why_hidden(None, started)  # nobody known: as everybody

    over = play_on(started)

    assert not why_hidden(goran.pk, over)


def test_every_page_of_a_blockers_table_is_as_of_no_match(client, started, users):
    ana, goran = users[0], users[3]
    ties.block(ana, goran)
    client.force_login(goran)
    nowhere = client.get("/matches/nnnnnnnn/")

    for page in ("", "sheet/", "last/", "replay/", "why/?move=1", "invite/"):
        answer = client.get(f"/matches/{started.code}/{page}")
        assert answer.status_code in (403, 404), page
        assert not re.search(rb"\bAna\b", answer.content), page  # A token may contain these letters.
    assert client.get(f"/matches/{started.code}/").status_code == nowhere.status_code == 404


ACTS = [
    *("sit", "stand", "bot", "program", "free", "arrange", "invite", "invite/take-back", "invite/decline"),
    *("start-time", "entropy", "start", "leave", "move", "ready", "vote", "pause", "go-on", "resume", "hint"),
]


@pytest.mark.whole
@pytest.mark.parametrize("began", [True, False])
def test_every_act_at_a_blockers_table_is_answered_as_at_no_match(client, started, users, began):
    ana, goran = users[0], users[3]
    code = started.code if began else open_by(ana)
    ties.block(ana, goran)
    client.force_login(goran)
    before = stored(code)

    def answered(act, code):
        answer = client.post(f"/matches/{code}/{act}/", {"move": "{}", "seen": "0"})
        return answer.status_code, answer.content.decode().replace(code, "")

    for act in ACTS:
        status, text = answered(act, code)
        assert (status, "There is no such match. Check the address." in text) == (404, True), act
        assert status == answered(act, "nnnnnnnn")[0], act
    for page in ("invite/", "start-time/", "start.ics", "shuffle/", "why/?move=1"):
        assert client.get(f"/matches/{code}/{page}").status_code == 404, page
    assert stored(code) == before


def test_who_has_blocked_is_told_why_they_see_no_table(client, started, users):
    ana, goran = users[0], users[3]
    ties.block(goran, ana)
    ties.block(users[1], goran)
    client.force_login(goran)

    page = client.get(f"/matches/{started.code}/")

    assert page.status_code == 404
    assert "Somebody you have blocked is at this table" in page.text
    ties.unblock(goran, ana)
    assert "There is no such match. Check the address." in client.get(f"/matches/{started.code}/").text


@pytest.mark.parametrize("by_host", [True, False])
def test_a_block_ends_invitations_between_the_two(users, by_host, django_capture_on_commit_callbacks):
    ana, boris, vera, goran = users
    code = open_by(ana)
    hosting.invite(ana, code, boris)
    hosting.invite(ana, code, vera)

    with django_capture_on_commit_callbacks(execute=True):
        ties.block(*((ana, boris) if by_host else (boris, ana)))

    assert [kept.name for kept in store.read(code).reservations] == ["Vera"]
    assert seated(seating.sit_down(goran, code).code) == {"Ana", "Goran"}


def test_the_lobby_and_profiles_of_the_parted_do_not_show_each_others_tables(client, users, started):
    ana, boris, _, goran = users
    waiting = open_by(ana)
    running = started.code
    ties.block(ana, goran)
    client.force_login(goran)

    assert waiting not in client.get("/").content.decode()
    assert running not in client.get("/").content.decode()
    assert running not in client.get("/players/Ana/").content.decode()
    assert running not in client.get("/players/Boris/").content.decode()

    client.force_login(ana)
    own = open_by(goran)
    assert own not in client.get("/").content.decode()
    assert running in client.get("/players/Boris/").content.decode()
    client.force_login(boris)
    assert {code in client.get("/").content.decode() for code in (waiting, running, own)} == {True}
    assert waiting in Client().get("/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_sit_down_at_once_only_one_does(users):
    ana, boris, vera, _ = users
    ties.block(boris, vera)
    code = opening.open_table(ana, "oh-hell", seats=5).code

    outcomes = at_once(*(partial(seating.sit_down, user, code) for user in (boris, vera)))

    refused = [str(outcome) for outcome in outcomes if isinstance(outcome, Refused)]
    assert len(seated(code)) == 2
    assert len(refused) == 1
    assert refused[0] in (FULL, TOLD)


@pytest.mark.django_db(transaction=True)
def test_a_block_at_the_moment_of_sitting_down_parts_them_all_the_same(client, users):
    ana, boris, _, _ = users
    code = open_by(ana)
    clients = {}
    for user in (ana, boris):
        clients[user] = Client()
        clients[user].force_login(user)

    acts = [(ana, "/accounts/people/Boris/block/"), (boris, f"/matches/{code}/sit/")]
    at_once(*(partial(clients[user].post, url) for user, url in acts))

    assert seated(code) == {"Ana"}
