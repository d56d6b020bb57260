"""What a Snapshot holds beside its seats."""

from datetime import datetime
from typing import Any, NamedTuple


class MoveEvents(NamedTuple):
    """What everybody saw of one move."""

    seat: int | None  # None for a shuffle
    events: tuple[dict[str, Any], ...]


class Claimed(NamedTuple):
    """An accepted claim, by which the deal just ended was played out."""

    seat: int
    kind: str  # of games.kit.claims.KINDS
    tricks: int  # that were left


class Reserved(NamedTuple):
    """A free seat that is kept for somebody."""

    user_id: int
    name: str
    team: int | None = None  # the side of that seat; None for either


class TimeAway(NamedTuple):
    """An outage of the site."""

    began_at: datetime
    ended_at: datetime


class TableOfClub(NamedTuple):
    """The club that a table belongs to."""

    pk: int
    code: str
    name: str
