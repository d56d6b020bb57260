"""The seconds until the next deal, as sockets and reloaded pages have them."""

import re
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async

from games.catalog import CHANCE
from games.models import Match
from games.play import memory, moves, seating
from games.play.pace import result_pause
from tests import opening
from tests.live.pages import Page
from tests.matches import play_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]

LEFT = re.compile(r'<span class="countdown">Next hand in <b data-remaining="([\d.]+)">(\d+)</b> s</span>')


def at_a_result(*users):
    options = {"game_style": "short-up"}
    opened = opening.open_table(users[0], "oh-hell", seats=3, bots=3 - len(users), options=options, speed="untimed")
    for user in users[1:]:
        opened = seating.sit_down(user, opened.code)
    return play_on(opened, until=lambda snapshot: snapshot.to_act == CHANCE)


async def test_everybody_is_sent_how_long_the_result_stays(ana, boris):
    scored = await sync_to_async(at_a_result)(ana, boris)

    async with Page(scored.code, ana) as first, Page(scored.code, boris) as second, Page(scored.code) as watching:
        for page in (first, second, watching):
            left, seconds = LEFT.search(await page.table()).groups()

            assert 0 < float(left) <= result_pause("oh-hell") + 2  # the finished trick is looked at first
            assert int(seconds) - 1 <= float(left) <= int(seconds)


async def test_a_page_that_comes_later_is_sent_what_is_left(ana, boris):
    scored = await sync_to_async(at_a_result)(ana, boris)
    earlier = timedelta(seconds=5)
    await Match.objects.filter(code=scored.code).aupdate(
        wake_at=scored.wake_at - earlier, turn_started_at=scored.turn_started_at - earlier
    )
    memory.forget()  # as after a restart

    async with Page(scored.code, ana) as page:
        left = float(LEFT.search(await page.table())[1])

    assert 0 < left <= result_pause("oh-hell") + 2 - earlier.total_seconds()


async def test_who_wants_to_go_on_sees_whom_and_how_long_they_wait_for(ana, boris):
    scored = await sync_to_async(at_a_result)(ana, boris)

    async with Page(scored.code, ana) as page, Page(scored.code, boris) as other:
        await page.seated()
        await other.seated()
        ready = await sync_to_async(moves.set_ready)(ana.pk, scored.code)
        table = await page.table()
        while f'data-revision="{ready.revision}"' not in table:
            table = await page.table()

    assert "Waiting for Boris" in table
    assert LEFT.search(table)
    assert 'id="ready-button"' not in table


async def test_alone_nothing_is_counted_down_and_the_clock_leaves_the_result_alone(ana, clock):
    scored = await sync_to_async(at_a_result)(ana)
    async with Page(scored.code, ana) as page:
        table = await page.table()
        swept = await clock.sweep()

        assert 'id="ready-button"' in table
        assert "countdown" not in table
        assert swept == 0
        await sync_to_async(moves.set_ready)(ana.pk, scored.code)
        assert 'data-deals="2"' in await page.table(moves=scored.move_count + 1)
