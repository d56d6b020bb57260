"""Acting at a table, for the tests of what changes it."""

import threading
from datetime import timedelta

from django.db import connections
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from games import bot_process
from games.models import Match, Move, Seat
from games.play import due, memory, moves, presence, seating, store
from games.play.requests import ClaimRequest
from tests import opening


def match_of(users, game="oh-hell", **named):
    """A running match of these users, short where it is one of Oh Hell. named: as for `opening.open_table`."""
    if game == "oh-hell":
        named = {"options": {"game_style": "short-up"}} | named
    snapshot = opening.open_table(users[0], game, seats=len(users), **named)
    for user in users[1:]:
        snapshot = seating.sit_down(user, snapshot.code)
    return snapshot


def arrive(code, *users):
    """These users open a page of the match. Returns the Snapshot."""
    for user in users:
        presence.set_connected(user.pk, code, True)
    return store.read(code)


def all_there(snapshot):
    """All players open a page of the match. Returns the Snapshot."""
    return arrive(snapshot.code, *(user_at(snapshot, seat.number) for seat in snapshot.seats))


def pass_time(code, seconds, *names):
    """Let these times of a match lie so many seconds further back. Returns the Snapshot."""
    span = timedelta(seconds=seconds)
    Match.objects.filter(code=code).update(**{name: F(name) - span for name in names or ("turn_started_at",)})
    memory.forget(code)
    return store.read(code)


def at_once(*acts):
    """Do these at the same time, each on a connection of its own. Returns what came of each, an error too."""
    outcomes, gate = [None] * len(acts), threading.Barrier(len(acts))

    def run(number, act):
        gate.wait()
        try:
            outcomes[number] = act()
        except Exception as error:
            outcomes[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=each) for each in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def over(snapshot):
    """Let a match be over, without a result."""
    result = {"score_sheet": {}, "standings": [], "ended_at": timezone.now(), "wake_at": None}
    Match.objects.filter(code=snapshot.code).update(status="over", **result)


def first_move(snapshot):
    return snapshot.rules.legal_moves(snapshot.state)[0]


def play_first(snapshot, **changes):
    """The first legal move of the seat to act."""
    arguments = {"seen_count": snapshot.move_count} | changes
    return moves.play_move(snapshot.code, snapshot.to_act, first_move(snapshot), **arguments)


def stored(code):
    """All that is stored of a match."""
    return (
        Match.objects.filter(code=code).values().get(),
        list(Seat.objects.filter(match__code=code).values()),
        list(Move.objects.filter(match__code=code).values()),
    )


def user_at(snapshot, number):
    return User.objects.get(pk=snapshot.seats[number].user_id)


def late(code):
    """Let the time that the match waits for be over."""
    Match.objects.filter(code=code).update(wake_at=timezone.now() - timedelta(seconds=1))
    memory.forget(code)


def act(code):
    """What the clock does with a match that is due. Returns the Snapshot after it."""
    (outcome,) = moves.play_moves([think(code)])
    return outcome


def think(code):
    """What the clock requests in a match that is due, a bot's move chosen: a MoveRequest, or None."""
    found = due.handle_due(code)
    if not isinstance(found, due.BotTurn):
        return found
    if isinstance(found.request, ClaimRequest):
        return found.request
    return found.request._replace(move=due.move_of(found.question, bot_process.think(found.question)))


def note_completion(user, completed, given_up):
    """Let `user` have played so many matches with others to the end, and have given up so many."""
    for done in [True] * completed + [False] * given_up:
        match = Match.objects.create(
            game="oh-hell", rules_version=1, seat_count=3, options={}, speed="untimed", status=Match.Status.CLOSED
        )
        Seat.objects.create(match=match, place=0, user=user, completed=done)
