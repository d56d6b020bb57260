"""The kinds of data that a user can have. Each app lists its own as `EXPORTS` in its module `export`.

Users can download them in the archive. Pages warn users who would leave data behind. Guests who have data are kept.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from typing import NamedTuple

from django.apps import apps
from django.db.models.expressions import Combinable

from accounts.models import User


class Export(NamedTuple):
    """A kind of data that users have.

    name: also names the file in the archive, such as "matches". description: for the archive's README.
    count: takes a user. documents: takes a user and yields documents for JSON, the newest first.
    is_of_guests: whether a guest who has only this is asked about at a log-in, so that it is not lost.
    is_owner: takes a moment and returns a condition for a query of users: has lasting data, or any since that moment.
    """

    name: str
    description: str
    count: Callable[[User], int]
    documents: Callable[[User], Iterator[Mapping[str, object]]]
    is_owner: Callable[[datetime], Combinable]
    is_of_guests: bool = False


@cache
def all_exports() -> list[Export]:
    """Return all kinds of data that users can have, sorted by name. Apps list them as EXPORTS in a module "export"."""
    names = [f"{config.name}.export" for config in apps.get_app_configs()]
    modules = [import_module(name) for name in names if name != __name__ and find_spec(name)]
    return sorted((export for module in modules for export in module.EXPORTS), key=attrgetter("name"))


def counts(user: User) -> dict[str, int]:
    """Return the number of documents of each kind, by the kind's name."""
    return {kind.name: kind.count(user) for kind in all_exports()}


def has_data_of_guests(guest: User) -> bool:
    """Return whether a guest has other data than matches, which is lost without an account."""
    return any(kind.count(guest) for kind in all_exports() if kind.is_of_guests)


def has_data(user: User) -> bool:
    return any(counts(user).values())
