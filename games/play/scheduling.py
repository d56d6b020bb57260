"""A set start: the host of an open table says when it begins, and whether bots then take the seats that are free."""

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import User
from games.kit.language import lazily
from games.models import Match
from games.play.changes import locked
from games.play.errors import Refused, StaleMove
from games.play.pace import OPEN_LIMIT, SCHEDULE_LIMIT, SLOW_OPEN_LIMIT, SPEEDS
from games.play.seating import demand_host, demand_waiting, fill_with_bots
from games.play.snapshot import Snapshot
from games.play.starting import start_if_full

SOONEST = timedelta(minutes=1)


def set_start(user: User, code: str, starts_at: datetime | None, *, fills_with_bots: bool = False) -> Snapshot:
    """The host sets the time at which a table starts; None for none, and then a full one starts at once.

    fills_with_bots: bots take the seats that are free at that time. Raises Refused.
    """
    with locked(code) as match:
        demand_waiting(match)
        demand_host(match, user)
        now = timezone.now()
        if starts_at is not None and not now + SOONEST <= starts_at <= now + timedelta(seconds=SCHEDULE_LIMIT):
            days = SCHEDULE_LIMIT // (24 * 3600)
            raise Refused(lazily("Choose a time that is still to come, and within the next {days} days.", days=days))
        match.starts_at = starts_at
        match.fills_with_bots = fills_with_bots and not match.rated  # there only people play
        match.wake_at = starts_at or _closed_at(match, now)
        match.save(update_fields=["fills_with_bots"])
        return start_if_full(match)


def start_on_time(code: str) -> Snapshot:
    """The time has come: a full table starts, and one that bots may fill if somebody is there.

    Any other waits as if no time had been set. Raises StaleMove where nothing is to be started.
    """
    with locked(code) as match:
        now = timezone.now()
        if match.status != Match.Status.OPEN or match.starts_at is None or match.starts_at > now:
            raise StaleMove(lazily("This match has already started, or starts later."))
        match.starts_at = None
        match.wake_at = _closed_at(match, now)
        somebody = match.seats.filter(connected=True, user__is_program=False).exists()
        if match.fills_with_bots and (somebody or SPEEDS[match.speed].slow):
            fill_with_bots(match)
        return start_if_full(match)


def _closed_at(match: Match, now: datetime) -> datetime:
    """When a table that nobody starts is closed."""
    return now + timedelta(seconds=SLOW_OPEN_LIMIT if SPEEDS[match.speed].slow else OPEN_LIMIT)
