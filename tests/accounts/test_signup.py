"""Signing up, logging in and out."""

import re

import pytest
from django.contrib.sessions.models import Session
from django.core import mail

from accounts.forms import SignupForm
from accounts.models import User
from tests.accounts.conftest import PASSWORD, log_in, sign_up, who

pytestmark = pytest.mark.django_db


def test_a_name_and_a_password_make_an_account(client):
    answer = sign_up(client, "Ана")

    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert who(client) == User.objects.get(username="Ана", is_guest=False, email="")


@pytest.mark.parametrize("name", ["maria", "MARIA", "Маria", "Mar1a", "  Maria ", "Guest Heron 3", "Al", "admin"])
def test_a_name_that_can_not_be_is_refused_in_words(client, member, name):
    answer = sign_up(client, name)

    assert answer.context["form"].errors["username"]
    assert who(client) is None
    assert User.objects.count() == 1


@pytest.mark.parametrize("password", ["", "short1", "password123", "Velislava1"])
def test_a_weak_password_is_refused_in_words(client, password):
    answer = sign_up(client, "Velislava", password)

    assert answer.context["form"].errors["password1"]
    assert not User.objects.exists()


def test_a_name_taken_at_the_same_moment_is_refused_in_words(client, monkeypatch):
    def slow(form, request, save=SignupForm.save):
        User.objects.get_or_create(username="velislava")  # somebody else, after the form was checked
        return save(form, request)

    monkeypatch.setattr(SignupForm, "save", slow)

    answer = sign_up(client, "Velislava")

    assert answer.context["form"].errors["username"]
    assert [user.username for user in User.objects.all()] == ["velislava"]


def test_sign_up_goes_on_to_where_it_was_asked_for_but_not_off_the_site(client):
    assert sign_up(client, "Velislava", next="/matches/")["Location"] == "/matches/"
    client.post("/accounts/logout/")

    assert sign_up(client, "Radoslav", next="https://evil.example/")["Location"] == "/"


def test_a_member_has_no_business_at_sign_up(client, member):
    client.force_login(member)

    answer = sign_up(client, "Somebody-else")

    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert User.objects.count() == 1


def test_an_address_is_confirmed_by_its_link(client, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    sign_up(client, "Velislava", email="V@example.org")
    user = who(client)
    link = re.search(r"http://testserver(/accounts/confirm-email/\S+/)", mail.outbox[0].body)[1]

    client.get(link)
    client.post(link)

    assert user.email == "v@example.org"
    assert list(user.emailaddress_set.values_list("email", "verified")) == [("v@example.org", True)]


def test_nobody_learns_whose_address_is_known(client, member):
    member.emailaddress_set.create(email="m@example.org", verified=True, primary=True)

    assert sign_up(client, "Velislava", email="m@example.org").status_code == 302


@pytest.mark.parametrize("name", ["Maria", "maria", "MARIA", " Maria ", "Ｍａｒｉａ"])
def test_log_in_takes_the_name_in_any_case(client, member, name):
    assert log_in(client, name)["Location"] == "/"
    assert who(client) == member


def test_log_in_takes_a_cyrillic_name_in_any_case(client, db):
    user = User.objects.create_user("Цветелина", password=PASSWORD)

    log_in(client, "цВЕТЕЛИНА")

    assert who(client) == user


@pytest.mark.parametrize(
    ("name", "password"), [("Maria", "wrong"), ("Nobody-here", PASSWORD), ("", ""), ("a\x00b", "x")]
)
def test_a_wrong_log_in_is_refused_in_words(client, member, name, password):
    answer = log_in(client, name, password)

    assert answer.context["form"].errors
    assert who(client) is None


def test_logging_out_ends_the_session(client, member):
    log_in(client, "Maria")
    assert Session.objects.get().session_key == client.session.session_key

    assert client.post("/accounts/logout/")["Location"] == "/"
    assert who(client) is None
    assert not Session.objects.exists()


def test_the_form_works_only_from_our_own_page(client, member):
    client.handler.enforce_csrf_checks = True

    answer = log_in(client, "Maria")

    assert answer.status_code == 403
    assert "Please try again" in answer.text
    assert who(client) is None


def test_a_new_password_logs_other_browsers_out(client, member):
    log_in(client, "Maria")
    other = type(client)()
    log_in(other, "Maria")
    fields = {"oldpassword": PASSWORD, "password1": "ten of spades, then", "password2": "ten of spades, then"}

    assert client.post("/accounts/password/change/", fields).status_code == 302

    assert client.get("/accounts/settings/").status_code == 200
    assert other.get("/accounts/delete/").status_code == 302


def test_log_out_everywhere_else(client, member):
    log_in(client, "Maria")
    other = type(client)()
    log_in(other, "Maria")

    client.post("/accounts/sessions/")

    assert client.get("/accounts/settings/").status_code == 200
    assert other.get("/accounts/delete/").status_code == 302


def test_a_forgotten_password_is_reset_by_mail(client, member):
    member.emailaddress_set.create(email="m@example.org", verified=True, primary=True)

    client.post("/accounts/password/reset/", {"email": "m@example.org"})

    link = re.search(r"http://testserver(/accounts/password/reset/key/\S+/)", mail.outbox[0].body)[1]
    form_page = client.get(link)["Location"]
    client.post(form_page, {"password1": "ten of spades, then", "password2": "ten of spades, then"})
    log_in(client, "Maria", "ten of spades, then")
    assert who(client) == member


def test_no_mail_is_sent_for_an_address_that_is_not_known(client, member):
    answer = client.post("/accounts/password/reset/", {"email": "nobody@example.org"})

    assert answer.status_code == 302
    assert mail.outbox == []


def test_the_account_pages_hold_no_inline_script_or_style(marias):
    pages = ["login/", "settings/", "email/", "password/change/", "password/reset/", "sessions/", "delete/", "2fa/"]
    pages += ["logout/", "2fa/webauthn/", "reauthenticate/", "bots/", "name/"]

    for page in pages:
        answer = marias.get(f"/accounts/{page}")
        assert answer.status_code == 200, page
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=", answer.text), page
        scripts = re.findall(r"<script[^>]*>", answer.text)
        assert scripts
        assert all("src=" in script or 'type="application/json"' in script for script in scripts), page


def test_an_address_can_be_removed_for_good(marias, member):
    member.email = "m@example.org"
    member.save()
    marias.get("/accounts/email/")

    marias.post("/accounts/email/", {"email": "m@example.org", "action_remove": "1"})
    marias.get("/accounts/email/")

    member.refresh_from_db()
    assert (member.email, member.emailaddress_set.count()) == ("", 0)


def test_a_mail_server_that_is_down_stops_nobody(client, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    backend = "django.core.mail.backends.smtp.EmailBackend"
    settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": {"host": "127.0.0.1", "port": 9}}}

    answer = sign_up(client, "Velislava", email="v@example.org")

    assert answer.status_code == 302
    assert who(client).username == "Velislava"
    assert "send the email. Please try again later." in client.get("/accounts/settings/").text
