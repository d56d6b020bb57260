"""What people are sent, and read of each other, comes to each in their own language."""

import re

import pytest
from allauth.account.adapter import get_adapter
from allauth.core.context import request_context
from django.core import mail
from django.test import RequestFactory

from accounts import sanctions
from accounts.models import User
from accounts.people import ties
from games.chat import posting, reading, reporting
from games.chat.drawing import talk_html
from games.chat.models import Report, Silence
from games.languages import using_language
from games.models import Seat
from games.notifications import delivery_methods, guard, push
from games.notifications.models import DeliveryMethod, NotificationKind
from games.play import seating, store
from games.play.errors import Refused
from tests import opening
from tests.languages.made_up import CODE, OPEN, made_up, unsaid, unsaid_of_texts
from tests.notifications.conftest import ORIGIN
from tests.notifications.passing import later, send_all
from tests.notifications.servers import Browser, Server

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

NAMES = ("Ana", "Boris", "Vera", "Goran", "Oh Hell", "Valat", "Maria")


@pytest.fixture
def readers(users, made_up_language):
    """Ana, who reads the made-up language, and Boris, who reads English."""
    User.objects.filter(username="Ana").update(language=made_up_language)
    User.objects.filter(username="Boris").update(language="en")
    return [User.objects.get(username=name) for name in ("Ana", "Boris")]


@pytest.fixture
def server(settings):
    settings.NOTICES_INSIDE = ["127.0.0.1"]
    settings.VAPID_PRIVATE_KEY = push.new_private_key()
    push._signing_key.cache_clear()
    server = Server()
    yield server
    server.close()


# Notices


def test_all_kinds_of_notices_are_told_in_the_language_of_their_reader(readers, server, users):
    ana, boris = readers
    browser = Browser(f"{server.url}/browser/1")
    delivery_methods.subscribe(ana, None, delivery_methods.Browser(**browser.fields, name="Firefox"), ORIGIN)
    opened = opening.open_table(boris, "oh-hell", seats=3, bots=1)
    seating.sit_down(ana, opened.code)
    match = store.read(opened.code)
    for kind in set(NotificationKind) - {NotificationKind.CLUB_NEWS}:  # Its sentence is what a member wrote.
        about = {"match": None, "other_id": boris.pk}
        if kind in (
            NotificationKind.TURN,
            NotificationKind.STARTED,
            NotificationKind.TEAM,
            NotificationKind.OVER,
            NotificationKind.INVITATION,
            NotificationKind.REPLY,
            NotificationKind.READY,
            NotificationKind.COMMENT,
            NotificationKind.CHALLENGE,
        ):
            about["match"] = boris.seats.get().match
        for alone in (True, False):
            title = _message(ana, kind, about, count=1 if alone else 2, waiting=[match.code] * (1 if alone else 2))
            assert unsaid_of_texts(title, NAMES) == [], kind
            assert OPEN in title[0]


def _message(reader, kind, about, count, waiting):
    from games.notifications.models import Notification
    from games.notifications.words import message

    method = DeliveryMethod.objects.filter(user=reader).first()
    notices = [Notification(pk=number, method=method, kind=kind, key=str(number), **about) for number in range(count)]
    with using_language(reader.language_read):
        return message(method, notices, waiting).sentences


def test_a_push_message_and_what_went_wrong_with_a_webhook_are_in_the_language_of_their_owner(readers, server, vera):
    ana, _ = readers
    browser = Browser(f"{server.url}/browser/1")
    delivery_methods.subscribe(ana, None, delivery_methods.Browser(**browser.fields, name="Firefox"), ORIGIN)
    ties.ask(vera, ana)
    assert send_all() == 1
    told = browser.read(server.posts[0][2])
    assert told["title"].startswith(OPEN)

    server.status = 500
    for reader in readers:
        delivery_methods.set_webhook(reader, f"{server.url}/{reader.username}", "json", ORIGIN)
        delivery_methods.send_test(reader, DeliveryMethod.objects.get(user=reader, medium="webhook").pk)
    later(minutes=2)
    send_all()

    trouble = dict(DeliveryMethod.objects.filter(medium="webhook").values_list("user__username", "trouble"))
    assert trouble["Boris"] == "The server answered 500. Check that it accepts POST requests."
    assert trouble["Ana"].startswith(OPEN)


def test_a_mail_is_in_the_language_of_its_reader(readers, settings, vera, mailoutbox):
    settings.HAS_MAIL = True
    for reader in readers:
        address = f"{reader.username}@example.org"
        User.objects.filter(pk=reader.pk).update(email=address)
        reader.emailaddress_set.create(email=address, verified=True, primary=True)
        reader.refresh_from_db()
        delivery_methods.set_subscriptions(reader, {"mail": [NotificationKind.FRIEND]}, ORIGIN)
        ties.ask(vera, reader)
    later(hours=1)
    assert send_all() == 2

    sent = {mail.to[0].partition("@")[0]: mail for mail in mailoutbox}
    assert sent["Boris"].subject == "Vera asks to be your friend."
    lines = [sent["Ana"].subject, *_without_addresses(sent["Ana"].body)]
    assert unsaid_of_texts(lines, NAMES) == []


def _without_addresses(text):
    return [" ".join(word for word in line.split() if "://" not in word) for line in text.splitlines()]


