"""Rooms in which a replay is watched together, at their sockets and pages."""

import json
from contextlib import asynccontextmanager

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from accounts import sanctions
from accounts.people import ties
from accounts.templatetags.names import as_name
from games.history import together
from games.live import hub as live
from games.live.sockets import NOT_FOUND, RECONNECT, TOO_MANY
from games.live.together import TogetherConsumer
from games.models import Match
from tests.live.pages import PatientSocket, log_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]

HERE = {"move": 3, "seat": 1, "beside": None, "open": False}


class InRoom:
    """A page in a room."""

    def __init__(self, socket):
        self._socket = socket

    async def told(self, holds=lambda told: True):
        """The next state of the room that is told, for which `holds` holds."""
        while True:
            told = json.loads(await self._socket.receive_from())
            assert "refused" not in told, told
            if holds(told):
                return told

    async def refusal(self):
        while True:
            told = json.loads(await self._socket.receive_from())
            if "refused" in told:
                return told["refused"]

    async def closed(self):
        while True:
            message = await self._socket.receive_output()
            if message["type"] == "websocket.close":
                return message["code"]

    async def send(self, **message):
        await self._socket.send_json_to(message)


@asynccontextmanager
async def in_room(code, user=None):
    socket = PatientSocket(TogetherConsumer.as_asgi(), f"/ws/together/{code}/")
    socket.scope["url_route"] = {"kwargs": {"room": code}}
    await log_in(socket, user)
    assert (await socket.connect())[0]
    try:
        yield InRoom(socket)
    finally:
        await socket.disconnect()


@pytest.fixture
def room(users, finished):
    return together.open_room(users[0], finished.code, finished.move_count, finished.seat_count, HERE)


def names(told):
    return [person["name"] for person in told["people"]]


async def test_others_follow_who_steers_and_see_who_is_there(layer, room, users):
    ana, boris, *_ = users
    async with in_room(room.code, ana) as hers, in_room(room.code, boris) as his:
        told = await his.told(lambda told: names(told) == ["Ana", "Boris"])
        assert (told["position"], told["steerer"]["name"]) == (HERE, "Ana")

        await hers.send(steer=HERE | {"move": 9})

        await his.told(lambda told: told["position"]["move"] == 9)
        async with in_room(room.code) as visitor:
            told = await visitor.told(lambda told: len(told["people"]) == 3)
            assert (names(told)[-1], told["position"]["move"]) == ("A visitor", 9)
        await his.told(lambda told: len(told["people"]) == 2)


async def test_steering_is_handed_over_and_taken_from_who_is_gone(room, users):
    ana, boris, *_ = users
    async with in_room(room.code, boris) as his:
        async with in_room(room.code, ana) as hers:
            told = await hers.told(lambda told: len(told["people"]) == 2)
            boris_there = next(person["id"] for person in told["people"] if person["name"] == "Boris")
            await his.send(steer=HERE)
            assert await his.refusal() == "Ana is leading now. Ask them to hand over to you."
            await his.send(take_over=True)
            assert "hand over to you" in await his.refusal()

            await hers.send(hand_over=boris_there)
            await hers.told(lambda told: told["steerer"]["name"] == "Boris")
            await his.send(steer=HERE | {"move": 7})
            await hers.told(lambda told: told["position"]["move"] == 7)
            await his.send(hand_over=together.person_of(room.code, ana).id)
            await his.told(lambda told: told["steerer"]["name"] == "Ana")
        await his.send(take_over=True)

        await his.told(lambda told: told["steerer"]["name"] == "Boris")


async def test_who_connects_again_finds_the_room_as_it_was(room, users):
    async with in_room(room.code, users[0]) as hers:
        await hers.send(steer=HERE | {"move": 11})
        await hers.told(lambda told: told["position"]["move"] == 11)
    live.stop()  # another process

    async with in_room(room.code, users[0]) as hers:
        told = await hers.told()
        assert (told["position"]["move"], told["steerer"]["id"]) == (11, told["you"])


