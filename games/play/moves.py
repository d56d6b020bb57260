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
    """Play a move of a seat, and the next deal if it is due right after it. Return the new snapshot of the match.

    code: of the match. seen_count: how many moves the player's page had shown, so that a late or double click changes
    nothing. actor: who plays for the seat. Raise Refused or IllegalMove, with a sentence for the player.
    """
    return play(MoveRequest(code, seat, move, seen_count, actor))


def set_ready(user_id: int, code: str) -> Snapshot:
    """Mark a player as ready for the next deal. It is made once everybody present is ready. Raise Refused."""
    return play(ReadyRequest(code, user_id))


def play(request: Request) -> Snapshot:
    """Carry out one request to a match, such as a move. Return its new snapshot. Raise Refused or IllegalMove."""
    with metrics.MOVE_SECONDS.time():
        (outcome,) = play_moves([request])
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def play_moves(requests: Sequence[Request]) -> list[Snapshot | Exception]:
    """Carry out many requests, such as moves, with few queries. Each may be refused without affecting the others.

    First, all are tried together on the cached snapshots of their matches, without a query. One transaction stores
    those that succeed. The others are tried singly in a second transaction, which reads and locks their matches.
    Return an outcome for each request, in order: the new snapshot or the exception, which is Refused, IllegalMove, or
    any failure of the second transaction. Raise if the first transaction fails.
    """
    # By number in order of match codes, so that two processes that lock the same matches never deadlock.
    in_order: Numbered = dict(sorted(enumerate(requests), key=lambda numbered: numbered[1].code))
    outcomes: Outcomes = {}
    gaps.come_back_if_late(request.code for request in requests)  # First give back time lost in an outage.
    now = timezone.now()
    together, singly = _Batch(now), _Batch(now)
    with _forget_on_error(requests):
        chains = _build_chains(in_order, now)  # The requests that succeed, by match.
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
    """Call `play` and store what it adds to the batch, in one transaction. Return the outcomes that `play` returns.

    `play` stores the matches itself. The batch holds their moves and claims, and the snapshots to announce to pages.
    """
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
    """Drop the cached snapshots of the requests' matches if the block fails: a wrong one may be the cause."""
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
        """Carry out a request on the chain's last snapshot, unless an earlier request was refused. Nothing is stored.

        number: of the request, among all requests of the call.
        """
        if self._is_broken:
            return
        try:
            after, moves = advance(self.last, request, now)
        except (Refused, IllegalMove):
            # Perhaps only because the snapshot is out of date. So this and all later ones are tried again singly.
            self._is_broken = True
        else:
            self.steps.append(_Step(number, before=self.last, request=request, after=after, moves=moves))
            self.last = after


def _build_chains(requests: Numbered, now: datetime) -> list[_Chain]:
    """Carry out requests on the cached snapshots of their matches, storing nothing. Return a chain for each match.

    requests: by number. A chain has the requests of a match that succeed, each carried out on the result of the one
    before. Matches without a cached snapshot have no chain. A refused request is left out, and so are all that follow
    it in its match.
    """
    chains: dict[str, _Chain | None] = {}  # By the code of the match; None without a cached snapshot.
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

        A chain holds the requests of one match, already carried out on a cached snapshot. If that was out of date, the
        match is not stored, and its requests have no outcome yet.
        """
        # Each match goes from the snapshot before its first request to the one after its last request.
        stored_keys = store.store_all([(chain.first, chain.last) for chain in chains], self.now)
        outcomes: Outcomes = {}
        for chain in chains:
            if chain.first.pk in stored_keys:
                for step in chain.steps:
                    self._add(step.before, step.request, step.after, step.moves)
                    outcomes[step.number] = step.after
        return outcomes

    def play_singly(self, requests: Numbered) -> Outcomes:
        """Carry out requests one by one. Return the new snapshot, or the Refused or IllegalMove, by their numbers."""
        outcomes: Outcomes = {}
        for number, request in requests.items():
            try:
                outcomes[number] = self.play(request)
            except (Refused, IllegalMove) as refusal:
                outcomes[number] = refusal
        return outcomes

    def play(self, request: Request) -> Snapshot:
        """Carry out a request and store its match. Return the new snapshot. Raise Refused or IllegalMove.

        It is tried on the cached snapshot first, which saves a query. Only if it is refused there, the match is read.
        """
        # A match that this transaction has changed is not cached before the commit.
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
        """Add the results of a request whose match has been stored: they are stored at the end of the transaction.

        before, after: the snapshots before and after the request. moves: that it has played, deals included.
        """
        self.moves += moves
        if isinstance(request, ClaimRequest):
            self.claims.append((before, request))
        self.latest[request.code] = after

    def _was_played(self, snapshot: Snapshot, request: Request) -> bool:
        """Return whether a late request repeats moves that the match already has, as a double click does.

        request.seen_count: how many moves the match had when the request was made. So its own moves would have got the
        indexes from there on.
        """
        if isinstance(request, ReadyRequest) or request.seen_count >= snapshot.move_count:
            return False
        indexes = range(request.seen_count, request.seen_count + len(request.moves))
        is_claim = isinstance(request, ClaimRequest)  # It has moves of all seats, with the seats.
        requested = list(request.moves) if is_claim else [(request.seat, move) for move in request.moves]
        # Moves of this transaction are not in the database yet.
        played = [move for move in self.moves if move.match_id == snapshot.pk and move.index in indexes]
        played = played or list(Move.objects.filter(match_id=snapshot.pk, index__in=indexes).order_by("index"))
        return [(move.seat, move.move) for move in played] == requested
