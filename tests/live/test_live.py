"""Sockets: what comes down them, what goes up, in memory and over Redis, in one process and between two."""

import asyncio
import json
import re

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from django.db import connections

from games.live import attendance, rights
from games.live import hub as live
from games.live.routing import websocket_urlpatterns
from games.live.threads import DatabaseThread
from games.models import Match, Move, Seat
from games.play import memory, metrics, presence, store
from games.play.snapshot import has_stand_in
from tests import opening
from tests.live.pages import Page, PatientSocket, cards_in, elsewhere, first_move, lobby, play_first, user_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


async def test_a_move_reaches_every_page_of_the_table(started, layer):
    number = started.to_act
    mover, other = await user_at(started, number), await user_at(started, (number + 1) % 3)
    async with Page(started.code, mover) as mine, Page(started.code, other) as theirs, Page(started.code) as watching:
        for page in (mine, theirs, watching):
            await page.table(moves=1)

        await mine.send({"move": json.dumps(first_move(started)), "seen": "1"})

        for page in (mine, theirs, watching):
            assert "bid" in await page.table(moves=2)
    assert await Move.objects.filter(match__code=started.code).acount() == 2


async def test_each_page_gets_the_cards_of_its_own_seat_only(started):
    held = {number: set(started.rules.view(started.state, number)["hand"]) for number in range(started.seat_count)}
    assert all(held.values())
    pages = {number: Page(started.code, await user_at(started, number)) for number in held} | {None: Page(started.code)}
    for number, page in pages.items():
        async with page:
            shown = cards_in(await page.table())

        others = set().union(*(cards for other, cards in held.items() if other != number))
        assert held.get(number, set()) <= shown
        assert not shown & others
        assert not shown & started.rules.hidden_from(started.state, number)


async def test_each_page_of_a_table_speaks_its_own_language(started, layer):
    """Whoever makes the move, here or in another process."""
    number = started.to_act
    mover, other = await user_at(started, number), await user_at(started, (number + 1) % 3)
    mine, theirs = Page(started.code, mover, language="de-AT"), Page(started.code, other, language="fr")
    words = {mine: "Stich", theirs: "pli", (watching := Page(started.code)): "trick"}
    async with mine, theirs, watching:
        for page in words:
            await page.table(moves=1)
        await mine.send({"move": json.dumps(first_move(started)), "seen": "1"})
        await _says_each(words, moves=2)

        now = memory.recent(started.code)
        with elsewhere():
            await sync_to_async(play_first)(now)
        await _says_each(words, moves=3)

        await theirs.send({"move": "nonsense", "seen": "3"})
        assert "coup" in await theirs.refusal()


async def _says_each(words, moves):
    for page, own in words.items():
        text = re.sub("<[^>]*>", " ", await page.table(moves=moves))
        assert [word for word in words.values() if re.search(rf"\b{word}s?e?\b", text)] == [own]


async def test_a_refused_move_says_why_to_its_page_alone(started):
    number = started.to_act
    async with Page(started.code, await user_at(started, number)) as mine, Page(started.code) as watching:
        await mine.seated()
        await watching.caught_up()
        refused = metrics.REFUSALS._value.get()

        await mine.send({"move": {"type": "bid", "tricks": 9}, "seen": 1})

        assert "whole number" in await mine.refusal()
        assert await watching.nothing()
        assert metrics.REFUSALS._value.get() == refused + 1
    assert await Move.objects.filter(match__code=started.code).acount() == 1


@pytest.mark.whole
@pytest.mark.parametrize(
    "message",
    [
        *("{", "[]", "7", '"move"', "{}", '{"move": 1, "seen": 1}', '{"move": "[1]", "seen": 1}'),
        *('{"move": {"type": "bid", "tricks": 0}}', '{"move": {"type": "bid", "tricks": 0}, "seen": true}'),
        '{"move": {"type": "bid", "tricks": 0}, "seen": -1}',
        '{"move": {"type": "bid", "tricks": 0}, "seen": "999999999999"}',
        *('{"move": {"type": "deal", "deck": []}, "seen": 1}', '{"move": {"type": {"type": {}}}, "seen": 1}'),
        *("[" * 4000, "x" * 5000, '{"unknown": 1}', '{"move": {"type": "\\ud800"}, "seen": 1}'),
        '{"move": {"type": "bid", "\\udfff": 0}, "seen": 1}',
        '{"move": {"type": "bid", "tricks": "\\ud800"}, "seen": 1}',
        '{"move": {"type": "bid", "tricks": 1e999}, "seen": 1}',
        *('{"move": {"type": "bid", "tricks": 0, "x": "\\u0000"}, "seen": 1}', "\\u0000"),
        "{" + '"a":' * 700 + "1" + "}" * 700,
    ],
)
async def test_what_can_not_be_a_move_is_refused(started, message):
    async with Page(started.code, await user_at(started, started.to_act)) as page:
        await page.table()

        await page.send(message)

        assert (await page.refusal()).endswith(".")
    assert await Move.objects.filter(match__code=started.code).acount() == 1


async def test_moves_for_a_seat_that_is_not_mine_are_refused(started):
    message = {"move": first_move(started), "seen": 1}
    other = await user_at(started, (started.to_act + 1) % 3)
    for user, words in ((None, "no seat"), (other, "Wait for yours")):
        async with Page(started.code, user) as page:
            await page.table()
            await page.send(message)

            assert words in await page.refusal()
    assert await Move.objects.filter(match__code=started.code).acount() == 1