@pytest.mark.parametrize("blocks", [True, False])
async def test_a_block_keeps_somebody_out_and_sends_them_away(room, users, blocks):
    ana, boris, vera, _ = users
    pair = (ana, boris) if blocks else (boris, ana)
    async with in_room(room.code, boris) as his:
        await his.told()
        await sync_to_async(ties.block)(*pair)
        assert await his.closed() == RECONNECT

    async with in_room(room.code, boris) as his:
        assert await his.refusal() == together.NO_SUCH_ROOM
        assert await his.closed() == NOT_FOUND
    async with in_room(room.code, vera) as hers:
        assert "Boris" not in names(await hers.told())


async def test_who_must_not_meet_the_next_one_who_steers_is_sent_away(room, users):
    ana, boris, vera, _ = users
    await sync_to_async(ties.block)(vera, boris)
    async with in_room(room.code, ana) as hers, in_room(room.code, boris) as his, in_room(room.code, vera):
        await hers.told(lambda told: len(told["people"]) == 3)

        await hers.send(hand_over=together.person_of(room.code, vera).id)

        assert await his.refusal() == together.NO_SUCH_ROOM
        assert await his.closed() == NOT_FOUND


async def test_a_full_room_and_one_that_is_none_let_nobody_in(room, users, monkeypatch):
    monkeypatch.setattr(together, "PLACES", 1)
    async with in_room(room.code, users[0]) as hers:
        await hers.told()
        async with in_room(room.code, users[1]) as his:
            assert await his.refusal() == "This room is full. Open another one from the replay."
            assert await his.closed() == TOO_MANY
    async with in_room("nothere") as lost:
        assert await lost.closed() == NOT_FOUND


@pytest.mark.parametrize("message", [{"steer": 7}, {"hand_over": ["x"]}, {"hand_over": "nobody"}, {"other": 1}, {}])
async def test_what_is_not_understood_changes_nothing(room, users, message):
    async with in_room(room.code, users[0]) as hers:
        await hers.told()

        await hers.send(**message)

        assert await hers.refusal()
    assert together.read(room.code) == room


# Pages


def opened(client, finished, **form):
    return client.post(f"/matches/{finished.code}/together/", {"move": "5", "seat": "2", "open": "", **form})


def test_room_is_opened_where_the_replay_is_and_leads_there(users, finished):
    client = Client()
    client.force_login(users[0])

    answer = opened(client, finished)

    assert answer.status_code == 302
    stranger = Client()
    there = stranger.get(answer.url)
    assert there.url == f"{answer.url}?move=5&seat=2"
    page = stranger.get(there.url)
    assert page.status_code == 200
    assert f"{as_name('Ana')} steers." in page.text


def test_nobody_opens_rooms_without_a_name_nor_of_a_running_match_nor_without_end(users, finished, started, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"together": "2/m/user"}
    assert opened(Client(), finished).url.startswith("/accounts/login/")
    client = Client()
    client.force_login(users[0])

    assert opened(client, started).status_code == 403
    assert opened(client, finished, move="9999").status_code == 400
    assert opened(client, finished).status_code == 429


def test_page_of_a_room_is_nowhere_for_who_is_blocked_and_at_other_matches(users, finished, room):
    ties.block(users[0], users[1])
    client = Client()
    client.force_login(users[1])

    assert client.get(f"/matches/{finished.code}/together/{room.code}/").status_code == 404
    assert client.get(f"/matches/{finished.code}/together/nothere/").status_code == 404
    Match.objects.filter(code=finished.code).update(code="other234")
    assert Client().get(f"/matches/other234/together/{room.code}/").status_code == 404


async def test_who_is_suspended_follows_but_steers_nothing(room, users):
    ana = users[0]
    made = await sync_to_async(sanctions.impose)(ana, "suspension", "Cheated.", days=1)
    async with in_room(room.code, ana) as hers:
        await hers.told()
        for message in ({"steer": HERE | {"move": 9}}, {"hand_over": "x"}, {"take_over": True}):
            await hers.send(**message)
            assert await hers.refusal() == sanctions.sentence(made)

    assert (await sync_to_async(together.read)(room.code)).position == HERE
