"""Open sockets of somebody who is suspended or banned: nothing more is played by them, in whichever process."""

import pytest
from asgiref.sync import sync_to_async

from accounts import sanctions
from games.live.sockets import CONNECT_ANEW
from games.models import Match, Move
from games.play import store
from tests.live.pages import Page, elsewhere, first_move, user_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


@sync_to_async
def impose(user, kind, *, in_another_process):
    if in_another_process:
        with elsewhere():
            sanctions.impose(user, kind, "Cheated.")
    else:
        sanctions.impose(user, kind, "Cheated.")


@pytest.mark.parametrize("kind", ["suspension", "ban"])
@pytest.mark.parametrize("in_another_process", [False, True])
async def test_an_open_socket_plays_no_more(started, kind, in_another_process):
    player = await user_at(started, started.to_act)
    async with Page(started.code, player) as page:
        await page.seated()
        await impose(player, kind, in_another_process=in_another_process)

        await page.send({"move": first_move(started), "seen": started.move_count})
        assert await page.closed() == CONNECT_ANEW
    if kind == "suspension":
        async with Page(started.code, player) as page:
            assert "data-moves" in await page.table()
            await page.send({"move": first_move(started), "seen": started.move_count})
            assert await page.refusal() in (
                "You have no seat at this table.",
                "You have left this match, and a bot plays in your seat.",
            )
            await page.send({"say": 1, "phrase": "hello"})
            assert "Your account is suspended" in await page.refusal()

    assert not await Move.objects.filter(match__code=started.code, actor="player").aexists()
    assert (await Match.objects.aget(code=started.code)).move_count == 1


async def test_the_others_see_a_bot_in_the_seat_at_once(started, users):
    ana, boris = users[:2]
    async with Page(started.code, boris) as page:
        await page.seated()

        await impose(ana, "suspension", in_another_process=False)

        await page.caught_up()
    after = await sync_to_async(store.read)(started.code)
    assert after.bot_plays(after.seats[started.player_number(ana.pk)])
