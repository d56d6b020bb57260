"""Redis and PostgreSQL go away, stand still and come back under two web processes and a clock, while people play."""

from contextlib import contextmanager

import pytest
import pytest_asyncio

from tests.faults.cluster import cluster
from tests.faults.crowd import Crowd
from tests.faults.kills import kill_at_random, what_was_lost
from tests.faults.observing import UNHARMED, Expected, trial
from tests.faults.services import has_postgresql
from tests.processes import running

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.faults,
    pytest.mark.xdist_group("faults"),
    pytest.mark.skipif(not has_postgresql(), reason="No PostgreSQL server is running."),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("away"), PACE="0.05") as site, running(*site.processes):
        yield site


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crowd(site):
    async with Crowd(site.webs) as crowd:
        yield crowd


@contextmanager
def redis_gone(site):
    site.redis.kill()
    try:
        yield
    finally:
        site.redis.start()


@contextmanager
def redis_frozen(site):
    site.redis.freeze()
    try:
        yield
    finally:
        site.redis.thaw()


@contextmanager
def database_gone(site):
    site.wire.cut()
    try:
        yield
    finally:
        site.wire.mend()


@contextmanager
def database_frozen(site):
    site.wire.hold()
    try:
        yield
    finally:
        site.wire.mend()


@contextmanager
def database_slow(site):
    site.wire.slow(0.08)  # seconds, there and back again
    try:
        yield
    finally:
        site.wire.mend()


@contextmanager
def database_locked(site):
    with site.database.locked("games_match"):
        yield


AWAY = Expected({503}, {503}, {"refused"})
FAULTS = {
    redis_gone: UNHARMED,
    redis_frozen: UNHARMED,
    database_gone: AWAY,
    database_frozen: AWAY,
    database_slow: UNHARMED,
    database_locked: AWAY,
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_people_are_told_and_play_on_afterwards(site, crowd, fault):
    problems = await trial(site, crowd, fault(site), FAULTS[fault])

    assert not problems, "\n".join(problems)


async def test_people_play_on_when_web_and_clock_are_killed(site, crowd, rng):
    await kill_at_random(site.processes, crowd, 14, rng)


async def test_nothing_was_lost(site, crowd):
    problems = what_was_lost(crowd.ledger, site)

    assert not problems, "\n".join(problems)
