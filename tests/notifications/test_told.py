"""From what has happened to the browser, mailbox or webhook of who is told: each thing once, grouped, in words."""

import json
import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone
from py_vapid import Vapid02

from accounts.people import online, ties
from accounts.sanctions import impose
from accounts.services import delete_account
from games.chat import letters, posting
from games.models import Match, Seat
from games.notifications import delivery_methods, finding, mail, outbox, push, validity, webhook
from games.notifications.models import (
    DeliveryMethod,
    Medium,
    Notification,
    NotificationKind,
    NotificationProgress,
    Subscription,
)
from games.notifications.waiting import waiting_tables
from games.notifications.words import Message
from games.play import hosting, memory, presence, seating, store, vacations
from tests import opening
from tests.matches import play_on
from tests.notifications.conftest import ORIGIN
from tests.notifications.passing import later, send_all
from tests.notifications.servers import Browser
from tests.play.acting import play_first, user_at

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def awaited(slow):
    """Who is to move at the slow table."""
    return user_at(slow, slow.to_act)


@pytest.fixture
def told(awaited, browser, subscribe):
    """The browser of who is to move, which takes push messages."""
    subscribe(awaited, browser)
    return browser


def another_table(user, other):
    """A second slow table, at a turn of `user`."""
    opened = opening.open_table(user, "oh-hell", seats=3, bots=1, speed="3-days", options={"game_style": "short-up"})
    snapshot = seating.sit_down(other, opened.code)
    return play_on(snapshot, until=lambda after: after.to_act == after.player_number(user.pk))


# The way of a turn


def test_a_turn_at_a_slow_table_reaches_the_browser_of_who_is_awaited(slow, awaited, told, server):
    later(minutes=1)

    finding.search()
    assert send_all() == 1

    (path, headers, body) = server.posts[0]
    other = next(seat.name for seat in slow.seats if seat.kind == "user" and seat.user_id != awaited.pk)
    assert path == "/browser/1"
    assert told.read(body) == {
        "title": f"It is your turn at Oh Hell with {other}.",
        "body": "",
        "url": f"/matches/{slow.code}/",
        "waiting": 1,
    }
    assert (headers["Topic"], headers["Content-Encoding"]) == ("valat", "aes128gcm")
    token, key = re.match(r"vapid t=(\S+),k=(\S+)", headers["Authorization"]).groups()
    assert key == push.public_key()
    assert Vapid02.verify(f"vapid t={token},k={key}")


def test_a_turn_is_told_once_however_many_look_and_send(slow, told, server):
    later(minutes=1)

    finding.search()
    finding.search()
    NotificationProgress.objects.all().delete()  # as if another had looked before that was stored
    finding.search()
    send_all()
    later(hours=1)
    send_all()

    assert len(server.posts) == 1


def test_nobody_is_told_who_moves_at_once_has_the_table_open_or_is_on_vacation(slow, awaited, told, server):
    finding.search()  # not yet at rest
    assert not Notification.objects.exists()
    later(minutes=1)
    presence.set_connected(awaited.pk, slow.code, True)
    finding.search()
    assert not Notification.objects.exists()
    presence.set_connected(awaited.pk, slow.code, False)
    vacations.begin(awaited, 3)
    finding.search()
    assert not Notification.objects.exists()


def test_who_has_moved_before_it_was_sent_is_told_nothing(slow, told, server):
    later(minutes=1)
    finding.search()

    play_first(memory.recent(slow.code) or slow)
    send_all()

    assert server.posts == []
    assert not Notification.objects.filter(handed_at=None).exists()


def test_tables_that_wait_are_told_in_one_message_and_then_it_is_quiet(slow, users, awaited, told, server):
    other = next(user for user in users[:2] if user != awaited)
    later(minutes=1)
    finding.search()
    tables = [another_table(awaited, other)]
    later(seconds=50)
    finding.search()
    assert send_all() == 1
    assert told.read(server.posts[0][2])["title"] == "2 tables wait for you."

    tables.append(another_table(awaited, other))
    later(seconds=40)
    finding.search()
    assert send_all() == 0  # within a minute of the last
    later(seconds=30)
    assert send_all() == 1
    assert told.read(server.posts[1][2])["title"] == "3 tables wait for you."
    assert sorted(waiting_tables([awaited.pk])[awaited.pk]) == sorted([slow.code, *(table.code for table in tables)])


