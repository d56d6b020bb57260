"""Reading snapshots from the database, and writing transitions to it.

The two statements of each move are written in SQL, because building them with the ORM took half of the time of storing
a move. So is the query that the clock repeats all the time. Everything else uses the ORM.
"""

import json
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache, partial
from itertools import batched, chain
from types import NoneType

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import F, Model
from django.dispatch import Signal

from games.catalog import CHANCE, IllegalMove, Rules, find_rules, get_game
from games.kit import contract
from games.kit.contract import State
from games.models import Claim, Match, Move, Seat
from games.play import completion, memory
from games.play.requests import ClaimRequest
from games.play.snapshot import (
    LATEST_LIMIT,
    MATCH_COLUMNS,
    AcceptedClaim,
    MoveEvents,
    Reservation,
    SeatSnapshot,
    Snapshot,
    TableOfClub,
    TimeAway,
)
from games.play.transition import PlayedMove, fold
from games.play.versions import BROKEN, find_obstacle

log = logging.getLogger("valat.store")

match_over = Signal()  # Sent with `match`, its primary key, in the transaction that stores the result.

POSITION_FIELDS = ("revision", "move_count", "deal_count", "position", "turn_started_at", "wake_at", "away_since")
SEAT_FIELDS = ("reserve", "missed_turns", "ready", "wants_pause")  # Moves change only these fields of seats.
PLAIN_TYPES = (int, str, bytes, NoneType)  # Every database takes these types unchanged.
INSERT_LIMIT = 1000  # Moves in one statement. SQLite would take some 5,000.
MOVE_FIELDS = ("match", "index", "seat", "move", "actor", "played_at")  # In the order of PlayedMove.

type StoredMove = tuple[int | None, contract.Move, str, datetime]  # seat (None for a deal), move, actor, played_at


# Reading


def read(code: str, *, lock: bool = False, previous: Snapshot | None = None) -> Snapshot:
    """Read the snapshot of a match from the database. Raise Match.DoesNotExist.

    lock: lock its row until the end of the transaction. previous: an earlier snapshot, by default the cached one. It
    saves replaying the match for the events of the latest moves.
    """
    previous = previous or memory.recent(code)
    matches = Match.objects.select_for_update(of=("self",)) if lock else Match.objects
    match = matches.get(code=code)
    snapshot = add_latest_moves(snapshot_of(match, Seat.objects.filter(match=match).select_related("user")), previous)
    # Within a transaction that locks the row, we may have read changes that are never committed: don't cache them.
    return snapshot if lock else memory.remember(snapshot)


def current(code: str) -> Snapshot:
    """Return the current snapshot of a match. Raise Match.DoesNotExist.

    While it is played, one short query suffices if the cached snapshot is current.
    """
    cached = memory.recent(code)
    if cached is not None and cached.status == Match.Status.PLAYING and revisions([code]).get(code) == cached.revision:
        return cached
    return read(code)


def snapshot_of(match: Match, seats: Iterable[Seat]) -> Snapshot:
    """Return the snapshot of a match, from its row and its seats, which have their users."""
    rules = find_rules(match.game, match.rules_version)
    # Seats have no number before they are drawn. Then they are in the order of sitting down.
    by_number = sorted(map(SeatSnapshot.from_seat, seats), key=lambda seat: (seat.number or 0, seat.place))
    state, obstacle = None, find_obstacle(match)
    if rules and match.position is not None and match.started_at is not None:
        state, damage = _read_state(match, rules, [seat.number for seat in by_number])
        obstacle = obstacle or damage
    rematch = Match.objects.filter(rematch_of=match).values_list("code", flat=True).first() if match.ended_at else None
    return Snapshot(
        rules=rules,
        removed=tuple(match.removed),
        reservations=_reservations(match),
        rematch_code=rematch or "",
        state=state,
        seats=tuple(by_number),
        obstacle=obstacle,
        club=TableOfClub(match.club.pk, match.club.code, match.club.name) if match.club_id else None,
        accepted_claim=_accepted_claim(match, rules, state),
        gap=_latest_gap(match),
        **{field: getattr(match, field) for field in MATCH_COLUMNS},
    )


