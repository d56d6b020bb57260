"""What is told and noted while the database, Redis or a drawing fails, and when all is well again."""

import asyncio
import threading
from contextlib import suppress

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connections

from games import catalog
from games.catalog import get_game
from games.chat import posting
from games.fragments import Fragments
from games.live import clock as clock_module
from games.live import consumers, errands, others, writer
from games.live import hub as live
from games.live.sockets import TOO_MANY
from games.models import Match, Move
from games.play import due, memory, moves, presence, store
from games.play.changes import locked
from games.play.snapshot import Snapshot
from tests import opening
from tests.live.pages import Page, elsewhere, first_move, play_first, user_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    """What has failed is tried again in no time."""
    monkeypatch.setattr(errands, "PAUSE", 0.02)


def away(*_, **__):
    raise OperationalError("The database is away.")


def failing(times, function):
    """The function, which fails so many times first."""

    def wrapped(*arguments, **named):
        nonlocal times
        times -= 1
        return away() if times >= 0 else function(*arguments, **named)

    return wrapped


# Tables come in order


async def test_a_newer_table_is_never_replaced_by_an_older_one(started, monkeypatch):
    """What a page has asked for was read before a move, and offered after the table of that move."""
    async with Page(started.code) as watching:
        await watching.table(moves=1)
        run, is_read, go_on = live.hub().reads.run, asyncio.Event(), asyncio.Event()

        async def slowly(*call):
            outcome = await run(*call)
            if isinstance(outcome, Snapshot):  # Talk is read as well.
                is_read.set()
                await go_on.wait()
            return outcome

        monkeypatch.setattr(live.hub().reads, "run", slowly)
        monkeypatch.setattr(memory, "recent", lambda code: None)
        await watching.send({"sync": 1})
        await is_read.wait()
        await sync_to_async(play_first)(started)
        go_on.set()

        assert await watching.table(moves=2)
        assert await watching.nothing()


async def test_an_older_table_does_not_replace_a_newer_one_that_waits(started):
    after = await sync_to_async(play_first)(started)
    async with Page(started.code) as watching:
        await watching.caught_up()
        (socket,) = live.hub().sockets[started.code]

        socket.offer(Fragments(after))
        socket.offer(Fragments(started))

        assert await watching.table(moves=2)
        assert await watching.nothing()


# Drawings that fail


async def test_a_drawing_that_fails_is_said_and_logged_and_heals(started, monkeypatch, run_every, caplog):
    run_every("changes", 0.05)
    game = get_game(started.game)
    unlucky = (started.to_act + 1) % 3

    def broken(table, *arguments):
        assert table["seat"] != unlucky, "a mistake in a drawing"
        return game.drawing.mine(table, *arguments)

    async with Page(started.code, await user_at(started, unlucky)) as page, Page(started.code) as watching:
        await page.table(moves=1)
        await watching.table(moves=1)
        monkeypatch.setattr(catalog, "_GAMES", [game._replace(drawing=game.drawing._replace(mine=broken))])

        await sync_to_async(play_first)(started)

        assert await watching.table(moves=2)
        assert "can’t be shown" in await page.refusal()
        assert started.code in caplog.text
        monkeypatch.setattr(catalog, "_GAMES", [game])
        assert await page.table(moves=2)


# Sockets that are gone, and floods


async def test_a_socket_that_is_gone_ends_without_an_error(started):
    async with Page(started.code, await user_at(started, started.to_act)) as page:
        await page.seated()
        (socket,) = live.hub().sockets[started.code]

        async def gone(_):
            raise RuntimeError("Attempt to send on a closed protocol")

        socket._send_to_server = gone
        await page.send({"move": {"type": "bid", "tricks": 9}, "seen": 1})
        await page.send({"move": first_move(started), "seen": 0})
        await page.send({"sync": 1})
        await asyncio.sleep(0.1)

    assert started.code not in live.hub().sockets


