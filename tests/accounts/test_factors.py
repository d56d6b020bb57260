"""Second factors."""

import base64
import hmac
import re
import time

import pytest

from tests.accounts.conftest import PASSWORD, log_in, who

pytestmark = pytest.mark.django_db


def code_of(secret, steps=0):
    """What an app shows now, or so many half minutes from now. The site takes that of half a minute before or after."""
    moment = int(time.time()) // 30 + steps
    mac = hmac.digest(base64.b32decode(secret), moment.to_bytes(8), "sha1")
    place = mac[-1] & 15
    return f"{(int.from_bytes(mac[place : place + 4]) & 0x7FFFFFFF) % 1_000_000:06}"


@pytest.fixture
def secret(client, member):
    """The secret of Maria's authenticator app, set up through the pages; she is logged out again."""
    log_in(client, "Maria")
    page = "/accounts/2fa/totp/activate/"
    client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": page})
    secret = re.search(r'class="secret">(\w+)<', client.get(page).text)[1]
    assert client.post(page, {"code": code_of(secret)}).status_code == 302
    client.post("/accounts/logout/")
    return secret


def test_the_password_alone_lets_nobody_in(client, member, secret):
    answer = log_in(client, "maria")

    assert answer["Location"] == "/accounts/2fa/authenticate/"
    assert who(client) is None


def test_a_code_of_the_app_lets_one_in(client, member, secret):
    log_in(client, "maria")

    client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert who(client) is None
    client.post("/accounts/2fa/authenticate/", {"code": code_of(secret, 1)})

    assert who(client) == member


def test_a_recovery_code_lets_one_in_once(client, member, secret):
    codes = member.authenticator_set.get(type="recovery_codes").wrap().get_unused_codes()
    for expected in (member, None):
        log_in(client, "maria")
        client.post("/accounts/2fa/authenticate/", {"code": codes[0]})

        assert who(client) == expected
        client.post("/accounts/logout/")


def test_the_admin_asks_for_the_second_factor_too(client, member, secret):
    member.is_staff = member.is_superuser = True
    member.save()

    answer = client.post("/admin/login/", {"username": "Maria", "password": PASSWORD})

    assert answer["Location"].startswith("/accounts/login/")
    assert who(client) is None
