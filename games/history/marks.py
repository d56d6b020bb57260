"""Marks on the timeline of a replay: contracts, comments, mistakes.

An app that stores something about single moves registers a `Source` here. The timeline then shows its marks, and
browsers fetch the pages of a replay again after they have changed.
"""

from collections.abc import Callable, Hashable, Iterable
from operator import attrgetter
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.history.replay import Replay
from games.kit.language import lazy


class Mark(NamedTuple):
    """A mark at a move."""

    move: int  # The index of the move.
    kind: str  # "contract", "set", "announcement", "special", "comment" or "mistake". Also the CSS class of its shape.
    words: str  # "Boris calls hearts", without a full stop.


class Source(NamedTuple):
    """Two functions that provide the marks of an app, as a user may see them."""

    marks: Callable[[Replay, User | AnonymousUser], Iterable[Mark]]
    version: Callable[[int, User | AnonymousUser], Hashable]  # Takes a match's primary key. Changes when marks do.


HEADINGS = {  # Of the kinds that are the same in all games.
    "claim": lazy("Claims"),
    "comment": lazy("Comments"),
    "mistake": lazy("Mistakes"),
}

_sources: dict[str, Source] = {}


def register(name: str, source: Source) -> None:
    """Add a source of marks. Call it once per process, when an app is ready."""
    _sources[name] = source


def marks_of(replay: Replay, user: User | AnonymousUser) -> list[Mark]:
    """Return all marks on the timeline of a replay, in the order of moves. A mark points out a move.

    Each game marks its own important moves, such as contracts. Other apps have registered sources of marks, for example
    for comments and mistakes. user: the reader, who sees only some of the comments.
    """
    # The drawing of a game finds the important moves.
    game_marks = [
        Mark(step.index, kind, words)
        for step in replay.steps
        for kind, words in replay.drawing.marks(step.events, replay.players)
    ]
    stored_marks = [mark for source in _sources.values() for mark in source.marks(replay, user)]
    return sorted([*game_marks, *stored_marks], key=attrgetter("move"))


def headings(replay: Replay) -> dict[str, str]:
    """Map each kind of mark to its heading, in the order of the list of marks."""
    return {**replay.drawing.mark_kinds, **HEADINGS}


def version(match: int, user: User | AnonymousUser) -> tuple[Hashable, ...]:
    """Return a value that changes whenever the marks of comments, mistakes and so on change for this user.

    It is part of the version of a cached page, so that browsers fetch the page again. match: its primary key.
    """
    return tuple(source.version(match, user) for _, source in sorted(_sources.items()))
