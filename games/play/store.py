"""Matches as the database has them: snapshots read out of it, and what a transition has made written into it.

The two statements of every move are written out: building them anew by the ORM took half of the time of storing a move.
So is what the clock asks all the time. Everything else goes through the ORM.
"""

import json
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache, partial
from itertools import batched, chain
from types import NoneType
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import F, Model
from django.dispatch import Signal

from games.catalog import CHANCE, IllegalMove, Rules, find_rules, get_game
from games.models import Claim, Match, Move, Seat
from games.play import completion, memory
from games.play.requests import ClaimRequest
from games.play.snapshot import (
    LATEST,
    MATCH_COLUMNS,
    Claimed,
    MoveEvents,
    Reserved,
    SeatSnapshot,
    Snapshot,
    TableOfClub,
    TimeAway,
)
from games.play.transition import PlayedMove, fold
from games.play.versions import BROKEN, obstacle_to

log = logging.getLogger("valat.store")

match_over = Signal()  # sent with `match`, its key, in the transaction that stores how it has ended

POSITION_FIELDS = ("revision", "move_count", "deal_count", "position", "turn_started_at", "wake_at", "away_since")
SEAT_FIELDS = ("reserve", "missed_turns", "ready", "wants_pause")  # those that moves change
AS_THEY_ARE = (int, str, bytes, NoneType)  # what every database takes so
AT_ONCE = 1000  # moves at most of one statement: SQLite takes some 5,000
MOVE_FIELDS = ("match", "index", "seat", "move", "actor", "played_at")  # in the order of PlayedMove

type StoredMove = tuple[int | None, dict[str, Any], str, datetime]  # seat, None for a shuffle; move; actor; time


# Reading


def read(code: str, *, lock: bool = False, known: Snapshot | None = None) -> Snapshot:
    """The snapshot of a match as the database has it. Raises Match.DoesNotExist.

    lock: keep its row from being written until the end of the transaction. known: an earlier snapshot, from which the
    events of the moves since are made; without it, the one that is remembered.
    """
    known = known or memory.recent(code)
    matches = Match.objects.select_for_update(of=("self",)) if lock else Match.objects
    match = matches.get(code=code)
    snapshot = with_latest(snapshot_of(match, Seat.objects.filter(match=match).select_related("user")), known)
    # In a transaction that is still writing, what is read may never be committed.
    return snapshot if lock else memory.remember(snapshot)


def current(code: str) -> Snapshot:
    """As `read`; while the match is played, the snapshot in memory if it has the stored revision: one short query."""
    known = memory.recent(code)
    if known is not None and known.status == Match.Status.PLAYING and revisions([code]).get(code) == known.revision:
        return known
    return read(code)


def snapshot_of(match: Match, seats: Iterable[Seat]) -> Snapshot:
    """The snapshot of a match's row and those of its seats (with their users)."""
    rules = find_rules(match.game, match.rules_version)
    by_number = sorted(
        map(SeatSnapshot.of, seats), key=lambda seat: (seat.number is not None and seat.number, seat.place)
    )
    state, obstacle = None, obstacle_to(match)
    if rules and match.position is not None and match.started_at is not None:
        state, broken = _state(match, rules, [seat.number for seat in by_number])
        obstacle = obstacle or broken
    rematch = Match.objects.filter(rematch_of=match).values_list("code", flat=True).first() if match.ended_at else None
    return Snapshot(
        rules=rules,
        removed=tuple(match.removed),
        reserved=_reserved(match),
        rematch_code=rematch or "",
        state=state,
        seats=tuple(by_number),
        obstacle=obstacle,
        club=TableOfClub(match.club.pk, match.club.code, match.club.name) if match.club_id else None,
        claimed=_claimed(match, rules, state),
        gap=_gap(match),
        **{field: getattr(match, field) for field in MATCH_COLUMNS},
    )


def _gap(match: Match) -> TimeAway | None:
    if match.gap_began_at is None or match.gap_ended_at is None:
        return None
    return TimeAway(match.gap_began_at, match.gap_ended_at)


