"""What else is stored of a user: each app says so in a module `export` with a list `EXPORTS`.

Their owner can take it along (the archive), is asked before they leave it behind, and a guest who has some is kept.
"""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import Exists


class Export(NamedTuple):
    """One kind of things that users have."""

    name: str  # "matches": of the file in the archive too
    description: str  # for the archive's README: what the file holds, without a heading
    count: Callable[[Any], int]  # of a user
    documents: Callable[[Any], Iterator[dict]]  # of a user: JSON-able, the newest first
    is_owner: Callable[[datetime], Exists]  # of users (OuterRef) who have some that lasts, or any since then


@cache
def all_exports() -> list[Export]:
    """Return the `EXPORTS` of the module `export` of every app, by name."""
    modules = [f"{config.name}.export" for config in apps.get_app_configs()]
    found = [import_module(name) for name in modules if name != __name__ and find_spec(name)]
    return sorted((export for module in found for export in module.EXPORTS), key=attrgetter("name"))


def counts(user) -> dict[str, int]:
    """How many of each kind a user has, by name."""
    return {kind.name: kind.count(user) for kind in all_exports()}


def has_any(user) -> bool:
    """Whether a user has anything that would be left behind."""
    return any(counts(user).values())
