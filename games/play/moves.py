"""Playing moves: many in one transaction, each stored on condition that its match still is as it was checked.

So that of many processes, tabs or clicks one wins, without a lock for the usual case.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.catalog import IllegalMove
from games.kit.language import lazily
from games.models import Match, Move
from games.play import memory, metrics, store
from games.play.changes import tell_on_commit
from games.play.errors import NO_SUCH_MATCH, AlreadyPlayed, Refused, StaleMove
from games.play.requests import ClaimRequest, MoveRequest, ReadyRequest, Request
from games.play.snapshot import Snapshot
from games.play.transition import PlayedMove, advance
from games.play.writes import Made


def play_move(
    code: str,
    seat: int | None,
    move: dict[str, Any] | None,
    *,
    seen: int,
    actor: str = Move.Actor.PLAYER,
    first: tuple[dict[str, Any], ...] = (),
) -> Snapshot:
    """Play `move` for `seat`, then every shuffle that follows at once. Returns the Snapshot after it.

    seen: how many moves the player had seen, so that a late or double click changes nothing.
    first: moves of the same seat that go before it; if one of them is refused, none is made.
    Raises Refused or IllegalMove; their text is written for the player.
    """
    return _play_one(MoveRequest(code, seat, move, seen, actor, first=first))


def set_ready(user_id: int, code: str) -> Snapshot:
    """Note that a player has seen the result of the deal. When everybody who is there has, the next deal is made.

    Returns the Snapshot. Raises Refused.
    """
    return _play_one(ReadyRequest(code, user_id))


def play_claim(request: ClaimRequest) -> Snapshot:
    """Play a deal out by a proven claim. Returns the Snapshot. Raises Refused."""
    return _play_one(request)


def _play_one(request: Request) -> Snapshot:
    with metrics.MOVE_SECONDS.time():
        (outcome,) = play_moves([request])
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def play_moves(requests: Sequence[Request]) -> list[Snapshot | Refused | IllegalMove]:
    """Play many requests in one transaction, each of which may fail alone.

    Returns for each request the Snapshot after it, or the Refused or IllegalMove that says why not.
    """
    batch = _Batch()
    # In the order of codes, so that two processes never wait for each other's rows.
    order = sorted(range(len(requests)), key=lambda number: requests[number].code)
    outcomes: dict[int, Snapshot | Refused | IllegalMove] = {}
    try:
        with transaction.atomic():
            outcomes.update(batch.play_together({number: requests[number] for number in order}))
            for number in order:
                if number not in outcomes:
                    try:
                        outcomes[number] = batch.play(requests[number])
                    except (Refused, IllegalMove) as refusal:
                        outcomes[number] = refusal
            store.store_moves(batch.moves)
            store.store_claims(batch.claims)
            for snapshot, made in batch.made():
                tell_on_commit(snapshot, made)
    except Exception:
        for request in requests:
            memory.forget(request.code)
        raise
    metrics.COMMITS.inc()
    metrics.MOVES.inc(len(batch.moves))
    metrics.BATCH.observe(len(requests))
    return [outcomes[number] for number in range(len(requests))]


class _Chain:
    """Requests of one match, played one after the other on what is known of it, until one can't be."""

    def __init__(self, known: Snapshot):
        self.first = self.last = known
        self.steps: list[tuple[int, Snapshot, Request, Snapshot, list[PlayedMove]]] = []
        self._is_broken = False

    def add(self, number: int, request: Request, now: datetime) -> None:
        """Play one more, if all before it could be played. number: of the request."""
        if self._is_broken:
            return
        try:
            after, moves = advance(self.last, request, now)
        except (Refused, IllegalMove):
            self._is_broken = True  # perhaps only because we know an old position
        else:
            self.steps.append((number, self.last, request, after, moves))
            self.last = after


class _Batch:
    """What one transaction has made so far."""

    def __init__(self) -> None:
        self.now = timezone.now()
        self.first: dict[str, Snapshot] = {}  # code -> the Snapshot that this transaction has found
        self.latest: dict[str, Snapshot] = {}  # code -> the Snapshot that this transaction has made
        self.moves: list[PlayedMove] = []  # still to be stored
        self.claims: list[tuple[Snapshot, ClaimRequest]] = []  # as are these, with the Snapshot of before each

    def play_together(self, requests: dict[int, Request]) -> dict[int, Snapshot]:
        """The Snapshots after those of many requests that can be played on what is known of their matches.

        They are stored by one statement. The others, and all that follow one of them in its match, are to be played by
        themselves.
        """
        chains: dict[str, _Chain | None] = {}
        for number, request in requests.items():
            if request.code not in chains:
                known = memory.recent(request.code)
                chains[request.code] = _Chain(known) if known else None
            if chain := chains[request.code]:
                chain.add(number, request, self.now)
        played = [chain for chain in chains.values() if chain and chain.steps]
        stored = store.store_all([(chain.first, chain.last) for chain in played], self.now)
        outcomes = {}
        for chain in played:
            if chain.first.pk in stored:
                for number, before, request, after, moves in chain.steps:
                    self._note(before, request, after, moves)
                    outcomes[number] = after
        return outcomes

    def play(self, request: Request) -> Snapshot:
        """The Snapshot after a request, its match stored. Raises Refused or IllegalMove."""
        before = self.latest.get(request.code) or memory.recent(request.code)
        if before is not None:
            try:
                return self._play_from(before, request)
            except (Refused, IllegalMove):
                pass  # perhaps only because we know an old position: look again, and let nobody write meanwhile
        try:
            stored = store.read(request.code, lock=True, known=before)
        except Match.DoesNotExist:
            raise Refused(NO_SUCH_MATCH) from None
        if before is not None and before.revision > stored.revision:
            memory.forget(request.code)  # else the messages of others lead on from what we know
        return self._play_from(stored, request)

    def _play_from(self, before: Snapshot, request: Request) -> Snapshot:
        try:
            after, moves = advance(before, request, self.now)
        except StaleMove:
            if self._was_played(before, request):
                raise AlreadyPlayed(lazily("That move has already been played.")) from None
            raise
        if not store.store(before, after, self.now):
            raise StaleMove(lazily("The table has moved on. Look again."))
        self._note(before, request, after, moves)
        return after

    def _note(self, before: Snapshot, request: Request, after: Snapshot, moves: list[PlayedMove]) -> None:
        """Note that a request has been played and its match stored."""
        self.moves += moves
        if isinstance(request, ClaimRequest):
            self.claims.append((before, request))
        self.first.setdefault(request.code, before)
        self.latest[request.code] = after

    def made(self) -> Iterator[tuple[Snapshot, Made]]:
        """Each Snapshot that this transaction has made, and how."""
        moves: dict[int, list[PlayedMove]] = defaultdict(list)
        for move in self.moves:
            moves[move.match_id].append(move)
        for code, after in self.latest.items():
            yield after, Made(self.first[code], tuple(moves[after.pk]))

    def _was_played(self, snapshot: Snapshot, request: Request) -> bool:
        """Whether the very moves were made on the position that the request was made on."""
        if isinstance(request, ReadyRequest) or request.seen >= snapshot.move_count:
            return False
        indexes = range(request.seen, request.seen + len(request.moves))
        claim = isinstance(request, ClaimRequest)
        wanted = list(request.moves) if claim else [(request.seat, move) for move in request.moves]
        played = [move for move in self.moves if move.match_id == snapshot.pk and move.index in indexes]
        played = played or list(Move.objects.filter(match_id=snapshot.pk, index__in=indexes).order_by("index"))
        return [(move.seat, move.move) for move in played] == wanted
