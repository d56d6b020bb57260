"""Redis is killed, frozen and back: tables come all the while, and other processes are heard again soon."""

import asyncio
import shutil
from contextlib import suppress

import pytest
import redis
from asgiref.sync import sync_to_async

from games.live import others
from games.play import seating
from tests import opening
from tests.faults.services import Redis
from tests.live.pages import Page, elsewhere, lobby, play_first
from tests.processes import running

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]

WELL_AGAIN = 10  # seconds after which all is well


@pytest.fixture
def server(settings, run_every, tmp_path):
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed.")
    server = Redis(tmp_path / "redis.log")
    backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": backend, "CONFIG": {"hosts": [server.url]}}}
    run_every("changes", 1000)  # what comes is what was told
    with running(server):
        yield server


async def opened(users):
    """A match that nobody looks at yet."""
    table = await sync_to_async(opening.open_table)(users[0], "oh-hell", seats=3)
    for user in users[1:3]:
        table = await sync_to_async(seating.sit_down)(user, table.code)
    return table


async def hears_of_other_processes(page, snapshot):
    """Wait until a move that another process makes and tells of has come to a page: the Snapshot after it."""
    with elsewhere():
        after = await sync_to_async(play_first)(snapshot)
    async with asyncio.timeout(WELL_AGAIN):
        while await page.nothing():
            with suppress(redis.ConnectionError, TimeoutError):
                await others.send(others.match_messages(after), sender="another process")
    await page.table(moves=after.move_count)
    return after


@pytest.mark.parametrize("fault", ["killed", "frozen"])
async def test_tables_come_while_redis_is_away_and_others_are_heard_when_it_is_back(started, users, server, fault):
    early, late = started, await opened(users)
    async with Page(early.code) as first:
        await first.table(moves=1)
        early = await hears_of_other_processes(first, early)

        server.kill() if fault == "killed" else server.freeze()

        async with Page(late.code) as second, lobby() as visitor:
            assert await second.table(moves=1, timeout=2)
            assert await visitor.page(2)
            early = await sync_to_async(play_first)(early)
            assert await first.table(moves=early.move_count, timeout=2)
            late = await sync_to_async(play_first)(late)
            assert await second.table(moves=late.move_count, timeout=2)
            await asyncio.sleep(3.5)

            if fault == "killed":
                server.start()
                await asyncio.to_thread(server.wait)
            else:
                server.thaw()

            early, late = await asyncio.gather(
                hears_of_other_processes(first, early), hears_of_other_processes(second, late)
            )
            with elsewhere():
                table = await sync_to_async(opening.open_table)(users[0], "oh-hell", seats=4)
            await others.send(others.match_messages(table), sender="another process")
            assert table.code in await visitor.page(WELL_AGAIN)
