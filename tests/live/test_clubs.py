"""Clubs at open sockets: who is no longer a member sees no more of their tables, by any page that is still open."""

import pytest
from asgiref.sync import sync_to_async

from games.clubs import joining, leading, playing
from games.live.sockets import CONNECT_ANEW, NOT_FOUND
from games.play import seating
from tests import opening
from tests.clubs.conftest import TABLE, member
from tests.live.pages import Page, lobby

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


def club_of(ana, boris):
    club = joining.found(ana, "Card Corner")
    joining.join(boris, club.invitation)
    return club, playing.add_way(member(club, ana), "Friday", TABLE)


async def test_a_removed_members_pages_go_dark(users):
    ana, boris, vera, _ = users
    club, way = await sync_to_async(club_of)(ana, boris)
    table = await sync_to_async(playing.open_way)(ana, way=way)
    await sync_to_async(seating.start_match)(ana, table.code)
    async with Page(table.code, vera) as stranger:
        assert await stranger.refusal() == "There is no such match."
        assert await stranger.closed() == NOT_FOUND
    async with Page(table.code, boris) as page:
        await page.table()

        await sync_to_async(lambda: leading.remove(member(club, ana), boris.pk))()

        assert await page.closed() == CONNECT_ANEW
    async with Page(table.code, boris) as page:
        assert await page.refusal() == "There is no such match."
        assert await page.closed() == NOT_FOUND


async def test_members_alone_are_pushed_the_clubs_tables(users):
    ana, boris, vera, _ = users
    _, way = await sync_to_async(club_of)(ana, boris)
    async with lobby(boris) as his, lobby(vera) as hers:
        for socket in (his, hers):
            assert "table-" not in await socket.receive_from(10)

        of_club = await sync_to_async(playing.open_way)(ana, way=way)
        listed = await sync_to_async(opening.open_table)(ana, "oh-hell")

        seen = await his.receive_from(10)
        while listed.code not in seen:
            seen = await his.receive_from(10)
        assert of_club.code in seen
        seen = await hers.receive_from(10)
        assert listed.code in seen
        assert of_club.code not in seen
