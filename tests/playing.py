"""Stored matches, played by bots."""

from games.catalog import CHANCE
from games.models import Match
from games.play import due, memory, moves


def play_on(snapshot, until=lambda snapshot: False, actor="bot"):
    """Let bots play a match on until `until` holds of it, or to its end. Returns the Snapshot.

    A test's transaction is never committed, so each position is remembered here: most of the time would go into
    reading them again.
    """
    while snapshot.status == Match.Status.PLAYING and not until(snapshot):
        if snapshot.to_act == CHANCE:
            move, by = None, "chance"
        else:
            move, by = due.choose(snapshot), actor
        snapshot = moves.play_move(snapshot.code, snapshot.to_act, move, seen=snapshot.move_count, actor=by)
        memory.remember(snapshot)
    return snapshot
