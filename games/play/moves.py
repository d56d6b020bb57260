"""Playing moves: many in one transaction, each stored on condition that its match still is as it was checked.

So that of many processes, tabs or clicks one wins, without a lock for the usual case.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.catalog import IllegalMove
from games.kit.language import lazy
from games.models import Match, Move
from games.play import gaps, memory, metrics, store
from games.play.changes import tell_on_commit
from games.play.errors import NO_SUCH_MATCH, AlreadyPlayed, Refused, StaleMove
from games.play.requests import ClaimRequest, MoveRequest, ReadyRequest, Request
from games.play.snapshot import Snapshot
from games.play.transition import PlayedMove, advance

log = logging.getLogger("valat.moves")


def play_move(
    code: str, seat: int | None, move: dict[str, Any] | None, *, seen: int, actor: str = Move.Actor.PLAYER
) -> Snapshot:
    """Play `move` for `seat`, then every shuffle that follows at once. Returns the Snapshot after it.

    seen: how many moves the player had seen, so that a late or double click changes nothing.
    Raises Refused or IllegalMove; their text is written for the player.
    """
    return play(MoveRequest(code, seat, move, seen, actor))


def set_ready(user_id: int, code: str) -> Snapshot:
    """Note that a player has seen the result of the deal. When everybody who is there has, the next deal is made.

    Returns the Snapshot. Raises Refused.
    """
    return play(ReadyRequest(code, user_id))


def play(request: Request) -> Snapshot:
    """Play one request. Returns the Snapshot after it. Raises Refused or IllegalMove."""
    with metrics.MOVE_SECONDS.time():
        (outcome,) = play_moves([request])
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def play_moves(requests: Sequence[Request]) -> list[Snapshot | Exception]:
    """Play many requests, each of which may fail alone: all that can be played on what is known in one transaction.

    Those that can't are looked at in a second one, when no row is locked any more by the first. In both the rows are
    locked in the order of codes. So two processes never wait for each other.
    Returns for each request the Snapshot after it, or the Refused or IllegalMove that says why not; where only the
    second transaction fails, what it failed by for each of its requests. Raises what the first fails by.
    """
    in_order = dict(sorted(enumerate(requests), key=lambda numbered: numbered[1].code))
    outcomes: dict[int, Snapshot | Exception] = {}
    gaps.come_back_if_late(request.code for request in requests)
    now = timezone.now()
    together, apart = _Batch(now), _Batch(now)
    with _forgetting(requests):
        chains = _chains(in_order, now)
    if chains:
        outcomes.update(_transacted(together, partial(together.play_together, chains), requests))
    if left := {number: request for number, request in in_order.items() if number not in outcomes}:
        try:
            outcomes.update(_transacted(apart, partial(apart.play_apart, left), list(left.values())))
        except Exception as error:
            if not outcomes:
                raise
            log.exception("%s moves could not be played apart.", len(left))
            outcomes.update(dict.fromkeys(left, error))
    metrics.BATCH.observe(len(requests))
    return [outcomes[number] for number in range(len(requests))]


def _transacted(
    batch: "_Batch", play: Callable[[], dict[int, Snapshot | Exception]], requests: Sequence[Request]
) -> dict[int, Snapshot | Exception]:
    """What `play` returns, which plays requests by a batch; in a transaction that stores what the batch has made."""
    with _forgetting(requests), transaction.atomic():
        outcomes = play()
        store.store_moves(batch.moves)
        store.store_claims(batch.claims)
        tell_on_commit(*batch.latest.values())
    metrics.COMMITS.inc()
    metrics.MOVES.inc(len(batch.moves))
    return outcomes


@contextmanager
def _forgetting(requests: Sequence[Request]) -> Iterator[None]:
    """Where it fails, what is known of the matches is forgotten: it may be what it failed by."""
    try:
        yield
    except Exception:
        for request in requests:
            memory.forget(request.code)
        raise


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


def _chains(requests: dict[int, Request], now: datetime) -> list[_Chain]:
    """What becomes of requests on what is known of their matches, in the order of the first of each match.

    Left out are those that can't be played on that, and all that come after such a one in its match.
    """
    chains: dict[str, _Chain | None] = {}
    for number, request in requests.items():
        if request.code not in chains:
            known = memory.recent(request.code)
            chains[request.code] = _Chain(known) if known else None
        if chain := chains[request.code]:
            chain.add(number, request, now)
    return [chain for chain in chains.values() if chain and chain.steps]


class _Batch:
    """What one transaction has made so far."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.latest: dict[str, Snapshot] = {}  # code -> the Snapshot that this transaction has made
        self.moves: list[PlayedMove] = []  # still to be stored
        self.claims: list[tuple[Snapshot, ClaimRequest]] = []  # as are these, with the Snapshot of before each

    def play_together(self, chains: Sequence[_Chain]) -> dict[int, Snapshot | Exception]:
        """The Snapshots after the requests of chains, stored by one statement; without those that were behind."""
        stored = store.store_all([(chain.first, chain.last) for chain in chains], self.now)
        outcomes: dict[int, Snapshot | Exception] = {}
        for chain in chains:
            if chain.first.pk in stored:
                for number, before, request, after, moves in chain.steps:
                    self._note(before, request, after, moves)
                    outcomes[number] = after
        return outcomes

    def play_apart(self, requests: dict[int, Request]) -> dict[int, Snapshot | Exception]:
        """The Snapshot after each request, or the Refused or IllegalMove that says why not."""
        outcomes: dict[int, Snapshot | Exception] = {}
        for number, request in requests.items():
            try:
                outcomes[number] = self.play(request)
            except (Refused, IllegalMove) as refusal:
                outcomes[number] = refusal
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
            memory.forget(request.code)  # The database has lost a commit, and what we know is newer than it.
        return self._play_from(stored, request)

    def _play_from(self, before: Snapshot, request: Request) -> Snapshot:
        try:
            after, moves = advance(before, request, self.now)
        except StaleMove:
            if self._was_played(before, request):
                raise AlreadyPlayed(lazy("That move has already been played. Look at the table again.")) from None
            raise
        if not store.store(before, after, self.now):
            raise StaleMove(lazy("The table has moved on. Look again."))
        self._note(before, request, after, moves)
        return after

    def _note(self, before: Snapshot, request: Request, after: Snapshot, moves: list[PlayedMove]) -> None:
        """Note that a request has been played and its match stored."""
        self.moves += moves
        if isinstance(request, ClaimRequest):
            self.claims.append((before, request))
        self.latest[request.code] = after

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
