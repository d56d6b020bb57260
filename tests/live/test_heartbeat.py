"""The heartbeat of a web process begins with its server, or with the first request."""

import asyncio
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.live.heartbeat import HeartbeatApplication
from games.models import Gap, Heartbeat, Match
from games.play import memory
from games.play.gaps import WEB

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


async def answer(scope, receive, send):
    """An application that says whether the time was given back before it was asked."""
    await send(await sync_to_async(Match.objects.filter(gap_ended_at=None).count)())


async def nothing():
    await asyncio.Event().wait()


def site_was_away(started):
    Heartbeat.objects.create(kind=WEB, beat_at=timezone.now() - timedelta(seconds=60))
    memory.forget(started.code)


async def test_time_is_given_back_before_the_server_starts(started):
    await sync_to_async(site_was_away)(started)
    sent, events = [], asyncio.Queue()
    events.put_nowait({"type": "lifespan.startup"})

    async def send(message):
        sent.append((message["type"], await Gap.objects.filter(is_settled=True).acount()))
        events.put_nowait({"type": "lifespan.shutdown"})

    await HeartbeatApplication(answer)({"type": "lifespan"}, events.get, send)

    assert sent == [("lifespan.startup.complete", 1), ("lifespan.shutdown.complete", 1)]


async def test_time_is_given_back_before_the_first_answer_of_a_server_without_lifespan(started):
    await sync_to_async(site_was_away)(started)
    answers = []

    async def send(count):
        answers.append(count)

    application = HeartbeatApplication(answer)
    await asyncio.gather(*(application({"type": "http"}, nothing, send) for _ in range(3)))

    assert answers == [0, 0, 0]
    assert await Gap.objects.acount() == 1


async def test_a_web_process_beats_on(started):
    application = HeartbeatApplication(answer)
    await application.begin()
    first = (await Heartbeat.objects.aget(kind=WEB)).beat_at

    async with asyncio.timeout(30):
        while (await Heartbeat.objects.aget(kind=WEB)).beat_at == first:
            await asyncio.sleep(0.05)
