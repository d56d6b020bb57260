"""How jobs run: again and again, sooner where there is more to do, later where they fail, until they are cancelled."""

import asyncio
import threading

import pytest
from django.db import OperationalError
from prometheus_client import REGISTRY

from games.live import jobs
from games.live.jobs import Job, repeat, repeat_in_thread

HOUR = 3600.0


@pytest.fixture(autouse=True)
def _job(monkeypatch):
    """A job that is only done in time where it is done soon."""
    monkeypatch.setitem(jobs.JOBS, "work", Job(0.01, "test", when_busy=0.0))


def outcomes(run_every, *outcomes):
    """Return a function that returns, or raises, one after the other, and an event that is set at the last."""
    left, over = list(outcomes), threading.Event()

    def act():
        outcome = left.pop(0)
        if not left:
            over.set()
            run_every("work", HOUR)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return act, over


def errors():
    return REGISTRY.get_sample_value("valat_errors_total", {"where": "test"}) or 0


async def until(over, running):
    try:
        assert await asyncio.to_thread(over.wait, 10)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_job_that_fails_is_logged_and_counted_and_done_again(run_every, caplog):
    act, over = outcomes(run_every, OperationalError("away"), ValueError("broken"), False)
    before = errors()

    await until(over, asyncio.create_task(repeat("work", lambda: asyncio.to_thread(act))))

    assert errors() == before + 2
    assert [record.getMessage() for record in caplog.records] == [
        "The job “work” failed: OperationalError('away')",
        "The job “work” failed: ValueError('broken')",
    ]
    assert [bool(record.exc_info) for record in caplog.records] == [False, True]


async def test_a_job_with_more_to_do_does_not_wait_for_its_interval(run_every):
    act, over = outcomes(run_every, True, True, False)

    async def busy():
        run_every("work", HOUR)
        return act()

    await until(over, asyncio.create_task(repeat("work", busy)))


async def test_a_job_that_is_cancelled_ends_its_thread(run_every):
    names = []
    act, over = outcomes(run_every, False, False)

    def work():
        names.append(threading.current_thread().name)
        return act()

    await until(over, asyncio.create_task(repeat_in_thread("work", work)))

    assert names[0] == names[1] == "work_0"
    assert "work_0" not in [thread.name for thread in threading.enumerate()]
