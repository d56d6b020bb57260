"""A session alone does not change how its owner logs in, nor take their data along."""

import re
from contextlib import suppress

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.urls import NoReverseMatch, get_resolver, reverse

from accounts.models import User
from accounts.programs import make_program
from tests.accounts.conftest import PASSWORD, confirm, log_in, who

pytestmark = pytest.mark.django_db

ASKED = "/accounts/reauthenticate/"
AGAIN = "Nothing has been done yet, so please do it once more."
CODES = {"seed": "0123456789abcdef0123456789abcdef", "used_mask": 0}  # of recovery
FREE = {  # what a session may do by itself, under /accounts/
    *("account_login", "account_logout", "account_signup", "guest", "guest_matches", "account_inactive"),
    *("account_reauthenticate", "mfa_reauthenticate", "mfa_login_webauthn", "mfa_authenticate"),
    "account_confirm_login_code",
    *("account_email_verification_sent", "account_confirm_email", "restore_address"),  # the key is enough
    *("account_reset_password", "account_reset_password_done", "account_reset_password_from_key"),
    "account_reset_password_from_key_done",
    "account_change_password",  # asks for the old one
    "usersessions_list",  # logging out elsewhere protects
    *("settings", "avatar", "time_zone", "sanction_read", "mfa_index", "mfa_list_webauthn"),
    *("search", "accept_invitation"),
    *("presence", "ask_friend", "accept_friend", "unfriend", "follow", "unfollow", "block", "unblock"),
}
PAGES = {  # that are opened only after a confirmation
    "/accounts/email/": {"email": "evil@example.org", "action_add": "1"},
    "/accounts/name/": {"name": "Velislava"},
    "/accounts/bots/": {"name": "Clockwork"},
    "/accounts/delete/": {"name": "Maria"},
}


def routes(patterns=None, path=""):
    """The names of all routes under /accounts/."""
    for pattern in patterns or get_resolver().url_patterns:
        here = path + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern.url_patterns, here)
        elif here.startswith("accounts/"):
            yield pattern.name


def url_of(name):
    """Some URL of a route, whatever arguments it takes."""
    for arguments in ([], [1], ["x"], ["1", "x"]):
        with suppress(NoReverseMatch):
            return reverse(name, args=arguments)
    raise AssertionError(f"{name} takes other arguments.")


@pytest.fixture
def open_browser(client, member):
    """A browser in which Maria has logged in, and which she has left."""
    log_in(client, "Maria")
    return client


@pytest.fixture
def program(member):
    return make_program(member, "Clockwork")[0].program


def stored(user):
    """What a thief might want to change."""
    user = User.objects.get(pk=user.pk)
    tokens = list(user.programs.values_list("user__username", "token_hash"))
    return user.username, user.password, user.email, list(user.emailaddress_set.values_list("email")), tokens


def forget_password(user, *kinds):
    """Leave an account with these second factors only."""
    user.set_unusable_password()
    user.save()
    for kind in kinds:
        Authenticator.objects.create(user=user, type=kind, data={})


def test_of_every_new_route_it_is_decided_whether_a_session_is_enough(open_browser, member, settings):
    settings.ACCOUNT_RATE_LIMITS = {}
    for kind, data in ((Authenticator.Type.TOTP, {}), (Authenticator.Type.RECOVERY_CODES, CODES)):
        Authenticator.objects.create(user=member, type=kind, data=data)
    free = set()
    for name in routes():
        open_browser.force_login(member)
        answers = [method(url_of(name)) for method in (open_browser.get, open_browser.post)]
        if not any(answer.get("Location", "").startswith(ASKED) for answer in answers):
            free.add(name)

    assert free - FREE == set()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_comes_after_the_password(open_browser, page):
    answer = open_browser.get(page)

    assert answer["Location"] == f"{ASKED}?next={page.replace('/', '%2F')}"
    form = open_browser.get(answer["Location"])
    assert "Forgot your password?" in form.text
    assert f'value="{page}"' in form.text
    confirmed = open_browser.post(ASKED, {"password": PASSWORD, "next": page})
    assert confirmed["Location"] == page
    opened = open_browser.get(page)
    assert opened.status_code == 200
    assert AGAIN not in opened.text