async def test_a_flood_is_cut_off_although_some_of_it_is_served(started, settings):
    settings.MESSAGES_A_USER = 20
    async with Page(started.code, await user_at(started, 0)) as page:
        await page.table()
        for _ in range(60):
            for _ in range(5):
                await page.send({"unknown": 1})
            await asyncio.sleep(0.01)

        assert await page.closed() == TOO_MANY


# The database is away


async def test_a_stale_move_whose_table_can_not_be_read_leaves_the_socket_open(started, monkeypatch):
    async with Page(started.code, await user_at(started, started.to_act)) as page:
        await page.seated()
        monkeypatch.setattr(consumers.hub().reads, "run", failing(1, consumers.hub().reads.run))

        await page.send({"move": first_move(started), "seen": 0})

        assert "moved on" in await page.refusal()
        assert "can’t be loaded" in await page.refusal()
        assert await page.table(moves=1)  # when it can


@pytest.mark.parametrize(("module", "name", "times"), [(store, "current", 3), (consumers, "why_hidden", 1)])
async def test_a_page_that_comes_while_the_database_is_away_gets_its_table_later(
    started, monkeypatch, module, name, times
):
    monkeypatch.setattr(module, name, failing(times, getattr(module, name)))

    async with Page(started.code) as page:
        assert "can’t be loaded" in await page.refusal()
        assert await page.table(moves=1)


async def test_who_may_not_look_hears_no_talk_while_the_database_is_away(started, monkeypatch):
    ana = await user_at(started, 0)
    await sync_to_async(posting.post)(ana.pk, started.code, phrase="luck")
    monkeypatch.setattr(consumers, "why_hidden", lambda *_: "Not for you.")
    monkeypatch.setattr(store, "current", failing(1, store.current))

    async with Page(started.code) as page:
        assert "be loaded right now" in await page.receive()
        assert "Not for you" in await page.receive()

    assert started.code not in consumers.hub().talk._stages  # nor is anything kept for who is gone


async def test_talk_comes_also_to_who_came_while_the_database_was_away(started, monkeypatch):
    ana = await user_at(started, 0)
    await sync_to_async(posting.post)(ana.pk, started.code, phrase="luck")
    monkeypatch.setattr(store, "current", failing(1, store.current))

    async with Page(started.code) as page:
        assert await page.table(moves=1)
        assert await page.talk("Good luck!")


@pytest.fixture
def stuck(monkeypatch):
    """A database that answers nothing until this is set; pages wait for it for a moment."""
    goes_on = threading.Event()
    for module, name in ((store, "current"), (writer, "play_moves")):
        does = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, does=does: goes_on.wait(20) and does(*given))
    monkeypatch.setattr(consumers, "ANSWER_WITHIN", 1)
    yield goes_on
    goes_on.set()


async def test_who_asks_for_a_table_that_can_not_be_read_soon_is_told_so(started, stuck):
    async with Page(started.code) as page:
        assert "can’t be loaded" in await page.refusal()

        stuck.set()

        assert await page.table(moves=1)


async def test_who_makes_a_move_that_can_not_be_stored_soon_is_told_so(started, stuck):
    stuck.set()
    async with Page(started.code, await user_at(started, started.to_act)) as page:
        await page.seated()
        stuck.clear()

        await page.send({"move": first_move(started), "seen": 1})

        assert "try again" in await page.refusal()
        stuck.set()
        assert await page.table(moves=2)  # it was played all the same


async def test_a_page_of_no_match_is_closed_although_the_database_was_away(db, monkeypatch):
    monkeypatch.setattr(store, "read", failing(2, store.read))

    async with Page("nowhere1") as page:
        assert await page.closed() == live.NOT_FOUND


