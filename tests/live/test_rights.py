"""Open sockets whose right ends: they are closed, also where nobody says so, and nothing passes them afterwards."""

import json
import logging
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from asgiref.sync import sync_to_async
from autobahn.exception import Disconnected
from django.utils import timezone

from accounts import sanctions
from accounts.models import Sanction, User
from accounts.people import ties
from accounts.people.models import Block, Friendship
from games.clubs import joining, playing
from games.clubs.models import Club, Membership
from games.live import hub, rights, sockets
from games.live.consumers import ClubConsumer, NotFoundConsumer
from games.live.sockets import NOT_FOUND, RECONNECT
from games.models import Move
from games.play import seating
from tests import opening
from tests.clubs.conftest import TABLE, member
from tests.live.pages import Page, PatientSocket, first_move, lobby, log_in, play_first, user_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


@pytest.fixture
def looks_only_when_told(run_every):
    run_every("rights", 3600.0)


# Log-ins


@pytest.mark.usefixtures("looks_only_when_told")
async def test_the_end_of_a_session_closes_its_sockets_and_no_others(started, layer):
    user = await user_at(started, started.to_act)
    async with Page(started.code, user) as page, Page(started.code, user) as other, Page(started.code) as visitor:
        for each in (page, other, visitor):
            await each.table()
        session = await UserSession.objects.acreate(user=user, ip="127.0.0.1", session_key=page.session.session_key)

        await sync_to_async(session.end)()

        assert await page.closed() == RECONNECT
        for each in (other, visitor):
            await each.send({"sync": 1})
            assert "data-moves" in await each.table()


def delete_session(page, user):
    page.session.delete()


def let_session_expire(page, user):
    page.session.set_expiry(timezone.now() - timedelta(seconds=1))
    page.session.save()


def change_password(page, user):
    user.set_password("another one")
    user.save()


def ban(page, user):
    User.objects.filter(pk=user.pk).update(is_active=False)


def suspend(page, user):
    Sanction.objects.create(user=user, kind="suspension", reason="Cheated.")


UNTOLD = [delete_session, let_session_expire, change_password, ban, suspend]


@pytest.mark.parametrize("end", UNTOLD)
async def test_a_log_in_that_ends_closes_its_sockets_where_no_message_comes(started, end):
    user = await user_at(started, started.to_act)
    async with Page(started.code, user) as page:
        await page.table()

        await sync_to_async(end)(page, user)

        assert await page.closed() == RECONNECT


@pytest.mark.usefixtures("looks_only_when_told")
async def test_who_was_suspended_before_may_look_on(started, users):
    watcher = users[3]
    await sync_to_async(sanctions.impose)(watcher, "suspension", "Cheated.")
    async with Page(started.code, watcher) as page:
        await page.table()

        await hub.hub().rights.close_ended()

        await page.send({"sync": 1})
        assert "data-moves" in await page.table()


@pytest.mark.usefixtures("looks_only_when_told")
async def test_after_its_close_a_socket_gets_nothing_and_plays_nothing(started):
    number = started.to_act
    user, other = await user_at(started, number), await user_at(started, (number + 1) % 3)
    async with Page(started.code, user) as page, Page(started.code, other) as witness:
        await page.seated()
        await witness.seated()
        await page.session.adelete()
        hub._close_ended_sockets([user.pk])
        assert await page.closed() == RECONNECT

        await page.send({"move": json.dumps(first_move(started)), "seen": "1"})
        await sync_to_async(play_first)(started)

        assert "bid" in await witness.table(moves=2)
        assert await page.nothing()
    assert await Move.objects.filter(match__code=started.code).acount() == 2


# Who watches


def block(watcher, player):
    Block.objects.create(blocker=watcher, blocked=player)


def be_blocked(watcher, player):
    Block.objects.create(blocker=player, blocked=watcher)


def be_unfriended(watcher, player):
    Friendship.objects.filter(asker=player).delete()


def leave_club(watcher, player):
    Membership.objects.filter(user=watcher).delete()


def find_club_closed(watcher, player):
    Club.objects.update(closed_at=timezone.now())


@sync_to_async
def table_of_friends(player, watcher):
    Friendship.objects.create(asker=player, asked=watcher, accepted_at=timezone.now())
    opened = opening.open_table(player, "oh-hell", seats=3, listed=False, watching="friends")
    return seating.start_match(player, opened.code)


@sync_to_async
def table_of_a_club(player, watcher):
    club = joining.found(player, "Card Corner")
    joining.join(watcher, club.invitation)
    opened = playing.open_preset(player, preset=playing.add_preset(member(club, player), "Friday", TABLE))
    return seating.start_match(player, opened.code)


LOSSES = [
    (table_of_friends, block),
    (table_of_friends, be_blocked),
    (table_of_friends, be_unfriended),
    (table_of_a_club, leave_club),
    (table_of_a_club, find_club_closed),
]


