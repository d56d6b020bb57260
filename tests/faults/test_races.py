"""Two web processes and two clocks write to the same matches at once: moves, time-outs, bots, ready, presence, forms."""

import asyncio
from contextlib import suppress

import pytest

from tests.faults.kills import what_was_lost
from tests.faults.players import LOST, Ledger, Player

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

MATCH_LIMIT = 60  # seconds; it takes a quarter of that where nothing else runs


@pytest.fixture
async def people(together, rng):
    """Five players who write to one ledger."""
    ledger = Ledger()
    people = [Player(together.webs, ledger, rng) for _ in range(5)]
    await asyncio.gather(*(player.arrive() for player in people))
    yield people
    for player in people:
        await player.client.aclose()


async def test_match_that_everybody_plays_at_two_processes_has_one_history(together, people):
    ledger, (ana, boris, *_) = people[0].ledger, people
    code = await ana.open_table(seats=3, bots=1, speed="fast")
    ledger.timed.add(code)
    await boris.sit_down(code)

    pages = [player.play(code, web=web, by_form=0.3) for player in (ana, boris) for web in together.webs]
    async with asyncio.timeout(MATCH_LIMIT):
        others = [
            asyncio.create_task(_come_and_go(ana, code)),
            asyncio.create_task(_let_time_run_out(together.database, code, ana.rng)),
        ]
        await asyncio.gather(*pages)
        for task in others:
            task.cancel()

    actors = [actor for _, _, actor in together.database.moves()[code]]
    lost = {text for _, text in ledger.refusals}
    assert what_was_lost(ledger, together) == []
    assert {"player", "bot", "stand-in", "chance"} == set(actors)
    assert {"That move is already played.", "The table has moved on. Look again."} & lost, "nobody raced"


async def _come_and_go(player, code):
    """Open pages and close them, so that whether the player is there is written all the time."""
    while True:
        with suppress(*LOST):
            async with player.socket(code) as page:
                await page.receive()
                await page.send(resume="1")
                await asyncio.sleep(player.rng.uniform(0, 0.3))


async def _let_time_run_out(database, code, rng):
    """Let the time of whoever is to move be up, now and then."""
    while True:
        await asyncio.sleep(rng.uniform(0, 0.4))
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


async def test_rematch_is_opened_once(together, people):
    ana, boris, *_ = people
    code = await ana.open_table(seats=3, bots=1)
    await boris.sit_down(code)
    async with asyncio.timeout(MATCH_LIMIT):
        await asyncio.gather(ana.play(code), boris.play(code))

    answers = await asyncio.gather(
        *(player.post(f"/matches/{code}/rematch/", web) for player in (ana, boris) for web in together.webs)
    )

    assert [answer.status_code for answer in answers] == [302] * 4
    assert len({answer.headers["location"] for answer in answers}) == 1
