"""Guessing passwords is stopped, and stops nobody else: least of all the owner of the name."""

import pytest
from django.test import Client

from tests.accounts.conftest import PASSWORD, log_in, who

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

LIMITS = {"login_failed": "20/m/ip,5/5m/key", "login_failed_known": "5/5m/key"}
FEW = LIMITS | {"login_failed_anywhere": "4/h/key", "login_failed_besieged": "1/h/key"}


def browser(number=1):
    return Client(REMOTE_ADDR=f"192.0.2.{number}")


def guess(client, name="Maria"):
    """The answer to one wrong password."""
    return log_in(client, name, "wrong").text


def test_wrong_passwords_from_elsewhere_keep_nobody_out(member):
    for number in range(7):
        guess(browser(number))

    owner = browser(10)
    log_in(owner, "Maria")

    assert who(owner) == member


@pytest.mark.whole
def test_no_number_of_them_does(member):
    for number in range(60):
        for _ in range(5):
            answer = guess(browser(number))
    assert "Somebody has been guessing passwords" in answer

    owner = browser(100)
    log_in(owner, "Maria")

    assert who(owner) == member


def test_neighbours_in_a_network_do_not_lock_out_who_has_been_there_before(client, member):
    log_in(client, "Maria")
    client.post("/accounts/logout/")
    for number in range(25):
        answer = guess(Client(), f"Nobody{number}")
    assert "Too many failed attempts" in answer
    for _ in range(6):
        guess(Client())

    log_in(client, "Maria")

    assert who(client) == member


def test_a_browser_that_has_been_there_before_has_few_guesses_too(client, member):
    log_in(client, "Maria")
    client.post("/accounts/logout/")

    answers = [guess(client) for _ in range(6)]

    assert ["Too many failed attempts" in answer for answer in answers] == [False] * 5 + [True]


def test_guessing_from_many_networks_gets_slow(settings, member):
    settings.ACCOUNT_RATE_LIMITS = FEW
    for number in range(4):
        guess(browser(number))

    answers = [guess(browser(number)) for number in (1, 1, 2, 2)]

    assert ["Somebody has been guessing" in answer for answer in answers] == [False, True, False, True]


def test_right_passwords_use_up_nothing(settings, member):
    settings.ACCOUNT_RATE_LIMITS = FEW

    for number in range(8):
        owner = browser(number)
        log_in(owner, "Maria")
        assert who(owner) == member


@pytest.mark.parametrize("theirs", ["forged", "of another"])
def test_only_a_cookie_of_ours_for_this_name_is_believed(settings, client, member, host, theirs):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "1/h/key", "login_failed_known": "5/h/key"}
    if theirs == "forged":
        client.cookies["device"] = f"{member.pk}.x"
    else:
        log_in(client, "Host")
        client.post("/accounts/logout/")

    guess(client)

    assert "Too many failed attempts" in guess(client)


def test_the_admin_lets_its_host_in_whoever_guesses(host):
    for number in range(7):
        guess(browser(number), "Host")
    owner = browser(10)

    form = owner.get("/admin/", follow=True)
    assert form.redirect_chain[-1][0].startswith("/accounts/login/")
    owner.post(form.redirect_chain[-1][0], {"login": "Host", "password": PASSWORD})

    assert owner.get("/admin/").status_code == 200
