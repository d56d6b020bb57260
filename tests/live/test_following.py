"""A process follows what another has written of a match, and reads the database only where something is missing."""

import asyncio
from contextlib import contextmanager

import pytest
from asgiref.sync import sync_to_async

from games.live import hub as live
from games.live import others
from games.play import memory, metrics, presence, store
from games.play.changes import match_changed
from tests.live.pages import Page, elsewhere, play_first, user_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


@pytest.fixture(autouse=True)
def _no_looks(run_every):
    """What comes is what was told."""
    run_every("changes", 1000)


@contextmanager
def noted():
    """The messages of all that happens within, in order."""
    messages = []

    def note(snapshot, made, **_):
        messages.append(others.changed(snapshot, made)[0])

    match_changed.connect(note)
    try:
        yield messages
    finally:
        match_changed.disconnect(note)


async def played_elsewhere(snapshot, count):
    """So many moves, made by another process: the Snapshot after them, and the messages."""
    with elsewhere(), noted() as messages:
        after = await sync_to_async(play_first)(snapshot, count)
    return after, messages


async def tell(*messages):
    for message in messages:
        await others.tell([message], sender="another process")


def counted():
    """How often this process has caught up by what it was told, and by reading."""
    return [metrics.CAUGHT_UP.labels(by)._value.get() for by in ("message", "read")]


@contextmanager
def caught_up(by_message, by_read):
    """What happens within is caught up with so many times by the message alone, and by reading."""
    before = counted()
    yield
    assert [now - then for now, then in zip(counted(), before, strict=True)] == [by_message, by_read]


@pytest.fixture
async def page(started, layer):
    """The page of somebody at a match that another process plays on."""
    async with Page(started.code, await user_at(started, 0)) as page:
        await page.seated()
        await _done(live.hub().others._groups)
        await _done(live.hub()._fetches)
        yield page


async def _done(errands):
    """Wait until nothing of these is under way: what a hub does at first would come between."""
    while errands._task is not None and not errands._task.done():
        await asyncio.sleep(0.01)


async def as_stored(snapshot):
    """Whether this process knows a match exactly as it is stored."""
    known = memory.recent(snapshot.code)
    memory.forget()
    return known == await sync_to_async(store.read)(snapshot.code, known=known)


async def test_moves_of_another_process_are_followed_without_a_read(started, page):
    now = memory.recent(started.code)
    after, messages = await played_elsewhere(now, 3)

    with caught_up(by_message=3, by_read=0):
        for count, message in enumerate(messages, start=2):
            await tell(message)
            await page.table(moves=count)

    assert memory.recent(started.code).revision == after.revision
    assert await as_stored(after)


async def test_where_a_message_was_lost_the_match_is_read(started, page):
    after, (_, second, third) = await played_elsewhere(memory.recent(started.code), 3)

    with caught_up(by_message=0, by_read=1):
        await tell(second)
        await page.table(moves=after.move_count)
    with caught_up(by_message=1, by_read=0):
        await tell(third)
        assert await page.nothing()

    assert await as_stored(after)


async def test_messages_that_come_twice_or_late_change_nothing(started, page):
    after, (first, second) = await played_elsewhere(memory.recent(started.code), 2)

    await tell(second, second, first, second, first)
    await page.table(moves=after.move_count)

    assert await page.nothing()
    assert await as_stored(after)


async def test_what_is_told_of_no_moves_is_read(started, page):
    with elsewhere(), noted() as messages:
        after = await sync_to_async(presence.set_connected)(started.seats[1].user_id, started.code, True)

    with caught_up(by_message=0, by_read=1):
        await tell(*messages)
        await page.caught_up()

    assert await as_stored(after)


@pytest.mark.parametrize(
    ("spoil", "read"),
    [
        (lambda message: {key: message[key] for key in ("type", "code", "revision")}, True),  # of an older version
        (lambda message: message | {"of a newer version": {"at": 1}}, False),
        (lambda message: message | {"writes": [message["writes"][0] | {"of a newer version": 1}]}, True),
        (lambda message: message | {"writes": None}, True),
    ],
    ids=["older", "newer", "newer write", "damaged"],
)
async def test_processes_of_other_versions_are_understood(started, page, spoil, read):
    after, ((group, message),) = await played_elsewhere(memory.recent(started.code), 1)

    with caught_up(by_message=not read, by_read=read):
        await tell((group, spoil(message)))
        await page.table(moves=after.move_count)

    assert await as_stored(after)


async def test_moves_that_wait_for_the_layer_go_out_together(started, users, layer, monkeypatch):
    """Redis is slow: of two moves of a match one message tells, and another process follows both."""
    sent, go_on = [], asyncio.Event()

    async def send(messages, sender=""):
        sent.append(messages)
        await go_on.wait()

    monkeypatch.setattr(others, "tell", send)
    monkeypatch.setattr(others, "there_may_be_others", lambda: True)
    live.hub()
    after = await sync_to_async(play_first)(started, 4)
    while not sent:
        await asyncio.sleep(0.01)
    go_on.set()
    while sent[-1][0][1]["revision"] < after.revision:
        await asyncio.sleep(0.01)

    writes = [write["to"] for messages in sent for _, message in messages for write in message["writes"]]
    assert len(sent) < 4
    assert sorted(set(writes)) == list(range(started.revision + 1, after.revision + 1))