def _latest_gap(match: Match) -> TimeAway | None:
    """Return the latest outage whose time this match got back, or None."""
    if match.gap_began_at is None or match.gap_ended_at is None:
        return None
    return TimeAway(match.gap_began_at, match.gap_ended_at)


def _accepted_claim(match: Match, rules: Rules | None, state: State) -> AcceptedClaim | None:
    """Return the claim that ended the latest deal, or None.

    A claim says that a seat takes all tricks that are left, or none. It is shown until the next deal is made.
    """
    if rules is None or state is None or rules.to_act(state) not in (CHANCE, None) or not get_game(match.game).claims:
        return None
    # The claim has stored the index and the number of its moves. They are the last ones of the match.
    claim = match.claims.filter(moves__gt=0, index=match.move_count - F("moves")).first()
    return AcceptedClaim(claim.seat, claim.kind, claim.tricks) if claim else None


def _reservations(match: Match) -> tuple[Reservation, ...]:
    """Return the seats that the host keeps for invited users, in the order of inviting."""
    if match.status != Match.Status.OPEN:
        return ()
    invitations = match.invitations.filter(declined_at=None).order_by("pk")
    return tuple(Reservation(*row) for row in invitations.values_list("user", "user__username", "team"))


def _read_state(match: Match, rules: Rules, numbers: list[int | None]) -> tuple[State, str]:
    """Return a match's state and "". If what is stored is damaged, return None and a sentence for the players.

    numbers: of its seats. The position is the stored form of the state. If the position can't be loaded, the moves are
    replayed. The next move then stores it again.
    """
    if numbers != list(range(match.seat_count)):
        _log_once(match.code, f"its seats have the numbers {numbers}.")
        return None, BROKEN
    try:
        return _load_position(match, rules), ""
    except Exception as error:  # Rules may raise anything for a position that they have not dumped.
        reason = repr(error)
    try:
        state = _replay(match, rules)
    except ValueError as refusal:
        _log_once(match.code, f"its position can’t be loaded ({reason}), nor made again from its moves: {refusal}")
        return None, BROKEN
    _log_once(match.code, f"its position can’t be loaded ({reason}), so it was made again from its moves.")
    return state, ""


def _load_position(match: Match, rules: Rules) -> State:
    """Return the state of the stored position. Raise any exception if it is damaged."""
    state = rules.load(match.position)
    rules.view(state, None)  # Fails for many damaged positions that `load` accepts.
    if rules.to_act(state) not in (None, CHANCE, *range(match.seat_count)):
        raise ValueError("No such seat is to act.")
    return state


def _replay(match: Match, rules: Rules) -> State:
    """Return the state after the stored moves of a match. Raise ValueError if they are damaged."""
    state = rules.new_match(match.seat_count, match.options)
    moves = read_moves(match)[: match.move_count]  # More may have been stored since the match was read.
    if len(moves) < match.move_count:
        raise ValueError("Moves are missing.")
    for _, move, _, _ in moves:
        state = rules.apply(state, move)
    return state


@lru_cache(1000)
def _log_once(code: str, problem: str) -> None:
    """Log a problem of a match only once. The cache remembers it, though the match is read again and again."""
    log.error("Match %s: %s", code, problem)


def add_latest_moves(snapshot: Snapshot, previous: Snapshot | None) -> Snapshot:
    """Return the snapshot with the events of its latest moves, if it follows closely enough on a previous one.

    Only the moves since the previous snapshot are played again. Without them, pages show the table but not what has
    just happened.
    """
    if previous is None or snapshot.rules is None or snapshot.state is None:
        return snapshot
    missing = snapshot.move_count - previous.move_count
    if not 0 <= missing <= LATEST_LIMIT:
        return snapshot
    rules, state, latest = snapshot.rules, previous.state, previous.latest_moves
    if missing:
        if state is None:  # The match had not begun.
            state = rules.new_match(snapshot.seat_count, snapshot.options)
        stored_moves = read_moves(snapshot, start=previous.move_count)[:missing]  # More may have been stored since.
        try:
            steps = list(fold(rules, state, (move for _, move, *_ in stored_moves)))
        except IllegalMove:
            steps = []
        if len(steps) != missing:  # The previous snapshot does not lead to this one.
            return snapshot
        new = zip(stored_moves, steps, strict=True)
        latest += tuple(MoveEvents(seat, tuple(rules.events(*step))) for (seat, *_), step in new)
    return snapshot.replace(latest_moves=latest[-LATEST_LIMIT:])


