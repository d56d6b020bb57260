"""Bots that members run elsewhere, as their owners keep them."""

import re

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.programs import MAX_PROGRAMS, make_program, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_home(client, ana):
    client.force_login(ana)
    return client


def token_on(page):
    return re.search(r'<code class="token">(.+?)</code>', page.content.decode())[1]


def test_its_token_is_shown_once_and_stored_nowhere(at_home, ana):
    made = at_home.post(reverse("bots"), {"name": "Clockwork"})
    token = token_on(made)

    assert user_of(token).username == "Clockwork"
    assert "no-store" in made["Cache-Control"]
    assert token not in at_home.get(reverse("bots")).content.decode()
    assert ana.programs.get().token_hash != token


@pytest.mark.parametrize(
    ("secure", "address"), [(False, "ws://testserver/ws/bot/"), (True, "wss://testserver/ws/bot/")]
)
def test_its_page_says_where_it_connects(at_home, secure, address):
    assert f">{address}<" in at_home.get(reverse("bots"), secure=secure).content.decode()


def test_a_new_token_ends_the_old_one(at_home, ana):
    _, old = make_program(ana, "Clockwork")

    new = token_on(at_home.post(reverse("bot_token", args=[ana.programs.get().pk])))

    assert user_of(old) is None
    assert user_of(new).username == "Clockwork"


def test_it_can_be_deleted(at_home, ana):
    make_program(ana, "Clockwork")

    at_home.post(reverse("delete_bot", args=[ana.programs.get().pk]))

    assert not User.objects.filter(username="Clockwork").exists()


@pytest.mark.parametrize("name", ["", "x", "Ana", "admin", "two words", "guest-7"])
def test_its_name_is_one_that_an_account_may_have(at_home, ana, name):
    assert at_home.post(reverse("bots"), {"name": name}).status_code == 400
    assert not ana.programs.exists()


def test_there_are_only_so_many(at_home, ana):
    for number in range(MAX_PROGRAMS):
        make_program(ana, f"Clockwork-{number}")

    refused = at_home.post(reverse("bots"), {"name": "Clockwork"})

    assert refused.status_code == 400
    assert "as many as we allow" in refused.content.decode()


def test_those_of_others_are_not_to_be_touched(client, ana, boris):
    make_program(ana, "Clockwork")
    client.force_login(boris)

    answers = [client.post(reverse(name, args=[ana.programs.get().pk])) for name in ("bot_token", "delete_bot")]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert ana.programs.exists()


def test_guests_sign_up_first(client, ana):
    User.objects.filter(pk=ana.pk).update(is_guest=True)
    client.force_login(ana)

    assert client.post(reverse("bots"), {"name": "Clockwork"}).url == reverse("account_signup")
    assert not ana.programs.exists()