def _claimed(match: Match, rules: Rules | None, state: Any) -> Claimed | None:
    """The claim by which the deal just ended was played out, if there was one."""
    if rules is None or state is None or rules.to_act(state) not in (CHANCE, None) or not get_game(match.game).claims:
        return None
    last = match.claims.filter(moves__gt=0, index=match.move_count - F("moves")).first()
    return Claimed(last.seat, last.kind, last.tricks) if last else None


def _reserved(match: Match) -> tuple[Reserved, ...]:
    """For whom seats of an open table are kept."""
    if match.status != Match.Status.OPEN:
        return ()
    kept = match.invitations.filter(declined_at=None).order_by("pk")
    return tuple(Reserved(*row) for row in kept.values_list("user", "user__username", "team"))


def _state(match: Match, rules: Rules, numbers: list[int | None]) -> tuple[Any, str]:
    """The state that a match is in and ""; where nothing stored gives it, None and what is said of that.

    numbers: of its seats. A position that can't be loaded is made again from the moves, and stored with the next one.
    """
    if numbers != list(range(match.seat_count)):
        _complain(match.code, f"its seats have the numbers {numbers}.")
        return None, BROKEN
    try:
        return _loaded(match, rules), ""
    except Exception as error:  # whatever the rules meet in what they have not dumped
        reason = repr(error)
    try:
        state = _played_again(match, rules)
    except ValueError as refusal:
        _complain(match.code, f"its position can’t be loaded ({reason}), nor made again from its moves: {refusal}")
        return None, BROKEN
    _complain(match.code, f"its position can’t be loaded ({reason}), so it was made again from its moves.")
    return state, ""


def _loaded(match: Match, rules: Rules) -> Any:
    """The state of a stored position, looked at as spectators do to see that it is one."""
    state = rules.load(match.position)
    rules.view(state, None)
    if rules.to_act(state) not in (None, CHANCE, *range(match.seat_count)):
        raise ValueError("No such seat is to act.")
    return state


def _played_again(match: Match, rules: Rules) -> Any:
    """The state that the moves of a match lead to. Raises ValueError where they are no match."""
    state = rules.new_match(match.seat_count, match.options)
    moves = read_moves(match)[: match.move_count]  # more may have come since the match was read
    if len(moves) < match.move_count:
        raise ValueError("Moves are missing.")
    for _, move, _, _ in moves:
        state = rules.apply(state, move)
    return state


@lru_cache(1000)
def _complain(code: str, words: str) -> None:
    """Say once what is wrong with a match: it is read again and again."""
    log.error("Match %s: %s", code, words)


def with_latest(snapshot: Snapshot, known: Snapshot | None) -> Snapshot:
    """The snapshot with the events of its latest moves, as far as an earlier one, `known`, leads to them."""
    if known is None or snapshot.rules is None or snapshot.state is None:
        return snapshot
    missing = snapshot.move_count - known.move_count
    if not 0 <= missing <= LATEST:
        return snapshot
    rules, state, latest = snapshot.rules, known.state, known.latest
    if missing:
        if state is None:  # the match had not begun
            state = rules.new_match(snapshot.seat_count, snapshot.options)
        stored = read_moves(snapshot, start=known.move_count)[:missing]  # more may have come since
        try:
            steps = list(fold(rules, state, (move for _, move, *_ in stored)))
        except IllegalMove:
            steps = []
        if len(steps) != missing:  # what was known is not what led here
            return snapshot
        new = zip(stored, steps, strict=True)
        latest += tuple(MoveEvents(seat, tuple(rules.events(*step))) for (seat, *_), step in new)
    return snapshot.but(latest=latest[-LATEST:])


def read_moves(match: Match | Snapshot, start: int = 0) -> list[StoredMove]:
    """The moves of a match in order, from an index on. One that is no object becomes {}, which no rules take."""
    moves = Move.objects.filter(match_id=match.pk, index__gte=start).order_by("index")
    rows = moves.values_list("seat", "move", "actor", "played_at")
    return [(seat, move if isinstance(move, dict) else {}, actor, at) for seat, move, actor, at in rows]


