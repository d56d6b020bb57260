"""Many who look and send at once, and the sockets that say how many tables wait."""

import asyncio
import json
import threading

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from accounts.people import ties
from games.live import clock
from games.notifications import delivery_methods, finding, outbox
from games.notifications.models import DeliveryMethod, Notification
from games.notifications.outbox import Lane
from tests.live.conftest import _no_connection
from tests.live.pages import Page, elsewhere, lobby, user_at
from tests.notifications.conftest import ORIGIN
from tests.notifications.passing import later, send_all
from tests.notifications.servers import Browser, Server
from tests.play.acting import at_once, play_first

__all__ = ["_no_connection"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


def test_of_many_who_look_and_send_each_message_is_sent_by_one(slow, users, subscribe, server):
    browsers = [Browser(f"{server.url}/{number}") for number in range(len(users))]
    for user, browser in zip(users, browsers, strict=True):
        subscribe(user, browser)
    for user in users[1:]:
        ties.ask(users[0], user)
    later(minutes=1)

    def send_everything():
        while any(outbox.send_next(lane) for lane in Lane):
            pass

    assert not any(isinstance(found, Exception) for found in at_once(*[finding.search] * 4))
    assert at_once(*[send_everything] * 4) == [None] * 4

    to_act = slow.seats[slow.to_act].user_id
    told = [{user.pk} for user in users if user != users[0] or user.pk == to_act]
    assert len(server.posts) == len(told) == len({path for path, *_ in server.posts})
    assert Notification.objects.filter(kind="turn").count() == 1
    assert not Notification.objects.filter(handed_at=None).exists()


async def test_the_sender_beside_the_clock_tells_what_happens(ana, boris, browser, subscribe, server, run_every):
    run_every("quick sender", 0.05)
    run_every("new sender", 0.05)
    await sync_to_async(subscribe)(ana, browser)
    running = asyncio.gather(*clock.senders())
    await sync_to_async(ties.ask)(boris, ana)
    try:
        async with asyncio.timeout(10):
            while not server.posts:
                await asyncio.sleep(0.02)
    finally:
        running.cancel()

    assert browser.read(server.posts[0][2])["title"] == "Boris asks to be your friend."


@pytest.fixture
def slow_hooks(settings):
    """What is posted to the webhooks of 15 members, whose server answers after 7.5 seconds, as it did last time."""
    settings.NOTICES_INSIDE = ["127.0.0.1"]
    over, server = threading.Event(), Server()
    server.before_answer = lambda connection: over.wait(7.5)
    for number in range(15):
        member = User.objects.create(username=f"Slow{number}")
        delivery_methods.set_webhook(member, f"{server.url}/{number}", "json", ORIGIN)
        delivery_methods.send_test(member, DeliveryMethod.objects.get(user=member).pk)
    DeliveryMethod.objects.update(is_slow=True)
    yield server.posts
    over.set()
    server.close()


@pytest.mark.parametrize("is_slow", [False, None])
async def test_slow_webhooks_wait_in_a_lane_of_their_own(slow_hooks, ana, server, run_every, is_slow):
    run_every("quick sender", 0.05)
    run_every("new sender", 0.05)

    def write():
        delivery_methods.set_webhook(ana, f"{server.url}/ana", "json", ORIGIN)
        DeliveryMethod.objects.filter(user=ana).update(is_slow=is_slow)
        delivery_methods.send_test(ana, DeliveryMethod.objects.get(user=ana).pk)

    running = asyncio.gather(*clock.senders())
    try:
        async with asyncio.timeout(60):
            while not slow_hooks:  # they are being sent
                await asyncio.sleep(0.02)
            await sync_to_async(write)()
            while not server.posts:
                await asyncio.sleep(0.02)
        before = len(slow_hooks)
    finally:
        running.cancel()

    assert server.posts[0][0] == "/ana"
    assert before < 15  # hers has overtaken the rest of them, which were due before


@pytest.mark.parametrize(("quick", "is_slow"), [(60, False), (0, True)])
@pytest.mark.parametrize("status", [201, 404])
def test_how_long_a_message_took_says_where_the_next_one_waits(ana, server, monkeypatch, quick, is_slow, status):
    monkeypatch.setattr(outbox, "MAX_QUICK_TIME", quick)
    server.status = status
    delivery_methods.set_webhook(ana, f"{server.url}/ana", "json", ORIGIN)
    delivery_methods.send_test(ana, DeliveryMethod.objects.get().pk)

    assert send_all() == 1

    assert DeliveryMethod.objects.get().is_slow == is_slow


async def test_every_socket_of_somebody_hears_how_many_tables_wait(slow, run_every):
    run_every("waiting counts", 0.05)
    awaited = await user_at(slow, slow.to_act)
    async with lobby(awaited) as socket, lobby() as visitor, Page(slow.code, awaited) as page:
        assert await heard(socket.receive_from) == 1
        assert await heard(page.receive) == 1

        with elsewhere():  # in another process
            after = await sync_to_async(play_first)(slow)

        assert after.to_act != slow.to_act
        assert await heard(socket.receive_from) == 0
        await visitor.receive_from()
        assert await visitor.receive_nothing(0.2)


async def heard(receive):
    """The next number of tables that a socket hears of."""
    while True:
        text = await receive()
        if text.startswith('{"waiting"'):
            return json.loads(text)["waiting"]
