"""What is refused to who is suspended: everything that is sent, but for a list, from every page of the site."""

import pytest
from asgiref.sync import sync_to_async
from django.urls import URLResolver, get_resolver, reverse
from django.urls.converters import IntConverter

from accounts import sanctions
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db

# What changes only one's own settings, protects from others, or takes something of one's own away.
OPEN = {
    *("sanction_read", "delete", "delete_bot", "account_logout", "language", "unsubscribe"),
    *("presence", "unfriend", "unfollow", "block", "unblock", "mute", "chat_settings"),
    *("notices", "remove_delivery_method", "hide_ratings", "show_statistics", "delete_comment", "leave_club"),
    *("restore_address", "time_zone"),
    "guest_matches",  # to say no
    *("search", "remove_name"),  # not to be found
}
OF_ALLAUTH = ("account_", "mfa_", "usersessions_")  # log-in, passwords, second factors, sessions
OURS = {"account_signup", "account_logout"}  # with names of allauth's


def addresses(patterns):
    """Yield the name and an example, which need not lead anywhere, of each of our pages but for the admin's."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from addresses([] if pattern.namespace else pattern.url_patterns)
        elif pattern.name and not is_of_allauth(pattern.name):
            converters = pattern.pattern.converters.items()
            places = {name: 1 if isinstance(converter, IntConverter) else "x" for name, converter in converters}
            yield pattern.name, reverse(pattern.name, kwargs=places)


def is_of_allauth(name):
    return name not in OURS and name.startswith(OF_ALLAUTH)


def test_every_page_refuses_what_somebody_suspended_sends(client, member):
    made = sanctions.impose(member, "suspension", "Cheated.", days=1)
    client.force_login(member)
    refused, open_ = set(), set()

    for name, address in addresses(get_resolver().url_patterns):
        answer = client.post(address)
        is_refused = answer.status_code == 403 and sanctions.sentence(made) in answer.text
        (refused if is_refused else open_).add(name)
        client.force_login(member)  # they may have logged out

    assert open_ == OPEN
    assert {"open_room", "make_challenge", "analysis", "follow", "comments", "vote", "avatar", "bot_token"} <= refused


def test_every_page_of_the_admin_is_shut_to_suspended_staff(client, host):
    made = sanctions.impose(host, "suspension", "Cheated.", days=1)
    client.force_login(host)

    for method in (client.get, client.post):
        for name in ("index", "accounts_user_changelist", "chat_report_changelist", "chat_silence_add"):
            answer = method(reverse(f"admin:{name}"))
            assert answer.status_code == 403
            assert sanctions.sentence(made) in answer.text

    sanctions.lift(made)
    assert client.get(reverse("admin:index")).status_code == 200


@pytest.mark.django_db(transaction=True)
async def test_it_holds_under_servers_that_are_asynchronous(async_client, member):
    fields = {"login": "Maria", "password": PASSWORD}
    assert (await async_client.post("/accounts/login/", fields)).status_code == 302
    assert "device" in async_client.cookies
    await sync_to_async(sanctions.impose)(member, "suspension", "Cheated.", days=1)

    assert (await async_client.post("/tables/new/")).status_code == 403
    assert (await async_client.get("/rules/")).status_code == 200
    assert (await async_client.post("/accounts/logout/")).status_code == 302
    assert (await async_client.post("/accounts/guest/")).status_code == 403
