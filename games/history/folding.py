"""The moves of a match folded through its rules: every position, with the deal and the trick that it belongs to.

What has been folded is kept for as long as there is room: of a match that goes on, only the new moves are folded.
"""

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Any, NamedTuple

from games.catalog import IllegalMove, InvalidOptions, Meaning, Rules
from games.models import Match
from games.play import memory, store
from games.play.snapshot import MoveEvents, Snapshot
from games.play.transition import fold
from games.play.versions import BROKEN, Unreadable

TOLD = 60  # moves at most of which a page that has missed them is told
ROOM = 20_000  # steps that a process keeps, of all matches together; about 1 kB each, measured in all games


class Step(NamedTuple):
    """One move and the position after it.

    deal: its number from 1. trick: that of its trick in the deal, or None. actor: one of Move.Actor, "" if not known.
    at: when it was stored, where that is known.
    """

    index: int
    seat: int | None  # None for a shuffle
    move: dict
    state: Any  # of the rules
    events: list
    deal: int
    trick: int | None
    actor: str = ""
    at: datetime | None = None

    @property
    def stored(self) -> store.StoredMove:
        """The move as `steps_of` has read it."""
        assert self.at is not None
        return self.seat, self.move, self.actor, self.at


class Deal(NamedTuple):
    """A stretch of moves. start: where all is dealt. tricks: (number, first move, last move) of each."""

    number: int
    first: int
    start: int
    last: int
    tricks: list


class Folding:
    """The steps of a match from its beginning, which may go on."""

    def __init__(self, rules: Rules, state: Any):
        """state: before the first move."""
        self.rules = rules
        self.steps: list[Step] = []
        self._state = state
        self._deal = 0
        self._tricks = 0  # finished in this deal
        self._deal_ended = True
        self._trick_begun = False

    def add(self, moves: Iterable[tuple]) -> None:
        """Go on with these moves: tuples (seat or None, move, actor and time where known). Raises IllegalMove."""
        made = list(moves)
        positions = fold(self.rules, self._state, (move for _, move, *_ in made))
        for (seat, _, *rest), step in zip(made, positions, strict=True):
            self.add_played(seat, step, *rest)

    def add_played(
        self, seat: int | None, step: tuple[Any, dict, Any], actor: str = "", at: datetime | None = None
    ) -> None:
        """Go on with a move that has been played already. step: the state before it, the move, the state after it."""
        before, move, after = step
        events = self.rules.events(before, move, after)
        meanings = Counter(map(self.rules.meaning, events))
        if self._deal_ended and seat is None:
            self._deal, self._tricks, self._deal_ended = self._deal + 1, 0, False
        finished = meanings[Meaning.TRICK_FINISHED]
        self._trick_begun = self._trick_begun or bool(finished) or Meaning.CARD_PLAYED in meanings
        trick = self._tricks + 1 if self._trick_begun else None
        self.steps.append(Step(len(self.steps), seat, move, after, events, self._deal, trick, actor, at))
        if finished:
            self._tricks, self._trick_begun = self._tricks + finished, False
        self._deal_ended = self._deal_ended or ends_deal(meanings)
        self._state = after


def ends_deal(meanings: Iterable) -> bool:
    """Whether a deal ends with events of these meanings, scored or not."""
    return Meaning.DEAL_SCORED in meanings or Meaning.DEAL_DROPPED in meanings


def deals(steps: Iterable[Step]) -> Iterator[Deal]:
    """Yield the Deals that all the steps of a match make up."""
    for number, of_deal in groupby(steps, attrgetter("deal")):
        of_deal = list(of_deal)
        dealt = list(takewhile(lambda step: step.seat is None, of_deal))
        tricks = []
        for trick, of_trick in groupby(filter(attrgetter("trick"), of_deal), attrgetter("trick")):
            of_trick = list(of_trick)
            tricks.append((trick, of_trick[0].index, of_trick[-1].index))
        yield Deal(number, of_deal[0].index, dealt[-1].index, of_deal[-1].index, tricks)


def finished_tricks(rules: Rules, steps: Iterable[Step]) -> list[dict[str, Any]]:
    """The tricks that are finished with one of these steps, as drawings take them for their sheets."""
    return [
        {"deal": step.deal, "trick": step.trick, "events": step.events}
        for step in steps
        if any(rules.meaning(event) is Meaning.TRICK_FINISHED for event in step.events)
    ]


_kept: OrderedDict[tuple[int, int], Folding] = OrderedDict()
_lock = threading.Lock()


def steps_of(match: Match, rules: Rules) -> list[Step]:
    """The steps of a match up to its last stored move, a list of one's own.

    Raises Unreadable where its rules refuse what is stored.
    """
    key = (match.pk, rules.version)
    with _lock:
        folding = _kept.pop(key, None)  # nobody else goes on with it meanwhile: who comes now folds anew
    try:
        if folding is None:
            folding = Folding(rules, rules.new_match(match.seat_count, match.options))
        folding.add(store.read_moves(match, start=len(folding.steps)))
    except (IllegalMove, InvalidOptions):
        raise Unreadable(BROKEN) from None
    steps = list(folding.steps)
    with _lock:
        _kept[key] = folding
        while sum(len(kept.steps) for kept in _kept.values()) > ROOM and len(_kept) > 1:
            _kept.popitem(last=False)
    return steps


def reaching_back(snapshot: Snapshot, seen: int) -> Snapshot:
    """The snapshot with what was seen of the moves after the first `seen`, if they are not more than TOLD."""
    missing = snapshot.move_count - seen
    if snapshot.rules is None or missing > TOLD or snapshot.moves_since(seen) is not None:
        return snapshot
    try:
        steps = steps_of(Match.objects.get(pk=snapshot.pk), snapshot.rules)[seen : snapshot.move_count]
    except (Match.DoesNotExist, Unreadable):
        return snapshot  # a table without sentences is better than none
    return memory.remember(
        replace(snapshot, latest_moves=tuple(MoveEvents(step.seat, tuple(step.events)) for step in steps))
    )


def forget() -> None:
    """Drop all that is kept, for tests: their matches have the same keys."""
    with _lock:
        _kept.clear()
