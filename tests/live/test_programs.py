"""Bots that members run elsewhere: what reaches their sockets, and what they may do."""

import asyncio
import json
import re

import pytest
from asgiref.sync import sync_to_async
from django.urls import reverse
from django.utils import timezone

from accounts import sanctions, services, signals
from accounts.models import Program as AccountProgram
from accounts.models import User
from accounts.programs import hash_token, make_program, new_token
from games.catalog import get_rules
from games.fragments import Fragments
from games.live import programs as live_programs
from games.live.hub import hub
from games.live.programs import ProgramConsumer
from games.live.sockets import UNKNOWN_TOKEN
from games.models import Match, Move, Seat
from games.play import due, moves, seating, store
from games.play.errors import NotAllowed, Refused
from games.play.tables import TooManyTables, tables_of_programs
from tests import opening
from tests.live.pages import PatientSocket
from tests.play.acting import over

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


class Program:
    """A program's socket."""

    def __init__(self, token=""):
        headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
        self._socket = PatientSocket(ProgramConsumer.as_asgi(), "/ws/bot/", headers)

    async def __aenter__(self):
        connected, _ = await self._socket.connect()
        assert connected
        return self

    async def __aexit__(self, *_):
        await self._socket.disconnect()

    async def message(self):
        return json.loads(await self._socket.receive_from())

    async def closed(self):
        while (output := await self._socket.receive_output())["type"] != "websocket.close":
            pass
        return output["code"]

    async def nothing(self):
        assert await self._socket.receive_nothing(0.5)

    async def answer(self, question, move, **others):
        message = {"match": question["match"], "seen": question["seen"], "move": move} | others
        await self._socket.send_to(json.dumps(message))


@pytest.fixture
def bot(users):
    """(the user of a program of Ana's, its token)"""
    return make_program(users[0], "Clockwork")


@pytest.fixture
def match(users, bot):
    """A match of Ana, her program and Boris: it is in the order of seats that the lot has made."""
    opened = opening.open_table(
        users[0], "oh-hell", seats=3, options={"game_style": "short-up"}, speed="untimed", listed=False
    )
    seating.seat_program(bot[0].program, opened.code)
    return seating.sit_down(users[1], opened.code)


def play_until_asked(code, user):
    """Others play any legal moves, until it is the turn of `user`; the Snapshot of that."""
    while (snapshot := store.read(code)).to_act != snapshot.player_number(user.pk):
        assert snapshot.status == Match.Status.PLAYING
        if snapshot.to_act == -1:
            for seat in snapshot.readers():
                moves.set_ready(seat.user_id, code)
            continue
        move = snapshot.rules.legal_moves(snapshot.state)[0]
        moves.play_move(code, snapshot.to_act, move, seen_count=snapshot.move_count)
    return snapshot


async def test_it_is_asked_with_what_its_seat_may_see_and_its_move_is_played(match, bot):
    user, token = bot
    snapshot = await sync_to_async(play_until_asked)(match.code, user)
    seat = snapshot.player_number(user.pk)

    async with Program(token) as program:
        question = await program.message()
        await program.answer(question, question["moves"][0])
        await program.nothing()

    assert question == {
        "match": match.code,
        "game": "oh-hell",
        "version": get_rules("oh-hell").version,
        "seen": snapshot.move_count,
        "view": json.loads(json.dumps(snapshot.rules.view(snapshot.state, seat))),
        "moves": snapshot.rules.legal_moves(snapshot.state),
    }
    last = await Move.objects.aget(match__code=match.code, index=snapshot.move_count)
    assert (last.seat, last.move, last.actor) == (seat, question["moves"][0], "player")


async def test_it_is_asked_as_soon_as_it_is_its_turn(match, bot):
    user, token = bot
    async with Program(token) as program:
        await asyncio.sleep(0.5)
        snapshot = await sync_to_async(play_until_asked)(match.code, user)
        question = await program.message()

    assert question["seen"] == snapshot.move_count


