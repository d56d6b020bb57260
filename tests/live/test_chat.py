"""Talk at open sockets: it reaches all who may read it, in other processes too, and nobody else."""

import asyncio
import threading

import pytest
from asgiref.sync import sync_to_async

from accounts.people import ties
from games.catalog import CHANCE
from games.chat import posting, reading
from games.chat.models import ChatMessage, Mute, Spectators
from games.live import hub as live
from games.live.others import there_may_be_others
from games.play import moves, origins, seating, store
from tests import opening
from tests.live.pages import WAIT, Page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


async def test_a_phrase_reaches_every_page_of_the_table_and_is_stored(started, users, layer):
    ana, boris = users[:2]
    async with Page(started.code, ana) as hers, Page(started.code, boris) as his, Page(started.code) as visitor:
        for page in (hers, his, visitor):
            await page.table()

        await hers.send({"say": "1", "phrase": "luck"})

        assert "You" in await hers.talk("Good luck!")
        assert 'data-name="Ana"' in await his.talk("Good luck!")
        assert f'data-seat="{started.seat_of(ana.pk).number}"' in await visitor.talk("Good luck!")
    assert await ChatMessage.objects.values_list("user", "phrase", "watching", "move_count").aget() == (
        ana.pk,
        "luck",
        False,
        1,
    )


async def test_who_connects_again_gets_what_was_said_meanwhile(started, users):
    ana, boris = users[:2]
    await sync_to_async(posting.post)(ana.pk, started.code, phrase="luck")

    async with Page(started.code, boris) as page:
        assert "Good luck!" in await page.talk()


async def test_what_no_message_told_of_is_found(started, users, run_every):
    run_every("changes", 0.05)
    ana, boris = users[:2]
    async with Page(started.code, boris) as page:
        await page.table()
        posting.talked.disconnect(live.push_chat)
        try:
            await sync_to_async(posting.post)(ana.pk, started.code, phrase="luck")
            assert "Good luck!" in await page.talk("Good luck!")
        finally:
            posting.talked.connect(live.push_chat)


async def test_what_partners_may_say_follows_their_cards_without_being_read_again(users, monkeypatch):
    read, talks = [], reading.talks
    monkeypatch.setattr(reading, "talks", lambda *found: read.append(found) or talks(*found))
    table = await sync_to_async(table_of_partners)(users)
    async with Page(table.code, users[0]) as page:
        assert 'data-phrases="moment back"' in await page.talk("While cards are held")
        await sync_to_async(lay_down_cards)(table.code)
        assert "smile" in await page.talk("smile")

        await page.noted(connected=True)
        await sync_to_async(moves.set_ready)(users[0].pk, table.code)  # nobody else is there
        assert 'data-phrases="moment back"' in await page.talk("While cards are held")
        await sync_to_async(lay_down_cards)(table.code)
        assert "smile" in await page.talk("smile")

        # Once for the page, and perhaps once more when other processes are listened to: they may have told of something
        assert len(read) <= 1 + there_may_be_others()
        await sync_to_async(posting.post)(users[1].pk, table.code, phrase="luck")
        assert "Good luck!" in await page.talk("Good luck!")


async def test_what_partners_may_say_follows_their_cards_where_nobody_has_said_anything(users):
    table = await sync_to_async(table_of_partners)(users, talking=False)
    async with Page(table.code, users[0]) as page:
        await page.table()
        await sync_to_async(lay_down_cards)(table.code)
        assert "smile" in await page.talk("smile")
        await page.noted(connected=True)
        await sync_to_async(moves.set_ready)(users[0].pk, table.code)
        assert 'data-phrases="moment back"' in await page.talk("While cards are held")


async def test_who_comes_while_partners_lay_down_their_cards_may_say_more(users, monkeypatch):
    table, talks, laid_down = (
        await sync_to_async(table_of_partners)(users, talking=False),
        reading.talks,
        threading.Event(),
    )
    monkeypatch.setattr(reading, "talks", lambda *found: laid_down.wait(WAIT) and talks(*found))
    async with Page(table.code, users[0]) as page:
        await page.table()
        await sync_to_async(lay_down_cards)(table.code)
        laid_down.set()
        assert await page.talk("smile")


async def test_who_comes_back_is_told_nothing_as_it_was_read_before(users, monkeypatch):
    ana, boris = users[:2]
    table = await sync_to_async(table_of_partners)(users)
    async with Page(table.code, ana) as hers:
        async with Page(table.code, boris) as his:
            await his.talk("Good luck!")
            await sync_to_async(lay_down_cards)(table.code)
            await his.talk("smile")
        await hers.talk("smile")
        await Mute.objects.acreate(muter=boris, muted=ana)
        async with asyncio.timeout(WAIT):
            while len(live.hub().sockets[table.code]) > 1:
                await asyncio.sleep(0.02)
        monkeypatch.setattr(live.hub().talk._welcomes, "add", lambda code: None)  # as if that were still on its way

        async with Page(table.code, boris) as his:
            await his.table()
            await sync_to_async(moves.set_ready)(ana.pk, table.code)
            await sync_to_async(moves.set_ready)(boris.pk, table.code)
            await hers.talk("While cards are held")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(his.talk("Good luck!"), 1)


