"""Redis is killed, frozen and back: tables come all the while, and other processes are heard again soon."""

import asyncio
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress

import pytest
import redis
from asgiref.sync import sync_to_async

from games.live import others
from games.play import seating
from tests import opening
from tests.live.pages import Page, elsewhere, lobby, play_first

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]

SERVER = shutil.which("redis-server")
WELL_AGAIN = 10  # seconds after which all is well


class Redis:
    """A Redis server of our own."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self._port}"

    def start(self):
        command = [SERVER, "--port", str(self._port), "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while True:
            try:
                redis.Redis.from_url(self.url).ping()
                return
            except redis.ConnectionError:
                time.sleep(0.02)

    def send(self, number):
        self._process.send_signal(number)

    def kill(self):
        self._process.kill()
        self._process.wait()


@pytest.fixture
def server(settings, run_every):
    if SERVER is None:
        pytest.skip("redis-server is not installed.")
    server = Redis()
    server.start()
    backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": backend, "CONFIG": {"hosts": [server.url]}}}
    run_every("changes", 1000)  # what comes is what was told
    yield server
    server.send(signal.SIGCONT)
    server.kill()


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
                await others.tell(others.changed(after), sender="another process")
    await page.table(moves=after.move_count)
    return after


@pytest.mark.parametrize("fault", ["killed", "frozen"])
async def test_tables_come_while_redis_is_away_and_others_are_heard_when_it_is_back(started, users, server, fault):
    early, late = started, await opened(users)
    async with Page(early.code) as first:
        await first.table(moves=1)
        early = await hears_of_other_processes(first, early)

        server.kill() if fault == "killed" else server.send(signal.SIGSTOP)

        async with Page(late.code) as second, lobby() as visitor:
            assert await second.table(moves=1, timeout=2)
            assert await visitor.receive_from(2)
            early = await sync_to_async(play_first)(early)
            assert await first.table(moves=early.move_count, timeout=2)
            late = await sync_to_async(play_first)(late)
            assert await second.table(moves=late.move_count, timeout=2)
            await asyncio.sleep(3.5)

            server.start() if fault == "killed" else server.send(signal.SIGCONT)

            early, late = await asyncio.gather(
                hears_of_other_processes(first, early), hears_of_other_processes(second, late)
            )
            with elsewhere():
                table = await sync_to_async(opening.open_table)(users[0], "oh-hell", seats=4)
            await others.tell(others.changed(table), sender="another process")
            assert table.code in await visitor.receive_from(WELL_AGAIN)
