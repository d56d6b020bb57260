"""Presence: which players have a page open, who has been away for too long, and who takes over again."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.utils import timezone

from games.models import Match, Seat
from games.play import waiting
from games.play.changes import locked, save_change
from games.play.pace import GONE_LIMIT, READING_LIMIT
from games.play.snapshot import Snapshot

CONFIRM_AFTER = GONE_LIMIT / 2  # A visit confirms a player's presence if nothing has for this many seconds.


def set_connected(user_id: int, code: str, connected: bool, *, lasts: float = GONE_LIMIT) -> Snapshot | None:
    """Store that a player has a page of the match open (is connected), or none any more.

    If a stand-in (a bot) plays for a player who comes back, they take over from it. lasts: the presence need not be
    confirmed for this many seconds. Return the new snapshot, or None if nothing has changed. Nothing changes once a
    match is over.
    """
    with locked(code) as match:
        seat = match.seats.filter(user_id=user_id, left_at=None).first()
        if not seat or seat.connected == connected or match.status not in Match.RUNNING:
            return None
        # Turns that they have missed were played by a bot.
        is_back = connected and seat.missed_turns > 0
        seat.connected = connected
        seat.seen_at = _seen_at(lasts)
        if is_back:
            seat.missed_turns = 0
        if not connected and seat.wants_pause:
            seat.wants_pause, seat.pause_asked_at = False, None  # They may ask for a pause again once they are back.
        seat.save(update_fields=["connected", "seen_at", "missed_turns", "wants_pause", "pause_asked_at"])
        if not connected:
            waiting.begin_pause_if_agreed(match)  # Perhaps they were the only one who had not agreed.
        return save_change(match, reschedule=True, returned=seat.number if is_back else None)


def note_visit(user_id: int, snapshot: Snapshot) -> Snapshot:
    """Store that a player has loaded a page of a match in progress, or posted a form there. Return the new snapshot.

    They count as present for READING_LIMIT seconds, even if their page has no socket (an open connection) that confirms
    it. Spectators change nothing.
    """
    seat = snapshot.seat_of(user_id)
    if seat is None or seat.left or snapshot.status != Match.Status.PLAYING or snapshot.obstacle:
        return snapshot
    if seat.connected:
        # If the page has a socket, a process confirms the presence already. Only write if none has done so lately.
        latest = timezone.now() - timedelta(seconds=CONFIRM_AFTER)
        if Seat.objects.filter(pk=seat.pk, seen_at__lt=latest).exists():
            keep_connected([seat.pk], lasts=READING_LIMIT)
        return snapshot
    return set_connected(user_id, snapshot.code, True, lasts=READING_LIMIT) or snapshot


def keep_connected(seats: Iterable[int], *, lasts: float = GONE_LIMIT) -> None:
    """Confirm that pages of these seats, given by primary keys, are still open. lasts: as in `set_connected`."""
    running = Seat.objects.filter(pk__in=seats, connected=True, match__status__in=Match.RUNNING)
    running.update(seen_at=_seen_at(lasts))


def _seen_at(lasts: float) -> datetime:
    """Return the `seen_at` of a seat that counts as away after this many seconds."""
    return timezone.now() + timedelta(seconds=lasts - GONE_LIMIT)


def disconnect_unseen(limit: int = 200) -> None:
    """Store as away the players whose presence no process has confirmed lately.

    The process of their pages has been stopped or killed, so it could not store that they are gone.
    """
    latest = timezone.now() - timedelta(seconds=GONE_LIMIT)
    connected = Seat.objects.filter(connected=True, user__isnull=False, match__status__in=Match.RUNNING)
    unseen = connected.filter(seen_at__lt=latest)
    for user_id, code in unseen.values_list("user_id", "match__code")[:limit]:
        set_connected(user_id, code, False)


def disconnect_all() -> None:
    """Store everybody as away. For the start of the only server process."""
    Seat.objects.filter(connected=True).update(connected=False)


def resume(user_id: int | None, code: str) -> Snapshot | None:
    """Let a player take over from the stand-in, a bot that plays for absent players.

    Return the new snapshot, or None if no stand-in plays for them.
    """
    if user_id is None:  # Without this, a visitor would get the seat of a deleted user.
        return None
    with locked(code) as match:
        seat = match.seats.filter(user_id=user_id, left_at=None, missed_turns__gt=0).first()
        if not seat:
            return None
        seat.missed_turns = 0
        seat.save(update_fields=["missed_turns"])
        return save_change(match, reschedule=True, returned=seat.number)