async def test_of_who_leaves_while_the_talk_is_read_for_them_nothing_is_kept(users, monkeypatch):
    ana, boris = users[:2]
    table, talks = await sync_to_async(table_of_partners)(users), reading.talks
    begun, left = threading.Event(), threading.Event()

    def read_slowly(code, viewers):
        found = talks(code, viewers)
        if boris.pk in viewers:
            begun.set()
            assert left.wait(WAIT)
        return found

    async with Page(table.code, ana) as hers:
        await hers.talk("Good luck!")
        monkeypatch.setattr(reading, "talks", read_slowly)
        async with Page(table.code, boris) as his:
            await his.table()
            assert await asyncio.to_thread(begun.wait, 10)
        async with asyncio.timeout(WAIT):
            while len(live.hub().sockets[table.code]) > 1:
                await asyncio.sleep(0.02)
        left.set()
        await live.hub().reads.run(bool)  # when that is done, so is the reading
        await asyncio.sleep(0.05)
        assert live.hub().talk._talks[table.code].keys() == {ana.pk}


def table_of_partners(users, talking=True):
    """Strangers at a table of Belot who have just been dealt cards. talking: one of them has said something."""
    table = opening.open_table(users[0], "belot", seats=4, speed="untimed", seed="ef" * 32)
    if talking:
        posting.post(users[0].pk, table.code, phrase="luck")
    for user in users[1:]:
        table = seating.sit_down(user, table.code)
    return table


def lay_down_cards(code):
    """Play on until the deal is over: whoever may makes trumps, and doubles nothing."""
    table = store.read(code)
    while table.to_act != CHANCE:
        first, *others = table.rules.legal_moves(table.state)
        move = others[0] if others and table.rules.view(table.state, None)["contract"] is None else first
        table = moves.play_move(code, table.to_act, move, seen_count=table.move_count)


async def test_watchers_are_named_and_talk_apart_from_the_players(started, users):
    ana, goran = users[0], users[3]
    async with Page(started.code, ana) as player, Page(started.code, goran) as watcher, Page(started.code) as visitor:
        await player.talk("Watching: Goran and 1 more")

        await watcher.send({"say": "1", "phrase": "ouch"})
        await player.send({"say": "1", "phrase": "luck"})

        assert "Ouch!" in await watcher.talk("Good luck!")
        assert "Ouch!" not in await player.talk("Good luck!")
        assert "Ouch!" not in await visitor.talk("Good luck!")
    while await Spectators.objects.aexists():
        await asyncio.sleep(0.02)


async def test_visitors_are_counted_where_bots_sit_too(users):
    opened = await sync_to_async(opening.open_table)(users[0], "oh-hell", seats=3, bots=2)
    async with Page(opened.code, users[0]) as player, Page(opened.code) as visitor:
        await visitor.table()

        assert "Watching: 1 visitor" in await player.talk("Watching")


async def test_a_blocked_ones_words_do_not_reach_who_has_blocked_them_and_they_do_not_notice(started, users):
    ana, boris, vera, _ = users
    await sync_to_async(ties.block)(ana, boris)
    async with Page(started.code, ana) as hers, Page(started.code, boris) as his, Page(started.code, vera) as third:
        await his.send({"say": "1", "phrase": "hello"})
        assert "Hello!" in await his.talk("Hello!")
        await hers.send({"say": "1", "phrase": "luck"})

        assert "Hello!" in await third.talk("Good luck!")
        assert "Hello!" not in await hers.talk("Good luck!")
        await his.send({"say": "1", "phrase": "thanks"})
        assert "Good luck!" in await his.talk("Thank you!")


async def test_who_is_muted_is_gone_from_the_open_page_and_from_no_other(started, users):
    ana, boris, vera, _ = users
    await sync_to_async(posting.post)(boris.pk, started.code, phrase="hello")
    async with Page(started.code, ana) as hers, Page(started.code, vera) as third:
        for page in (hers, third):
            await page.talk("Hello!")
        for page in (hers, third):
            await page.seated()

        await sync_to_async(posting.mute)(ana, boris)

        assert "Hello!" not in await hers.talk()
        await sync_to_async(posting.unmute)(ana, boris)
        assert "Hello!" in await hers.talk()
        assert await third.nothing()


async def test_what_is_refused_is_said_to_its_page_alone(started, users):
    async with Page(started.code, users[0]) as page:
        for message, why in [
            ({"phrase": "no such"}, "Choose one of the phrases."),
            ({"text": "hi"}, "Only phrases are allowed at this table. Choose one of them."),
            ({"phrase": {"a": 1}}, "Choose one of the phrases."),
            ({"text": 7}, "Only phrases are allowed at this table. Choose one of them."),
        ]:
            await page.send({"say": "1"} | message)
            assert await page.refusal() == why
    async with Page(started.code) as visitor:
        await visitor.send({"say": "1", "phrase": "luck"})
        assert await visitor.refusal() == "Log in to talk, or play as a guest."
    assert not await ChatMessage.objects.aexists()


async def test_nobody_listens_at_their_own_table_as_somebody_else(started, users):
    ana, goran = users[0], users[3]
    for other in (goran, None):
        page = Page(started.code, other)
        page._socket.scope["cookies"] = {origins.COOKIE: origins.add_to_cookie("", started.code, ana.pk)}
        async with page:
            assert "You sit at this table as Ana" in await page.refusal()
            assert await page.closed() == live.NOT_FOUND


async def test_who_looks_at_a_table_that_nobody_may_watch_is_sent_away_when_it_starts(users):
    ana, boris, vera, goran = users
    opened = await sync_to_async(opening.open_table)(ana, "oh-hell", seats=3, watching="off")
    async with Page(opened.code, goran) as watcher, Page(opened.code) as visitor, Page(opened.code, ana) as player:
        for page in (watcher, visitor, player):
            await page.table()

        for user in (boris, vera):
            await sync_to_async(seating.sit_down)(user, opened.code)

        await player.table(moves=1)
        for page in (watcher, visitor):
            assert await page.refusal() == "Nobody may watch this table. Choose another one in the lobby."
            assert await page.closed() == live.NOT_FOUND
