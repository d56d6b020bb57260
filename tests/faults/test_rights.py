"""A right ends in one process: the sockets that lived by it are closed in another, by daphne and by uvicorn."""

import asyncio
import shutil
from contextlib import AsyncExitStack

import pytest

from games.live.sockets import CONNECT_ANEW, NOT_FOUND, UNKNOWN_TOKEN
from tests.faults.cluster import Alone
from tests.faults.services import has_postgresql
from tests.faults.stage import PASSWORD, Site, Stage, close_code, interpreter_of, received, table_of, two_processes
from tests.processes import running

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults of rights")]

NEW_PASSWORD = "another long password"


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """One process of daphne on SQLite."""
    site = Alone(tmp_path_factory.mktemp("alone"))
    with running(*site.processes), interpreter_of(site.installation) as interpreter:
        yield Site(interpreter, site.webs[0], site.webs[0])
        _demand_quiet_logs(site.webs)


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """(interpreter, uvicorn, daphne, redis): two web processes on PostgreSQL and Redis."""
    if not has_postgresql() or not shutil.which("redis-server"):
        pytest.skip("PostgreSQL does not run, or Redis is not installed.")
    with two_processes(tmp_path_factory.mktemp("pair")) as processes:
        yield processes
        _demand_quiet_logs(processes[1:3])


def _demand_quiet_logs(webs):
    for web in webs:
        assert "did not send to a socket" not in web.log()


@pytest.fixture(params=["daphne alone", "daphne", "uvicorn"])
def site(request):
    """A Site for each server that may have the sockets."""
    if request.param == "daphne alone":
        return request.getfixturevalue("alone")
    interpreter, uvicorn, daphne, redis = request.getfixturevalue("pair")
    if request.param == "daphne":
        return Site(interpreter, uvicorn, daphne, redis)
    return Site(interpreter, daphne, uvicorn, redis)


@pytest.fixture
async def stage(site):
    async with Stage.at(site) as stage:
        yield stage


async def demand_open(socket):
    """Ask for the table, and get it."""
    await socket.send('{"sync": 1}')
    await table_of(socket)


# Sessions


async def log_out(stage):
    await stage.post(stage.sessions["ana"], "/accounts/logout/")


async def end_other_sessions(stage):
    await (await stage.logged_in()).post("/accounts/sessions/")


async def change_password(stage):
    fields = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    await (await stage.logged_in()).post("/accounts/password/change/", **fields)


async def reset_password(stage):
    path = await asyncio.to_thread(stage.site.do, f"show_reset_path({stage.names['ana']!r})")
    browser = await stage.browser()
    form = await browser.get(path)
    await browser.post(form.headers["location"], password1=NEW_PASSWORD, password2=NEW_PASSWORD)


async def delete_account(stage):
    fields = {"password": PASSWORD, "name": stage.names["ana"]}
    await (await stage.logged_in()).post("/accounts/delete/", **fields)


async def ban(stage):
    await asyncio.to_thread(stage.site.do, f"impose({stage.names['ana']!r}, 'ban')")


async def suspend(stage):
    await asyncio.to_thread(stage.site.do, f"impose({stage.names['ana']!r}, 'suspension')")


SESSION_ENDS = [log_out, end_other_sessions, change_password, reset_password, delete_account, ban, suspend]


@pytest.mark.parametrize("end", SESSION_ENDS)
async def test_all_sockets_of_a_session_are_closed(stage, end):
    async with AsyncExitStack() as stack:
        room = stage.socket(await stage.room(), stage.sessions["ana"])
        kinds = {
            "seat": stage.match_socket("ana", "open"),
            "watcher": stage.match_socket("ana", "vera"),
            "lobby": stage.socket("/ws/lobby/", stage.sessions["ana"]),
            "together": room,
        }
        sockets = {kind: await stack.enter_async_context(socket) for kind, socket in kinds.items()}
        for socket in sockets.values():
            await received(socket)
        other = await stack.enter_async_context(stage.match_socket("vera", "open"))
        assert (await table_of(other)).viewer is not None

        await end(stage)

        codes = {kind: await close_code(socket) for kind, socket in sockets.items()}
        assert codes == dict.fromkeys(kinds, CONNECT_ANEW)
        await demand_open(other)
    async with stage.match_socket("ana", "open") as again:
        assert (await table_of(again)).viewer is None