@pytest.mark.parametrize(("page", "fields"), PAGES.items())
def test_a_form_changes_nothing_before_the_password(open_browser, member, page, fields):
    before = stored(member)

    answer = open_browser.post(page, fields)

    assert answer["Location"].startswith(ASKED)
    open_browser.post(ASKED, {"password": PASSWORD, "next": page})
    assert AGAIN in open_browser.get(page).text
    assert stored(member) == before
    assert mail.outbox == []


@pytest.mark.parametrize("name", ["bot_token", "delete_bot"])
def test_a_button_brings_one_back_to_its_page(open_browser, member, program, name):
    before = stored(member)
    button = reverse(name, args=[program.pk])

    answer = open_browser.post(button)

    assert answer["Location"] == f"{ASKED}?next=%2Faccounts%2Fbots%2F"
    assert stored(member) == before
    open_browser.post(ASKED, {"password": PASSWORD, "next": "/accounts/bots/"})
    assert AGAIN in open_browser.get("/accounts/bots/").text
    assert open_browser.post(button).status_code in (200, 302)
    assert stored(member) != before


def test_the_archive_brings_one_back_to_the_settings(open_browser):
    assert open_browser.get("/accounts/download/")["Location"] == f"{ASKED}?next=%2Faccounts%2Fsettings%2F"

    open_browser.post(ASKED, {"password": PASSWORD, "next": "/accounts/settings/"})

    assert AGAIN in open_browser.get("/accounts/settings/").text
    assert open_browser.get("/accounts/download/")["Content-Type"] == "application/zip"


def test_an_act_left_behind_is_not_done_when_the_owner_confirms(open_browser, member):
    """Somebody posts at an open browser; its owner opens the same page later, and gives the password for that."""
    open_browser.post("/accounts/email/", PAGES["/accounts/email/"])
    open_browser.get("/accounts/email/")

    open_browser.post(ASKED, {"password": PASSWORD, "next": "/accounts/email/"})

    assert not member.emailaddress_set.exists()


def test_no_second_factor_is_lost_by_an_act_left_behind(open_browser, member):
    Authenticator.objects.create(user=member, type=Authenticator.Type.TOTP, data={})
    page = "/accounts/2fa/totp/deactivate/"

    assert open_browser.post(page)["Location"].startswith(ASKED)
    open_browser.get(page)
    open_browser.post(ASKED, {"password": PASSWORD, "next": page})

    assert member.authenticator_set.exists()


def test_a_confirmation_ends_after_a_while(open_browser, settings):
    confirm(open_browser)
    assert open_browser.get("/accounts/email/").status_code == 200

    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0

    assert open_browser.get("/accounts/email/").status_code == 302


def test_a_confirmation_is_of_one_browser(open_browser, member):
    confirm(open_browser)
    other = type(open_browser)()
    log_in(other, "Maria")

    assert other.get("/accounts/email/")["Location"].startswith(ASKED)


def test_guesses_are_limited_as_at_log_in(open_browser):
    answers = [confirm(open_browser, "wrong").text for _ in range(6)]

    assert ["Too many failed attempts" in answer for answer in answers] == [False] * 5 + [True]
    assert "Too many failed attempts" in confirm(open_browser).text
    assert open_browser.get("/accounts/email/").status_code == 302


def test_guesses_count_for_log_in_too(open_browser, member):
    for _ in range(5):
        confirm(open_browser, "wrong")
    open_browser.post("/accounts/logout/")

    log_in(open_browser, "Maria")

    assert who(open_browser) is None


