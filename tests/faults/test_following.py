"""Messages between two processes are lost, doubled and out of order while people play, who notice little of it."""

import pytest

from tests.faults.cluster import cluster
from tests.faults.crowd import Crowd
from tests.faults.kills import what_was_lost
from tests.faults.meddling import Meddler
from tests.processes import running

pytestmark = [pytest.mark.asyncio, pytest.mark.faults, pytest.mark.xdist_group("faults")]

ROUNDS = 15


async def test_people_play_on_while_messages_are_lost_doubled_and_late(tmp_path, rng):
    with cluster(tmp_path, PACE="0.1") as site:
        meddler = Meddler(site.redis.port, rng)
        site.installation.environment["REDIS_URL"] = meddler.url
        try:
            with running(*site.processes):
                async with Crowd(site.webs, rng) as crowd:
                    for _ in range(ROUNDS):
                        await crowd.makes_moves(10)
                    await crowd.goes_on()
            problems = what_was_lost(crowd.ledger, site)
        finally:
            meddler.close()

    assert not problems, "\n".join(problems)
    assert all(meddler.done[fate] for fate in ("carried", "lost", "late", "twice"))
