"""Redis and PostgreSQL go away, stand still and come back under two web processes and a clock, while people play."""

from functools import partial

import pytest
import pytest_asyncio

from tests.faults.crowd import Crowd
from tests.faults.kills import kill_at_random, what_was_lost
from tests.faults.observing import UNHARMED, Expected, broken, trial

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.faults,
    pytest.mark.xdist_group("faults"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crowd(together):
    async with Crowd(together.webs) as crowd:
        yield crowd


SLOW = 0.03  # seconds, there and back again: two hundred times the usual
AWAY = Expected({503}, {503}, {"refused"})
FAULTS = {
    "redis gone": (UNHARMED, lambda site: broken(site.redis.kill, site.redis.start)),
    "redis frozen": (UNHARMED, lambda site: broken(site.redis.freeze, site.redis.thaw)),
    "database gone": (AWAY, lambda site: broken(site.wire.cut, site.wire.mend)),
    "database frozen": (AWAY, lambda site: broken(site.wire.hold, site.wire.mend)),
    "database slow": (UNHARMED, lambda site: broken(partial(site.wire.slow, SLOW), site.wire.mend)),
    "database locked": (AWAY, lambda site: site.database.locked("games_match")),
}


@pytest.mark.parametrize("name", FAULTS)
async def test_people_are_told_and_play_on_afterwards(together, crowd, name):
    expected, fault = FAULTS[name]

    problems = await trial(together, crowd, fault(together), expected)

    assert not problems, "\n".join(problems)


async def test_people_play_on_when_web_and_clock_are_killed(together, crowd, rng):
    await kill_at_random(together, crowd, 16, rng)


async def test_nothing_was_lost(together, crowd):
    problems = what_was_lost(crowd.ledger, together)

    assert not problems, "\n".join(problems)