def revisions(codes: Iterable[str]) -> dict[str, int]:
    """The present revisions of matches, by code."""
    return dict(Match.objects.filter(code__in=codes).values_list("code", "revision"))


def is_any_due(now: datetime) -> bool:
    """Whether something is due in any match at all. Asked several times a second, so it is written out as well."""
    with connection.cursor() as cursor:
        cursor.execute(_ANY_DUE, _adapted([now]))
        return bool(cursor.fetchone()[0])


# Writing


def store(before: Snapshot, after: Snapshot, now: datetime) -> bool:
    """Write a match and what changed of its seats, if it still has the revision of `before`. Returns whether it had."""
    return bool(store_all([(before, after)], now))


def store_all(steps: Sequence[tuple[Snapshot, Snapshot]], now: datetime) -> set[int]:
    """Write many matches and what changed of their seats, each if it still has the revision of before.

    steps: (before, after) of each, in the order in which other processes write them too. Returns the keys of those that
    had that revision.
    """
    stored = _store_positions(steps)
    for before, after in steps:
        if after.pk in stored:
            _store_around(before, after, now)
    return stored


def _store_around(before: Snapshot, after: Snapshot, now: datetime) -> None:
    """Write what else has changed with the position of a match."""
    for old, new in zip(before.seats, after.seats, strict=True):
        if old is not new and old != new:
            Seat.objects.filter(pk=new.pk).update(**{name: getattr(new, name) for name in SEAT_FIELDS})
    if after.status == Match.Status.OVER:
        _store_result(after, now)
    elif after.status == Match.Status.CLOSED:  # a guide's deal has been played
        Match.objects.filter(pk=after.pk).update(status=after.status, ended_at=now)
        Seat.objects.filter(match_id=after.pk).update(connected=False, network="", browser=None)


def _store_result(after: Snapshot, now: datetime) -> None:
    assert after.rules is not None
    standings = after.rules.standings(after.state)
    sheet = after.rules.score_sheet(after.state)
    Match.objects.filter(pk=after.pk).update(status=after.status, score_sheet=sheet, standings=standings, ended_at=now)
    Seat.objects.filter(match_id=after.pk).update(connected=False, network="", browser=None)
    for result in standings:  # none where it has ended with one deal
        seats = Seat.objects.filter(match_id=after.pk, number=result["seat"])
        seats.update(score=result["score"], finish=result["place"])
    completion.note_end(after)
    match_over.send(Match, match=after.pk)


def _store_positions(steps: Sequence[tuple[Snapshot, Snapshot]]) -> set[int]:
    """Write positions, all by one statement. Returns the keys of the matches that had the expected revision."""
    if not steps:
        return set()
    rows = [
        [after.pk, before.revision, *_adapted(map(partial(_of_position, after), POSITION_FIELDS))]
        for before, after in steps
    ]
    with connection.cursor() as cursor:
        if len(rows) == 1:
            ((key, expected, *values),) = rows
            cursor.execute(_UPDATE, [*values, key, expected])
            return {key} if cursor.rowcount == 1 else set()
        cursor.execute(_update_of(len(rows)), [*chain.from_iterable(rows)])
        return {key for (key,) in cursor.fetchall()}


def _of_position(snapshot: Snapshot, name: str) -> Any:
    assert snapshot.rules is not None
    return snapshot.rules.dump(snapshot.state) if name == "position" else getattr(snapshot, name)