def read_moves(match: Match | Snapshot, start: int = 0) -> list[StoredMove]:
    """Return the moves of a match in order, from an index on. A damaged move becomes {}, which all rules refuse."""
    moves = Move.objects.filter(match_id=match.pk, index__gte=start).order_by("index")
    rows = moves.values_list("seat", "move", "actor", "played_at")
    return [(seat, move if isinstance(move, dict) else {}, actor, time) for seat, move, actor, time in rows]


def revisions(codes: Iterable[str]) -> dict[str, int]:
    """Return the stored revisions of matches, by code."""
    return dict(Match.objects.filter(code__in=codes).values_list("code", "revision"))


def is_any_due(now: datetime) -> bool:
    """Return whether something is due in any match. In SQL, because the clock asks several times a second."""
    with connection.cursor() as cursor:
        cursor.execute(_ANY_DUE, _adapt([now]))
        return bool(cursor.fetchone()[0])


# Writing


def store(before: Snapshot, after: Snapshot, now: datetime) -> bool:
    """Write a match and its changed seats if it still has the revision of `before`. Return whether it had."""
    return bool(store_all([(before, after)], now))


def store_all(steps: Sequence[tuple[Snapshot, Snapshot]], now: datetime) -> set[int]:
    """Write many matches and their changed seats, each only if it still has the revision of its `before`.

    steps: (before, after) of each match, in the order of codes, so that processes don't deadlock. Return the primary
    keys of the matches that were written.
    """
    stored_keys = _store_positions(steps)
    for before, after in steps:
        if after.pk in stored_keys:
            _store_seats_and_result(before, after, now)
    return stored_keys


def _store_seats_and_result(before: Snapshot, after: Snapshot, now: datetime) -> None:
    """Store the seats that have changed between two snapshots of a match, and its result if it has ended."""
    for old, new in zip(before.seats, after.seats, strict=True):
        if old is not new and old != new:
            Seat.objects.filter(pk=new.pk).update(**{name: getattr(new, name) for name in SEAT_FIELDS})
    if after.status == Match.Status.OVER:
        _store_result(after, now)
    elif after.status == Match.Status.CLOSED:  # The deal of a guide has been played.
        Match.objects.filter(pk=after.pk).update(status=after.status, ended_at=now)
        Seat.objects.filter(match_id=after.pk).update(connected=False, network="", browser=None)


def _store_result(after: Snapshot, now: datetime) -> None:
    """Store the result of a match that is over, with its score sheet, and announce its end."""
    assert after.rules is not None
    standings = after.rules.standings(after.state)
    sheet = after.rules.score_sheet(after.state)
    Match.objects.filter(pk=after.pk).update(status=after.status, score_sheet=sheet, standings=standings, ended_at=now)
    Seat.objects.filter(match_id=after.pk).update(connected=False, network="", browser=None)
    for result in standings:  # Empty if the match has ended after one deal.
        seats = Seat.objects.filter(match_id=after.pk, number=result["seat"])
        seats.update(score=result["score"], finish=result["place"])
    completion.record_end(after)
    match_over.send(Match, match=after.pk)


def _store_positions(steps: Sequence[tuple[Snapshot, Snapshot]]) -> set[int]:
    """Write the positions of many matches by one statement. Return the primary keys of the matches that it has changed.

    steps: the snapshots before and after, for each match. A match that has another revision than its snapshot before
    was changed by another process, and stays as it is.
    """
    if not steps:
        return set()
    rows = [
        [after.pk, before.revision, *_adapt(map(partial(_position_value, after), POSITION_FIELDS))]
        for before, after in steps
    ]
    with connection.cursor() as cursor:
        if len(rows) == 1:
            ((key, expected, *values),) = rows
            cursor.execute(_UPDATE, [*values, key, expected])
            return {steps[0][1].pk} if cursor.rowcount == 1 else set()
        cursor.execute(_update_statement(len(rows)), [*chain.from_iterable(rows)])
        return {key for (key,) in cursor.fetchall()}