async def test_a_bad_answer_is_refused_and_changes_nothing(match, bot):
    user, token = bot
    snapshot = await sync_to_async(play_until_asked)(match.code, user)

    async with Program(token) as program:
        question = await program.message()
        sentences = []
        for move, others in [
            ({"type": "bid", "tricks": 99}, {}),
            ("no move", {}),
            (question["moves"][0], {"match": "elsewhere"}),
            (question["moves"][0], {"match": [1]}),
        ]:
            await program.answer(question, move, **others)
            sentences.append((await program.message())["refused"])
        await program.answer(question, question["moves"][0], seen=question["seen"] - 1)
        refusal, again = await program.message(), await program.message()

    assert all(sentences)
    assert sentences[2:] == ["You have no seat in that match. Join it first."] * 2
    assert refusal == {"match": match.code, "refused": "The table has moved on. Look again."}
    assert again == question
    assert (await sync_to_async(store.read)(match.code)).move_count == snapshot.move_count


@pytest.mark.parametrize("token", ["", "unknown", "жетон"])
async def test_without_its_token_nothing_is_told(match, token):
    async with Program(token) as program:
        assert await program.message() == {
            "refused": "This token is not valid here. Make a new one on the page of your bots."
        }
        assert await program.closed() == UNKNOWN_TOKEN


@pytest.mark.parametrize("end", ["new token", "owner banned", "owner suspended", "banned", "owner deleted"])
async def test_an_open_socket_ends_with_its_right(match, bot, users, end):
    user, token = bot
    acts = {
        "new token": lambda: new_token(user.program),
        "owner banned": lambda: sanctions.impose(users[0], "ban", "Cheated."),
        "owner suspended": lambda: sanctions.impose(users[0], "suspension", "Cheated.", days=1),
        "banned": lambda: sanctions.impose(user, "ban", "Cheated."),
        "owner deleted": lambda: services.delete_account(users[0]),
    }
    await sync_to_async(play_until_asked)(match.code, user)
    async with Program(token) as program:
        await program.message()
        await sync_to_async(acts[end])()
        await program.closed()
    async with Program(token) as program:
        assert await program.closed() == UNKNOWN_TOKEN


def test_tables_of_many_programs_are_found_at_once(match, bot, users, django_assert_num_queries):
    hashes = {hash_token(bot[1])}
    with django_assert_num_queries(2):
        assert tables_of_programs([*hashes, "unknown"]) == {hash_token(bot[1]): {match.code}}
    hashes |= {hash_token(make_program(users[1], name)[1]) for name in ("Metronome", "Pendulum")}

    with django_assert_num_queries(2):
        assert len(tables_of_programs(hashes)) == 3


async def test_a_question_that_cannot_be_asked_keeps_no_table_from_others(match, bot, monkeypatch):
    user, token = bot
    async with Program(token):
        while match.code not in hub().sockets:
            await asyncio.sleep(0.05)
        monkeypatch.setattr(live_programs, "question", lambda *_: 1 / 0)
        snapshot = await sync_to_async(play_until_asked)(match.code, user)
        (table,) = hub().sockets[match.code]
        table.revision = table._question_index = -1

        hub()._offer(snapshot)

        assert table.revision == snapshot.revision


def test_people_wait_for_no_program_to_read_results(match, bot, users):
    snapshot = store.read(match.code)
    for user in users[:2]:
        snapshot = snapshot.with_seat(snapshot.player_number(user.pk), connected=True)
    snapshot = snapshot.with_seat(snapshot.player_number(bot[0].pk), connected=True)

    assert {seat.user_id for seat in snapshot.readers()} == {users[0].pk, users[1].pk}


