"""What moves have made of a match, told to whoever knows the snapshot of before: no look at the database is needed.

A write is that of one transaction, as plain data. It holds all that `store` writes: the moves, the times, what changed
of seats. Shuffles are left out: they follow from the seed. What else may change of a match is not told but read.
"""

import logging
from collections.abc import Iterable
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, NamedTuple

from games.catalog import CHANCE
from games.models import Match
from games.play.snapshot import SeatSnapshot, Snapshot
from games.play.snapshot_parts import Claimed
from games.play.store import SEAT_FIELDS
from games.play.transition import PlayedMove, next_deal, with_move

log = logging.getLogger("valat.writes")

MOVES_TOLD = 200  # of one write: a claim that plays out more is read
TIMES = ("turn_started_at", "wake_at", "away_since")
KEYS = {"from", "since", "to", "moves", "times", "seats", "claimed"}

# What a write may change. Where anything else differs, nothing is told.
_CHANGES = {"revision", "move_count", "deal_count", "state", "latest", "seats", "claimed", *TIMES}
_SAME = [field.name for field in fields(Snapshot) if field.name not in _CHANGES]
_SAME_SEAT = [field.name for field in fields(SeatSnapshot) if field.name not in SEAT_FIELDS]

Write = dict[str, Any]


class Made(NamedTuple):
    """How a transaction has come to a Snapshot: from which one, and by which moves."""

    before: Snapshot
    moves: tuple[PlayedMove, ...]


def write_of(made: Made, after: Snapshot) -> Write | None:
    """The write that leads to `after`, or None where that can't be told in full:

    "from", "to": revisions; "since": the time of the turn before, which tells a commit that the database has lost from
    the one in its place; "moves": [seat, move] each, None for a shuffle; "times": those of TIMES; "seats": [number,
    values of SEAT_FIELDS] of those that have changed; "claimed": as in a Claimed, or None.
    """
    before = made.before
    if after.status != Match.Status.PLAYING or len(made.moves) > MOVES_TOLD:
        return None
    seats = [(old, new) for old, new in zip(before.seats, after.seats, strict=True) if old is not new]
    if _differ(before, after, _SAME) or any(_differ(old, new, _SAME_SEAT) for old, new in seats):
        return None
    times = [getattr(after, name) for name in TIMES]
    return {
        "from": before.revision,
        "since": _turn_of(before),
        "to": after.revision,
        "moves": [None if move.seat is None else [move.seat, move.move] for move in made.moves],
        "times": [time and time.isoformat() for time in times],
        "seats": [[new.number, [getattr(new, name) for name in SEAT_FIELDS]] for old, new in seats if old != new],
        "claimed": after.claimed and list(after.claimed),
    }


def _turn_of(snapshot: Snapshot) -> str | None:
    return snapshot.turn_started_at.isoformat() if snapshot.turn_started_at else None


def _differ(one: Any, other: Any, names: list[str]) -> bool:
    return any((old := getattr(one, name)) is not (new := getattr(other, name)) and old != new for name in names)


def followed(known: Snapshot, writes: Iterable[Write]) -> Snapshot:
    """The snapshot that the writes lead to from `known`: as far as none between is missing, and all can be read here.

    Those that it has behind it are passed over, in whatever order they come.
    """
    try:
        for write in sorted(writes, key=lambda write: write["to"]):
            if write["to"] > known.revision:
                if write.keys() != KEYS or (write["from"], write["since"]) != (known.revision, _turn_of(known)):
                    break
                known = _after(known, write)
    except Exception as error:  # whatever a process of another version may tell
        log.warning("What was written of match %s can’t be followed, and is read: %r", known.code, error)
    return known


def _after(known: Snapshot, write: Write) -> Snapshot:
    if known.status != Match.Status.PLAYING or known.rules is None or known.obstacle:
        raise ValueError("It can’t be played here.")
    after = known
    for told in write["moves"]:
        seat, move = told or (CHANCE, next_deal(after))
        after, _ = with_move(after, seat, move)
    for number, values in write["seats"]:
        after = after.with_seat(number, **dict(zip(SEAT_FIELDS, values, strict=True)))
    changes: dict[str, Any] = {
        name: time and datetime.fromisoformat(time) for name, time in zip(TIMES, write["times"], strict=True)
    }
    return replace(after, revision=write["to"], claimed=write["claimed"] and Claimed(*write["claimed"]), **changes)
