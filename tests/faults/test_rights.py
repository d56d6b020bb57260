"""A right ends in one process: the sockets that lived by it are closed in another, by daphne and by uvicorn."""

import asyncio
import shutil
from contextlib import AsyncExitStack
from uuid import uuid4

import pytest

from games.live.sockets import NOT_FOUND, RECONNECT, UNKNOWN_TOKEN
from tests.faults.cluster import Alone
from tests.faults.services import has_postgresql
from tests.faults.stage import PASSWORD, Site, Stage, close_code, interpreter_of, received, table_of, two_processes
from tests.processes import running

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults of rights")]

NEW = {"password1": "another long password", "password2": "another long password"}
SERVERS = ["daphne alone", "daphne", "uvicorn"]


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


@pytest.fixture(params=SERVERS)
def site(request):
    """A Site whose sockets are at this server, and where rights are cut in another process, if there is one."""
    if request.param == "daphne alone":
        return request.getfixturevalue("alone")
    interpreter, uvicorn, daphne, redis = request.getfixturevalue("pair")
    others = {"daphne": (uvicorn, daphne), "uvicorn": (daphne, uvicorn)}
    return Site(interpreter, *others[request.param], redis)


@pytest.fixture
async def stage(site):
    async with Stage.at(site) as stage:
        yield stage


# How a right ends: who does it by which form, with the names of a scene in braces. Ana has confirmed that it is her.
FORMS = {
    "log out": ("ana", "/accounts/logout/", {}),
    "end other sessions": ("confirmed", "/accounts/sessions/", {}),
    "change password": ("confirmed", "/accounts/password/change/", {"oldpassword": PASSWORD} | NEW),
    "delete account": ("confirmed", "/accounts/delete/", {"password": PASSWORD, "name": "{ana}"}),
    "block": ("ana", "/accounts/people/{boris}/block/", {}),
    "be blocked": ("boris", "/accounts/people/{ana}/block/", {}),
    "unfriend": ("ana", "/accounts/people/{boris}/unfriend/", {}),
    "remove from club": ("ana", "/clubs/{club}/members/act/", {"act": "remove", "user": "{boris_pk}"}),
    "leave club": ("boris", "/clubs/{club}/leave/", {}),
    "close own club": ("ana", "/clubs/{club}/close/", {}),
    "revoke": ("ana", "/tallies/{tally}/share/change/", {"act": "revoke", "user": "{boris_pk}"}),
    "delete tally": ("ana", "/tallies/{tally}/delete/", {}),
    "renew token": ("confirmed", "/accounts/bots/{bot}/token/", {}),
    "delete bot": ("confirmed", "/accounts/bots/{bot}/delete/", {}),
}
COMMANDS = {  # in a process without sockets
    "ban": "impose({ana!r}, 'ban')",
    "suspend": "impose({ana!r}, 'suspension')",
    "close club": "close_club({club!r})",
}


async def cut(stage, end):
    """End a right."""
    scene = stage.scene
    names = stage.names | {"club": scene["club"], "tally": scene["tally"]}
    names |= {"boris_pk": scene["boris"], "bot": scene["bot"]["pk"]}
    if end == "reset password":
        browser = await stage.browser()
        form = await browser.get(await asyncio.to_thread(stage.site.do, f"show_reset_path({names['ana']!r})"))
        await browser.post(form.headers["location"], **NEW)
    elif end in COMMANDS:
        await asyncio.to_thread(stage.site.do, COMMANDS[end].format(**names))
    else:
        who, path, fields = FORMS[end]
        browser = await (stage.logged_in() if who == "confirmed" else stage.browser(stage.sessions[who]))
        answer = await browser.post(
            path.format(**names), **{name: value.format(**names) for name, value in fields.items()}
        )
        assert answer.status_code in (200, 302), answer.text