def test_a_table_with_bots_alone_waits_for_nobody_without_a_clock(ana):
    opened = opening.open_table(ana, "oh-hell", seats=3, bots=2, speed="untimed", options={"game_style": "short-up"})
    play_on(opened, until=lambda snapshot: snapshot.waits_for_person())

    assert waiting_tables([ana.pk]) == {}


# Other things that happen


def test_an_invitation_a_request_a_start_and_an_end_are_told(ana, boris, vera, browser, subscribe, server):
    subscribe(boris, browser)
    opened = opening.open_table(ana, "oh-hell", seats=3, options={"game_style": "short-up"}, seed="ab" * 32)
    hosting.invite(ana, opened.code, boris)
    ties.ask(ana, boris)
    send_all()
    assert browser.read(server.posts[0][2]) == {
        "title": "Ana invites you to a table of Oh Hell.",
        "body": "Ana asks to be your friend.",
        "url": "/",
        "waiting": 0,
    }

    seating.sit_down(boris, opened.code)
    snapshot = seating.sit_down(vera, opened.code)
    later(minutes=2)
    send_all()
    assert browser.read(server.posts[1][2])["title"] == "Your table of Oh Hell with Ana and Vera has started."

    play_on(snapshot)
    finding.search()
    later(minutes=2)
    send_all()
    assert browser.read(server.posts[2][2])["title"] == "Your match of Oh Hell with Ana and Vera is over."


def test_who_was_there_or_could_not_be_told_then_hears_of_no_end(started, users, browser, subscribe, server):
    ana, boris, vera, _ = users
    subscribe(ana, browser)
    subscribe(boris, Browser(f"{server.url}/browser/2"))
    for user in users[:2]:
        presence.set_connected(user.pk, started.code, True)
    play_on(store.read(started.code))
    subscribe(vera, Browser(f"{server.url}/browser/3"))

    finding.search()

    assert NotificationProgress.objects.get().over
    assert not Notification.objects.filter(kind=NotificationKind.OVER).exists()


def test_what_was_taken_back_or_is_kept_from_somebody_is_not_told(ana, boris, vera, goran, browser, subscribe, server):
    subscribe(boris, browser)
    opened = opening.open_table(ana, "oh-hell", seats=4)
    hosting.invite(ana, opened.code, boris)
    hosting.cancel_invitation(ana, opened.code, boris.pk)
    ties.ask(ana, boris)
    ties.unfriend(ana, boris)
    ties.ask(vera, boris)
    ties.block(boris, vera)  # after she asked
    ties.block(boris, goran)  # before he asks
    ties.ask(goran, boris)
    theirs = opening.open_table(goran, "oh-hell", seats=4)
    hosting.invite(goran, theirs.code, boris)

    send_all()

    assert server.posts == []
    assert not Notification.objects.filter(kind=NotificationKind.FRIEND, other=goran).exists()


def test_asking_again_and_again_is_told_once(ana, boris, browser, subscribe, server):
    subscribe(boris, browser)
    for _ in range(5):
        ties.ask(ana, boris)
        send_all()
        ties.unfriend(boris, ana)
        later(minutes=5)

    assert len(server.posts) == 1


def test_a_flood_is_one_message_and_stores_little(users, browser, subscribe, server, monkeypatch):
    monkeypatch.setattr(outbox, "MAX_PENDING", 2)
    ana, *others = users
    subscribe(ana, browser)
    for other in others:
        ties.ask(other, ana)

    assert send_all() == 1
    assert browser.read(server.posts[0][2])["title"] == "2 people ask to be your friends."


def test_only_what_is_wished_is_told_by_that_channel(ana, boris, browser, subscribe, server):
    subscribe(ana, browser)
    ties.ask(boris, ana)
    delivery_methods.set_subscriptions(ana, {"push": [NotificationKind.TURN]}, ORIGIN)  # the request waits to be sent
    assert send_all() == 0
    hosting.invite(boris, opening.open_table(boris, "oh-hell", seats=3).code, ana)

    assert not Notification.objects.exists()