@pytest.mark.parametrize(("table", "lose"), LOSSES)
async def test_who_may_watch_no_more_is_sent_away_where_no_message_comes(users, table, lose):
    player, watcher = users[:2]
    match = await table(player, watcher)
    async with Page(match.code, watcher) as page:
        await page.table()

        await sync_to_async(lose)(watcher, player)

        assert await page.closed() == RECONNECT
    async with Page(match.code, watcher) as page:
        await page.refusal()
        assert await page.closed() == NOT_FOUND


ACTS = {
    "unfriend": lambda watcher, player: ties.unfriend(player, watcher),
    "block": lambda watcher, player: ties.block(player, watcher),
}


@pytest.mark.usefixtures("looks_only_when_told")
@pytest.mark.parametrize("act", ACTS)
async def test_an_act_sends_a_watcher_away_and_no_player(users, act):
    player, watcher = users[:2]
    match = await table_of_friends(player, watcher)
    async with Page(match.code, watcher) as page, Page(match.code, player) as own:
        await page.table()
        await own.table()

        await sync_to_async(ACTS[act])(watcher, player)

        assert await page.closed() == RECONNECT
        await own.send({"sync": 1})
        assert "data-moves" in await own.table()


@pytest.mark.usefixtures("looks_only_when_told")
async def test_players_who_block_each_other_keep_their_sockets(started, users):
    ana, boris = users[:2]
    async with Page(started.code, ana) as hers, Page(started.code, boris) as his:
        for page in (hers, his):
            await page.table()
        await sync_to_async(ties.block)(ana, boris)

        await hub.hub().rights.close_ended()

        for page in (hers, his):
            await page.send({"sync": 1})
            assert "data-moves" in await page.table()


@sync_to_async
def hidden_match_of(host, other):
    opened = opening.open_table(host, "oh-hell", seats=3, listed=False, watching="off")
    seating.sit_down(other, opened.code)
    return seating.start_match(host, opened.code)


async def test_a_host_who_leaves_a_table_that_nobody_may_watch_sees_no_more_of_it(users):
    host, other = users[:2]
    match = await hidden_match_of(host, other)
    async with Page(match.code, host) as page:
        await page.seated()

        await sync_to_async(seating.leave_match)(host, match.code)

        assert await page.closed() == NOT_FOUND


async def test_rights_are_looked_at_by_few_queries_however_many_sockets(users, django_assert_num_queries):
    player, watcher = users[:2]
    match = await table_of_friends(player, watcher)
    async with Page(match.code, watcher) as page, Page(match.code, player) as own, lobby(users[2]) as third:
        await page.table()
        await own.table()
        await third.page()
        sockets = hub.hub().rights.sockets
        credentials = {socket.credential for socket in sockets}
        watchers = {(socket.user_id, socket.access) for socket in sockets if socket.access}

        @sync_to_async
        def look():
            with django_assert_num_queries(4):  # sessions, users, blocks, friends
                return rights._ended_rights(credentials, watchers)

        assert await look() == set()
    assert (len(credentials), len(watchers)) == (3, 1)


# What servers refuse


@pytest.mark.parametrize(
    ("error", "level"),
    [
        (Exception("invalid close code 1012 (must be 1000 or from [3000, 4999])"), logging.WARNING),
        (Disconnected("Attempt to send on a closed protocol"), logging.DEBUG),
        (ConnectionResetError(), logging.DEBUG),
    ],
)
async def test_what_a_server_refuses_to_send_is_logged_unless_the_peer_is_gone(error, level, caplog):
    async def receive():
        return {"type": "websocket.connect"} if not sent else {"type": "websocket.disconnect", "code": 1006}

    async def send(message):
        sent.append(message["type"])
        if message["type"] != "websocket.accept":
            raise error

    sent = []
    with caplog.at_level(logging.DEBUG, "valat.consumers"):
        scope = {"type": "websocket", "path": "/ws/nowhere/", "headers": []}
        await NotFoundConsumer.as_asgi()(scope, receive, send)

    assert sent == ["websocket.accept", "websocket.send", "websocket.close"]
    assert [record.levelno for record in caplog.records if record.name == "valat.consumers"] == [level, level]


async def test_a_refused_socket_of_a_club_leaves_no_work_behind(users):
    code = "x" * 200  # Too long for the name of a group of the channel layer.
    socket = PatientSocket(ClubConsumer.as_asgi(), f"/ws/clubs/{code}/")
    socket.scope["url_route"] = {"kwargs": {"code": code}}
    await log_in(socket, users[0])
    await socket.connect()
    while (await socket.receive_output())["type"] != "websocket.close":
        pass

    await socket.disconnect()

    assert hub.hub().others._groups._task is None


def test_every_code_that_closes_a_socket_is_one_that_daphne_can_send():
    codes = [code for name, code in vars(sockets).items() if name.isupper() and isinstance(code, int)]

    assert len(codes) == 5
    assert all(4000 <= code < 5000 for code in codes)