def test_one_that_is_away_holds_nobody_up_without_a_clock(match, bot):
    snapshot = play_until_asked(match.code, bot[0])
    Match.objects.filter(pk=match.pk).update(wake_at=snapshot.turn_started_at)

    request = due.handle_due(match.code).request

    assert (snapshot.wake_at - snapshot.turn_started_at).total_seconds() == 30
    assert (request.seat, request.actor) == (snapshot.to_act, "stand-in")


def test_only_its_owner_seats_it_and_only_at_their_table(users, bot):
    program = bot[0].program
    with pytest.raises(NotAllowed, match="Only the host"):
        seating.seat_program(program, opening.open_table(users[1], "oh-hell", seats=4, listed=False).code)
    opened = opening.open_table(users[0], "oh-hell", seats=4, listed=False)
    seating.seat_program(program, opened.code)
    with pytest.raises(Refused, match="Clockwork is already at this table"):
        seating.seat_program(program, opened.code)

    assert seating.stand_up(users[0], opened.code).status == Match.Status.CLOSED


def test_it_leaves_with_its_owner_before_the_start(users, bot):
    opened = opening.open_table(users[0], "oh-hell", seats=4, listed=False)
    seating.sit_down(users[1], opened.code)
    seating.seat_program(bot[0].program, opened.code)

    left = seating.stand_up(users[0], opened.code)

    assert [seat.user_id for seat in left.seats] == [users[1].pk]
    assert left.host_id == users[1].pk


def test_whom_its_owner_has_removed_may_come_back(users, bot):
    opened = opening.open_table(users[0], "oh-hell", seats=4, listed=False)
    seat = seating.seat_program(bot[0].program, opened.code).seat_of(bot[0].pk)

    freed = seating.free_seat(users[0], opened.code, seat.pk)

    assert freed.removed == ()
    assert seating.seat_program(bot[0].program, opened.code).seat_of(bot[0].pk)


def test_one_that_is_banned_is_given_no_seat(client, users, bot, match):
    sanctions.impose(bot[0], "ban", "Cheated.")
    opened = opening.open_table(users[0], "oh-hell", seats=4, listed=False)
    over(match)
    client.force_login(users[0])

    page = client.get(reverse("match", args=[opened.code])).content.decode()
    refused = client.post(reverse("program", args=[opened.code]), {"program": bot[0].pk})
    again = opening.rematch(users[0], match.code)

    assert "own-bot" not in page
    assert refused.status_code == 400
    with pytest.raises(NotAllowed, match="can’t play any more"):
        seating.seat_program(bot[0].program, opened.code)
    assert [seat.user_id for seat in again.seats] == [users[0].pk]


def test_the_keys_of_a_large_site_are_keys(client, users):
    user = User.objects.create(pk=3_000_000_000, username="Clockwork", is_program=True)
    AccountProgram.objects.create(user=user, owner=users[0], token_hash="unused")
    opened = opening.open_table(users[0], "oh-hell", seats=4, listed=False)
    Seat.objects.create(pk=4_000_000_000, match=Match.objects.get(code=opened.code), user=users[1], place=1)
    client.force_login(users[0])

    client.post(reverse("program", args=[opened.code]), {"program": user.pk})
    client.post(reverse("free", args=[opened.code]), {"seat": 4_000_000_000})

    assert {seat.user_id for seat in store.read(opened.code).seats} == {users[0].pk, user.pk}


def test_a_match_that_people_left_before_they_moved_is_closed(match, bot, users):
    snapshot = play_until_asked(match.code, bot[0])
    Move.objects.filter(match=match.pk, actor="player").update(actor="stand-in")
    moves.play_move(
        match.code, snapshot.to_act, snapshot.rules.legal_moves(snapshot.state)[0], seen_count=snapshot.move_count
    )
    for user in users[:2]:
        seating.leave_match(user, match.code)

    assert store.read(match.code).status == Match.Status.CLOSED