# Sending goes wrong


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(ana, boris, browser, subscribe, server, status):
    subscribe(ana, browser)
    server.status = status
    ties.ask(boris, ana)

    send_all()

    assert not DeliveryMethod.objects.exists()


def test_what_surely_did_not_arrive_is_sent_again_later_and_only_then(ana, boris, browser, subscribe, server):
    method = subscribe(ana, browser)
    server.status = 503
    ties.ask(boris, ana)
    assert send_all() == 1
    method.refresh_from_db()
    assert (method.failures, method.trouble) == (1, "The push service answered 503. Try again later.")

    server.status = 201
    later(minutes=2)
    assert send_all() == 1
    later(hours=1)
    assert send_all() == 0
    method.refresh_from_db()
    assert (method.failures, method.trouble, len(server.posts)) == (0, "", 2)


def test_a_server_that_hangs_up_without_an_answer_is_told_nothing_twice(ana, boris, browser, subscribe, server):
    subscribe(ana, browser)
    server.before_answer = lambda connection: connection.close()
    ties.ask(boris, ana)

    send_all()
    later(hours=3)

    assert send_all() == 0
    assert len(server.posts) == 1


def test_a_process_that_dies_while_it_sends_leaves_the_rest_and_doubles_nothing(users, browser, subscribe, server):
    ana, boris, vera, _ = users
    subscribe(ana, browser)
    second = Browser(f"{server.url}/browser/2")
    subscribe(boris, second)
    ties.ask(vera, ana)
    ties.ask(vera, boris)

    assert outbox.take(outbox.Lane.NEW) is not None  # and then it is killed

    assert send_all() == 1
    later(hours=1)
    assert send_all() == 0
    assert len(server.posts) == 1


def test_a_webhook_that_fails_again_and_again_waits_for_its_owner(ana, boris, server, monkeypatch):
    monkeypatch.setattr(outbox, "MAX_FAILURES", 2)
    delivery_methods.set_webhook(ana, f"{server.url}/hook", "json", ORIGIN)
    server.status = 500
    ties.ask(boris, ana)
    send_all()
    later(minutes=2)
    send_all()

    method = DeliveryMethod.objects.get()
    assert (method.disabled_at is not None, method.trouble) == (
        True,
        "The server answered 500. Check that it accepts POST requests.",
    )
    later(days=1)
    assert send_all() == 0
    server.status = 200
    delivery_methods.send_test(ana, method.pk)
    assert send_all() == 1
    method.refresh_from_db()
    assert (method.disabled_at, method.failures) == (None, 0)


def test_one_way_that_cannot_be_written_to_stops_no_other(ana, boris, vera, browser, subscribe, server, monkeypatch):
    broken = subscribe(ana, browser)
    subscribe(boris, Browser(f"{server.url}/browser/2"))
    ties.ask(vera, ana)
    ties.ask(vera, boris)
    filter_valid = validity.filter_valid

    def filter_unless_broken(method, notifications):
        if method == broken:
            raise ValueError("This row is damaged.")
        return filter_valid(method, notifications)

    monkeypatch.setattr(validity, "filter_valid", filter_unless_broken)

    send_all()
    send_all()

    assert [path for path, *_ in server.posts] == ["/browser/2"]


# Mail


@pytest.fixture
def mailed(ana, confirm):
    """Ana, who is told by mail."""
    confirm(ana)
    delivery_methods.set_subscriptions(ana, {"mail": [NotificationKind.FRIEND, NotificationKind.TURN]}, ORIGIN)
    return ana


def test_a_mail_comes_when_its_reader_has_been_away_for_a_while(mailed, users, mailoutbox):
    ties.ask(users[1], mailed)
    ties.ask(users[2], mailed)
    online.note([mailed.pk])
    assert send_all() == 0
    later(minutes=29)
    outbox.postpone_mail()
    later(minutes=29)
    assert send_all() == 0
    later(minutes=2)
    assert send_all() == 1

    (sent,) = mailoutbox
    assert (sent.subject, sent.to) == ("2 people ask to be your friends.", ["somebody@example.org"])
    assert f"{ORIGIN}/friends/" in sent.body
    ties.ask(users[3], mailed)
    later(hours=2)
    assert send_all() == 0  # at most one in four hours
    later(hours=2)
    assert send_all() == 1


