"""What becomes of a guest's matches when somebody logs in from the guest's browser."""

import pytest
from django.test import Client

from accounts import sanctions
from accounts.models import User
from accounts.people import ties
from accounts.people.blocks import has_blocked
from accounts.templatetags.names import as_name
from games.catalog import CHANCE
from games.comments.models import Comment
from games.models import Invitation, Match, Seat
from games.notes.models import Note
from games.notifications.models import BellItem
from games.play import seating, store
from games.statistics.models import PlayerFigures
from tests import opening
from tests.accounts.conftest import log_in, sign_up, who
from tests.matches import play_on

pytestmark = pytest.mark.django_db

URL = "/accounts/guest/matches/"
QUESTION = "in this browser. Was that you?"


@pytest.fixture
def guest(guest_client):
    return who(guest_client)


@pytest.fixture
def running(guest):
    """A match of the guest against bots."""
    return opening.quick_play(guest, "oh-hell")


def answer(client, words, page="/matches/"):
    return client.post(URL, {"answer": words, "next": page}, follow=True)


def test_nothing_moves_before_the_question_is_answered(guest_client, member, guest, running):
    log_in(guest_client, "Maria")

    assert who(guest_client) == member
    page = guest_client.get(f"/matches/{running.code}/").text
    assert f"{as_name(guest)} played 1 match {QUESTION}" in page
    seat = running.seat_of(guest.pk)
    assert Seat.objects.get(pk=seat.pk).user == guest
    assert Seat.objects.get(pk=seat.pk).left_at is None


def test_yes_moves_matches_and_all_else_to_the_account(guest_client, member, guest, running):
    over = Match.objects.get(code=play_on(opening.quick_play(guest, "oh-hell")).code)
    Note.objects.create(user=guest, match=over, text="Lead trumps.")
    Comment.objects.create(author=guest, match=over, move=0, text="Why?")
    PlayerFigures.objects.create(user=member, game="oh-hell", stale=False)
    log_in(guest_client, "Maria")

    page = answer(guest_client, "yes")

    assert f"The matches of {guest} are yours now." in page.text
    assert QUESTION not in page.text
    assert {seat.match.code for seat in member.seats.all()} == {running.code, over.code}
    assert not guest.seats.exists()
    snapshot = store.read(running.code)
    assert (snapshot.seat_of(member.pk).name, snapshot.seat_of(member.pk).kind) == ("Maria", "user")
    assert snapshot.host_id == member.pk
    assert snapshot.revision > running.revision  # so open pages are drawn again
    assert Note.objects.get().user == Comment.objects.get().author == member
    assert PlayerFigures.objects.get().stale
    assert 'data-turn="' in guest_client.get(f"/matches/{running.code}/").text


def test_the_bell_of_a_guest_goes_along(guest_client, member, guest, running):
    match = Match.objects.get(code=running.code)
    _, own = (BellItem.objects.create(user=user, kind="over", subject="1", match=match) for user in (guest, member))
    only = BellItem.objects.create(user=guest, kind="ready", subject="2", match=match)
    log_in(guest_client, "Maria")

    answer(guest_client, "yes")

    assert set(BellItem.objects.filter(user=member)) == {own, only}
    assert not BellItem.objects.filter(user=guest).exists()


def test_no_leaves_them_to_the_guest_and_a_bot_plays_on(guest_client, member, guest, running):
    log_in(guest_client, "Maria")

    page = answer(guest_client, "no")

    assert f"The matches of {guest} stay under that name." in page.text
    assert QUESTION not in page.text
    assert guest.seats.get().left_at
    assert not member.seats.exists()


def test_where_both_sit_at_one_table_a_bot_plays_for_the_guest(guest_client, member, guest, running):
    table = opening.open_table(member, "oh-hell", seats=3, bots=1)
    seating.sit_down(guest, table.code)
    log_in(guest_client, "Maria")

    page = answer(guest_client, "yes")

    assert "except where both of you had a seat" in page.text
    assert member.seats.count() == 2
    seat = guest.seats.get()
    assert seat.match.code == table.code
    assert seat.left_at
    assert store.read(table.code).seat_of(member.pk).left is False