def test_a_page_says_in_both_languages_why_an_address_can_not_be_used(client, readers):
    ana, _ = readers
    client.force_login(ana)
    fields = {"url": "https://192.168.0.1/", "form": "json"}

    english = client.post("/notices/webhook/", fields)
    client.cookies["language"] = CODE
    made_up = client.post("/notices/webhook/", fields)

    assert "We don’t send anything to this address. Enter a public one." in english.text
    (said,) = re.findall(r'id="webhook-error">([^<]+)<', made_up.text)
    assert unsaid_of_texts([said]) == []
    with pytest.raises(guard.Forbidden) as refused:
        guard.parse_url("ftp://example.org/")
    with using_language("en"):
        assert str(refused.value) == "Enter an address that begins with https:// and the name of a server."
    with using_language(CODE):
        assert str(refused.value).startswith(OPEN)


# Mails of accounts


@pytest.mark.parametrize("language", ["en", CODE])
def test_a_reset_link_comes_in_the_language_of_the_account_whatever_the_page_speaks(client, readers, language):
    maria = User.objects.create_user("Maria", email="m@example.org", password="nine of hearts", language=CODE)
    maria.emailaddress_set.create(email="m@example.org", verified=True, primary=True)
    client.cookies["language"] = language

    client.post("/accounts/password/reset/", {"email": "M@example.org"})

    (sent,) = mail.outbox
    assert unsaid_of_texts([sent.subject, *_without_addresses(sent.body)], (*NAMES, "testserver")) == []
    User.objects.filter(pk=maria.pk).update(language="en")
    client.post("/accounts/password/reset/", {"email": "m@example.org"})
    assert mail.outbox[1].subject == "Valat: Choose a new password"


@pytest.mark.parametrize(
    "template",
    [
        "account/email/account_already_exists",
        "account/email/email_confirmation",
        "account/email/email_confirmation_signup",
        "account/email/password_reset_key",
        "mfa/email/recovery_codes_generated",
        "mfa/email/webauthn_added",
        "mfa/email/webauthn_removed",
    ],
)
def test_what_mails_of_accounts_say(readers, template):
    ana, _ = readers
    request = RequestFactory().get("/", headers={"user-agent": "-"})
    context = {"user": ana, "username": "Ana", "email": "-", "ip": "-", "user_agent": "-", "request": request}
    context |= {"password_reset_url": "https://x/", "activate_url": "https://x/", "timestamp": ana.date_joined}

    with request_context(request):
        get_adapter(request).send_mail(template, "ana@example.org", context)

    (sent,) = mail.outbox
    assert unsaid_of_texts([sent.subject, *_without_addresses(sent.body)], (*NAMES, "testserver", "example.com")) == []


def test_the_archive_says_what_is_in_it_in_the_language_of_the_page(client, readers):
    from accounts.archive import readme

    ana, _ = readers
    with using_language(CODE):
        text = readme(ana, "host", "2026-11-23")

    mine = ("profile", "sessions", "clubs", "comments", "notices", "people", "talk")
    said = [line for line in _by_file(text) if line.startswith(mine)]
    assert len(said) == len(mine)
    assert unsaid_of_texts([line.partition(" ")[2] for line in said]) == []
    assert all(line.partition(" ")[0].endswith((".json", ".jsonl")) for line in _by_file(readme(ana, "h", "d"))[1:])


def _by_file(text):
    """The lines of a file that says what is in others, each with what continues it."""
    return text.replace("\n" + " " * 16, " ").split("\n\n", 1)[1].splitlines()


# Talk and what keeps somebody from it


def test_phrases_are_read_by_each_in_their_own_language(readers):
    ana, boris = readers
    opened = opening.open_table(ana, "oh-hell", seats=3)
    seating.sit_down(boris, opened.code)
    posting.post(ana.pk, opened.code, phrase="hello")
    posting.post(ana.pk, opened.code, phrase="like")

    talks = reading.talks(opened.code, [ana.pk, boris.pk])
    english = talk_html(talks[boris.pk])
    with using_language(CODE):
        made_up = talk_html(talks[ana.pk])

    assert "Hello!" in english
    assert "likes that" in english
    assert unsaid(made_up, NAMES) == []
    assert posting.post(boris.pk, opened.code, phrase="hello").phrase == "hello"


def test_who_is_kept_from_talking_is_told_so_in_their_language(readers, vera):
    ana, boris = readers
    for reader in readers:
        report = Report.objects.create(reporter=vera, reported=reader, about=f"line {reader.pk}", reason="rude")
        reporting.silence(report, vera, 3)

    assert Silence.objects.get(user=boris).reason == "Rude or hateful"
    assert Silence.objects.get(user=ana).reason.startswith(OPEN)
    with pytest.raises(Refused) as refused:
        posting.demand_voice(ana)
    assert str(refused.value).startswith("A moderator has decided that you can’t talk until ")
    with using_language(CODE):
        assert unsaid_of_texts([str(refused.value)]) == []


def test_a_suspension_and_a_ban_are_told_in_the_language_spoken(readers, made_up_language):
    ana, boris = readers
    sanctions.impose(ana, "suspension", "…", days=3)
    sanctions.impose(boris, "ban", "…")

    told = [sanctions.why_suspended(ana.pk), sanctions.why_banned(boris)]

    assert str(told[1]) == "This account is banned until a moderator lifts it: …"
    assert str(told[0]).startswith("Your account is suspended until ")
    with using_language(made_up_language):
        assert unsaid_of_texts(map(str, told)) == []


def test_a_table_at_which_somebody_has_deleted_their_account_is_drawn(client, made_up_language, finished):
    Seat.objects.filter(match=finished.pk, number=0).update(user=None, bot="", name="")
    client.cookies["language"] = made_up_language

    page = client.get(f"/matches/{finished.code}/replay/?move=12")

    assert page.status_code == 200
    assert made_up("deleted player") in page.text