def ends(*names):
    """Cases: the first end at each server, the others at one."""
    cases = [(server, names[0]) for server in SERVERS] + [("uvicorn", name) for name in names[1:]]
    return pytest.mark.parametrize(("site", "end"), cases, indirect=["site"])


async def demand_open(socket):
    """Ask for the table, and get it."""
    await socket.send('{"sync": 1}')
    await table_of(socket)


@ends("log out", "end other sessions", "change password", "reset password", "delete account", "ban", "suspend")
async def test_all_sockets_of_a_session_are_closed(stage, end):
    async with AsyncExitStack() as stack:
        kinds = {
            "seat": stage.match_socket("ana", "open"),
            "watcher": stage.match_socket("ana", "vera"),
            "lobby": stage.socket("/ws/lobby/", stage.sessions["ana"]),
            "bell": stage.socket(f"/ws/bell/?reader={stage.scene['ana']}", stage.sessions["ana"]),
            "together": stage.socket(await stage.room(), stage.sessions["ana"]),
            "tally": stage.socket(f"/ws/tallies/{stage.scene['tally']}/", stage.sessions["ana"]),
        }
        sockets = {kind: await stack.enter_async_context(socket) for kind, socket in kinds.items()}
        for socket in sockets.values():
            await received(socket)
        other = await stack.enter_async_context(stage.match_socket("vera", "open"))
        assert (await table_of(other)).viewer is not None

        await cut(stage, end)

        codes = {kind: await close_code(socket) for kind, socket in sockets.items()}
        assert codes == dict.fromkeys(kinds, RECONNECT)
        await demand_open(other)
    async with stage.match_socket("ana", "open") as again:
        assert (await table_of(again)).viewer is None


async def test_sockets_of_a_guest_are_closed_when_they_log_in(stage):
    browser = await stage.browser()
    await browser.post("/accounts/guest/")
    async with stage.socket("/ws/lobby/", browser.client.cookies["sessionid"]) as socket:
        await received(socket)

        await browser.post("/accounts/login/", login=stage.names["ana"], password=PASSWORD)

        assert await close_code(socket) == RECONNECT


async def test_a_log_out_leaves_the_other_browser_of_the_user_alone(stage):
    """One whose page goes without a word is no warning: the logs are looked at when the servers end."""
    browser = await stage.logged_in()
    path = f"/ws/matches/{stage.tables['open']}/"
    async with (
        stage.match_socket("boris", "open") as gone,
        stage.match_socket("ana", "open") as page,
        stage.socket(path, browser.client.cookies["sessionid"]) as other,
    ):
        for socket in (gone, page, other):
            await table_of(socket)
        gone.transport.abort()

        await cut(stage, "log out")

        assert await close_code(page) == RECONNECT
        await demand_open(other)


TABLES = {"block": "open", "be blocked": "open", "unfriend": "friends"}  # the others end at the table of a club


@ends("unfriend", "block", "be blocked", "remove from club", "leave club", "close own club", "close club")
async def test_a_watcher_is_sent_away_and_no_player(stage, end):
    table = TABLES.get(end, "club")
    async with stage.match_socket("boris", table) as watcher, stage.match_socket("ana", table) as player:
        for socket in (watcher, player):
            await table_of(socket)

        await cut(stage, end)

        # A club that its owner closes makes its tables hidden: their sockets are refused in place.
        assert await close_code(watcher) in ({RECONNECT, NOT_FOUND} if end == "close own club" else {RECONNECT})
        await demand_open(player)
    async with stage.match_socket("boris", table) as again:
        assert "refused" in await received(again)
        assert await close_code(again) == NOT_FOUND
    page = await (await stage.browser(stage.sessions["boris"])).get(f"/matches/{stage.tables[table]}/")
    assert page.status_code in (403, 404)


