"""Redis and PostgreSQL go away, stand still and come back under two web processes and a clock, while people play."""

from contextlib import contextmanager

import pytest
import pytest_asyncio

from tests.faults.crowd import Crowd
from tests.faults.kills import kill_at_random, what_was_lost
from tests.faults.observing import UNHARMED, Expected, trial

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.faults,
    pytest.mark.xdist_group("faults"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crowd(together):
    async with Crowd(together.webs) as crowd:
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
    site.wire.slow(0.03)  # seconds, there and back again: two hundred times the usual
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
    database_frozen: AWAY._replace(others={*AWAY.others, None}),  # a socket is opened when it flows again
    database_slow: UNHARMED,
    database_locked: AWAY,
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_people_are_told_and_play_on_afterwards(together, crowd, fault):
    problems = await trial(together, crowd, fault(together), FAULTS[fault])

    assert not problems, "\n".join(problems)


async def test_people_play_on_when_web_and_clock_are_killed(together, crowd, rng):
    await kill_at_random(together, crowd, 16, rng)


async def test_nothing_was_lost(together, crowd):
    problems = what_was_lost(crowd.ledger, together)

    assert not problems, "\n".join(problems)
