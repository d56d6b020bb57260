"""Two web processes and two clocks write to one match at once: moves, time-outs, bots, ready, presence, forms."""

import asyncio
import random
from contextlib import suppress

import pytest
import pytest_asyncio

from tests.faults.kills import what_was_lost
from tests.faults.players import LOST, Ledger, Player

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.faults,
    pytest.mark.xdist_group("faults"),
]

ENOUGH = 80  # moves
LIMIT = 60  # seconds; it takes a fifth of that where nothing else runs


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def people(together):
    """Five players who write to one ledger."""
    ledger = Ledger()
    people = [Player(together.webs, ledger) for _ in range(5)]
    for player in people:
        await player.arrive()
    yield people
    for player in people:
        await player.client.aclose()


async def test_what_two_processes_write_at_once_is_one_history(together, people):
    (ana, boris, *_), ledger = people, people[0].ledger
    code = await ana.open_table(seats=3, bots=1, speed="fast")
    ledger.timed.add(code)
    assert await boris.sit_down(code)

    async with asyncio.timeout(LIMIT), asyncio.TaskGroup() as group:
        doings = [player.play(code, web=web, by_form=0.3) for player in (ana, boris) for web in together.webs]
        doings += [_come_and_go(ana, code), _let_time_run_out(together.database, code)]
        tasks = [group.create_task(doing) for doing in doings]
        while ledger.shown[code] < ENOUGH or "stand-in" not in _actors(together.database, code):
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()

    assert what_was_lost(ledger, together) == []
    assert _actors(together.database, code) == {"player", "bot", "stand-in", "chance"}
    assert {"That move is already played.", "The table has moved on. Look again."} & ledger.refusals, "nobody raced"


def _actors(database, code):
    """Who has moved."""
    return {actor for _, _, actor in database.moves()[code]}


async def _come_and_go(player, code):
    """Open pages and close them, so that whether the player is there is written all the time."""
    while True:
        with suppress(*LOST):
            async with player.socket(code) as page:
                await page.receive()
                await page.send(resume="1")
                await asyncio.sleep(random.uniform(0, 0.3))


async def _let_time_run_out(database, code):
    """Let the time of whoever is to move be up, now and then."""
    while True:
        await asyncio.sleep(random.uniform(0, 0.2))
        await asyncio.to_thread(
            database.query,
            "UPDATE games_match SET wake_at = now(), revision = revision + 1 WHERE code = %s AND status = 'playing'",
            [code],
        )


async def test_free_seats_are_given_away_once(together, people):
    host, *others = people
    for _ in range(5):
        code = await host.open_table(seats=4)

        answers = await asyncio.gather(
            *(player.post(f"/matches/{code}/sit/", web) for player in others for web in together.webs),
            *(host.post(f"/matches/{code}/start/", web) for web in together.webs),
        )

        ((match, status, deals),) = together.database.query(
            "SELECT id, status, deal_count FROM games_match WHERE code = %s", [code]
        )
        seats = together.database.query("SELECT place, number FROM games_seat WHERE match_id = %s", [match])
        assert {answer.status_code for answer in answers} <= {302, 400, 403, 409}
        assert (status, deals) == ("playing", 1)
        assert {place for place, _ in seats} == {number for _, number in seats} == {0, 1, 2, 3}


async def test_pauses_votes_and_absence_at_two_processes_lose_no_move_and_leave_nothing_behind(together, people):
    (ana, boris, vera, *_), ledger = people, people[0].ledger
    code = await ana.open_table(seats=4, bots=1, speed="fast")
    ledger.timed.add(code)
    assert await boris.sit_down(code)
    assert await vera.sit_down(code)

    async with asyncio.timeout(LIMIT), asyncio.TaskGroup() as group:
        doings = [player.play(code, web=web, by_form=0.3) for player in (ana, boris) for web in together.webs]
        doings += [_pause_and_go_on(player, code, web) for player in (ana, boris) for web in together.webs]
        doings += [_come_and_go(vera, code), _vote(ana, code), _vote(boris, code)]
        doings.append(_let_time_run_out(together.database, code))
        tasks = [group.create_task(doing) for doing in doings]
        while ledger.shown[code] < ENOUGH / 2 or not await asyncio.to_thread(_was_paused, together.database, code):
            await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()

    assert what_was_lost(ledger, together) == []
    ((began, ends, away_since, status),) = together.database.query(
        "SELECT paused_at, paused_until, away_since, status FROM games_match WHERE code = %s", [code]
    )
    assert (began is None) == (ends is None)
    assert away_since is None or status == "playing"


async def _pause_and_go_on(player, code, web):
    """Ask for a pause or agree to one, and end it soon, all the time."""
    while True:
        with suppress(*LOST):
            async with player.socket(code, web) as page:
                await page.receive()
                await page.send(pause="1")
                await asyncio.sleep(random.uniform(0, 0.2))
                await page.send(go_on="1")
                await page.drain()


async def _vote(player, code):
    """Vote that a bot plays for whoever is away, at the position that was shown last."""
    while True:
        with suppress(*LOST):
            await player.post(f"/matches/{code}/vote/", seen=player.ledger.shown[code])
        await asyncio.sleep(random.uniform(0, 0.3))


def _was_paused(database, code):
    """Whether a pause has been asked for in this match, and whether one holds now or has held."""
    return database.query(
        "SELECT 1 FROM games_seat JOIN games_match ON games_match.id = match_id WHERE code = %s AND pause_asked_at > 0",
        [code],
    )
