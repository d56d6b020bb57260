"""Changes of a match: each locks the row, raises the revision and is announced by `match_changed` after the commit."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from games.catalog import CHANCE
from games.models import Match
from games.play import memory
from games.play.errors import NO_SUCH_MATCH, Refused
from games.play.snapshot import Snapshot
from games.play.store import add_latest_moves, snapshot_of
from games.play.transition import schedule

match_changed = Signal()  # Sent with `snapshot`, after the commit, from the thread that wrote.


@contextmanager
def locked(code: str) -> Iterator[Match]:
    """Open a transaction and lock the row of a match. Raise Refused if there is no such match."""
    with transaction.atomic():
        try:
            yield Match.objects.select_for_update(of=("self",)).get(code=code)
        except Match.DoesNotExist:
            raise Refused(NO_SUCH_MATCH) from None


def announce_on_commit(*snapshots: Snapshot) -> None:
    """Once this transaction is committed, cache the snapshots and send `match_changed` for each."""
    transaction.on_commit(partial(_announce, snapshots), robust=True)


def _announce(snapshots: Iterable[Snapshot]) -> None:
    for snapshot in snapshots:
        memory.remember(snapshot)
        match_changed.send_robust(Snapshot, snapshot=snapshot)


def save_change(match: Match, *, reschedule: bool = False, returned: int | None = None) -> Snapshot:
    """Save a match whose seats or status have changed, and announce it, so that open pages are drawn again.

    Call it within `locked`. reschedule: the next deadline may have changed, because somebody else now plays the seat to
    act or looks at the result. returned: the seat of a player who has come back. They get the full time for a move or a
    result from now.
    """
    match.revision += 1
    match.save(
        update_fields=[
            "revision",
            "status",
            "host",
            "starts_at",
            "full_at",
            "wake_at",
            "ended_at",
            "paused_at",
            "paused_until",
            "asked_at",
            "here_at",
        ]
    )
    snapshot = add_latest_moves(snapshot_of(match, match.seats.select_related("user")), memory.recent(match.code))
    if reschedule and snapshot.to_act is not None:
        now = timezone.now()
        # If CHANCE is to act, the next deal is due, and the players are looking at the result of the latest one.
        restarts = returned is not None and snapshot.to_act in (returned, CHANCE)
        snapshot = schedule(snapshot, now, started_at=now if restarts else match.turn_started_at)
        Match.objects.filter(pk=match.pk).update(
            wake_at=snapshot.wake_at, turn_started_at=snapshot.turn_started_at, away_since=snapshot.away_since
        )
    announce_on_commit(snapshot)
    return snapshot


def close(match: Match) -> Snapshot:
    """Close a table or a running match for good. Call it within `locked`."""
    match.status = Match.Status.CLOSED
    match.ended_at = timezone.now()
    match.wake_at = None
    match.seats.update(connected=False, network="", browser=None)  # Nobody needs their origins any more.
    match.invitations.all().delete()
    return save_change(match)