async def test_a_table_that_could_not_be_fetched_is_fetched_soon(started, monkeypatch):
    async with Page(started.code) as watching:
        await watching.table(moves=1)
        with elsewhere():
            after = await sync_to_async(play_first)(started)
        monkeypatch.setattr(store, "read", failing(3, store.read))

        await others.send(others.match_messages(after), sender="another process")

        assert await watching.table(moves=2)


async def test_who_is_there_is_noted_when_it_can_be(started, monkeypatch):
    monkeypatch.setattr(presence, "set_connected", failing(3, presence.set_connected))

    async with Page(started.code, await user_at(started, 0)) as page:
        await page.seated()


async def test_tables_come_while_the_match_is_locked(started):
    """Whoever has a page open is noted as there, which has to wait: to see the table has not."""
    holds, release = threading.Event(), threading.Event()
    users = await user_at(started, 0), await user_at(started, 1), None
    first, second, third = [await Page(started.code, user).logged_in() for user in users]

    def hold():
        with locked(started.code):
            holds.set()
            release.wait(20)
        connections.close_all()

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        await asyncio.to_thread(holds.wait)
        async with first:
            await first.table(moves=1, timeout=3)
            async with second, third:
                await second.table(moves=1, timeout=3)
                await third.table(moves=1, timeout=3)
            release.set()
            await first.noted(connected=True)
    finally:
        release.set()
        await asyncio.to_thread(thread.join)


async def test_matches_that_are_due_while_the_database_is_away_are_not_put_off(users, clock, monkeypatch):
    opened = await sync_to_async(opening.open_table)(None, "oh-hell", seats=3, bots=3)
    monkeypatch.setattr(clock_module, "PATIENCE", 0.02)
    monkeypatch.setattr(clock_module, "CLAIM_SECONDS", 0)  # no other clock waits for this one
    for moved, (module, name) in enumerate(((due.store, "read"), (moves.store, "store_all")), 1):
        await Match.objects.filter(code=opened.code).aupdate(wake_at="2020-01-01T00:00Z")
        memory.forget()
        with monkeypatch.context() as patched:
            patched.setattr(module, name, away)
            with suppress(OperationalError):
                await clock.sweep()
                await clock.settle()
        assert not await Move.objects.filter(match__code=opened.code, index=moved).aexists()

        assert await clock.sweep() == 1
        await clock.settle()
        assert await Move.objects.filter(match__code=opened.code, index=moved).aexists()


# Other processes can't be reached


class Layer:
    """A channel layer that is away at first."""

    def __init__(self):
        self.away = True
        self.sent = []

    async def group_send(self, group, message):
        if self.away:
            raise ConnectionError("Redis is away.")
        self.sent.append((group, message["type"], message.get("revision")))


async def test_what_could_not_be_told_is_told_soon_and_only_the_newest(started, monkeypatch):
    layer = Layer()
    monkeypatch.setattr(others, "get_channel_layer", lambda: layer)
    hub = live.hub()

    hub.push(started)
    after = await sync_to_async(play_first)(started)
    hub.rights_changed([7])
    await asyncio.sleep(0.1)
    assert layer.sent == []
    layer.away = False

    async with asyncio.timeout(5):
        while hub.others._unsent:
            await asyncio.sleep(0.01)
    told = sorted(message for message in layer.sent if message[0] != others.LOBBY)
    assert told == [(others.group_name(started.code), "match.changed", after.revision), ("users", "user.hang_up", None)]


async def test_errands_are_done_once_and_again_where_they_fail():
    done, fails = [], {"b": 3}

    async def do(key):
        await asyncio.sleep(0)
        done.append(key)
        if fails.get(key, 0):
            fails[key] -= 1
            raise OSError("not now")

    errand = errands.Errands("Doing", do)
    for key in "abab":
        errand.add(key)
    async with asyncio.timeout(5):
        while len(done) < 5 or errand._failed:
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)  # in which anything that is done too often would come

    assert done == ["a", "b", "b", "b", "b"]
    assert errand._failed == {}
