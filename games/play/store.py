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
    """Read the snapshot of a match from the database: the match with its seats and latest events, immutable.

    lock: lock its row until the end of the transaction. previous: an earlier snapshot, by default the cached one. Only
    the moves after it must be played again for their events, which pages show. Raise Match.DoesNotExist.
    """
    previous = previous or memory.recent(code)
    matches = Match.objects.select_for_update(of=("self",)) if lock else Match.objects
    match = matches.get(code=code)
    snapshot = add_latest_moves(snapshot_of(match, Seat.objects.filter(match=match).select_related("user")), previous)
    # With the lock, we may have read this transaction's own changes, which are perhaps never committed: no caching.
    return snapshot if lock else memory.remember(snapshot)


def current(code: str) -> Snapshot:
    """Return the current snapshot of a match, from the cache if possible. Raise Match.DoesNotExist.

    While a match is played, each change raises its revision. So one short query tells if the cached one is current.
    """
    cached = memory.recent(code)
    if cached is not None and cached.status == Match.Status.PLAYING and revisions([code]).get(code) == cached.revision:
        return cached
    return read(code)


def snapshot_of(match: Match, seats: Iterable[Seat]) -> Snapshot:
    """Return the snapshot of a match: an immutable copy of its row and its seats, with the state of the game.

    seats: of the match, with their users. The state is None before the start, and if it can't be read. Then
    `obstacle` says why the match can't be played.
    """
    rules = find_rules(match.game, match.rules_version)
    # Seats have no number before they are drawn. Until then they are in the order of sitting down.
    by_number = sorted(map(SeatSnapshot.from_seat, seats), key=lambda seat: (seat.number or 0, seat.place))
    state, obstacle = None, find_obstacle(match)
    if rules and match.position is not None and match.started_at is not None:
        state, damage = _read_state(match, rules, [seat.number for seat in by_number])
        obstacle = obstacle or damage
    # Only a match that has ended can have a rematch, so spare the others the query.
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
    if rules is None or state is None or not get_game(match.game).claims:
        return None
    if rules.to_act(state) not in (CHANCE, None):  # A seat is to act, so the next deal has been made.
        return None
    # The claim has stored the index and the number of its moves. They are the last ones of the match.
    claim = match.claims.filter(moves__gt=0, index=match.move_count - F("moves")).first()
    return AcceptedClaim(claim.seat, claim.kind, claim.tricks) if claim else None


def _reservations(match: Match) -> tuple[Reservation, ...]:
    """Return the seats that the host keeps for invited users, in the order of inviting; none after the start."""
    if match.status != Match.Status.OPEN:
        return ()
    rows = match.invitations.filter(declined_at=None).order_by("pk").values_list("user", "user__username", "team")
    return tuple(Reservation(user_id, name, team) for user_id, name, team in rows)


