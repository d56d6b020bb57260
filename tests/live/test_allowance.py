"""What a user and an address may send, and how many sockets they may open."""

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.http import HttpRequest, HttpResponse

from accounts import devices
from accounts.models import User
from games.live import allowance, consumers
from games.live.allowance import Allowances, Refusals
from games.live.entrance import Entrance
from games.live.errands import MatchReads
from games.live.sockets import TOO_MANY
from games.live.threads import DatabaseThread
from games.models import Match
from games.play import claims, memory
from tests.live.pages import Page, PatientSocket, elsewhere, play_first, user_at

ADDRESS = "192.0.2.1"
with_database = pytest.mark.django_db(transaction=True)


class Clock:
    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    kept = Clock()
    monkeypatch.setattr(allowance, "time", kept)
    return kept


def served(allowances, user, count, address=ADDRESS):
    """How many of so many messages are allowed."""
    return sum(allowances.take(user, address) for _ in range(count))


def test_a_user_may_send_so_many_at_once_and_a_second_whatever_the_address(clock):
    allowances = Allowances(10, 1000)

    assert served(allowances, 1, 50) == 30
    assert served(allowances, 1, 50, "192.0.2.2") == 0
    clock.now = 1.0
    assert served(allowances, 1, 50) == 10


def test_who_sends_little_is_served_beside_a_neighbour_who_floods(clock):
    allowances = Allowances(10, 20)
    sent = dict.fromkeys(range(1, 13), 0)
    quiet = 0
    for second in range(60):
        clock.now = float(second)
        for user in sent:
            sent[user] += served(allowances, user, 100)
        quiet += served(allowances, 99, 1)

    assert quiet == 60
    assert sum(sent.values()) < 2 * 20 * 63 + 12 * allowance.LEAST_BURST


def test_visitors_of_an_address_are_one_user_beside_those_who_are_logged_in(clock):
    allowances = Allowances(10, 20)
    quiet = 0
    for second in range(60):
        clock.now = float(second)
        served(allowances, ADDRESS, 1000)
        quiet += served(allowances, 99, 2)

    assert quiet == 120


def test_an_address_is_not_held_to_what_another_sends(clock):
    allowances = Allowances(10, 20)
    for user in range(20):
        served(allowances, user, 100)

    assert served(allowances, 99, 30, "192.0.2.2") == 30


def test_who_has_sent_nothing_for_a_while_is_forgotten_and_takes_no_share(clock):
    allowances = Allowances(10, 20)
    for user in range(100):
        served(allowances, user, 1)
    clock.now = 2 * allowance.IDLE + 1

    assert served(allowances, 99, 100) == 30
    assert len(allowances._users) == len(allowances._addresses[ADDRESS].shares) == 1


def test_refusals_are_forgiven_after_a_while(clock):
    refusals = Refusals()
    assert [refusals.add() for _ in range(3)] == [1, 2, 3]

    clock.now = 2.0
    assert refusals.add() == 2
    clock.now = 60.0
    assert refusals.add() == 1


# Handshakes


async def accept(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})


async def entered(entrance, cookies):
    """How many of these handshakes of one address get in, each with its cookie."""
    count = 0
    for cookie in cookies:
        headers = {"cookie": cookie, "host": "testserver", "origin": "http://testserver"}
        handshake = PatientSocket(entrance, "/", [(k.encode(), v.encode()) for k, v in headers.items()])
        count += (await handshake.connect())[0]
    return count


@with_database
async def test_keys_of_sessions_that_are_made_up_give_no_more_handshakes(clock, settings):
    settings.SOCKETS_AN_ADDRESS = 20
    entrance = Entrance(accept)

    assert await entered(entrance, [f"sessionid={number}" for number in range(20)]) < 20


@with_database
async def test_a_browser_in_which_somebody_has_logged_in_gets_in_beside_a_flood_of_its_address(clock, settings):
    settings.SOCKETS_AN_ADDRESS = 20
    entrance = Entrance(accept)
    response = HttpResponse()
    devices.remember(HttpRequest(), response, User(pk=1))
    await entered(entrance, [f"sessionid={number}" for number in range(20)])

    assert await entered(entrance, [response.cookies["device"].OutputString()]) == 1


# Sockets