async def test_ping_is_answered_by_a_pong_alone(started):
    async with Page(started.code, await user_at(started, 0)) as page:
        await page.seated()

        await page.send({"ping": 1})

        assert json.loads(await page.receive()) == {"pong": 1}
        assert await page.nothing()


async def test_a_socket_to_nowhere_is_told_so_and_closed():
    socket = PatientSocket(URLRouter(websocket_urlpatterns), "/ws/nowhere/at/all/")
    await socket.connect()

    assert "nothing at this address" in await socket.receive_from()
    assert (await socket.receive_output())["code"] == 4404


async def test_a_player_who_is_gone_for_a_while_is_away(started, monkeypatch):
    monkeypatch.setattr(attendance, "GONE_AFTER", 0.05)
    number = started.to_act
    user = await user_at(started, number)
    async with Page(started.code) as watching:
        async with Page(started.code, user) as page:
            await page.seated()

        await page.noted(connected=False)
        while "away" not in await watching.table():
            pass


async def test_a_reload_does_not_make_anybody_away(started, monkeypatch):
    monkeypatch.setattr(attendance, "GONE_AFTER", 2)
    number = started.to_act
    user = await user_at(started, number)
    async with Page(started.code, user) as page:
        await page.seated()
    async with Page(started.code, user) as page:
        await page.table()
        await asyncio.sleep(3)

        assert (await sync_to_async(store.read)(started.code)).seats[number].connected


async def test_a_player_takes_over_again_from_the_stand_in(started):
    number = started.to_act
    await sync_to_async(presence.set_connected)(started.seats[number].user_id, started.code, True)
    await Seat.objects.filter(match__code=started.code, number=number).aupdate(missed_turns=2)
    async with Page(started.code, await user_at(started, number)) as page:
        await page.table()
        await page.send({"resume": "1"})
        await page.table()

        assert not has_stand_in((await sync_to_async(store.read)(started.code)).seats[number])


async def test_taking_over_where_no_bot_plays_is_answered_too(started):
    async with Page(started.code, await user_at(started, started.to_act)) as page:
        await page.seated()

        await page.send({"resume": "1"})

        assert await page.table()
    assert await Move.objects.filter(match__code=started.code).acount() == 1


async def test_a_new_table_appears_in_everybodys_lobby(users, layer):
    async with lobby() as socket:
        assert "table-" not in await socket.page()

        opened = await sync_to_async(opening.open_table)(users[0], "oh-hell", seats=4)

        assert opened.code in await socket.page()


async def test_a_new_table_that_no_message_told_of_appears_too(users, run_every):
    run_every("changes", 0.1)
    async with lobby() as socket:
        await socket.page()

        with elsewhere():
            opened = await sync_to_async(opening.open_table)(users[0], "oh-hell", seats=4)

        assert opened.code in await socket.page()


async def test_a_table_by_link_only_does_not(users):
    async with lobby() as socket:
        await socket.page()

        await sync_to_async(opening.open_table)(users[0], "oh-hell", seats=4, listed=False)

        assert await socket.receive_nothing(0.5)


async def test_the_clock_plays_bots_and_the_pages_see_it(users, clock):
    opened = await sync_to_async(opening.open_table)(
        users[0], "oh-hell", seats=3, bots=2, seed="03" * 32, shuffle_code="bots-first"
    )
    assert opened.to_act != opened.player_number(users[0].pk)
    async with Page(opened.code, users[0]) as page:
        await page.seated()
        while (snapshot := await sync_to_async(store.read)(opened.code)).to_act != snapshot.player_number(users[0].pk):
            await Match.objects.filter(code=opened.code).aupdate(wake_at="2020-01-01T00:00Z")
            assert await clock.sweep() == 1
            await clock.settle()

        assert f'data-moves="{snapshot.move_count}"' in await page.table(moves=snapshot.move_count)


async def test_a_database_thread_takes_its_connection_along():
    thread = DatabaseThread("short-lived")
    await thread.run(Match.objects.exists)
    kept = await thread.run(lambda: connections["default"])
    assert kept.connection

    thread.close()

    assert kept.connection is None


async def test_a_socket_of_a_match_without_rules_stays_and_says_why(started):
    user = await user_at(started, started.to_act)
    await Match.objects.filter(code=started.code).aupdate(rules_version=99)
    memory.forget()
    sentence = "version 99 of the rules of Oh Hell, which are not available at the moment."
    async with Page(started.code, user) as page:
        assert sentence in await page.table()

        await page.send({"move": json.dumps(first_move(started)), "seen": "1"})

        assert sentence in await page.refusal()


async def test_messages_of_other_versions_do_no_harm(started, run_every):
    """A process from after an update, or before it, may say what this one does not know."""
    run_every("rights", 3600.0)
    user = await user_at(started, started.to_act)
    async with Page(started.code, user) as page, Page(started.code) as watching:
        await page.seated()
        hub = live.hub()
        for message in ({"type": "table.painted", "sender": "x"}, {"type": "match.changed"}, {"type": "user.hang_up"}):
            hub._handle_message(message)
        await page.session.adelete()

        hub._handle_message({"type": "user.hang_up", "user_id": user.pk, "sender": "a process from before the update"})

        assert await page.closed() == rights.RECONNECT
        await watching.caught_up()
        assert await watching.nothing()