def test_guesses_of_codes_are_limited(open_browser, member):
    forget_password(member)
    Authenticator.objects.create(user=member, type=Authenticator.Type.RECOVERY_CODES, data=CODES)
    open_browser.force_login(member)
    page = "/accounts/2fa/reauthenticate/"

    codes = [open_browser.post(page, {"code": f"{number:08}"}).status_code for number in range(11)]

    assert codes[-1] == 429


@pytest.mark.parametrize("page", [*PAGES, "/accounts/download/", "/accounts/password/set/"])
@pytest.mark.parametrize(
    ("kind", "place"),
    [
        (Authenticator.Type.WEBAUTHN, "/accounts/2fa/webauthn/reauthenticate/"),
        (Authenticator.Type.TOTP, "/accounts/2fa/reauthenticate/"),
    ],
)
def test_who_has_no_password_confirms_by_what_they_have(client, member, page, kind, place):
    forget_password(member, kind)
    client.force_login(member)

    answer = client.get(page)["Location"]

    assert answer.startswith(f"{place}?next=")
    assert client.post(page, PAGES.get(page, {"password1": PASSWORD, "password2": PASSWORD})).status_code in (302, 405)
    assert not User.objects.get(pk=member.pk).has_usable_password()


def test_a_recovery_code_confirms_too(open_browser, member):
    made = Authenticator.objects.create(user=member, type=Authenticator.Type.RECOVERY_CODES, data=CODES)
    code = made.wrap().get_unused_codes()[0]

    open_browser.post("/accounts/2fa/reauthenticate/", {"code": code, "next": "/accounts/bots/"})

    assert open_browser.get("/accounts/bots/").status_code == 200


def test_who_has_neither_password_nor_factor_can_set_a_password(client, member):
    """Nothing is there to confirm it by: the host has taken the password away, say."""
    forget_password(member)
    client.force_login(member)

    answer = client.post(
        "/accounts/password/set/", {"password1": "ten of spades, then", "password2": "ten of spades, then"}
    )

    assert answer.status_code == 302
    assert User.objects.get(pk=member.pk).has_usable_password()


def test_guests_take_their_data_along_and_leave_as_ever(guest_client):
    guest = who(guest_client)

    assert guest_client.get("/accounts/download/")["Content-Type"] == "application/zip"
    assert guest_client.get("/accounts/email/")["Location"] == "/accounts/signup/"
    assert guest_client.post("/accounts/bots/", {"name": "Clockwork"})["Location"] == "/accounts/signup/"
    assert guest_client.get("/accounts/delete/").status_code == 200
    assert guest_client.post("/accounts/delete/", {"name": guest.username})["Location"] == "/"
    assert not User.objects.exists()


def test_without_mail_the_page_says_what_can_be_done(open_browser, member):
    member.emailaddress_set.create(email="m@example.org", verified=True, primary=True)
    confirm(open_browser)

    page = open_browser.get("/accounts/email/").text

    assert "can’t be confirmed or changed here, only removed" in re.sub(r"\s+", " ", page)
    assert 'name="action_add"' not in page
    open_browser.post("/accounts/email/", {"email": "m@example.org", "action_remove": "1"})
    assert not member.emailaddress_set.exists()
    assert not member.former_addresses.exists()
    assert mail.outbox == []


def test_without_mail_a_lost_password_is_the_host_s_to_renew(open_browser):
    assert "/accounts/password/reset/" in open_browser.get(ASKED).text
    assert "Ask the people who run it for a reset link" in open_browser.get("/accounts/password/reset/").text


def test_logging_out_elsewhere_needs_no_password(open_browser):
    """It protects: somebody in a hurry must be able to."""
    assert open_browser.post("/accounts/sessions/").status_code == 302


def test_asking_costs_few_queries(open_browser, django_assert_num_queries):
    with django_assert_num_queries(8):  # the session, the user, and twice each kind of second factor
        open_browser.get("/accounts/bots/")
