"""Blocks and clubs at open sockets: nobody goes on watching, and the lobby is another's."""

import pytest
from asgiref.sync import sync_to_async

from accounts.people import online, ties
from games.clubs import joining, playing
from games.live.sockets import NOT_FOUND
from games.play import hosting, seating
from tests import opening
from tests.clubs.conftest import TABLE, member
from tests.live.pages import Page, lobby

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


async def test_who_looks_at_a_table_sees_no_more_of_it_when_a_blocker_sits_down(users):
    ana, _, vera, goran = users
    await sync_to_async(ties.block)(vera, goran)
    opened = await sync_to_async(opening.open_table)(ana, "oh-hell", seats=3)
    async with Page(opened.code, goran) as page:
        assert "Ana" in await page.table()

        await sync_to_async(seating.sit_down)(vera, opened.code)

        assert await page.refusal() == "There is no such match. Check the address."
        assert await page.closed() == NOT_FOUND


async def test_the_lobby_that_is_pushed_leaves_out_who_is_apart(users):
    ana, boris, vera, _ = users
    await sync_to_async(ties.block)(ana, boris)
    async with lobby(boris) as his, lobby(vera) as hers, lobby() as visitors:
        for socket in (his, hers, visitors):
            assert "table-" not in await socket.page()

        opened = await sync_to_async(opening.open_table)(ana, "oh-hell", seats=4)

        assert opened.code in await hers.page()
        assert opened.code in await visitors.page()
        assert await his.receive_nothing(0.5)


async def test_an_invitation_comes_to_the_lobby_that_is_open_and_to_no_other(users, run_every):
    run_every("changes", 0.05)
    ana, boris, vera, _ = users
    opened = await sync_to_async(opening.open_table)(ana, "oh-hell", seats=4, listed=False)
    async with lobby(boris) as his, lobby(vera) as hers:
        for socket in (his, hers):
            assert "invited" not in await socket.page()

        await sync_to_async(hosting.invite)(ana, opened.code, boris)

        assert f'id="invited-{opened.code}"' in await his.page()
        await sync_to_async(hosting.cancel_invitation)(ana, opened.code, boris.pk)
        assert "invited" not in await his.page()
        assert await hers.receive_nothing(0.2)


async def test_who_has_a_page_open_is_here(users, run_every):
    run_every("attendance", 0.05)
    ana, boris, vera, _ = users
    opened = await sync_to_async(opening.open_table)(ana, "oh-hell", seats=4)
    async with lobby(boris) as socket, Page(opened.code, ana) as page:
        await socket.page()
        await page.seated()

        while await sync_to_async(online.online)({ana.pk, boris.pk, vera.pk}) != {ana.pk, boris.pk}:
            await page.send({"sync": 1})
            await page.table()


def club_way(ana, boris):
    """A way of playing in a club of these two."""
    club = joining.found(ana, "Card Corner")
    joining.join(boris, club.invitation)
    return playing.add_preset(member(club, ana), "Friday", TABLE)


async def test_members_alone_are_pushed_the_clubs_tables(users):
    ana, boris, vera, _ = users
    way = await sync_to_async(club_way)(ana, boris)
    async with lobby(boris) as his, lobby(vera) as hers:
        for socket in (his, hers):
            assert "table-" not in await socket.page()

        of_club = await sync_to_async(playing.open_preset)(ana, preset=way)
        listed = await sync_to_async(opening.open_table)(ana, "oh-hell")

        page = await his.page()
        while listed.code not in page:
            page = await his.page()
        assert of_club.code in page
        page = await hers.page()
        assert listed.code in page
        assert of_club.code not in page