async def closed(page):
    """(what it is told, the code) of a page that is turned away."""
    await page._socket.connect()
    sentence = json.loads(await page._socket.receive_from())["refused"]
    return sentence, (await page._socket.receive_output())["code"]


@with_database
@pytest.mark.parametrize(("limit", "other"), [("SOCKETS_AN_ADDRESS", 1), ("SOCKETS_A_USER", 0)])
async def test_sockets_of_an_address_and_of_a_user_are_counted(started, settings, limit, other):
    setattr(settings, limit, 2)
    user, other_user = await user_at(started, 0), await user_at(started, other)
    async with Page(started.code, user) as first, Page(started.code, user) as second:
        await first.table()
        await second.table()

        sentence, code = await closed(await Page(started.code, other_user).logged_in())

        assert "Close some" in sentence
        assert code == TOO_MANY
    async with Page(started.code, other_user) as again:
        await again.table()


@with_database
async def test_another_socket_of_the_same_user_gives_no_more_messages(started, settings):
    settings.MESSAGES_A_USER = 0.001  # so five at once, two of them for opening the sockets
    user = await user_at(started, 0)
    async with Page(started.code, user) as first, Page(started.code, user) as second:
        for page in (first, second):
            await page.table()
        for page in (first, second, first):
            await page.send({"unknown": 1})
            assert "understand" in await page.refusal()

        await second.send({"unknown": 1})

        assert "too fast" in await second.refusal()


@with_database
async def test_a_flood_by_many_sockets_of_one_user_closes_each_that_goes_on(started, settings):
    settings.MESSAGES_A_USER = 0.001
    user = await user_at(started, 0)
    async with Page(started.code, user) as first, Page(started.code, user) as second:
        for page in (first, second):
            await page.table()
        for _ in range(consumers.FLOOD_LIMIT):
            await first.send({"unknown": 1})
        for page in (first, second):
            for _ in range(5):
                await page.send({"unknown": 1})

            assert await page.closed() == TOO_MANY


@with_database
async def test_a_player_is_answered_beside_a_flood_of_the_same_address(started, settings):
    settings.MESSAGES_AN_ADDRESS = 10
    async with Page(started.code, await user_at(started, 0)) as mine, Page(started.code) as flooding:
        await mine.seated()
        await flooding.caught_up()
        for _ in range(90):
            await flooding.send({"unknown": 1})
        while "too fast" not in await flooding.refusal():
            pass

        await mine.send({"sync": 1})

        assert "data-moves" in await mine.table()


@with_database
async def test_claims_of_a_user_are_counted_before_anything_is_read(clock, started):
    async with Page(started.code, await user_at(started, 0)) as page:
        await page.seated()
        for _ in range(allowance.LEAST_BURST):
            await page.send({"claim": "all", "seen": 0})
            assert "moved on" in await page.refusal()

        await page.send({"claim": "all", "seen": 0})

        assert await page.refusal() == str(claims.TOO_OFTEN)


# Reads


@pytest.fixture
def thread():
    kept = DatabaseThread("reads of a test")
    yield kept
    kept.close()


def begin_to_count():
    connection.force_debug_cursor = True
    connection.queries_log.clear()


def statements():
    return [query["sql"] for query in connection.queries_log]


@with_database
async def test_all_who_ask_before_a_read_begins_share_one_short_query(started, thread):
    reads = MatchReads(thread)
    await reads.read(started.code)
    await thread.run(begin_to_count)

    tables = await asyncio.gather(*(reads.read(started.code) for _ in range(20)))

    assert len({id(table) for table in tables}) == 1
    assert tables[0].snapshot is memory.recent(started.code)
    assert len(await thread.run(statements)) == 1


@with_database
async def test_what_another_process_has_written_is_read(started):
    async with Page(started.code) as page:
        await page.caught_up()
        with elsewhere():
            await sync_to_async(play_first)(started)

        await page.send({"sync": 1})

        assert await page.table(moves=2)


@with_database
async def test_a_match_that_is_gone_is_so_for_all_who_ask_together(started, thread):
    reads = MatchReads(thread)
    await reads.read(started.code)
    await sync_to_async(Match.objects.all().delete)()

    found = await asyncio.gather(*(reads.read(started.code) for _ in range(2)), return_exceptions=True)

    assert [type(error) for error in found] == [Match.DoesNotExist] * 2
