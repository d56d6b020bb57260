"""What has happened is told with every new table, whichever process made the moves and however the table comes."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from games.catalog import get_game
from games.fragments import Fragments
from games.history import folding
from games.live import hub as live
from games.live import others
from games.live.consumers import MatchConsumer
from games.models import Match
from games.play import memory, moves, presence, seating, store
from tests import opening
from tests.live.pages import Page, elsewhere, play_first, said, user_at
from tests.matches import play_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


def sentences(snapshot, *moves, viewer=None):
    """What is told a seat, or an onlooker, of these moves of a match, by their index."""
    steps = folding.steps_of(Match.objects.get(pk=snapshot.pk), snapshot.rules)
    events = [event for index in moves for event in steps[index].events]
    return " ".join(get_game(snapshot.game).drawing.sentences(events, snapshot.players(), viewer))


async def told_until(page, moves):
    """What a page is told until its table stands for so many moves: a look between two of them tells each by itself."""
    heard, table = [], ""
    while f'data-moves="{moves}"' not in table:
        table = await page.table()
        heard.append(said(table))
    return " ".join(filter(None, heard))


async def test_moves_of_another_process_are_told(started, layer):
    async with Page(started.code) as watching, Page(started.code, await user_at(started, 0)) as page:
        await page.seated()  # or the table that says so comes between the moves
        await watching.caught_up()
        with elsewhere():
            after = await sync_to_async(play_first)(started, 2)

        await others.send(others.match_messages(after), sender="another process")

        told = await sync_to_async(sentences)(after, 1, 2)
        assert told.count(".") == 2
        assert said(await watching.table(moves=3)) == told
        assert said(await page.table(moves=3)) == await sync_to_async(sentences)(after, 1, 2, viewer=0)


async def test_of_changes_that_are_told_together_only_the_newest_is_drawn(started, monkeypatch):
    drawn, draw = [], Fragments.for_user
    monkeypatch.setattr(
        Fragments, "for_user", lambda table, *which: drawn.append(table.snapshot.revision) or draw(table, *which)
    )
    async with Page(started.code) as watching:
        await watching.caught_up()
        with elsewhere():
            first = await sync_to_async(play_first)(started)
            second = await sync_to_async(play_first)(first)
        drawn.clear()

        live.hub().push(first)
        live.hub().push(second)

        assert await told_until(watching, 3) == await sync_to_async(sentences)(second, 1, 2)
        assert first.revision not in drawn  # others may come for other reasons: somebody is noted to be there


async def test_moves_that_a_look_finds_are_told(started, run_every):
    run_every("changes", 0.1)
    async with Page(started.code) as watching:
        await watching.table(moves=1)

        with elsewhere():
            after = await sync_to_async(play_first)(started, 2)

        assert await told_until(watching, 3) == await sync_to_async(sentences)(after, 1, 2)


async def test_a_table_that_took_the_place_of_others_tells_what_they_would_have(started, monkeypatch):
    sending, go_on = asyncio.Event(), asyncio.Event()
    send = MatchConsumer.send

    async def slowly(self, text_data=None, *arguments):
        sending.set()
        await go_on.wait()
        await send(self, text_data, *arguments)

    async with Page(started.code) as watching:
        await watching.table(moves=1)
        monkeypatch.setattr(MatchConsumer, "send", slowly)
        after = await sync_to_async(play_first)(started)
        await sending.wait()  # the table of the second move is on its way
        for _ in range(2):
            after = await sync_to_async(play_first)(after)
        await asyncio.sleep(0.1)

        go_on.set()

        tables = [await watching.table(), await watching.table()]
        assert [said(table) for table in tables] == [
            await sync_to_async(sentences)(after, *moves) for moves in ((1,), (2, 3))
        ]


async def test_what_was_told_is_not_told_again(started):
    user = await user_at(started, 0)
    async with Page(started.code) as watching:
        await watching.table(moves=1)
        await sync_to_async(play_first)(started)
        assert said(await watching.table(moves=2))

        await watching.send({"sync": 1})
        assert said(await watching.table(moves=2)) == ""

        await sync_to_async(presence.set_connected)(user.pk, started.code, True)
        assert said(await watching.table(moves=2)) == ""


async def test_a_move_is_told_where_a_change_of_seats_came_first(started):
    """The table of the move itself was skipped: that of the change stands for it."""
    user = await user_at(started, 0)
    async with Page(started.code) as watching:
        await watching.table(moves=1)
        with elsewhere():
            after = await sync_to_async(play_first)(started)

        await sync_to_async(presence.set_connected)(user.pk, started.code, True)

        assert said(await watching.table(moves=2)) == await sync_to_async(sentences)(after, 1)


@pytest.mark.parametrize("remembered", [True, False])
async def test_a_page_that_connects_anew_is_told_what_it_missed(started, remembered):
    after = await sync_to_async(play_first)(started, 3)
    if not remembered:
        memory.forget()
    async with Page(started.code, seen=2) as page:
        assert said(await page.table()) == await sync_to_async(sentences)(after, 2, 3)


@pytest.mark.parametrize("seen", [None, 4, 5, 999_999_999, "-1", "x"])
async def test_a_page_that_missed_nothing_is_told_nothing(started, seen):
    await sync_to_async(play_first)(started, 3)
    async with Page(started.code, seen=seen) as page:
        assert said(await page.table()) == ""


async def test_a_deal_that_was_passed_out_elsewhere_is_news_until_the_next_move(users):
    table = await sync_to_async(opening.open_table)(users[0], "belot", seats=4, seed="ef" * 32)
    for user in users[1:]:
        table = await sync_to_async(seating.sit_down)(user, table.code)
    async with Page(table.code) as watching:
        await watching.table(moves=1)
        with elsewhere():
            for _ in users:
                passed = {"type": "pass"}
                table = await sync_to_async(moves.play_move)(
                    table.code, table.to_act, passed, seen_count=table.move_count
                )

        await others.send(others.match_messages(table), sender="another process")
        assert "<b>Everybody passed</b>" in await watching.table(moves=6)

        await sync_to_async(presence.set_connected)(users[0].pk, table.code, True)
        assert "<b>Everybody passed</b>" in await watching.table(moves=6)

        await sync_to_async(play_first)(table)
        assert "<b>Everybody passed</b>" not in await watching.table(moves=7)


async def test_what_is_too_much_to_tell_is_not_told(started):
    after = await sync_to_async(play_on)(started, until=lambda now: now.move_count > folding.CATCH_UP_LIMIT)
    memory.forget()
    for seen, is_told in ((0, False), (after.move_count - folding.CATCH_UP_LIMIT, True)):
        async with Page(started.code, seen=seen) as page:
            assert bool(said(await page.table())) is is_told


async def test_moves_that_do_not_lead_to_the_position_are_not_told(started):
    """A position that was stored otherwise, by hand say, is shown all the same."""
    known = started
    await sync_to_async(play_first)(started)
    await Match.objects.filter(code=started.code).aupdate(move_count=7)
    assert (await sync_to_async(store.read)(started.code, previous=known)).latest_moves == ()

    async with Page(started.code, seen=1) as page:
        await page.table(moves=7)


def test_a_page_tells_what_it_is_asked_to(started, client):
    after = play_first(started, 2)

    def told(query):
        return said(client.get(f"/matches/{started.code}/{query}").content.decode())

    for _ in range(2):
        assert told("?seen=1") == sentences(after, 1, 2)
        assert told("?seen=2") == sentences(after, 2)
        assert [told(query) for query in ("", "?seen=3", "?seen=x", "?seen=-1", "?seen=99")] == [""] * 5
        memory.forget()


def test_table_tells_a_reader_only_what_they_have_not_seen(started):
    table = Fragments(play_first(started, 2))

    texts = {seen: said(table.for_user(None, seen)) for seen in (1, 2, 99, None)}

    assert texts[1] != texts[2] != texts[None]
    assert texts[99] == texts[None]
