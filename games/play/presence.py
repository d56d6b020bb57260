"""Who is there: whose page is open, who has been away for long, who takes over again."""

from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from games.models import Match, Seat
from games.play.changes import locked, save_change
from games.play.pace import GONE_LIMIT
from games.play.snapshot import Snapshot


def set_connected(user_id: int, code: str, connected: bool) -> Snapshot | None:
    """Note that a player's page is open, or that none is any more. Being back ends the stand-in's play.

    Returns the Snapshot, or None where nothing has changed: at a match that is over nobody is there or away.
    """
    with locked(code) as match:
        seat = match.seats.filter(user_id=user_id, left_at=None).first()
        if not seat or seat.connected == connected or match.status not in Match.RUNNING:
            return None
        back = connected and seat.missed_turns > 0
        seat.connected = connected
        seat.seen_at = timezone.now()
        if back:
            seat.missed_turns = 0
        seat.save(update_fields=["connected", "seen_at", "missed_turns"])
        return save_change(match, reschedule=True, returned=seat.number if back else None)


def keep_connected(seats: Iterable[int]) -> None:
    """Say again that pages of these seats, by their keys, are open: whoever is not heard of for long is away."""
    running = Seat.objects.filter(pk__in=seats, connected=True, match__status__in=Match.RUNNING)
    running.update(seen_at=timezone.now())


def disconnect_unseen(limit: int = 200) -> None:
    """Note as away whom no process has said to be connected for long: theirs has been stopped or killed."""
    unseen = Seat.objects.filter(
        connected=True,
        seen_at__lt=timezone.now() - timedelta(seconds=GONE_LIMIT),
        user__isnull=False,
        match__status__in=Match.RUNNING,
    )
    for user_id, code in unseen.values_list("user_id", "match__code")[:limit]:
        set_connected(user_id, code, False)


def disconnect_all() -> None:
    """After a start of the only server process: nobody is connected yet."""
    Seat.objects.filter(connected=True).update(connected=False)


def resume(user_id: int, code: str) -> Snapshot | None:
    """A player whose seat the stand-in plays takes over again. Returns the Snapshot, or None if it does not."""
    with locked(code) as match:
        seat = match.seats.filter(user_id=user_id, left_at=None, missed_turns__gt=0).first()
        if not seat:
            return None
        seat.missed_turns = 0
        seat.save(update_fields=["missed_turns"])
        return save_change(match, reschedule=True, returned=seat.number)
