"""Stored matches, played on."""

from games.bot_process import rule_move
from games.catalog import CHANCE
from games.history.replay import Replay
from games.models import Match
from games.play import due, memory, moves


def sensible(snapshot):
    """The move of the bot that never changes and takes no time, for the seat to act."""
    return rule_move(due.question_of(snapshot))


def replay_of(snapshot):
    """Return the Replay of a match, as a stranger may see it."""
    return Replay(Match.objects.get(code=snapshot.code))


def play_on(snapshot, choose=sensible, until=lambda snapshot: False):
    """Play a match until `until` holds of its Snapshot, or to its end. Returns the Snapshot.

    choose: the move of the seat to act, a sensible bot's if it is left out. Whoever sits there makes it, player or
    bot. A test's transaction is never committed, so each position is remembered here: most of the time would go into
    reading them again.
    """
    while snapshot.status == Match.Status.PLAYING and not until(snapshot):
        move, actor = None, "chance"
        if snapshot.to_act != CHANCE:
            move = choose(snapshot)
            actor = "bot" if snapshot.seats[snapshot.to_act].bot else "player"
        snapshot = moves.play_move(snapshot.code, snapshot.to_act, move, seen_count=snapshot.move_count, actor=actor)
        memory.remember(snapshot)
    return snapshot
