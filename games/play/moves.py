"""Playing moves: many in one transaction, each stored only if its match still has the revision it was checked at.

So one of several processes, tabs or clicks wins, and the usual case needs no lock.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from games.catalog import IllegalMove
from games.kit import contract
from games.kit.language import lazy
from games.models import Match, Move
from games.play import gaps, memory, metrics, store
from games.play.changes import announce_on_commit
from games.play.errors import NO_SUCH_MATCH, AlreadyPlayed, Refused, StaleMove
from games.play.requests import ClaimRequest, MoveRequest, ReadyRequest, Request
from games.play.snapshot import Snapshot
from games.play.transition import PlayedMove, advance

log = logging.getLogger("valat.moves")

type Numbered = dict[int, Request]  # by the place in the list of requests
type Outcomes = dict[int, Snapshot | Exception]  # by the same number


def play_move(
    code: str, seat: int | None, move: contract.Move | None, *, seen_count: int, actor: str = Move.Actor.PLAYER
) -> Snapshot:
    """Play a move, and every deal that is due right after it. Return the new snapshot.

    seen_count: how many moves the player had seen, so that a late or double click changes nothing.
    Raise Refused or IllegalMove, with a sentence for the player.
    """
    return play(MoveRequest(code, seat, move, seen_count, actor))


def set_ready(user_id: int, code: str) -> Snapshot:
    """Mark a player as ready for the next deal. It is made once everybody present is ready. Raise Refused."""
    return play(ReadyRequest(code, user_id))


def play(request: Request) -> Snapshot:
    """Carry out one request. Return the new snapshot. Raise Refused or IllegalMove."""
    with metrics.MOVE_SECONDS.time():
        (outcome,) = play_moves([request])
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def play_moves(requests: Sequence[Request]) -> list[Snapshot | Exception]:
    """Carry out many requests, such as moves. Each may be refused without affecting the others.

    Return, for each request, the new snapshot or the exception: Refused, IllegalMove, or any failure of the second
    transaction. Raise if the first transaction fails.
    First, requests are tried on cached snapshots, without a query. One transaction stores the successful ones. The
    others are tried one by one in a second transaction, which reads and locks their matches.
    """
    # In the order of codes, so that two processes that lock the same matches never deadlock.
    in_order: Numbered = dict(sorted(enumerate(requests), key=lambda numbered: numbered[1].code))
    outcomes: Outcomes = {}
    gaps.come_back_if_late(request.code for request in requests)
    now = timezone.now()
    together, singly = _Batch(now), _Batch(now)
    with _forget_on_error(requests):
        chains = _build_chains(in_order, now)
    if chains:
        outcomes.update(_commit(together, partial(together.play_chains, chains), requests))
    if remaining := {number: request for number, request in in_order.items() if number not in outcomes}:
        try:
            outcomes.update(_commit(singly, partial(singly.play_singly, remaining), list(remaining.values())))
        except Exception as error:
            if not outcomes:
                raise
            # The first transaction is stored, so its outcomes must be returned.
            log.exception("%s moves could not be played apart.", len(remaining))
            outcomes.update(dict.fromkeys(remaining, error))
    metrics.BATCH.observe(len(requests))
    return [outcomes[number] for number in range(len(requests))]


def _commit(batch: "_Batch", play: Callable[[], Outcomes], requests: Sequence[Request]) -> Outcomes:
    """Call `play`, which adds to the batch, and store the batch in the same transaction. Return the outcomes."""
    with _forget_on_error(requests), transaction.atomic():
        outcomes = play()
        store.store_moves(batch.moves)
        store.store_claims(batch.claims)
        announce_on_commit(*batch.latest.values())
    metrics.COMMITS.inc()
    metrics.MOVES.inc(len(batch.moves))
    return outcomes


@contextmanager
def _forget_on_error(requests: Sequence[Request]) -> Iterator[None]:
    """Drop the cached snapshots of these matches if the block fails: they may be the cause."""
    try:
        yield
    except Exception:
        for request in requests:
            memory.forget(request.code)
        raise


class _Step(NamedTuple):
    """A request that was carried out on a cached snapshot, and is not stored yet."""

    number: int  # of the request, among all requests of the call
    before: Snapshot
    request: Request
    after: Snapshot
    moves: list[PlayedMove]


class _Chain:
    """Requests of one match, carried out one after the other from its cached snapshot, up to the first refusal."""

    def __init__(self, snapshot: Snapshot):
        self.first = self.last = snapshot
        self.steps: list[_Step] = []
        self._is_broken = False

    def add(self, number: int, request: Request, now: datetime) -> None:
        """Carry out the request of that number, unless an earlier one was refused."""
        if self._is_broken:
            return
        try:
            after, moves = advance(self.last, request, now)
        except (Refused, IllegalMove):
            self._is_broken = True  # Perhaps only because the snapshot is out of date, so the outcome is not final.
        else:
            self.steps.append(_Step(number, self.last, request, after, moves))
            self.last = after


def _build_chains(requests: Numbered, now: datetime) -> list[_Chain]:
    """Carry out requests on the cached snapshots of their matches. Return a chain for each match.

    A chain has the requests of a match that succeed, each carried out on the result of the one before. Requests without
    a cached snapshot are left out, and so are refused ones and all that follow them in their match.
    """
    chains: dict[str, _Chain | None] = {}
    for number, request in requests.items():
        if request.code not in chains:
            snapshot = memory.recent(request.code)
            chains[request.code] = _Chain(snapshot) if snapshot else None
        if chain := chains[request.code]:
            chain.add(number, request, now)
    return [chain for chain in chains.values() if chain and chain.steps]


class _Batch:
    """The changes of one transaction so far. Matches are stored at once, moves and claims at its end."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.latest: dict[str, Snapshot] = {}  # by code
        self.moves: list[PlayedMove] = []
        self.claims: list[tuple[Snapshot, ClaimRequest]] = []  # each with the snapshot before it

    def play_chains(self, chains: Sequence[_Chain]) -> Outcomes:
        """Store the matches of all chains by one statement. Return the new snapshots by the number of the request.

        A chain holds the requests of one match, already carried out on a cached snapshot. If that is out of date, the
        match is not stored, and its requests have no outcome.
        """
        stored_keys = store.store_all([(chain.first, chain.last) for chain in chains], self.now)
        outcomes: Outcomes = {}
        for chain in chains:
            if chain.first.pk in stored_keys:
                for step in chain.steps:
                    self._add(step.before, step.request, step.after, step.moves)
                    outcomes[step.number] = step.after
        return outcomes

    def play_singly(self, requests: Numbered) -> Outcomes:
        """Carry out requests one by one. The outcome of each is a snapshot, or the Refused or IllegalMove."""
        outcomes: Outcomes = {}
        for number, request in requests.items():
            try:
                outcomes[number] = self.play(request)
            except (Refused, IllegalMove) as refusal:
                outcomes[number] = refusal
        return outcomes

    def play(self, request: Request) -> Snapshot:
        """Carry out a request and store its match. Return the new snapshot. Raise Refused or IllegalMove."""
        before = self.latest.get(request.code) or memory.recent(request.code)
        if before is not None:
            try:
                return self._play_from(before, request)
            except (Refused, IllegalMove):
                pass  # Perhaps only because the cached snapshot is out of date: lock the match and read it.
        try:
            current = store.read(request.code, lock=True, previous=before)
        except Match.DoesNotExist:
            raise Refused(NO_SUCH_MATCH) from None
        if before is not None and before.revision > current.revision:
            memory.forget(request.code)  # The database has lost a commit that the cached snapshot still has.
        return self._play_from(current, request)

    def _play_from(self, before: Snapshot, request: Request) -> Snapshot:
        try:
            after, moves = advance(before, request, self.now)
        except StaleMove:
            if self._was_played(before, request):
                raise AlreadyPlayed(lazy("That move has already been played. Look at the table again.")) from None
            raise
        if not store.store(before, after, self.now):
            raise StaleMove(lazy("The table has moved on. Look again."))
        self._add(before, request, after, moves)
        return after

    def _add(self, before: Snapshot, request: Request, after: Snapshot, moves: list[PlayedMove]) -> None:
        """Add the results of a request whose match has been stored."""
        self.moves += moves
        if isinstance(request, ClaimRequest):
            self.claims.append((before, request))
        self.latest[request.code] = after

    def _was_played(self, snapshot: Snapshot, request: Request) -> bool:
        """Return whether a late request repeats moves that the match already has, as a double click does."""
        if isinstance(request, ReadyRequest) or request.seen_count >= snapshot.move_count:
            return False
        indexes = range(request.seen_count, request.seen_count + len(request.moves))
        is_claim = isinstance(request, ClaimRequest)
        requested = list(request.moves) if is_claim else [(request.seat, move) for move in request.moves]
        # Moves of this transaction are not in the database yet.
        stored = [move for move in self.moves if move.match_id == snapshot.pk and move.index in indexes]
        stored = stored or list(Move.objects.filter(match_id=snapshot.pk, index__in=indexes).order_by("index"))
        return [(move.seat, move.move) for move in stored] == requested