def _position_value(snapshot: Snapshot, name: str) -> object:
    assert snapshot.rules is not None
    return snapshot.rules.dump(snapshot.state) if name == "position" else getattr(snapshot, name)


def _update_statement(count: int) -> str:
    """Return the SQL that updates the positions of `count` matches.

    "WITH new AS (VALUES ...), locked AS (SELECT ... FOR UPDATE) UPDATE ... FROM new JOIN locked ... RETURNING id". Rows
    are locked in the order of codes, so that two processes never deadlock.
    """
    fields = [Match._meta.get_field(name) for name in ("id", "revision", *POSITION_FIELDS)]
    typed, lock, join = ["%s"] * len(fields), "", ""
    if connection.vendor == "postgresql":  # It needs types, or takes values for text. SQLite has no row locks.
        typed = [f"%s::{field.cast_db_type(connection)}" for field in fields]
        keys = f'SELECT "id" FROM {_MATCHES} JOIN new ON "id" = new_key ORDER BY "code"'
        lock = f", locked AS ({keys} FOR UPDATE OF {_MATCHES})"
        join = ' JOIN locked ON locked."id" = new_key'
    names = ["new_key", "expected", *(f"new_{name}" for name in POSITION_FIELDS)]
    rows = ", ".join([f"({', '.join(typed)})", *[f"({', '.join(['%s'] * len(fields))})"] * (count - 1)])
    values = ", ".join(f"{_column(Match, name)} = new_{name}" for name in POSITION_FIELDS)
    return (
        f"WITH new ({', '.join(names)}) AS (VALUES {rows}){lock} UPDATE {_MATCHES} SET {values} FROM new{join}"
        f' WHERE {_MATCHES}."id" = new_key AND {_MATCHES}."revision" = expected RETURNING {_MATCHES}."id"'
    )


@transaction.atomic
def insert_match(
    match: Match, seats: Iterable[Seat], moves: Iterable[StoredMove], claims: Iterable[Claim] = ()
) -> None:
    """Insert a match that already has seats and moves: an imported one, or a variation of another match."""
    match.save(force_insert=True)
    Seat.objects.bulk_create(seats)
    rows = [
        Move(match=match, index=index, seat=seat, move=move, actor=actor, played_at=time)
        for index, (seat, move, actor, time) in enumerate(moves)
    ]
    Move.objects.bulk_create(rows, batch_size=500)
    Claim.objects.bulk_create(claims)


def store_moves(moves: Iterable[PlayedMove]) -> None:
    """Insert moves. The database raises IntegrityError for an index that the match already has."""
    rows = [_adapt([match, index, seat, move, str(actor), time]) for match, index, seat, move, actor, time in moves]
    if rows:
        with connection.cursor() as cursor:
            for batch in batched(rows, INSERT_LIMIT):
                cursor.execute(_INSERT + ", ".join([_ROW] * len(batch)), [*chain.from_iterable(batch)])


def store_claims(claims: Iterable[tuple[Snapshot, ClaimRequest]]) -> None:
    """Write accepted claims that a seat takes all or none of the tricks left, each with the snapshot before it."""
    for before, claim in claims:
        Claim.objects.update_or_create(
            match_id=before.pk,
            deal=before.deal_count,
            seat=claim.seat,
            defaults={"kind": claim.kind, "index": claim.seen_count, "moves": len(claim.moves), "tricks": claim.tricks},
        )


def _adapt(values: Iterable[object]) -> list[object]:
    """Return values in the form that the database takes: times are adapted, dicts become JSON.

    It looks at the type of each value. Django looks at the field of each value, which took a third of the time of
    storing a move.
    """
    # `connection` would look up the connection again for each attribute.
    adapt_time = connections[DEFAULT_DB_ALIAS].ops.adapt_datetimefield_value
    return [
        value if type(value) in PLAIN_TYPES else adapt_time(value) if isinstance(value, datetime) else json.dumps(value)
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
