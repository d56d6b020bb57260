"""What stands at single moves of a match that is replayed: contracts, comments, mistakes.

Whoever stores such things says here where they are, so that the timeline can show them and no page of the replay
is taken from a browser's store after they have changed.
"""

from collections.abc import Callable, Hashable, Iterable
from operator import attrgetter
from typing import Any, NamedTuple

from games.history.replay import Replay
from games.kit.language import lazy


class Mark(NamedTuple):
    """Something at a move."""

    move: int  # its index
    kind: str  # "contract", "set", "announcement", "special", "comment", "mistake": a class of CSS, with a shape
    words: str  # what it is, without a full stop: "Boris calls hearts"


class Source(NamedTuple):
    """Where one sort of marks comes from."""

    marks: Callable[[Replay, Any], Iterable[Mark]]  # of a replay, as a user (or AnonymousUser) may see it
    version: Callable[[int, Any], Hashable]  # of a match (its key) and a user: equal while what is stored is


HEADINGS = {
    "claim": lazy("Claims"),
    "comment": lazy("Comments"),
    "mistake": lazy("Mistakes"),
}  # of kinds that are no game's

_sources: dict[str, Source] = {}


def register(name: str, source: Source) -> None:
    """Let replays know of a source of marks; once a process, when its app is ready."""
    _sources[name] = source


def marks_of(replay: Replay, user: Any) -> list[Mark]:
    """All that stands at the moves of a replay, in their order: what its game marks, and what is stored."""
    of_game = [
        Mark(step.index, kind, words)
        for step in replay.steps
        for kind, words in replay.drawing.marks(step.events, replay.players)
    ]
    stored = [mark for source in _sources.values() for mark in source.marks(replay, user)]
    return sorted([*of_game, *stored], key=attrgetter("move"))


def headings(replay: Replay) -> dict[str, str]:
    """What each kind of mark is headed by, in the order to list them."""
    return replay.drawing.mark_kinds | HEADINGS


def version(match: int, user: Any) -> tuple[Hashable, ...]:
    """What is equal for a match (its key) and a user as long as all that is stored of its marks is."""
    return tuple(source.version(match, user) for _, source in sorted(_sources.items()))
