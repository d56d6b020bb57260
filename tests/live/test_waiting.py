"""Who is away, votes and pauses through sockets, and by several processes at once."""

import pytest

from games.models import Match, Move, Seat
from games.play import memory, moves, presence, store, waiting
from games.play.errors import Refused, StaleMove
from tests.live.pages import Page, user_at
from tests.play.acting import all_there, at_once, late, think

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]


async def test_the_table_is_told_who_is_away_and_votes(started):
    present = [await user_at(started, number) for number in range(3)]
    stay = [number for number in range(3) if number != started.to_act]
    async with Page(started.code, present[stay[0]]) as one, Page(started.code, present[stay[1]]) as other:
        await one.seated()
        await other.seated()
        async with Page(started.code, present[started.to_act]) as gone:
            await gone.seated()
        await gone.noted(connected=False)
        await one.send({"sync": 1})
        while "is away. A bot takes over in" not in (table := await one.table()):
            pass
        assert 'form="vote"' in table

        await one.send({"vote": "1"})
        assert "moved on" in await one.refusal()
        await one.send({"vote": "1", "seen": str(started.move_count)})

        table = await other.receive()
        while "1 of 2 votes" not in table:
            table = await other.receive()


async def test_a_pause_through_sockets(started):
    players = [await user_at(started, number) for number in range(3)]
    async with Page(started.code, players[0]) as one, Page(started.code, players[1]) as other:
        await one.seated()
        await other.seated()
        await one.send({"pause": "1"})
        while "would like a pause" not in await other.receive():
            pass
        await other.send({"pause": "1"})
        while "Paused." not in await one.receive():
            pass
        await one.send({"go_on": "1"})
        while "Paused." in await one.table():
            pass
    assert not (await Match.objects.aget(code=started.code)).paused_until


def test_who_comes_back_while_the_stand_in_moves_has_the_seat(started):
    """Either the bot's move is dropped, or it was made and the player has all that follows."""
    present = all_there(started)
    user_id = present.seats[present.to_act].user_id
    presence.set_connected(user_id, present.code, False)
    late(present.code)
    request = think(present.code)

    _, ((moved,), *_) = at_once(
        lambda: presence.set_connected(user_id, present.code, True), lambda: (moves.play_moves([request]),)
    )

    memory.forget()
    played = Move.objects.filter(match__code=present.code, actor="stand-in").count()
    assert played == (0 if isinstance(moved, StaleMove) else 1)
    assert Seat.objects.get(match__code=present.code, user=user_id).missed_turns == 0


def test_the_votes_of_two_processes_at_once_both_count(started):
    present = all_there(started)
    presence.set_connected(present.seats[present.to_act].user_id, present.code, False)
    voters = [seat.user_id for seat in present.seats if seat.number != present.to_act]

    at_once(*(lambda voter=voter: waiting.vote_for_stand_in(voter, present.code, 1) for voter in [*voters, *voters]))

    memory.forget()
    away = store.read(present.code)
    assert away.votes(away.away_seat()) == (2, 2)


def test_a_pause_and_a_move_at_once_are_one_after_the_other(started):
    present = all_there(started)
    people = [seat.user_id for seat in present.seats]
    for user_id in people[:2]:
        waiting.ask_for_pause(user_id, present.code)
    move = present.rules.legal_moves(present.state)[0]

    paused, played = at_once(
        lambda: waiting.ask_for_pause(people[2], present.code),
        lambda: moves.play_move(present.code, present.to_act, move, seen_count=1),
    )

    assert not isinstance(paused, Refused)
    memory.forget()
    after = store.read(present.code)
    assert after.paused_until
    assert after.wake_at == after.paused_until
    assert after.move_count == (1 if isinstance(played, Refused) else 2)
