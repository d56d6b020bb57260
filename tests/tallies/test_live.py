"""The sockets of tallies: everybody sees the sheet while others write, and rights are checked with each reading."""

import json
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async

from accounts import sanctions
from accounts.people import ties
from games.live.sockets import NOT_FOUND, RECONNECT, UNEXPECTED_MESSAGE
from games.live.tally_socket import TallyConsumer
from games.tallies import keeping, sharing
from games.tallies.folding import Entry
from games.tallies.keeping import SESSION_KEY
from games.tallies.models import Tally
from tests.live.pages import PatientSocket, log_in
from tests.tallies.test_folding import DEAL

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


class Page:
    """A browser's page at a tally. key: of the link that it has opened."""

    def __init__(self, tally, user=None, key="", language="en"):
        headers = [(b"accept-language", language.encode())]
        self._socket = PatientSocket(TallyConsumer.as_asgi(), f"/ws/tallies/{tally.code}/", headers)
        self._socket.scope["url_route"] = {"kwargs": {"code": tally.code}}
        self._user, self._keys = user, {tally.code: key}

    async def __aenter__(self):
        await log_in(self._socket, self._user)
        self._socket.scope["session"][SESSION_KEY] = self._keys
        connected, _ = await self._socket.connect()
        assert connected
        return self

    async def __aexit__(self, *_):
        await self._socket.disconnect()

    async def sheet(self, holding=""):
        """The next sheet that has this in it."""
        while True:
            text = await self.receive()
            if "tally-top" in text and holding in text:
                return text

    async def receive(self):
        return await self._socket.receive_from()

    async def receives_nothing(self):
        return await self._socket.receive_nothing(0.2)

    async def closed(self):
        while (output := await self._socket.receive_output())["type"] != "websocket.close":
            pass
        return output["code"]

    async def send(self, text):
        await self._socket.send_to(text)


async def write(user, tally, **change):
    entry = Entry(str(uuid4()), "result", 1, DEAL | change)
    await sync_to_async(keeping.write)(user, tally.code, entry)


async def test_everybody_sees_the_sheet_while_the_keeper_writes(begin, ana, boris):
    tally = await sync_to_async(begin)("belot", 4)
    await sync_to_async(sharing.set_link)(ana, tally.code, "read", on=True)
    key = (await Tally.objects.aget(pk=tally.pk)).read_key
    async with Page(tally, ana) as keeper, Page(tally, boris, key) as reader, Page(tally, None, key, "de") as visitor:
        for page in (keeper, reader, visitor):
            await page.sheet()
        await write(ana, tally)
        assert f"/tallies/{tally.code}/deals/1/" in await keeper.sheet("scored")
        for page in (reader, visitor):
            assert "/deals/1/" not in await page.sheet("scored")
        await reader.send('{"move": 1}')
        assert await reader.closed() == UNEXPECTED_MESSAGE


async def test_moments_are_on_each_readers_clock(begin, ana, boris):
    boris.time_zone = "Asia/Tokyo"
    await boris.asave()
    tally = await sync_to_async(begin)("belot", 4)
    await sync_to_async(sharing.set_link)(ana, tally.code, "read", on=True)
    key = (await Tally.objects.aget(pk=tally.pk)).read_key
    async with Page(tally, ana) as keeper, Page(tally, boris, key) as reader:
        await write(ana, tally)
        await write(ana, tally, points=20)
        assert "JST" not in await keeper.sheet("Changed by Ana")
        assert "JST" in await reader.sheet("Changed by Ana")


async def test_the_page_hears_its_readers_bell(begin, ana, boris, run_every):
    run_every("bells", 3600.0)  # Nothing is looked for: what comes was announced.
    tally = await sync_to_async(begin)("belot", 4)
    await sync_to_async(sharing.set_link)(ana, tally.code, "read", on=True)
    key = (await Tally.objects.aget(pk=tally.pk)).read_key
    async with Page(tally, ana) as keeper, Page(tally, None, key) as visitor:
        for page in (keeper, visitor):
            await page.sheet()
        await sync_to_async(ties.ask)(boris, ana)
        assert json.loads(await keeper.receive()) == {"bell": 1, "messages": 0}
        assert await visitor.receives_nothing()


async def test_without_a_right_there_is_no_sheet(begin, ana, boris):
    tally = await sync_to_async(begin)("belot", 4)
    for user, key in ((boris, ""), (None, "guess"), (boris, "guess")):
        async with Page(tally, user, key) as page:
            assert await page.closed() == NOT_FOUND


async def end_by_link(ana, boris, tally):
    await sync_to_async(sharing.set_link)(ana, tally.code, "read", on=False)


async def end_by_deletion(ana, boris, tally):
    await sync_to_async(sharing.delete)(ana, tally.code)


async def end_silently(ana, boris, tally):
    """As where another process has switched the link off, and its message got lost."""
    await Tally.objects.filter(pk=tally.pk).aupdate(read_key="", revision=99)


async def end_by_ban(ana, boris, tally):
    await sync_to_async(sanctions.impose)(boris, "ban", "Cheated.")


@pytest.mark.parametrize("end", [end_by_link, end_by_deletion, end_silently, end_by_ban])
async def test_a_socket_is_closed_when_its_right_ends(end, begin, ana, boris, run_every):
    run_every("tallies", 0.05)
    run_every("rights", 0.05)
    tally = await sync_to_async(begin)("belot", 4)
    await sync_to_async(sharing.set_link)(ana, tally.code, "read", on=True)
    key = (await Tally.objects.aget(pk=tally.pk)).read_key
    async with Page(tally, boris, key) as page:
        await page.sheet()
        await end(ana, boris, tally)
        assert await page.closed() == RECONNECT
