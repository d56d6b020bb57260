"""Messages between two processes are lost, doubled and out of order while people play, who notice little of it."""

import re

import httpx
import pytest

from tests.faults.cluster import cluster
from tests.faults.crowd import Crowd
from tests.faults.kills import what_was_lost
from tests.faults.meddling import Meddler
from tests.processes import running

pytestmark = [pytest.mark.asyncio, pytest.mark.faults, pytest.mark.xdist_group("faults")]

ROUNDS = 15


def caught_up(web):
    """How a process has caught up with what others wrote: "message" or "read" -> how often."""
    figures = httpx.get(f"{web.url}/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).text
    return {by: float(count) for by, count in re.findall(r'valat_caught_up_total\{by="(\w+)"\} (\S+)', figures)}


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
                ways = [caught_up(web) for web in site.webs]
            problems = what_was_lost(crowd.ledger, site)
        finally:
            meddler.close()

    assert not problems, "\n".join(problems)
    assert all(meddler.done[fate] for fate in ("carried", "lost", "late", "twice"))
    assert all(way["message"] and way["read"] for way in ways)
