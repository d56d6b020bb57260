"""The page of notifications: by plain forms, one's own and nobody else's."""

import pytest
from allauth.usersessions.models import UserSession
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from games.notifications import delivery_methods, push
from games.notifications.models import DeliveryMethod, Medium, Notification, NotificationKind, Subscription
from tests.accounts.conftest import PASSWORD, guest_client, log_in, member
from tests.notifications.conftest import ORIGIN
from tests.notifications.servers import Browser

__all__ = ["guest_client", "member"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def anas(ana):
    client = Client()
    client.force_login(ana)
    return client


def fields(number=1):
    return Browser(f"https://push.example/{number}").fields


def test_the_page_keeps_what_is_chosen(anas, ana, confirm):
    confirm(ana)
    page = anas.get("/notices/").content.decode()
    assert all(label in page for label in (str(NotificationKind.TURN.label), "Email", "Webhook"))

    anas.post("/notices/", {"push": ["turn", "nonsense", "test"], "mail": ["friend"], "sms": ["turn"]})

    subscriptions = Subscription.objects.filter(user=ana).order_by("medium").values_list("medium", "kind")
    assert list(subscriptions) == [("mail", "friend"), ("push", "turn")]
    assert DeliveryMethod.objects.get().medium == Medium.MAIL
    anas.post("/notices/", {})
    assert (Subscription.objects.count(), DeliveryMethod.objects.count()) == (0, 0)


def test_mail_needs_a_confirmed_address(anas):
    assert anas.post("/notices/", {"mail": ["turn"]}).status_code == 400
    assert not DeliveryMethod.objects.exists()


def test_a_browser_is_added_tested_and_removed(anas, ana):
    assert anas.post("/notices/browser/", fields()).status_code == 302
    method = DeliveryMethod.objects.get()
    assert (method.user, method.medium, method.origin) == (ana, "push", "http://testserver")
    assert set(Subscription.objects.values_list("kind", flat=True)) == set(delivery_methods.KINDS)
    anas.post(f"/notices/{method.pk}/test/")
    assert Notification.objects.get().kind == NotificationKind.TEST

    anas.post(f"/notices/{method.pk}/remove/")

    assert not DeliveryMethod.objects.exists()


def test_a_browser_says_the_same_twice(anas):
    said = fields()
    anas.post("/notices/browser/", said)
    assert anas.post("/notices/browser/", said | {"again": "1"}).status_code == 204
    assert DeliveryMethod.objects.count() == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"endpoint": "https://127.0.0.1/"},
        {"endpoint": "https://[::ffff:10.0.0.1]/"},
        {"endpoint": "http://push.example/"},
        {"public_key": "A" * 87},
        {"public_key": "no key"},
        {"secret": "short"},
        {"secret": "ключ"},
        {"endpoint": ""},
    ],
)
def test_a_browser_that_is_none_is_refused(anas, changed):
    assert anas.post("/notices/browser/", fields() | changed).status_code == 400
    assert not DeliveryMethod.objects.exists()


def test_nobody_takes_over_tests_or_removes_what_is_anothers(anas, boris):
    known = fields()
    theirs = delivery_methods.subscribe(boris, None, delivery_methods.Browser(**known, name="Theirs"), ORIGIN)

    # Somebody who has got hold of an address, but not of the keys in that browser
    assert anas.post("/notices/browser/", fields(2) | {"endpoint": known["endpoint"]}).status_code == 403
    assert anas.post(f"/notices/{theirs.pk}/remove/").status_code == 400
    assert anas.post(f"/notices/{theirs.pk}/test/").status_code == 400
    assert (DeliveryMethod.objects.get().user, Notification.objects.count()) == (boris, 0)


def test_the_next_at_a_browser_takes_it_over_and_what_waited_is_gone(anas, ana, boris):
    known = fields()
    theirs = delivery_methods.subscribe(boris, None, delivery_methods.Browser(**known, name="Theirs"), ORIGIN)
    delivery_methods.send_test(boris, theirs.pk)

    anas.post("/notices/browser/", known)

    assert (DeliveryMethod.objects.get().user, Notification.objects.count()) == (ana, 0)


def test_a_browser_that_is_logged_out_is_forgotten(member, client):
    log_in(client, "Maria", PASSWORD)
    elsewhere = Client()
    log_in(elsewhere, "Maria", PASSWORD)
    client.post("/notices/browser/", fields(1))
    elsewhere.post("/notices/browser/", fields(2))

    client.post("/accounts/logout/")
    assert [method.address for method in DeliveryMethod.objects.all()] == ["https://push.example/2"]
    for session in UserSession.objects.filter(user=member):
        session.end()  # from the list of sessions, or by a ban

    assert not DeliveryMethod.objects.exists()


