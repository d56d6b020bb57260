"""Limits: counted by user and by network, and never by what a client claims."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory

from accounts.limits import address_of, allow
from tests.accounts.conftest import log_in, sign_up, who


def request_from(address, user=None, **headers):
    request = RequestFactory().get("/", REMOTE_ADDR=address, headers=headers)
    request.user = user or AnonymousUser()
    return request


def test_the_third_of_two_is_not_allowed(settings):
    settings.RATE_LIMITS = {"knock": "2/h/ip", "ring": "2/h/ip"}

    assert [allow(request_from("192.0.2.1"), "knock") for _ in range(4)] == [True, True, False, False]
    assert allow(request_from("192.0.2.2"), "knock")
    assert allow(request_from("192.0.2.1"), "ring")


def test_requests_count_by_network(settings):
    settings.RATE_LIMITS = {"knock": "1/h/ip"}

    assert allow(request_from("2001:db8::1"), "knock")
    assert not allow(request_from("2001:db8::2"), "knock")
    assert allow(request_from("2001:db8:0:1::1"), "knock")
    assert allow(request_from("192.0.2.1"), "knock")


def test_requests_count_by_user_and_by_network(settings, ana, boris):
    settings.RATE_LIMITS = {"knock": "2/h/user,3/h/ip"}

    assert [allow(request_from(f"192.0.2.{number}", ana), "knock") for number in (1, 2, 3)] == [True, True, False]
    assert [allow(request_from("192.0.2.1", boris), "knock") for _ in range(3)] == [True, True, False]
    assert not allow(request_from("192.0.2.1"), "knock")
    assert [allow(request_from("192.0.2.9"), "knock") for _ in range(4)] == [True, True, True, False]


def test_a_forwarded_address_counts_only_behind_our_proxies(settings):
    request = request_from("10.0.0.1", **{"X-Forwarded-For": "203.0.113.7, 198.51.100.2"})

    assert address_of(request) == "10.0.0.1"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert address_of(request) == "198.51.100.2"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    assert address_of(request) == "203.0.113.7"


@pytest.mark.django_db
def test_guessing_a_password_is_stopped_in_any_spelling_of_the_name(client, member):
    for name in ("Maria", "maria", "MARIA", "Ｍａｒｉａ", " maria "):
        log_in(client, name, "wrong")

    answer = log_in(client, "mARIA")

    assert "Too many failed attempts" in answer.text
    assert who(client) is None


@pytest.mark.django_db
def test_too_many_sign_ups_get_a_page_that_says_so(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "1/h/ip"}
    sign_up(client, "Velislava")
    client.logout()

    answer = sign_up(client, "Radoslav")

    assert answer.status_code == 429
    assert "Please slow down" in answer.text
