"""Pages that ask bots: the clock's processes where it runs here, one of their own elsewhere, and not for ever."""

import asyncio

import pytest

from games.bot_process import answer
from games.play import asking
from games.play.asking import Busy, ask, lent
from games.play.thinkers import Thinkers
from tests.live.test_thinkers import question

pytestmark = pytest.mark.whole


@pytest.fixture
async def of_clock():
    kept = Thinkers(0)
    with lent(kept):
        yield kept
    await kept.close()


async def test_the_clocks_thinkers_are_asked_where_it_runs(of_clock, monkeypatch):
    monkeypatch.setattr(asking, "_own_thinkers", None)  # not to be started

    found = await asyncio.to_thread(ask, question(), "Ana")

    assert found.place == answer(question()).place


def test_elsewhere_there_are_thinkers_of_their_own():
    assert ask(question(), "Ana").place == answer(question()).place


async def test_nobody_waits_for_ever(of_clock, monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE", 0.05)
    monkeypatch.setattr(of_clock, "answer", lambda *_, **__: asyncio.sleep(5))

    with pytest.raises(Busy, match="is busy right now"):
        await asyncio.to_thread(ask, question(), "Ana")