def test_a_guest_has_push_and_neither_mail_nor_webhook(guest_client):
    page = guest_client.get("/notices/").content.decode()
    assert 'name="push"' in page
    assert 'name="mail"' not in page
    assert 'name="url"' not in page
    assert guest_client.post("/notices/browser/", fields()).status_code == 302
    assert guest_client.post("/notices/", {"mail": ["turn"]}).status_code == 400
    assert guest_client.post("/notices/webhook/", {"url": "https://hook.example/", "form": "json"}).status_code == 400
    assert DeliveryMethod.objects.get().medium == "push"

    guest_client.post("/accounts/logout/", {"sure": "1"})

    assert not DeliveryMethod.objects.exists()


def test_a_webhook_is_kept_replaced_and_refused_in_words(anas, ana):
    anas.post("/notices/webhook/", {"url": " https://hook.example/a?b=1 ", "form": "discord"})
    anas.post("/notices/webhook/", {"url": "https://hook.example/c", "form": "slack"})
    method = DeliveryMethod.objects.get()
    assert (method.address, method.form) == ("https://hook.example/c", "slack")

    for url in ("https://localhost@10.0.0.1/", "https://192.168.0.1/", 'https://x/"><script>'):
        response = anas.post("/notices/webhook/", {"url": url, "form": "json"})
        assert response.status_code == 400
        assert b"<script>" not in response.content.replace(b"<script src", b"").replace(b"<script type", b"")
    assert anas.post("/notices/webhook/", {"url": "https://hook.example/", "form": "x"}).status_code == 400
    assert DeliveryMethod.objects.get() == method


def test_a_webhook_is_not_left_at_an_open_browser(client, member):
    log_in(client, "Maria", PASSWORD)

    answer = client.post("/notices/webhook/", {"url": "https://hook.example/", "form": "json"})

    assert answer["Location"] == "/accounts/reauthenticate/?next=%2Fnotices%2F"
    assert not member.delivery_methods.exists()


def test_only_so_many_browsers_and_tests(anas, ana, monkeypatch):
    monkeypatch.setattr(delivery_methods, "MAX_BROWSERS", 2)
    codes = [anas.post("/notices/browser/", fields(number)).status_code for number in range(3)]
    assert codes == [302, 302, 400]
    method = ana.delivery_methods.first()
    assert {anas.post(f"/notices/{method.pk}/test/").status_code for _ in range(12)} == {302, 429}


def test_every_page_says_how_many_tables_wait_to_who_asks_and_nobody_else(slow, client):
    user = User.objects.get(pk=slow.seats[slow.to_act].user_id)
    assert "data-waiting" not in client.get("/").content.decode()
    assert client.get("/notices/waiting/").status_code == 302
    client.force_login(user)

    for path in ("/", "/rules/", f"/players/{user}/", f"/matches/{slow.code}/", "/notices/"):
        assert 'data-waiting="1"' in client.get(path).content.decode(), path
    assert client.get("/notices/waiting/").json() == {"waiting": 1}


def test_counting_costs_one_query_once_it_is_known(slow, client, django_assert_num_queries):
    from games.notifications import waiting

    users = [seat.user_id for seat in slow.seats if seat.user_id]
    waiting.waiting_tables(users)

    with django_assert_num_queries(1):
        assert waiting.waiting_tables(users) == {slow.seats[slow.to_act].user_id: [slow.code]}


def test_the_service_worker_lies_at_the_root(client):
    response = client.get("/service-worker.js")

    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert b'addEventListener("push"' in response.content


def test_one_command_makes_the_keys_once_and_keeps_them_with_the_settings(settings, tmp_path):
    with pytest.raises(CommandError):
        call_command("vapid_keys")
    settings.VAPID_PRIVATE_KEY = ""
    assert push.public_key() == ""
    settings.BASE_DIR = tmp_path
    call_command("vapid_keys", verbosity=0)

    (line,) = (tmp_path / ".env").read_text().split()
    settings.VAPID_PRIVATE_KEY = line.removeprefix("VAPID_PRIVATE_KEY=")
    assert len(push.public_key()) == 87
    assert (tmp_path / ".env").stat().st_mode & 0o777 == 0o600
