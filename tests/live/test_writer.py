"""The writer: whoever waits for a move hears what became of it, whatever goes wrong."""

import asyncio

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from games.live import writer as writers
from games.live.writer import writer
from games.models import Move
from games.play.errors import StaleMove
from games.play.requests import MoveRequest
from tests.live.pages import first_move

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


@pytest.fixture
def request_(started):
    return MoveRequest(started.code, started.to_act, first_move(started), 1)


def outcomes_of(*requests):
    """What became of requests that were made at once, if anything did within a while."""
    plays = asyncio.gather(*(writer().play(request) for request in requests), return_exceptions=True)
    return asyncio.wait_for(plays, 5)


async def test_moves_made_at_once_share_a_transaction(request_, monkeypatch):
    sizes = []
    monkeypatch.setattr(
        writers, "play_moves", lambda requests, play=writers.play_moves: sizes.append(len(requests)) or play(requests)
    )
    after, refused = await outcomes_of(request_, request_._replace(seen_count=0))

    assert after.move_count == 2
    assert isinstance(refused, StaleMove)
    assert sizes == [2]


@pytest.mark.parametrize("error", [KeyError("x"), OperationalError("away"), SystemError("odd")])
async def test_what_breaks_is_heard_of(request_, monkeypatch, error):
    def broken(requests):
        raise error

    monkeypatch.setattr(writers, "play_moves", broken)

    assert await outcomes_of(request_, request_) == [error, error]

    monkeypatch.undo()
    assert (await outcomes_of(request_))[0].move_count == 2


async def test_one_move_that_breaks_leaves_the_others(request_, monkeypatch):
    odd = request_._replace(code="odd")
    play_moves = writers.play_moves

    def broken(requests):
        if odd in requests:
            raise KeyError("odd")
        return play_moves(requests)

    monkeypatch.setattr(writers, "play_moves", broken)

    broke, after = await outcomes_of(odd, request_)

    assert isinstance(broke, KeyError)
    assert after.move_count == 2


@pytest.mark.parametrize(("patience", "tries"), [(writers.PATIENCE, [50, 1]), (0, [50])])
async def test_a_database_that_is_away_is_not_asked_for_each_move_again(request_, monkeypatch, patience, tries):
    """Where it lets us wait, it is not even asked once more."""
    asked = []

    def away(requests):
        asked.append(len(requests))
        raise OperationalError("away")

    monkeypatch.setattr(writers, "play_moves", away)
    monkeypatch.setattr(writers, "PATIENCE", patience)

    assert len(await outcomes_of(*[request_] * 50)) == 50
    assert asked == tries


async def test_outcomes_of_another_length_are_heard_of(request_, monkeypatch):
    monkeypatch.setattr(writers, "play_moves", lambda requests: [])

    outcomes = await outcomes_of(request_, request_)

    assert [type(outcome) for outcome in outcomes] == [RuntimeError] * 2


async def test_a_thread_that_is_no_more_is_heard_of(request_):
    writer().thread.close()

    outcomes = await outcomes_of(request_, request_)

    assert [type(outcome) for outcome in outcomes] == [RuntimeError] * 2
    writers._writer = None  # it can't be closed twice


async def test_a_writer_that_is_cancelled_leaves_nobody_waiting(request_, monkeypatch):
    monkeypatch.setattr(writers, "BATCH_SIZE", 1)
    plays = outcomes_of(request_, request_)
    here = asyncio.ensure_future(plays)
    while writer()._task is None:
        await asyncio.sleep(0)
    await asyncio.sleep(0)

    writer()._task.cancel()

    assert [type(outcome) for outcome in await here] == [asyncio.CancelledError] * 2


async def test_a_move_nobody_waits_for_any_more_is_played(request_):
    play = asyncio.ensure_future(writer().play(request_))
    await asyncio.sleep(0)
    play.cancel()

    await outcomes_of(request_)

    assert await sync_to_async(Move.objects.filter(match__code=request_.code).count)() == 2
