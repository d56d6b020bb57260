"""Acting at a table, for the tests of what changes it."""

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from games.bot_process import answer
from games.models import Match, Move, Seat
from games.play import due, memory, moves
from games.play.requests import ClaimRequest


def first_move(snapshot):
    return snapshot.rules.legal_moves(snapshot.state)[0]


def play_first(snapshot, **changes):
    """The first legal move of the seat to act."""
    arguments = {"seen": snapshot.move_count} | changes
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
    found = due.wanted(code)
    if not isinstance(found, due.BotTurn):
        return found
    if isinstance(found.request, ClaimRequest):
        return found.request
    return found.request._replace(move=due.move_of(found.question, answer(found.question)))


def note_completion(user, completed, given_up):
    """Let `user` have played so many matches with others to the end, and have given up so many."""
    for done in [True] * completed + [False] * given_up:
        match = Match.objects.create(
            game="oh-hell", rules_version=1, seat_count=3, options={}, speed="untimed", status=Match.Status.CLOSED
        )
        Seat.objects.create(match=match, place=0, user=user, completed=done)
