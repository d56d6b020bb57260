"""The seconds until the next deal, as sockets and reloaded pages have them."""

import re

import pytest
from asgiref.sync import sync_to_async

from accounts.templatetags.names import as_name
from games.catalog import CHANCE
from games.play import moves, seating
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


async def test_who_wants_to_go_on_sees_whom_and_how_long_they_wait_for(ana, boris):
    scored = await sync_to_async(at_a_result)(ana, boris)

    async with Page(scored.code, ana) as page, Page(scored.code, boris) as other:
        await page.seated()
        await other.seated()
        ready = await sync_to_async(moves.set_ready)(ana.pk, scored.code)
        table = await page.table()
        while f'data-revision="{ready.revision}"' not in table:
            table = await page.table()

    assert f"Waiting for {as_name('Boris')}" in table
    assert LEFT.search(table)
    assert 'id="ready-button"' not in table
