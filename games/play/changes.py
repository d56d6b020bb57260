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

CHANGE_FIELDS = (  # The columns of a match that `save_change` stores.
    *("revision", "status", "host", "starts_at", "full_at", "wake_at", "ended_at"),
    *("paused_at", "paused_until", "asked_at", "here_at"),
)

match_changed = Signal()  # Sent with `snapshot`, after the commit, from the thread that wrote.


@contextmanager
def locked(code: str) -> Iterator[Match]:
    """Open a transaction and lock the row of a match, so that nobody else changes it within the block.

    Raise Refused if there is no such match.
    """
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

    Call it within `locked`, after the seats are saved. Return the new snapshot.
    reschedule: the next deadline may have changed, because somebody else now plays the seat to act or looks at the
    result. returned: the number of the seat of a player who has come back. If it is their turn, or the result of a deal
    is shown, they get the full time for that from now.
    """
    match.revision += 1  # So that writers with an older snapshot notice the change.
    match.save(update_fields=CHANGE_FIELDS)
    snapshot = add_latest_moves(snapshot_of(match, match.seats.select_related("user")), memory.recent(match.code))
    if reschedule and snapshot.to_act is not None:
        now = timezone.now()
        # If CHANCE is to act, the next deal is due, and the players are looking at the result of the latest one.
        turn_restarts = returned is not None and snapshot.to_act in (returned, CHANCE)
        snapshot = schedule(snapshot, now, started_at=now if turn_restarts else match.turn_started_at)
        Match.objects.filter(pk=match.pk).update(
            wake_at=snapshot.wake_at, turn_started_at=snapshot.turn_started_at, away_since=snapshot.away_since
        )
    announce_on_commit(snapshot)
    return snapshot


def close(match: Match) -> Snapshot:
    """Close a table or a running match for good, without a result. Call it within `locked`. Return the new snapshot."""
    match.status = Match.Status.CLOSED
    match.ended_at = timezone.now()
    match.wake_at = None  # The clock need not look at it again.
    # Nobody needs to know any more who shares a network or a browser.
    match.seats.update(connected=False, network="", browser=None)
    match.invitations.all().delete()
    return save_change(match)
