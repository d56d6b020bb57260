"""Who is there: whose page is open, who has been away for long, who takes over again."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from games.models import Match, Seat
from games.play import waiting
from games.play.changes import locked, save_change
from games.play.pace import GONE_LIMIT, READING_LIMIT
from games.play.snapshot import Snapshot

KEPT_BY_VISITS_AFTER = GONE_LIMIT / 2  # seconds in which nothing has been heard of a player's page


def set_connected(user_id: int, code: str, connected: bool, *, lasts: float = GONE_LIMIT) -> Snapshot | None:
    """Note that a player's page is open, or that none is any more. Being back ends the stand-in's play.

    lasts: seconds in which nothing need be heard of it.

    Returns the Snapshot, or None where nothing has changed: at a match that is over nobody is there or away.
    """
    with locked(code) as match:
        seat = match.seats.filter(user_id=user_id, left_at=None).first()
        if not seat or seat.connected == connected or match.status not in Match.RUNNING:
            return None
        back = connected and seat.missed_turns > 0
        seat.connected = connected
        seat.seen_at = _heard(lasts)
        if back:
            seat.missed_turns = 0
        if not connected and seat.wants_pause:
            seat.wants_pause, seat.pause_asked_at = False, None  # who is away agrees to nothing, but may ask once back
        seat.save(update_fields=["connected", "seen_at", "missed_turns", "wants_pause", "pause_asked_at"])
        if not connected:
            waiting.begin_pause_if_agreed(match)  # perhaps only they had not
        return save_change(match, reschedule=True, returned=seat.number if back else None)


def note_visit(user_id: int, snapshot: Snapshot) -> Snapshot:
    """A player asks for the page of a match in progress, or acts by a form: they are there for a while, socket or none.

    Returns the Snapshot as it is then.
    """
    seat = snapshot.seat_of(user_id)
    if seat is None or seat.left or snapshot.status != Match.Status.PLAYING or snapshot.obstacle:
        return snapshot
    if seat.connected:
        # Whose page has a socket is kept by its process, which reads as well while nothing can be written.
        unheard = timezone.now() - timedelta(seconds=KEPT_BY_VISITS_AFTER)
        if Seat.objects.filter(pk=seat.pk, seen_at__lt=unheard).exists():
            keep_connected([seat.pk], lasts=READING_LIMIT)
        return snapshot
    return set_connected(user_id, snapshot.code, True, lasts=READING_LIMIT) or snapshot


def keep_connected(seats: Iterable[int], *, lasts: float = GONE_LIMIT) -> None:
    """Say again that pages of these seats, by their keys, are open: whoever is not heard of for long is away.

    lasts: as for `set_connected`.
    """
    running = Seat.objects.filter(pk__in=seats, connected=True, match__status__in=Match.RUNNING)
    running.update(seen_at=_heard(lasts))


def _heard(lasts: float) -> datetime:
    """What is stored as the time when somebody was heard of, so that they count as away after so many seconds."""
    return timezone.now() + timedelta(seconds=lasts - GONE_LIMIT)


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