def test_a_mail_is_unsubscribed_from_in_one_click_by_nobody_else(mailed, boris, mailoutbox, client):
    ties.ask(boris, mailed)
    later(hours=1)
    send_all()
    headers = mailoutbox[0].extra_headers
    address = headers["List-Unsubscribe"].strip("<>")
    path = address.removeprefix(ORIGIN)
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert address in mailoutbox[0].body

    client.handler.enforce_csrf_checks = True  # mail programs have no cookie
    token = mail.unsubscribe_token(mailed)
    for forged in (token[:-1], f"{boris.pk}:{token.partition(':')[2]}", str(mailed.pk), "x"):
        assert client.post(f"/notices/unsubscribe/{forged}/").status_code == 404
    assert client.get(path).status_code == 200  # as scanners of mail do
    assert DeliveryMethod.objects.filter(medium=Medium.MAIL).exists()

    assert client.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200

    assert not DeliveryMethod.objects.exists()
    assert not Subscription.objects.filter(medium=Medium.MAIL).exists()


def test_no_mail_goes_to_an_address_that_its_owner_has_not_confirmed(ana, boris, mailed, mailoutbox):
    ana.emailaddress_set.update(verified=False)
    ties.ask(boris, ana)
    later(hours=1)

    send_all()

    assert mailoutbox == []
    assert not Notification.objects.filter(handed_at=None).exists()


