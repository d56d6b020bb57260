"""The site is killed or stands still while people are on their turn at fast tables. It costs nobody time or a move."""

import asyncio
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta

import pytest

from tests.faults.cluster import Alone
from tests.faults.kills import what_was_lost
from tests.faults.players import Ledger, Player
from tests.processes import running, wait_until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.faults]

LIMIT = 60  # seconds for what a busy machine may take its time with
LONG = 90  # seconds


class FastTable:
    """Three people at a table with 10 seconds a move, one of whom is on their turn."""

    def __init__(self, site, players, code):
        self.site, self.players, self.code = site, players, code
        self.ledger = players[0].ledger

    async def page_to_move(self, stack):
        """The page of the player on their turn."""
        while True:
            for player in self.players:
                page = await stack.enter_async_context(player.socket(self.code))
                table = await page.receive()
                if table.is_my_turn:
                    return page

    async def move(self):
        """Make a move, and wait until it is shown."""
        async with AsyncExitStack() as stack, asyncio.timeout(LIMIT):
            page = await self.page_to_move(stack)
            moves = page.table.moves
            await page.ask_to_play()
            await page.table_with(lambda table: table.moves > moves, LIMIT)

    def row(self, columns):
        (row,) = self.site.database.query(f"SELECT {columns} FROM games_match WHERE code = %s", [self.code])
        return row

    @property
    def wake_at(self):
        """When a bot would move for the player on their turn."""
        (moment,) = self.row("wake_at")
        return moment if isinstance(moment, datetime) else datetime.fromisoformat(moment).replace(tzinfo=UTC)

    @property
    def reserves(self):
        rows = self.site.database.query(
            "SELECT reserve FROM games_seat WHERE match_id = %s ORDER BY number", self.row("id")
        )
        return [reserve for (reserve,) in rows]

    def actors(self):
        return {actor for _, _, actor in self.site.database.moves()[self.code]}


async def fast_table(stack, site, ledger):
    players = [await stack.enter_async_context(Player(site.webs, ledger)) for _ in range(3)]
    code = await players[0].open_table(seats=3, speed="fast")
    ledger.timed.add(code)
    for player in players[1:]:
        assert await player.sit_down(code)
    table = FastTable(site, players, code)
    await asyncio.to_thread(wait_until, lambda: table.row("status") == ("playing",), LIMIT, "the match begins")
    return table


@pytest.mark.xdist_group("faults on SQLite")
@pytest.mark.parametrize("rated", [False, True])
async def test_the_only_process_is_killed_and_started_after_a_while(tmp_path, rated):
    site = Alone(tmp_path, PACE="0.1")
    (serve,) = site.processes
    async with AsyncExitStack() as stack:
        stack.enter_context(running(serve))
        table = await fast_table(stack, site, Ledger())
        await table.move()
        before = table.reserves
        serve.kill()
        _pass(site.database, LONG, rated)

        serve.start()
        await asyncio.to_thread(serve.wait)
        await table.move()

        assert table.actors() == {"chance", "player"}
        assert all(now > then - 15 for now, then in zip(table.reserves, before, strict=True))  # of 90
        assert table.row("gap_ended_at") != (None,)
        assert what_was_lost(table.ledger, site) == []


def _pass(database, seconds, rated):
    """Let so much time go by for a site that does not run: all that it stored is older."""
    ago = f"strftime('%Y-%m-%d %H:%M:%f', {{}}, '-{seconds} seconds')"
    for table, columns in {
        "games_match": ["created_at", "turn_started_at", "wake_at"],
        "games_seat": ["seen_at"],
        "games_heartbeat": ["beat_at"],
    }.items():
        changes = ", ".join(f"{column} = {ago.format(column)}" for column in columns)
        database.query(f"UPDATE {table} SET {changes}")
    database.query("UPDATE games_match SET rated = %s", [rated])


@pytest.mark.xdist_group("faults")
@pytest.mark.parametrize("kind", ["clocks", "webs"])
async def test_all_processes_of_one_kind_stand_still(together, kind):
    frozen = together.webs if kind == "webs" else [one for one in together.processes if one not in together.webs]
    async with AsyncExitStack() as stack:
        table = await fast_table(stack, together, Ledger())
        try:
            for process in frozen:
                process.freeze()
            _leave_only(together.database, table, 4)
            await asyncio.to_thread(wait_until, lambda: _is_overdue(table), LIMIT, "all time would be up")
        finally:
            for process in frozen:
                process.thaw()
        await table.move()

        assert table.actors() == {"chance", "player"}
        assert what_was_lost(table.ledger, together) == []


def _leave_only(database, table, seconds):
    """Let the player on their turn have no more time than that, as all processes then read."""
    database.query("UPDATE games_seat SET reserve = 0 WHERE match_id = %s", table.row("id"))
    database.query(
        "UPDATE games_match SET turn_started_at = now() + %s - interval '10 seconds', wake_at = now() + %s,"
        " revision = revision + 1 WHERE code = %s",
        [timedelta(seconds=seconds), timedelta(seconds=seconds), table.code],
    )


def _is_overdue(table):
    """Whether a clock that runs would have had a bot move three seconds ago."""
    return table.wake_at < datetime.now(UTC) - timedelta(seconds=3)