def test_logging_in_once_more_asks_again(guest_client, member, guest, running):
    log_in(guest_client, "Maria")
    log_in(guest_client, "Maria")

    assert QUESTION in guest_client.get("/matches/").text
    assert guest.seats.get().left_at is None


def test_nobody_comes_to_a_table_of_who_has_blocked_them(guest_client, member, guest):
    boris = User.objects.create_user("Boris")
    ties.block(boris, member)
    table = opening.open_table(boris, "oh-hell", seats=3)
    seating.sit_down(guest, table.code)
    log_in(guest_client, "Maria")

    answer(guest_client, "yes")

    assert [seat.name for seat in store.read(table.code).seats] == ["Boris"]


def test_blocks_of_the_guest_count_for_the_account(guest_client, member, guest, running):
    boris = User.objects.create_user("Boris")
    ties.block(guest, boris)
    log_in(guest_client, "Maria")

    answer(guest_client, "yes")

    assert has_blocked(member.pk, [boris.pk])


def test_an_invitation_ends_where_the_account_sits_now(guest_client, member, guest):
    table = opening.open_table(member, "oh-hell", seats=3)
    Invitation.objects.create(match=Match.objects.get(code=table.code), user=guest)
    opening.quick_play(guest, "oh-hell")
    log_in(guest_client, "Maria")

    answer(guest_client, "yes")

    assert not Invitation.objects.exists()


def test_a_suspended_user_may_only_say_no(guest_client, member, guest, running, host):
    log_in(guest_client, "Maria")
    sanctions.impose(member, "suspension", "Rude.", by=host)

    answer(guest_client, "yes")

    assert not member.seats.exists()
    assert guest.seats.get().left_at


@pytest.mark.parametrize("act", ["log out", "another account"])
def test_without_an_answer_they_stay_with_the_guest(guest_client, member, guest, running, act):
    log_in(guest_client, "Maria")

    if act == "log out":
        guest_client.post("/accounts/logout/")
    else:
        User.objects.create_user("Boris", password="nine of hearts, please")
        log_in(guest_client, "Boris")

    assert guest.seats.get().left_at
    assert QUESTION not in guest_client.get("/matches/").text
    assert QUESTION not in answer(guest_client, "yes").text
    assert guest.seats.exists()


def test_an_answer_counts_once_and_only_in_that_browser(guest_client, member, guest, running):
    log_in(guest_client, "Maria")
    elsewhere = Client()
    elsewhere.force_login(member)

    assert "answered already" in answer(elsewhere, "yes").text
    assert guest.seats.exists()
    answer(guest_client, "yes")
    assert "answered already" in answer(guest_client, "no").text
    assert member.seats.get().left_at is None
    assert Client().post(URL, {"answer": "yes"})["Location"].startswith("/accounts/login/")
    assert guest_client.get(URL).status_code == 405


def test_a_guest_without_matches_is_not_asked_about(guest_client, member):
    log_in(guest_client, "Maria")

    assert QUESTION not in guest_client.get("/matches/").text


def test_guests_find_the_way_to_log_in(guest_client, guest):
    page = guest_client.get("/").text

    assert 'href="/accounts/login/"' in page
    assert 'href="/accounts/login/"' in guest_client.get("/accounts/signup/").text
    assert "move these matches" in guest_client.get("/accounts/login/").text


def test_a_guest_is_told_once_a_deal_is_played_that_an_account_keeps_it(guest_client, guest):
    sentence = "An account keeps your matches"
    table = opening.quick_play(guest, "oh-hell")
    assert sentence not in guest_client.get(f"/matches/{table.code}/").text

    snapshot = play_on(table, until=lambda now: now.deal_count == 1 and now.to_act == CHANCE)

    assert sentence in guest_client.get(f"/matches/{snapshot.code}/").text
    sign_up(guest_client, "Velislava")
    assert sentence not in guest_client.get(f"/matches/{snapshot.code}/").text