def test_it_plays_at_no_table_that_strangers_find(client, users, bot):
    opened = opening.open_table(users[0], "oh-hell", seats=4)
    client.force_login(users[0])

    with pytest.raises(Refused, match="for friends"):
        seating.seat_program(bot[0].program, opened.code)
    assert "own-bot" not in client.get(reverse("match", args=[opened.code])).content.decode()


def test_it_comes_along_to_a_rematch_of_its_owner(users, bot, match):
    over(match)

    again = opening.rematch(users[0], match.code)

    assert {seat.user_id for seat in again.seats} == {users[0].pk, bot[0].pk}


def test_one_at_too_many_tables_stays_away_from_a_rematch(users, bot, match, settings):
    over(match)
    seating.seat_program(bot[0].program, opening.open_table(users[0], "oh-hell", seats=4, listed=False).code)
    settings.TABLES_A_USER = 1

    again = opening.rematch(users[0], match.code)

    assert [seat.user_id for seat in again.seats] == [users[0].pk]
    with pytest.raises(TooManyTables):
        seating.seat_program(bot[0].program, again.code)


def test_its_host_chooses_its_side(client, users, bot):
    client.force_login(users[0])
    opened = opening.open_table(users[0], "belot", seats=4, listed=False)
    page = client.get(reverse("match", args=[opened.code])).content.decode()

    client.post(reverse("program", args=[opened.code]), {"program": bot[0].pk, "team": "0"})

    assert re.findall(r'<option\s+value="(.)">(Your|The other) side', page) == [("0", "Your"), ("1", "The other")]
    assert store.read(opened.code).seat_of(bot[0].pk).team == 0


def test_a_table_says_who_runs_it_under_their_newest_name(users, bot, match):
    users[0].username = "Anastasia"
    users[0].save()
    signals.renamed.send(User, user=users[0])

    assert "A bot that Anastasia runs" in Fragments(store.read(match.code)).for_user(None)


def test_a_match_at_which_only_a_program_looks_comes_after_those_of_people(match, bot, monkeypatch):
    snapshot = play_until_asked(match.code, bot[0])
    Seat.objects.filter(match=match.pk).update(connected=False)
    Seat.objects.filter(match=match.pk, user=bot[0]).update(connected=True)
    Match.objects.filter(pk=match.pk).update(wake_at=snapshot.turn_started_at)
    monkeypatch.setattr(due, "UNWATCHED_LIMIT", 0)

    assert due.due_codes(timezone.now()) == []
    Seat.objects.filter(match=match.pk).update(connected=True)
    assert due.due_codes(timezone.now()) == [match.code]


def test_a_host_adds_it_on_the_page_of_the_table(client, users, bot):
    client.force_login(users[0])
    opened = opening.open_table(users[0], "oh-hell", seats=4, listed=False)
    page = client.get(reverse("match", args=[opened.code])).content.decode()

    added = client.post(reverse("program", args=[opened.code]), {"program": bot[0].pk})
    refused = [
        client.post(reverse("program", args=[opened.code]), {"program": each}).status_code
        for each in (users[1].pk, "", "x", bot[0].pk)
    ]

    assert f'<option value="{bot[0].pk}" translate="no">Clockwork</option>' in page
    assert added.status_code == 302
    assert refused == [400] * 4
    page = client.get(reverse("match", args=[opened.code])).content.decode()
    assert "own-bot" not in page
    assert store.read(opened.code).seat_of(bot[0].pk).kind == "program"
    client.force_login(users[1])
    assert "own-bot" not in client.get(reverse("match", args=[opened.code])).content.decode()


def test_its_profile_says_whose_it_is(client, bot):
    page = client.get(reverse("profile", args=["Clockwork"])).content.decode()

    assert "A bot run by" in page
    assert reverse("profile", args=["Ana"]) in page


def test_nobody_logs_in_as_one(bot):
    assert not bot[0].has_usable_password()
    assert User.objects.filter(is_program=True, program__token_hash=bot[1]).count() == 0
