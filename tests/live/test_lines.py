"""Sockets at tables whose cards are played elsewhere: what pages hold back they hold back, and who looks is noted."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from games.challenges import challenges, playing_on, teams
from games.challenges.models import SeenMatch
from games.challenges.seen import OTHER_TABLE_PLAYS
from games.live.sockets import NOT_FOUND
from games.models import Match
from tests.challenges.conftest import finished_match
from tests.live.pages import Page
from tests.matches import play_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


def team_tables(users):
    """Two tables, Ana at the first and Boris at the second."""
    ana, boris, *_ = users
    made = teams.make(ana, challenges.make(ana, finished_match(ana, "belot"), 0, 1))
    teams.join(boris, made.code, team=1, table=1)
    return teams.start(ana, made.code)


async def test_finished_table_of_a_team_match_is_not_watched_while_the_other_plays(users):
    first, second = await sync_to_async(team_tables)(users)
    over = await sync_to_async(play_on)(first)

    async with Page(over.code, users[1]) as page:
        assert await page.refusal() == OTHER_TABLE_PLAYS
        assert await page.closed() == NOT_FOUND
    async with Page(over.code, users[0]) as page:
        await page.table()
    await sync_to_async(play_on)(second)
    async with Page(over.code, users[1]) as page:
        await page.table()


async def test_nor_is_its_variation(users):
    first, _ = await sync_to_async(team_tables)(users)
    over = await sync_to_async(play_on)(first)
    match = await Match.objects.aget(code=over.code)
    choice = playing_on.Choice(0, 0, level="", one_deal=True, anew=False)
    varied = await sync_to_async(playing_on.play_on)(users[0], match=match, choice=choice)
    await sync_to_async(play_on)(varied)

    async with Page(varied.code, users[1]) as page:
        assert await page.refusal() == OTHER_TABLE_PLAYS


@pytest.mark.parametrize("finished", [False, True])
async def test_who_looks_on_by_a_socket_alone_is_noted(users, started, finished):
    if finished:
        await sync_to_async(play_on)(started)
    for user in (users[0], users[3]):
        async with Page(started.code, user) as page:
            await page.table()
            for _ in range(50):
                if await SeenMatch.objects.aexists():
                    break
                await asyncio.sleep(0.05)

    noted = [(seen.user_id, seen.how) async for seen in SeenMatch.objects.all()]
    assert noted == [(users[3].pk, "replayed" if finished else "watched")]