def test_a_mail_reaches_a_real_server(mailed, boris, settings, mail_server):
    settings.DEFAULT_FROM_EMAIL = "Club <valat@valat.example>"
    ties.ask(boris, mailed)
    later(hours=1)
    send_all()

    (sent,) = mail_server.mails
    assert sent["Message-ID"].endswith("@valat.example>")
    assert sent["To"] == "somebody@example.org"
    assert sent["Subject"] == "Boris asks to be your friend."
    assert sent["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert sent["List-Unsubscribe"].startswith(f"<{ORIGIN}/notices/unsubscribe/")
    mail_server.answer = "451 try again later"
    ties.ask(boris, mailed)
    outbox.notify([mailed.pk], outbox.News(NotificationKind.FRIEND, "again", other_id=boris.pk))
    later(hours=5)
    send_all()
    assert len(mail_server.mails) == 1
    assert Notification.objects.filter(handed_at=None).count() == 1
    mail_server.answer = "250 OK"
    later(minutes=2)  # not four hours: it has disturbed nobody
    send_all()
    assert len(mail_server.mails) == 2


# Webhooks


@pytest.mark.parametrize(
    "form, expected",
    [
        ("discord", {"content": f"a\\_b \\<!here\\> \\@everyone & c\n{ORIGIN}/x", "allowed_mentions": {"parse": []}}),
        ("slack", {"text": f"a_b &lt;!here&gt; @everyone &amp; c\n<{ORIGIN}/x>", "mrkdwn": False, "link_names": False}),
        ("matrix", {"text": f"a\\_b \\<!here\\> \\@everyone & c\n{ORIGIN}/x"}),
    ],
)
def test_words_are_words_to_each_kind_of_webhook(form, expected):
    message = Message(1, ["a_b <!here> @everyone & c"], "/x", 0, [])

    assert webhook.body_of(webhook.Form(form), message, ORIGIN) == expected


def test_a_program_gets_what_has_happened_as_json_and_no_card(slow, awaited, server):
    delivery_methods.set_webhook(awaited, f"{server.url}/hook?key=1", "json", ORIGIN)
    later(minutes=1)
    finding.search()
    send_all()

    (document,) = server.documents
    number = document.pop("id")
    other = next(seat.name for seat in slow.seats if seat.kind == "user" and seat.user_id != awaited.pk)
    url = f"{ORIGIN}/matches/{slow.code}/"
    assert number == Notification.objects.get().pk
    assert document == {
        "text": f"It is your turn at Oh Hell with {other}.",
        "url": url,
        "waiting": 1,
        "events": [{"kind": "turn", "game": "Oh Hell", "people": [other], "url": url}],
    }
    assert server.posts[0][0] == "/hook?key=1"


# Who goes


def test_nothing_is_sent_to_who_is_banned_or_gone_or_logged_out(ana, boris, vera, goran, browser, subscribe, server):
    for number, user in enumerate((ana, boris, vera)):
        subscribe(user, Browser(f"{server.url}/browser/{number}"))
        ties.ask(goran, user)
    impose(ana, "ban", "Cheated.")
    delete_account(boris)
    delivery_methods.forget(vera)

    send_all()

    assert server.posts == []
    assert not Notification.objects.filter(handed_at=None).exists()


def test_the_archive_holds_what_somebody_is_told_and_tidy_forgets_it(ana, boris, browser, subscribe, server):
    from accounts.export import all_exports

    subscribe(ana, browser)
    ties.ask(boris, ana)
    send_all()
    kind = next(kind for kind in all_exports() if kind.name == "notices")
    documents = list(kind.documents(ana))
    assert documents[0]["subscriptions"]["push"] == sorted(delivery_methods.KINDS)
    assert [document.get("kind") for document in documents[2:]] == ["friend"]

    Notification.objects.update(handed_at=timezone.now() - timedelta(days=31))
    call_command("tidy", stdout=StringIO())

    assert not Notification.objects.exists()


def test_no_card_of_a_running_match_is_in_any_message(slow, awaited, told, server, confirm, mailoutbox):
    confirm(awaited)
    delivery_methods.set_subscriptions(awaited, dict.fromkeys(Medium, delivery_methods.KINDS), ORIGIN)
    later(minutes=1)
    finding.search()
    later(hours=1)
    assert send_all() == 2
    position = json.dumps(Match.objects.get(code=slow.code).position)
    cards = set(re.findall(r'"([2-9TJQKA][CDHS])"', position))
    assert len(cards) > 2

    said = [json.dumps(told.read(server.posts[0][2])), mailoutbox[0].body, mailoutbox[0].subject]

    assert not any(re.search(rf"\b{card}\b", text) for card in cards for text in said)
    assert Seat.objects.filter(match__code=slow.code).exists()
    assert send_all() == 0


# Messages of friends


@pytest.fixture
def friends(ana, boris, vera, browser, subscribe):
    """Ana, who takes push messages, and two friends of hers."""
    subscribe(ana, browser)
    for other in (boris, vera):
        ties.ask(ana, other)
        ties.accept(other, ana)
    Notification.objects.all().delete()
    return ana, boris, vera


def test_messages_of_a_friend_are_told_once_until_they_are_read(friends, server, browser):
    ana, boris, vera = friends
    for word in ("One", "Two", "Swordfish"):
        posting.write(boris, ana, word)

    assert send_all() == 1
    later(hours=1)
    posting.write(boris, ana, "Three")
    assert send_all() == 0
    letters.read(ana, boris)
    posting.write(boris, ana, "Four")
    posting.write(vera, ana, "Five")
    send_all()

    first, second = [browser.read(body) for _, _, body in server.posts]
    assert (first["title"], first["url"]) == ("Boris has written to you.", "/messages/Boris/")
    assert (second["title"], second["url"]) == ("2 friends have written to you.", "/messages/")
    assert "Swordfish" not in str(first)


@pytest.mark.parametrize("why", ["blocked", "muted", "read", "taken back", "not wished", "phrases only"])
def test_a_message_is_told_only_to_who_wants_to_hear_it(friends, server, why):
    ana, boris, _ = friends
    if why == "not wished":
        delivery_methods.set_subscriptions(ana, {Medium.PUSH: [NotificationKind.TURN]}, ORIGIN)
    message = posting.write(boris, ana, "Hi")
    acts = {
        "blocked": lambda: ties.block(ana, boris),
        "muted": lambda: posting.mute(ana, boris),
        "read": lambda: letters.read(ana, boris),
        "taken back": lambda: type(message).objects.update(hidden=True),
        "phrases only": lambda: posting.set_phrases_only(ana, phrases_only=True),
    }
    acts.get(why, str)()

    send_all()

    assert server.posts == []


def test_who_is_here_has_some_minutes_to_read(friends, server):
    ana, boris, _ = friends
    online.note([ana.pk])
    posting.write(boris, ana, "Hi")

    assert send_all() == 0
    later(minutes=4)
    assert send_all() == 1
