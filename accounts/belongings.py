"""What else is stored of a user, outside of this app: whoever stores something says so here.

Their owner can take it along (the archive), is asked before they leave it behind, and a guest who has some is kept.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists


class Belongings(NamedTuple):
    """One kind of things that users have."""

    name: str  # "matches": of the file in the archive too
    description: str  # for the archive's README: what the file holds, without a heading
    count: Callable[[Any], int]  # of a user
    documents: Callable[[Any], Iterator[dict]]  # of a user: JSON-able, the newest first
    is_owner: Callable[[datetime], Exists]  # of users (OuterRef) who have some that lasts, or any since then


_kinds: dict[str, Belongings] = {}


def register(belongings: Belongings) -> None:
    """Let accounts know of a kind of belongings; once a process, when its app is ready."""
    _kinds[belongings.name] = belongings


def all_belongings() -> list[Belongings]:
    """Every kind, in the order of their names."""
    return [_kinds[name] for name in sorted(_kinds)]


def counts(user) -> dict[str, int]:
    """How many of each kind a user has, by name."""
    return {kind.name: kind.count(user) for kind in all_belongings()}


def has_any(user) -> bool:
    """Whether a user has anything that would be left behind."""
    return any(counts(user).values())