def _update_of(count: int) -> str:
    """The statement that writes the positions of so many matches.

    Rows are locked in the order of codes, so that two processes never wait for each other's.
    """
    fields = [Match._meta.get_field(name) for name in ("id", "revision", *POSITION_FIELDS)]
    typed, lock, locked = ["%s"] * len(fields), "", ""
    if connection.vendor == "postgresql":  # what it isn't told the type of is text to it; SQLite has no locks of rows
        typed = [f"%s::{field.cast_db_type(connection)}" for field in fields]
        these = f'SELECT "id" FROM {_MATCHES} JOIN new ON "id" = new_key ORDER BY "code"'
        lock = f", locked AS ({these} FOR UPDATE OF {_MATCHES})"
        locked = ' JOIN locked ON locked."id" = new_key'
    names = ["new_key", "expected", *(f"new_{name}" for name in POSITION_FIELDS)]
    rows = ", ".join([f"({', '.join(typed)})", *[f"({', '.join(['%s'] * len(fields))})"] * (count - 1)])
    values = ", ".join(f"{_column(Match, name)} = new_{name}" for name in POSITION_FIELDS)
    return (
        f"WITH new ({', '.join(names)}) AS (VALUES {rows}){lock} UPDATE {_MATCHES} SET {values} FROM new{locked}"
        f' WHERE {_MATCHES}."id" = new_key AND {_MATCHES}."revision" = expected RETURNING {_MATCHES}."id"'
    )


@transaction.atomic
def store_whole(match: Match, seats: Iterable[Seat], moves: Iterable[StoredMove], claims: Iterable[Claim] = ()) -> None:
    """Store a match with all that it begins with: one brought here from elsewhere, or made of another one's moves."""
    match.save(force_insert=True)
    Seat.objects.bulk_create(seats)
    rows = [
        Move(match=match, index=index, seat=seat, move=move, actor=actor, played_at=at)
        for index, (seat, move, actor, at) in enumerate(moves)
    ]
    Move.objects.bulk_create(rows, batch_size=500)
    Claim.objects.bulk_create(claims)


def store_moves(moves: Iterable[PlayedMove]) -> None:
    """Insert moves. The database refuses an index that their match has."""
    rows = [_adapted([match, index, seat, move, str(actor), at]) for match, index, seat, move, actor, at in moves]
    if rows:
        with connection.cursor() as cursor:
            for some in batched(rows, AT_ONCE):
                cursor.execute(_INSERT + ", ".join([_ROW] * len(some)), [*chain.from_iterable(some)])


def store_claims(claims: Iterable[tuple[Snapshot, ClaimRequest]]) -> None:
    """Write accepted claims, each with the Snapshot of before it."""
    for before, claim in claims:
        Claim.objects.update_or_create(
            match_id=before.pk,
            deal=before.deal_count,
            seat=claim.seat,
            defaults={"kind": claim.kind, "index": claim.seen, "moves": len(claim.moves), "tricks": claim.tricks},
        )


def _adapted(values: Iterable[Any]) -> list[Any]:
    """Values as this database takes them: those that need no change, times, and dicts as JSON.

    By what they are, without asking their fields as Django does: that took a third of the time of storing a move.
    """
    time = connections[
        DEFAULT_DB_ALIAS
    ].ops.adapt_datetimefield_value  # `connection` looks for itself at each attribute
    return [
        value if type(value) in AS_THEY_ARE else time(value) if isinstance(value, datetime) else json.dumps(value)
        for value in values
    ]


def _column(model: type[Model], name: str) -> str:
    return f'"{model._meta.get_field(name).column}"'


_MATCHES = f'"{Match._meta.db_table}"'
_UPDATE = (
    f"UPDATE {_MATCHES} SET "
    + ", ".join(f"{_column(Match, name)} = %s" for name in POSITION_FIELDS)
    + ' WHERE "id" = %s AND "revision" = %s'
)
_ANY_DUE = f"SELECT EXISTS (SELECT 1 FROM {_MATCHES} WHERE {_column(Match, 'wake_at')} <= %s)"
_INSERT = f'INSERT INTO "{Move._meta.db_table}" ({", ".join(_column(Move, name) for name in MOVE_FIELDS)}) VALUES '
_ROW = f"({', '.join(['%s'] * len(MOVE_FIELDS))})"