def _read_state(match: Match, rules: Rules, numbers: list[int | None]) -> tuple[State, str]:
    """Return the state of a match (whose turn it is, who holds which cards) and "".

    It is read from the stored position. If that can't be loaded, the stored moves are played again from the start, and
    the next move stores the position again. If they are damaged too, return None and a sentence for the players.
    numbers: of the seats of the match.
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
    """Return the state of a match from its stored position. Raise any exception if that is damaged."""
    state = rules.load(match.position)
    rules.view(state, None)  # Fails for many damaged positions that `load` accepts.
    if rules.to_act(state) not in (None, CHANCE, *range(match.seat_count)):
        raise ValueError("No such seat is to act.")
    return state


def _replay(match: Match, rules: Rules) -> State:
    """Play the stored moves of a match again. Return the state after them. Raise ValueError if they are damaged."""
    state = rules.new_match(match.seat_count, match.options)
    moves = read_moves(match)[: match.move_count]  # More may have been stored since the match was read.
    if len(moves) < match.move_count:
        raise ValueError("Moves are missing.")
    for _seat, move, _actor, _played_at in moves:
        state = rules.apply(state, move)
    return state


@lru_cache(1000)
def _log_once(code: str, problem: str) -> None:
    """Log a problem of a match only once. The cache remembers it, though the match is read again and again."""
    log.error("Match %s: %s", code, problem)


def add_latest_moves(snapshot: Snapshot, previous: Snapshot | None) -> Snapshot:
    """Return the snapshot with the events of its latest moves, if a previous snapshot is only a few moves older.

    Events say what a move has done, such as finishing a trick. They are not stored, so the moves since the previous
    snapshot are played again. Without events, pages show the table but not what has just happened.
    """
    if previous is None or snapshot.rules is None or snapshot.state is None:
        return snapshot
    missing = snapshot.move_count - previous.move_count
    if not 0 <= missing <= LATEST_LIMIT:
        return snapshot
    rules, state, latest_moves = snapshot.rules, previous.state, previous.latest_moves
    if missing:
        if state is None:  # The match had not begun.
            state = rules.new_match(snapshot.seat_count, snapshot.options)
        stored_moves = read_moves(snapshot, start=previous.move_count)[:missing]  # More may have been stored since.
        new_moves = _events_of(rules, state, stored_moves)
        if len(new_moves) != missing:  # The previous snapshot does not lead to this one.
            return snapshot
        latest_moves += tuple(new_moves)
    return snapshot.replace(latest_moves=latest_moves[-LATEST_LIMIT:])


def _events_of(rules: Rules, state: State, stored_moves: list[StoredMove]) -> list[MoveEvents]:
    """Return the events of moves that are played one after the other from a state; [] if one is illegal."""
    try:
        steps = list(fold(rules, state, (move for _, move, *_ in stored_moves)))
    except IllegalMove:
        return []
    seats = [seat for seat, *_ in stored_moves]
    return [MoveEvents(seat, tuple(rules.events(*step))) for seat, step in zip(seats, steps, strict=True)]


def read_moves(match: Match | Snapshot, start: int = 0) -> list[StoredMove]:
    """Return the moves of a match in order, from an index on, as tuples (seat, move, actor, time).

    The seat of a deal is None. A damaged move becomes {}, which all rules refuse.
    """
    moves = Move.objects.filter(match_id=match.pk, index__gte=start).order_by("index")
    rows = moves.values_list("seat", "move", "actor", "played_at")
    return [(seat, move if isinstance(move, dict) else {}, actor, time) for seat, move, actor, time in rows]


def revisions(codes: Iterable[str]) -> dict[str, int]:
    """Return the stored revisions of matches, by code."""
    return dict(Match.objects.filter(code__in=codes).values_list("code", "revision"))


def is_any_due(now: datetime) -> bool:
    """Return whether something is due in any match, such as a bot's move: its `wake_at` has come.

    In SQL, because the process that looks for such matches asks several times a second.
    """
    with connection.cursor() as cursor:
        cursor.execute(_ANY_DUE, _adapt([now]))
        return bool(cursor.fetchone()[0])


# Writing


def store(before: Snapshot, after: Snapshot, now: datetime) -> bool:
    """Write a match and its changed seats if it still has the revision of `before`. Return whether it had."""
    return bool(store_all([(before, after)], now))


def store_all(steps: Sequence[tuple[Snapshot, Snapshot]], now: datetime) -> set[int]:
    """Write many matches and their changed seats. Leave out matches that another process has changed in the meantime.

    steps: the snapshots (before, after) of each match. They are in the order of codes, so that processes don't
    deadlock. If a match no longer has the revision of its `before`, somebody else has changed it. Return the primary
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
        if old is not new and old != new:  # Most are the same object, and `is` is faster.
            Seat.objects.filter(pk=new.pk).update(**{name: getattr(new, name) for name in SEAT_FIELDS})
    if after.status == Match.Status.OVER:
        _store_result(after, now)
    elif after.status == Match.Status.CLOSED:  # The prepared deal of a guide has been played. It has no result.
        Match.objects.filter(pk=after.pk).update(status=after.status, ended_at=now)
        Seat.objects.filter(match_id=after.pk).update(connected=False, network="", browser=None)


def _store_result(after: Snapshot, now: datetime) -> None:
    """Store the result of a match that is over, with its score sheet, and announce its end.

    standings: a dict for each seat, with its score and its place.
    """
    assert after.rules is not None
    standings = after.rules.standings(after.state)
    sheet = after.rules.score_sheet(after.state)
    Match.objects.filter(pk=after.pk).update(status=after.status, score_sheet=sheet, standings=standings, ended_at=now)
    # What shows who shares a network or a browser is deleted with the end of the match.
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
    rows = [  # For each match: its key, the revision that it must have, and the new values of POSITION_FIELDS.
        [after.pk, before.revision, *_adapt(map(partial(_position_value, after), POSITION_FIELDS))]
        for before, after in steps
    ]
    with connection.cursor() as cursor:
        if len(rows) == 1:  # The usual case has a simple statement, which is faster.
            ((key, expected_revision, *values),) = rows
            cursor.execute(_UPDATE, [*values, key, expected_revision])
            return {steps[0][1].pk} if cursor.rowcount == 1 else set()
        cursor.execute(_update_statement(len(rows)), [*chain.from_iterable(rows)])
        return {key for (key,) in cursor.fetchall()}


