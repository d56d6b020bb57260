"""One process on SQLite: its disk is full, its file is locked, rows that it can't read turn up, while people play."""

import asyncio
import subprocess
from functools import partial

import httpx
import pytest
import pytest_asyncio

from tests.faults.cluster import Alone
from tests.faults.crowd import WELL_AFTER, Crowd
from tests.faults.kills import kill_at_random, what_was_lost
from tests.faults.observing import Expected, Noise, broken, trial
from tests.faults.players import Ledger, Player
from tests.faults.services import SmallDisk, write_lock
from tests.processes import running, wait_until

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.faults,
    pytest.mark.xdist_group("faults on SQLite"),
]


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    """A small disk, or None where no file system may be mounted."""
    try:
        disk = SmallDisk(tmp_path_factory.mktemp("disk"))
    except subprocess.CalledProcessError:
        yield None
        return
    yield disk
    disk.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory, disk):
    site = Alone(tmp_path_factory.mktemp("alone"), disk and disk.folder, PACE="0.1")
    with running(*site.processes):
        yield site


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crowd(site):
    async with Crowd(site.webs) as crowd:
        yield crowd


READ_ONLY = Expected({200}, {503}, {"refused"})


async def test_full_disk(site, crowd, disk):
    if disk is None:
        pytest.skip("No file system may be mounted here, so there is none to be filled up.")
    fill = partial(wait_until, partial(_fill, disk, site.database), 10, "the disk is full")

    problems = await trial(site, crowd, broken(fill, disk.empty), READ_ONLY)

    assert not problems, "\n".join(problems)


async def test_a_site_with_a_full_disk_is_not_ready(site, crowd, disk):
    if disk is None:
        pytest.skip("No file system may be mounted here, so there is none to be filled up.")
    fill = partial(wait_until, partial(_fill, disk, site.database), 10, "the disk is full")

    with broken(fill, disk.empty):
        assert (await _readiness(site)).json()["missing"] == ["The database can’t be used."]

    assert (await _readiness(site)).json()["ready"]


async def _readiness(site):
    await asyncio.sleep(1.1)  # an earlier look holds for a second
    async with httpx.AsyncClient() as client:
        return await client.get(f"{site.webs[0].url}/healthz/ready")


def _fill(disk, database):
    """Fill the disk, and leave no room in the database's files either. Returns whether nobody has written meanwhile."""
    disk.empty()
    database.query("PRAGMA wal_checkpoint(TRUNCATE)")
    disk.fill()
    return database.path.with_name(f"{database.path.name}-wal").stat().st_size == 0


async def test_file_locked_by_somebody_else(site, crowd):
    problems = await trial(site, crowd, write_lock(site.database), READ_ONLY)

    assert not problems, "\n".join(problems)


BAD_ROWS = {
    "position": "UPDATE games_match SET position = '{\"broken\": 1}'",
    "game": "UPDATE games_match SET game = 'gone'",
    "rules_version": "UPDATE games_match SET rules_version = 99",
    "speed": "UPDATE games_match SET speed = 'gone'",
    "bot": "UPDATE games_seat SET bot = 'gone'",
}
PLAYED_ALL_THE_SAME = {"position", "bot"}  # the moves lead to the position, another bot sits in


async def test_rows_that_cannot_be_read_harm_no_others(site, crowd):
    noise = Noise(site.processes)
    async with Player(site.webs, Ledger()) as player:
        codes = {bad: await player.quick_play() for bad in BAD_ROWS}

        for bad, statement in BAD_ROWS.items():
            key = "id" if "games_match" in statement else "bot > '' AND match_id"
            site.database.query(f"{statement} WHERE {key} = (SELECT id FROM games_match WHERE code = %s)", [codes[bad]])
            site.database.query(
                "UPDATE games_match SET listed = true, revision = revision + 1 WHERE code = %s", [codes[bad]]
            )

        await crowd.goes_on()
        paths = ["/", "/matches/", *(f"/matches/{code}/{page}" for code in codes.values() for page in ("", "replay/"))]
        failed = [path for path in paths if (await player.get(path)).status_code >= 500]
        async with asyncio.timeout(WELL_AFTER):
            for bad, code in codes.items():
                async with player.socket(code) as page:
                    await (_move(page) if bad in PLAYED_ALL_THE_SAME else page.receive())
    assert failed == []
    assert noise.complaints() == []


async def _move(page):
    """Make a move, and wait until it is shown."""
    moves = (await page.table_with(lambda table: table.is_my_turn)).moves
    await page.ask_to_play()
    await page.table_with(lambda table: table.moves > moves)


async def test_people_play_on_when_the_only_process_is_killed(site, crowd, rng):
    await kill_at_random(site, crowd, 4, rng)


async def test_nothing_was_lost(site, crowd):
    problems = what_was_lost(crowd.ledger, site)

    assert not problems, "\n".join(problems)
