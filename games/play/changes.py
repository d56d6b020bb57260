"""What all changes of a match have in common: they hold its row, raise its revision, and are told once committed.

Whoever wants to hear of changes connects to `match_changed`; nothing here knows who that is.
"""

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
from games.play.store import snapshot_of, with_latest
from games.play.transition import scheduled

match_changed = Signal()  # sent with `snapshot`, after the commit, from the thread that wrote


@contextmanager
def locked(code: str) -> Iterator[Match]:
    """A transaction that holds the match's row. Raises Refused where there is no such match."""
    with transaction.atomic():
        try:
            yield Match.objects.select_for_update(of=("self",)).get(code=code)
        except Match.DoesNotExist:
            raise Refused(NO_SUCH_MATCH) from None


def tell_on_commit(*snapshots: Snapshot) -> None:
    """Once this transaction is committed, remember the snapshots and tell everybody who listens."""
    transaction.on_commit(partial(_tell, snapshots), robust=True)


def _tell(snapshots: Iterable[Snapshot]) -> None:
    for snapshot in snapshots:
        memory.remember(snapshot)
        match_changed.send_robust(Snapshot, snapshot=snapshot)


def save_change(match: Match, *, reschedule: bool = False, returned: int | None = None) -> Snapshot:
    """Save a match whose seats or status have changed, and tell everybody. Call it within `locked`.

    reschedule: who plays the seat to act, or looks at a result, may have changed. returned: the seat whose player is
    back, and has the time of a move, or of a result, from now on.
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
    snapshot = with_latest(snapshot_of(match, match.seats.select_related("user")), memory.recent(match.code))
    if reschedule and snapshot.to_act is not None:
        now = timezone.now()
        anew = returned is not None and snapshot.to_act in (returned, CHANCE)
        snapshot = scheduled(snapshot, now, started_at=now if anew else match.turn_started_at)
        Match.objects.filter(pk=match.pk).update(
            wake_at=snapshot.wake_at, turn_started_at=snapshot.turn_started_at, away_since=snapshot.away_since
        )
    tell_on_commit(snapshot)
    return snapshot


def close(match: Match) -> Snapshot:
    """Close a table or a match for good. Call it within `locked`."""
    match.status = Match.Status.CLOSED
    match.ended_at = timezone.now()
    match.wake_at = None
    match.seats.update(connected=False, network="", browser=None)  # nobody need know any more where they sat
    match.invitations.all().delete()
    return save_change(match)