def _position_value(snapshot: Snapshot, name: str) -> object:
    assert snapshot.rules is not None
    return snapshot.rules.dump(snapshot.state) if name == "position" else getattr(snapshot, name)


def _update_statement(count: int) -> str:
    """Return the SQL that updates the positions of `count` matches and returns the ids of the matches it has changed.

    "WITH new AS (VALUES ...), locked AS (SELECT ... FOR UPDATE) UPDATE ... FROM new JOIN locked ... RETURNING id". Its
    parameters are, for each match, its id, the revision that it must still have, and the new values of POSITION_FIELDS.
    Rows are locked in the order of codes, so that two processes never deadlock.
    """
    fields = [Match._meta.get_field(name) for name in ("id", "revision", *POSITION_FIELDS)]
    row = ["%s"] * len(fields)
    first_row, lock, join = row, "", ""
    if connection.vendor == "postgresql":
        # It takes the types of all rows from the first one; without types, values would be text. SQLite needs no types
        # and has no row locks.
        first_row = [f"%s::{field.cast_db_type(connection)}" for field in fields]
        keys = f'SELECT "id" FROM {_MATCHES} JOIN new ON "id" = new_key ORDER BY "code"'
        lock = f", locked AS ({keys} FOR UPDATE OF {_MATCHES})"
        join = ' JOIN locked ON locked."id" = new_key'
    columns = ["new_key", "expected", *(f"new_{name}" for name in POSITION_FIELDS)]
    rows = ", ".join(f"({', '.join(values)})" for values in [first_row] + [row] * (count - 1))
    assignments = ", ".join(f"{_column(Match, name)} = new_{name}" for name in POSITION_FIELDS)
    return (
        f"WITH new ({', '.join(columns)}) AS (VALUES {rows}){lock} UPDATE {_MATCHES} SET {assignments} FROM new{join}"
        f' WHERE {_MATCHES}."id" = new_key AND {_MATCHES}."revision" = expected RETURNING {_MATCHES}."id"'
    )


@transaction.atomic
def insert_match(
    match: Match, seats: Iterable[Seat], moves: Iterable[StoredMove], claims: Iterable[Claim] = ()
) -> None:
    """Insert a match that already has seats and moves: an imported one, or a variation of another match.

    moves: in order, as tuples (seat, move, actor, time). claims: that players have made in the match.
    """
    match.save(force_insert=True)
    Seat.objects.bulk_create(seats)
    rows = [
        Move(match=match, index=index, seat=seat, move=move, actor=actor, played_at=time)
        for index, (seat, move, actor, time) in enumerate(moves)
    ]
    Move.objects.bulk_create(rows, batch_size=500)
    Claim.objects.bulk_create(claims)


def store_moves(moves: Iterable[PlayedMove]) -> None:
    """Insert moves by one statement for each INSERT_LIMIT of them, in SQL, because building it by the ORM is slow.

    The database raises IntegrityError for an index that the match already has.
    """
    rows = [_adapt([match, index, seat, move, str(actor), time]) for match, index, seat, move, actor, time in moves]
    if rows:
        with connection.cursor() as cursor:
            for batch in batched(rows, INSERT_LIMIT):
                cursor.execute(_INSERT + ", ".join([_ROW] * len(batch)), [*chain.from_iterable(batch)])


def store_claims(claims: Iterable[tuple[Snapshot, ClaimRequest]]) -> None:
    """Store accepted claims. A claim says that a seat takes all tricks that are left, or none, which ends the deal.

    claims: pairs of the snapshot before the claim and its request. A seat has one row for each deal: an earlier claim
    that was not proven is overwritten.
    """
    for before, claim in claims:
        Claim.objects.update_or_create(
            match_id=before.pk,
            deal=before.deal_count,
            seat=claim.seat,
            defaults={"kind": claim.kind, "index": claim.seen_count, "moves": len(claim.moves), "tricks": claim.tricks},
        )


def _adapt(values: Iterable[object]) -> list[object]:
    """Return values in the form that the database takes: times are adapted, dicts become JSON.

    It goes by the type of each value. Django goes by the field of each value, which took a third of the time of
    storing a move.
    """
    # Look the connection up only once: `django.db.connection` would do so again for each attribute.
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