@pytest.mark.parametrize("site", SERVERS, indirect=True)
async def test_pages_hear_of_an_announcement(stage):
    async with stage.match_socket("ana", "open") as table, stage.socket("/ws/lobby/") as lobby:
        for socket in (table, lobby):
            await received(socket)

        await asyncio.to_thread(stage.site.do, "announce('An update at nine.')")

        for socket in (table, lobby):
            await received(socket, '{"announcements": true}')
        browser = await stage.browser(stage.sessions["ana"])
        while "An update at nine." not in (await browser.get("/announcements/")).text:
            pass  # Another process may answer: it reads them within two seconds.


@ends("remove from club", "leave club", "close own club", "close club")
async def test_the_page_of_a_club_is_closed_with_the_membership(stage, end):
    path = f"/ws/clubs/{stage.scene['club']}/"
    async with stage.socket(path, stage.sessions["boris"]) as his, stage.socket(path, stage.sessions["ana"]) as hers:
        for socket in (his, hers):
            await received(socket, "board-heading")
        await hers.send('{"say": "Hello"}')
        await received(his, "Hello")

        await cut(stage, end)

        assert await close_code(his) == RECONNECT
    async with stage.socket(path, stage.sessions["boris"]) as again:
        assert "refused" in await received(again)
        assert await close_code(again) == NOT_FOUND


DEAL = {"bid": "0H", "level": 1, "counted": "1", "points": 60, "last": 0}


async def sheet_of(socket, holding):
    """Return the next sheet of a tally with this in it."""
    while holding not in (text := await received(socket, "tally-top")):
        pass
    return text


@ends("revoke", "block", "delete tally")
async def test_a_sheet_comes_live_until_the_right_to_it_ends(stage, end):
    tally = stage.scene["tally"]
    path = f"/ws/tallies/{tally}/"
    async with stage.socket(path, stage.sessions["boris"]) as his, stage.socket(path, stage.sessions["ana"]) as hers:
        for socket in (his, hers):
            assert 'id="tally-sheet"' in await sheet_of(socket, "")
        entry = {"entry": str(uuid4()), "deal": 1, "seen": ""}
        await stage.post(stage.sessions["ana"], f"/tallies/{tally}/", **entry, **DEAL)
        for socket in (his, hers):
            await sheet_of(socket, f"/tallies/{tally}/deals/1/")  # Both write.

        await cut(stage, end)

        assert await close_code(his) == RECONNECT
        if end == "delete tally":
            assert await close_code(hers) == RECONNECT
        else:
            entry = {"entry": str(uuid4()), "deal": 2, "seen": ""}
            await stage.post(stage.sessions["ana"], f"/tallies/{tally}/", **entry, **DEAL)
            await sheet_of(hers, f"/tallies/{tally}/deals/2/")
    async with stage.socket(path, stage.sessions["boris"]) as again:
        assert "refused" in await received(again)
        assert await close_code(again) == NOT_FOUND


@ends("renew token", "delete bot", "ban", "suspend")
async def test_the_sockets_of_a_bot_are_closed(stage, end):
    token = stage.scene["bot"]["token"]
    async with stage.socket("/ws/bot/", token=token) as bot:
        await cut(stage, end)

        assert await close_code(bot) == RECONNECT
    async with stage.socket("/ws/bot/", token=token) as again:
        assert "refused" in await received(again)
        assert await close_code(again) == UNKNOWN_TOKEN


@pytest.mark.parametrize("site", ["daphne", "uvicorn"], indirect=True)
async def test_sockets_are_closed_where_no_message_comes(stage):
    redis = stage.site.redis
    async with (
        stage.match_socket("ana", "open") as player,
        stage.match_socket("boris", "friends") as watcher,
        stage.socket("/ws/bot/", token=stage.scene["bot"]["token"]) as bot,
    ):
        for socket in (player, watcher):
            await table_of(socket)
        redis.kill()
        try:
            for socket, end in ((bot, "renew token"), (watcher, "unfriend"), (player, "log out")):
                await cut(stage, end)

                assert await close_code(socket) == RECONNECT
        finally:
            redis.start()
            await asyncio.to_thread(redis.wait)
