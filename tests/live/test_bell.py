"""The sockets of bells: numbers alone come down, to the readers of pages, and no bell keeps anybody from a table."""

import json
from contextlib import asynccontextmanager

import pytest
from asgiref.sync import sync_to_async

from accounts.people import ties
from games.live.consumers import BellConsumer
from games.live.sockets import NOT_FOUND, TOO_MANY
from games.notifications.models import BellItem
from tests.live.pages import Page, PatientSocket, log_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


@pytest.fixture(autouse=True)
def _no_rounds(run_every):
    """Nothing is looked for: what comes was announced."""
    run_every("bells", 3600.0)


@asynccontextmanager
async def bell(user, reader=None):
    socket = PatientSocket(BellConsumer.as_asgi(), f"/ws/bell/?reader={(reader or user).pk}")
    await log_in(socket, user)
    await socket.connect()
    yield socket
    await socket.disconnect()


async def numbers(socket):
    return json.loads(await socket.receive_from())


async def test_a_request_rings_on_the_pages_of_its_reader_alone(users, started, layer):
    _, boris, vera, goran = users
    await BellItem.objects.all().adelete()  # that the table has started without them
    async with bell(boris) as his, bell(vera) as hers, Page(started.code, boris) as table:
        assert await numbers(his) == await numbers(hers) == {"bell": 0, "messages": 0}
        await table.seated()

        await sync_to_async(ties.ask)(goran, boris)

        assert await numbers(his) == {"bell": 1, "messages": 0}
        while not (text := await table.receive()).startswith('{"bell"'):
            pass
        assert json.loads(text) == {"bell": 1, "messages": 0}
        assert await hers.receive_nothing(0.2)
        await sync_to_async(ties.accept)(boris, goran)
        assert await numbers(his) == {"bell": 0, "messages": 0}


async def test_a_page_of_somebody_else_hears_nothing(users):
    ana, boris, *_ = users
    async with bell(ana, reader=boris) as socket:
        assert (await socket.receive_output())["code"] == NOT_FOUND


async def test_bells_have_limits_of_their_own(users, started, settings):
    settings.SOCKETS_A_USER = 1
    ana = users[0]
    async with bell(ana) as first, bell(ana) as second, Page(started.code, ana) as table:
        await numbers(first)
        assert "refused" in await numbers(second)
        assert (await second.receive_output())["code"] == TOO_MANY
        await table.table()