async def test_a_log_out_leaves_the_other_browser_of_the_user_alone(stage):
    browser = await stage.logged_in()
    path = f"/ws/matches/{stage.tables['open']}/"
    async with (
        stage.match_socket("ana", "open") as page,
        stage.socket(path, browser.client.cookies["sessionid"]) as other,
    ):
        for socket in (page, other):
            await table_of(socket)

        await log_out(stage)

        assert await close_code(page) == CONNECT_ANEW
        await demand_open(other)


# Watchers


async def block(stage):
    await stage.post(stage.sessions["ana"], f"/accounts/people/{stage.names['boris']}/block/")


async def be_blocked(stage):
    await stage.post(stage.sessions["boris"], f"/accounts/people/{stage.names['ana']}/block/")


async def unfriend(stage):
    await stage.post(stage.sessions["ana"], f"/accounts/people/{stage.names['boris']}/unfriend/")


async def remove_from_club(stage):
    fields = {"act": "remove", "user": stage.scene["boris"]}
    await stage.post(stage.sessions["ana"], f"/clubs/{stage.scene['club']}/members/act/", **fields)


async def leave_club(stage):
    await stage.post(stage.sessions["boris"], f"/clubs/{stage.scene['club']}/leave/")


async def close_own_club(stage):
    await stage.post(stage.sessions["ana"], f"/clubs/{stage.scene['club']}/close/")


async def close_club(stage):
    await asyncio.to_thread(stage.site.do, f"close_club({stage.scene['club']!r})")


WATCHER_ENDS = [
    ("open", block),
    ("open", be_blocked),
    ("friends", unfriend),
    ("club", remove_from_club),
    ("club", leave_club),
    ("club", close_own_club),
    ("club", close_club),
]


@pytest.mark.parametrize(("table", "end"), WATCHER_ENDS)
async def test_a_watcher_is_sent_away_and_no_player(stage, table, end):
    async with stage.match_socket("boris", table) as watcher, stage.match_socket("ana", table) as player:
        for socket in (watcher, player):
            await table_of(socket)

        await end(stage)

        # A club that its owner closes makes its tables hidden: their sockets are refused in place.
        assert await close_code(watcher) in ({CONNECT_ANEW, NOT_FOUND} if end is close_own_club else {CONNECT_ANEW})
        await demand_open(player)
    async with stage.match_socket("boris", table) as again:
        assert "refused" in await received(again)
        assert await close_code(again) == NOT_FOUND
    page = await (await stage.browser(stage.sessions["boris"])).get(f"/matches/{stage.tables[table]}/")
    assert page.status_code in (403, 404)


# Bots


async def renew_token(stage):
    await (await stage.logged_in()).post(f"/accounts/bots/{stage.scene['bot']['pk']}/token/")


async def delete_bot(stage):
    await (await stage.logged_in()).post(f"/accounts/bots/{stage.scene['bot']['pk']}/delete/")


@pytest.mark.parametrize("end", [renew_token, delete_bot, ban, suspend])
async def test_the_sockets_of_a_bot_are_closed(stage, end):
    token = stage.scene["bot"]["token"]
    async with stage.socket("/ws/bot/", token=token) as bot:
        await end(stage)

        assert await close_code(bot) == CONNECT_ANEW
    async with stage.socket("/ws/bot/", token=token) as again:
        assert "refused" in await received(again)
        assert await close_code(again) == UNKNOWN_TOKEN


# Faults


@pytest.mark.parametrize("end", [log_out, unfriend, renew_token])
@pytest.mark.parametrize("site", ["daphne", "uvicorn"], indirect=True)
async def test_sockets_are_closed_where_no_message_comes(site, stage, end):
    paths = {log_out: ("ana", "open"), unfriend: ("boris", "friends")}
    socket = (
        stage.match_socket(*paths[end]) if end in paths else stage.socket("/ws/bot/", token=stage.scene["bot"]["token"])
    )
    async with socket as page:
        if end in paths:
            await table_of(page)
        site.redis.kill()
        try:
            await end(stage)

            assert await close_code(page) == CONNECT_ANEW
        finally:
            site.redis.start()
            await asyncio.to_thread(site.redis.wait)


async def test_who_is_gone_without_a_word_is_no_warning(stage):
    """The logs are looked at when the servers end."""
    async with stage.match_socket("boris", "open") as watcher, stage.match_socket("ana", "open") as player:
        for socket in (watcher, player):
            await table_of(socket)
        watcher.transport.abort()

        await log_out(stage)

        assert await close_code(player) == CONNECT_ANEW
