"""Folding: apply the moves of a match one by one, and keep every position with its deal and trick.

A cache holds the latest foldings, so that a running match only folds its new moves.
"""

import threading
from collections import Counter, OrderedDict
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Any, NamedTuple

from games.catalog import IllegalMove, InvalidOptions, Meaning, Rules
from games.kit.contract import Event, Move, State
from games.kit.drawing import ReplayTrick
from games.models import Match
from games.play import memory, store
from games.play.snapshot import MoveEvents, Snapshot
from games.play.transition import fold
from games.play.versions import BROKEN, Unreadable

CATCH_UP_LIMIT = 60  # A page that has missed more moves than this gets no sentences about them.
CACHE_SIZE = 20_000  # Steps of all matches together. One takes about 1 kB, measured in all games.


class Step(NamedTuple):
    """One move and the position after it."""

    index: int  # type: ignore[assignment]  # Tuples have a method of that name.
    seat: int | None  # None for a shuffle.
    move: Move
    state: State
    events: list[Event]
    deal: int  # Its number, from 1.
    trick: int | None  # Its number in the deal, from 1.
    actor: str = ""  # One of Move.Actor. Empty if unknown.
    at: datetime | None = None  # When the move was stored.

    @property
    def stored(self) -> store.StoredMove:
        """The move as in a row of the database: seat, move, actor and time.

        Only for steps that were read from there: others have no time.
        """
        assert self.at is not None
        return self.seat, self.move, self.actor, self.at


class Trick(NamedTuple):
    """The moves of one trick, by their indexes."""

    number: int  # In its deal, from 1.
    first: int
    last: int


class Deal(NamedTuple):
    """The moves of one deal, by their indexes."""

    number: int  # From 1.
    first: int  # The first shuffle.
    start: int  # The last shuffle: after it the cards are dealt.
    last: int
    tricks: list[Trick]


class Folding:
    """The steps of a match from its beginning. More moves can be added."""

    def __init__(self, rules: Rules, state: State) -> None:
        """state: the one before the first move."""
        self.rules = rules
        self.steps: list[Step] = []
        self._state = state
        self._deal = 0
        self._tricks = 0  # The number of finished tricks in this deal.
        self._deal_ended = True
        self._trick_begun = False

    def add(self, moves: Iterable[tuple[Any, ...]]) -> None:
        """Apply moves, and add a step (a move with the state after it) for each. Raises IllegalMove.

        moves: tuples of a seat (None for a shuffle), a move and, if they are known, the actor and the time.
        """
        rows = list(moves)
        transitions = fold(self.rules, self._state, (move for _, move, *_ in rows))
        for (seat, _, *actor_and_time), transition in zip(rows, transitions, strict=True):
            self.add_played(seat, transition, *actor_and_time)

    def add_played(
        self, seat: int | None, transition: tuple[State, Move, State], actor: str = "", at: datetime | None = None
    ) -> None:
        """Add a step for a move that the caller has applied. Find out to which deal and trick it belongs.

        seat: None for a shuffle. transition: the state before the move, the move, and the state after it. actor, at:
        who made the move and when, if they are known.
        """
        before, move, after = transition
        events = list(self.rules.events(before, move, after))
        meanings = Counter(map(self.rules.meaning, events))
        if self._deal_ended and seat is None:  # The first shuffle of the next deal, which may have several.
            self._deal += 1
            self._tricks, self._deal_ended = 0, False
        # A move can finish a trick without events for its cards, and even several tricks.
        finished_count = meanings[Meaning.TRICK_FINISHED]
        if finished_count or Meaning.CARD_PLAYED in meanings:
            self._trick_begun = True
        trick = self._tricks + 1 if self._trick_begun else None
        self.steps.append(Step(len(self.steps), seat, move, after, events, self._deal, trick, actor, at))
        if finished_count:
            self._tricks += finished_count
            self._trick_begun = False
        if ends_deal(meanings):
            self._deal_ended = True
        self._state = after


def ends_deal(meanings: Container[Meaning | None]) -> bool:
    """Return whether events of these meanings end a deal, scored or not."""
    return Meaning.DEAL_SCORED in meanings or Meaning.DEAL_DROPPED in meanings


def deals(steps: Iterable[Step]) -> Iterator[Deal]:
    """Group the steps of a match into deals and tricks. Yield each deal, with the indexes of its moves.

    A deal begins with its shuffles, which no seat makes.
    """
    for number, group in groupby(steps, attrgetter("deal")):
        deal_steps = list(group)
        shuffles = list(takewhile(lambda step: step.seat is None, deal_steps))
        steps_in_tricks = [step for step in deal_steps if step.trick is not None]
        tricks = []
        for trick, trick_group in groupby(steps_in_tricks, attrgetter("trick")):
            trick_steps = list(trick_group)
            tricks.append(Trick(trick, first=trick_steps[0].index, last=trick_steps[-1].index))
        yield Deal(number, deal_steps[0].index, shuffles[-1].index, deal_steps[-1].index, tricks)


def finished_tricks(rules: Rules, steps: Iterable[Step]) -> list[ReplayTrick]:
    """Return the tricks that end with one of these steps, for a score sheet. A step is a move with its events."""
    return [
        {"deal": step.deal, "trick": step.trick, "events": step.events}
        for step in steps
        if any(rules.meaning(event) is Meaning.TRICK_FINISHED for event in step.events)
    ]


_cache: OrderedDict[tuple[int, int], Folding] = OrderedDict()  # By match and version of the rules.
_lock = threading.Lock()


def steps_of(match: Match, rules: Rules) -> list[Step]:
    """Return the steps of a match, in a new list. A step is a move with the state after it.

    A folding (the steps with the latest state) is cached, so that later only new moves are read and applied. Raises
    Unreadable if the rules refuse a stored move or the options.
    """
    key = (match.pk, rules.version)
    with _lock:
        # Popped, so that no two threads extend the same folding. A second thread starts a new one.
        folding = _cache.pop(key, None)
    try:
        if folding is None:
            folding = Folding(rules, rules.new_match(match.seat_count, match.options))
        folding.add(store.read_moves(match, start=len(folding.steps)))
    except (IllegalMove, InvalidOptions):
        raise Unreadable(BROKEN) from None
    steps = list(folding.steps)
    with _lock:
        _cache[key] = folding
        while sum(len(folding.steps) for folding in _cache.values()) > CACHE_SIZE and len(_cache) > 1:
            _cache.popitem(last=False)  # Drop the match that has not been read for the longest time.
    return steps


def extend_latest(snapshot: Snapshot, seen_count: int) -> Snapshot:
    """Return the snapshot of a match with the events of all moves that a page has missed, so that it can catch up.

    seen_count: the number of moves that the page has seen. Return the snapshot unchanged if the page has missed more
    than CATCH_UP_LIMIT moves, or if they can't be read.
    """
    missing_count = snapshot.move_count - seen_count
    has_them_already = snapshot.moves_since(seen_count) is not None
    if snapshot.rules is None or missing_count > CATCH_UP_LIMIT or has_them_already:
        return snapshot
    try:
        steps = steps_of(Match.objects.get(pk=snapshot.pk), snapshot.rules)[seen_count : snapshot.move_count]
    except (Match.DoesNotExist, Unreadable):
        return snapshot  # The page still shows the table, without sentences about the moves.
    latest_moves = tuple(MoveEvents(step.seat, tuple(step.events)) for step in steps)
    return memory.remember(replace(snapshot, latest_moves=latest_moves))


def forget() -> None:
    """Empty the cache. For tests, whose matches share primary keys."""
    with _lock:
        _cache.clear()
