"""Guests: in without a form, out only knowingly, and kept when they sign up."""

import re

import pytest
from django.core.exceptions import ValidationError

from accounts.guests import new_guest
from accounts.models import User
from accounts.names import validate_name
from games.models import Seat
from games.play import memory, store
from tests import opening
from tests.accounts.conftest import PASSWORD, log_in, sign_up, who

pytestmark = pytest.mark.django_db


def test_a_guest_gets_a_name_and_is_in(client):
    answer = client.post("/accounts/guest/", {"next": "/matches/"})

    guest = who(client)
    assert answer["Location"] == "/matches/"
    assert guest.is_guest
    assert re.fullmatch(r"[A-Z][a-z]+ \d+", guest.username)
    assert not guest.has_usable_password()
    assert guest.usersession_set.count() == 1


@pytest.mark.parametrize("url", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_a_guest_is_never_sent_off_the_site(client, url):
    assert client.post("/accounts/guest/", {"next": url})["Location"] == "/"


def test_whoever_is_in_already_makes_no_guest(client, member):
    client.force_login(member)

    client.post("/accounts/guest/")

    assert who(client) == member
    assert User.objects.count() == 1


def test_a_page_that_is_only_looked_at_makes_no_guest(client):
    assert client.get("/accounts/guest/").status_code == 405
    assert not User.objects.exists()


def test_guests_have_names_that_nobody_can_sign_up_with():
    guests = [new_guest() for _ in range(200)]

    assert len({guest.casefolded_name for guest in guests}) == 200
    assert max(len(guest.username) for guest in guests) <= 20
    for guest in guests:
        with pytest.raises(ValidationError):
            validate_name(guest.username)


def test_too_many_guests_from_one_address_are_told_to_wait(client, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"guest": "2/h/ip"}

    codes = [type(client)().post("/accounts/guest/").status_code for _ in range(3)]

    assert codes == [302, 302, 429]
    assert User.objects.count() == 2


def test_a_guest_who_signs_up_keeps_every_seat(guest_client):
    guest = who(guest_client)
    match = memory.remember(opening.quick_play(guest, "oh-hell"))

    answer = sign_up(guest_client, "Velislava")

    assert (answer.status_code, answer["Location"]) == (302, "/")
    account = who(guest_client)
    assert (account.pk, account.username, account.is_guest) == (guest.pk, "Velislava", False)
    assert Seat.objects.filter(match__code=match.code, user=account).count() == 1
    shown = store.read(match.code).seat_of(account.pk)
    assert (shown.name, shown.kind) == ("Velislava", "user")
    guest_client.post("/accounts/logout/")
    log_in(guest_client, "Velislava")
    assert who(guest_client) == account


@pytest.mark.parametrize("has_played", [True, False])
def test_a_guest_who_signs_up_is_told_that_their_matches_came_along(guest_client, has_played):
    guest = who(guest_client)
    if has_played:
        opening.quick_play(guest, "oh-hell")

    sign_up(guest_client, "Velislava")

    said = re.findall(r'<p class="notice success">(.*?)</p>', guest_client.get("/accounts/settings/").text)
    came_along = [f"Your matches as {guest} came along: you’ll find them under My matches."]
    assert said == ["Welcome, Velislava.", *(came_along if has_played else [])]


def test_a_refused_sign_up_leaves_the_guest_a_guest(guest_client, member):
    guest = who(guest_client)

    assert sign_up(guest_client, "maria").context["form"].errors
    assert sign_up(guest_client, "Velislava", "123").context["form"].errors

    after = who(guest_client)
    assert (after.username, after.is_guest) == (guest.username, True)


def test_a_member_who_logs_in_again_keeps_their_seats(client, member):
    client.force_login(member)
    opening.quick_play(member, "oh-hell")

    log_in(client, "Maria")

    assert member.seats.get().left_at is None


@pytest.mark.parametrize("reader", ["visitor", "guest", "member"])
def test_everybody_finds_the_settings_of_this_device(client, member, reader):
    if reader == "guest":
        client.post("/accounts/guest/")
    elif reader == "member":
        client.force_login(member)

    page = client.get("/accounts/settings/").text

    for name in ("taps", "hold", "sound", "keys", "deck", "theme"):
        assert f'data-setting="{name}"' in page
    assert ("Your account" in page, "This guest" in page) == (reader == "member", reader == "guest")
    assert ("/accounts/delete/" in page) == (reader != "visitor")
    assert 'href="/accounts/settings/"' in client.get("/rules/").text


def test_a_guest_with_matches_is_warned_before_leaving(guest_client):
    guest = who(guest_client)
    opening.quick_play(guest, "oh-hell")

    warned = guest_client.post("/accounts/logout/")

    assert "can’t come back" in warned.text
    assert who(guest_client) == guest
    guest_client.post("/accounts/logout/", {"sure": "1"})
    assert who(guest_client) is None
    assert guest.seats.get().left_at


def test_a_guest_without_matches_just_leaves(guest_client):
    assert guest_client.post("/accounts/logout/").status_code == 302
    assert who(guest_client) is None


@pytest.mark.parametrize(
    "page",
    [
        *("email/", "password/change/", "password/set/", "2fa/", "2fa/totp/activate/", "2fa/webauthn/"),
        *("2fa/webauthn/add/", "2fa/recovery-codes/generate/"),
    ],
)
def test_what_lets_one_in_again_comes_with_an_account(guest_client, page):
    for answer in (
        guest_client.get(f"/accounts/{page}"),
        guest_client.post(f"/accounts/{page}", {"email": "g@example.org", "action_add": "1", "password1": PASSWORD}),
    ):
        assert (answer.status_code, answer["Location"]) == (302, "/accounts/signup/")
    assert who(guest_client).is_guest
