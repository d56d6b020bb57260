"""Time lost in outages of the site: a heartbeat detects them, and running matches get the time back.

Web processes and clocks each write a heartbeat once a second. If one kind is missing for GAP_LIMIT seconds, a gap has
begun. It ends when both beat again. Each running match gets the time back once and stores up to when it has. So any
number of processes may do that, and any may be killed.
"""

import logging
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Gap, Heartbeat, Match, Seat
from games.play.changes import locked, save_change
from games.play.errors import Refused
from games.play.pace import COME_BACK_LIMIT, GAP_LIMIT, GONE_LIMIT, NEGLIGIBLE
from games.play.snapshot import TimeAway
from games.play.store import snapshot_of
from games.play.transition import give_time_back
from games.play.versions import playable_here

WEB, CLOCK = Heartbeat.Kind.WEB, Heartbeat.Kind.CLOCK
BEAT_EVERY = 1.0  # seconds
MOMENT = 0.2  # Seconds of a sweep for giving time back, so that neither bots nor heartbeats wait for all matches.
BATCH = 50  # Matches at most of that.
URGENT = timedelta(minutes=10)  # A match that waits for longer can get its time back while others play.

TIME_FIELDS = ("turn_started_at", "away_since", "asked_at", "here_at", "paused_until", "starts_at", "wake_at")

log = logging.getLogger("valat.gaps")

# The heartbeat


def beat(kinds: Iterable[str], now: datetime) -> None:
    """Store that processes of these kinds are working now: their heartbeat. Note the begin or end of an outage.

    kinds: WEB for processes that serve pages, CLOCK for processes that play for bots. The site needs both. If the
    latest heartbeat of either kind is too old, the site was away. We call that a gap.
    """
    beats = dict(Heartbeat.objects.values_list("kind", "beat_at"))
    if set(kinds) <= beats.keys() and not _late(beats, now):  # The usual case, which needs no lock.
        Heartbeat.objects.filter(kind__in=kinds, beat_at__lt=now).update(beat_at=now)
    else:
        _note_gap(kinds, now)


@transaction.atomic
def _note_gap(kinds: Iterable[str], now: datetime) -> None:
    """Store heartbeats of processes, and begin a gap (an outage of the site) or end it.

    kinds: of the processes that work now, WEB, CLOCK or both. A gap begins if the last heartbeat of either kind is too
    old, and ends when both kinds beat again. The rows are locked, so that all processes agree on the gap.
    """
    beats = {row.kind: row.beat_at for row in Heartbeat.objects.select_for_update().order_by("kind")}
    gap = Gap.objects.filter(ended_at=None).order_by("began_at").first()
    if gap is None and (late := _late(beats, now)):
        gap = Gap.objects.create(began_at=min(late))  # The site was away since the oldest of these heartbeats.
    for kind in kinds:
        Heartbeat.objects.get_or_create(kind=kind, defaults={"beat_at": now})
    Heartbeat.objects.filter(kind__in=kinds, beat_at__lt=now).update(beat_at=now)
    beats_of_others = {kind: beat_at for kind, beat_at in beats.items() if kind not in kinds}
    if gap and not _late(beats_of_others, now):  # Processes of both kinds work again.
        gap.ended_at = max(now, gap.began_at)
        gap.save(update_fields=["ended_at"])
        lasted = (gap.ended_at - gap.began_at).total_seconds()
        # Log it on commit only: while the disk is full, this transaction is tried again and again.
        transaction.on_commit(partial(log.info, "The site was away for %.0f seconds.", lasted))


def _late(beats: dict[str, datetime], now: datetime) -> list[datetime]:
    """Return the moments of the heartbeats that are older than GAP_LIMIT."""
    return [at for at in beats.values() if now - at > timedelta(seconds=GAP_LIMIT)]


@dataclass
class _Process:
    """What this process knows of its own heartbeat."""

    beats: dict[str, datetime] = field(default_factory=dict)  # The last one, by kind.
    owes_time: bool = False  # Whether any match was still to get time back at that beat.


_process = _Process()


def beat_as(kinds: Collection[str]) -> None:
    """Write the heartbeat of this process, once a second, and note in `_process` what the process must know of it.

    kinds: the tasks of this process: WEB, CLOCK or both.
    """
    now = timezone.now()
    beat(kinds, now)
    # A gap, an outage of the site, is settled once all matches have got back the time that it took.
    _process.owes_time = Gap.objects.filter(is_settled=False).exists()
    _process.beats.update(dict.fromkeys(kinds, now))


def come_back(kinds: Collection[str]) -> None:
    """Begin the heartbeat of a process that starts, and give matches back the time that outages have taken from them.

    kinds: the tasks of the process: WEB, CLOCK or both. It returns once no match is urgent, that is, has something due
    soon. The others get their time back while people already play.
    """
    beat_as(kinds)
    now = timezone.now()
    for gap in Gap.objects.filter(is_settled=False).order_by("began_at"):  # Outages whose time some matches still lack.
        away = TimeAway(gap.began_at, gap.ended_at or now)  # Without an end, the outage still goes on.
        while _is_urgent(away):
            _give_back_for_a_moment(gap, away.ended_at)
            beat_as(kinds)  # So that this work does not look like another outage.
        _give_back_for_a_moment(gap, away.ended_at)  # Settles the gap, if few other matches are left.


def come_back_if_late(codes: Iterable[str] = ()) -> None:
    """Give the matches that are about to change the time back that outages of the site have taken from them.

    codes: of these matches. If this process itself was suspended, as when a laptop is closed, that is an outage too.
    Its heartbeat is late then, and writing one notes the outage.
    """
    if _late(_process.beats, timezone.now()):
        beat_as(list(_process.beats))
    if not _process.owes_time:  # All matches have got their time back.
        return
    for gap in Gap.objects.filter(is_settled=False).order_by("began_at"):
        for code in sorted(set(codes)):
            give_back(code, TimeAway(gap.began_at, gap.ended_at or timezone.now()))


def settle() -> bool:
    """Give matches back the time that an outage has taken, for a fraction of a second. Return whether all have it back.

    The clock, the process that plays for bots, calls this each time before it looks for matches with something due. So
    it never stops for long.
    """
    if CLOCK not in _process.beats or not _process.owes_time:  # This process has no clock, or nothing is left to do.
        return True
    gap = Gap.objects.filter(is_settled=False).order_by("began_at").first()
    if gap is None:  # Another process has settled the rest.
        _process.owes_time = False
    elif gap.ended_at is None:
        _note_gap([CLOCK], timezone.now())  # Ends the gap if web processes are working too.
    else:
        _give_back_for_a_moment(gap, gap.ended_at)
    return not _process.owes_time


def forget() -> None:
    """Reset this process to one that never beat. For tests."""
    _process.beats.clear()
    _process.owes_time = False


# Giving time back


def _give_back_for_a_moment(gap: Gap, until: datetime) -> bool:
    """Give the time of a gap (an outage of the site) back to matches, the most urgent first, for up to MOMENT seconds.

    until: the end of the gap, or now if it goes on. Return whether all matches have their time back. If so, and the
    gap has ended, mark it as settled.
    """
    away, begun = TimeAway(gap.began_at, until), time.monotonic()
    for code in _with_time_lost(away).order_by("wake_at").values_list("code", flat=True)[:BATCH]:
        _try_to_give_back(code, away)
        if time.monotonic() - begun > MOMENT:
            return False
    if _with_time_lost(away).exists():
        return False
    Gap.objects.filter(pk=gap.pk, ended_at=until).update(is_settled=True)
    return True


def _is_urgent(gap: TimeAway) -> bool:
    return _with_time_lost(gap).filter(wake_at__lt=timezone.now() + URGENT).exists()


def _try_to_give_back(code: str, gap: TimeAway) -> None:
    """Give one match back the time of an outage. If that fails, log it and don't try again.

    So a damaged match does not keep the others waiting.
    """
    try:
        give_back(code, gap)
    except (InterfaceError, OperationalError):  # The database is away. That is not this match's fault.
        raise
    except Exception:
        log.exception("Match %s could not get its time back.", code)
        # Store this as if it had got its time back.
        Match.objects.filter(code=code).update(gap_began_at=gap.began_at, gap_ended_at=gap.ended_at)


def _with_time_lost(gap: TimeAway) -> QuerySet[Match]:
    """Return the running matches that are still to get back the time of an outage.

    A match with nothing due for days hardly loses anything in a few seconds. So leave it out if the outage took less
    than the share NEGLIGIBLE of its wait, unless one of its players is connected and sees the clock.
    """
    lasted = min(gap.ended_at - gap.began_at, timedelta(days=1))  # Else `latest` could be after the last date there is.
    latest = gap.ended_at + lasted / NEGLIGIBLE  # Matches with something due before this have lost more.
    has_connected_player = Exists(Seat.objects.filter(match=OuterRef("pk"), connected=True, user__isnull=False))
    running = Match.objects.filter(playable_here(), status__in=Match.RUNNING, created_at__lt=gap.ended_at)
    not_given_back = running.exclude(gap_ended_at__gte=gap.ended_at)  # Each match stores up to when it has its time.
    return not_given_back.filter(Q(wake_at__lt=latest) | has_connected_player)


def give_back(code: str, gap: TimeAway) -> None:
    """Give one match back the time of an outage, unless the match is over or has got the time already.

    The match stores up to when it has its time back (`gap_ended_at`), so several processes may try.
    """
    with suppress(Refused), locked(code) as match:  # Refused: the match has been deleted.
        has_got_it = match.gap_ended_at is not None and match.gap_ended_at >= gap.ended_at
        if match.status not in Match.RUNNING or has_got_it:
            return
        after = give_time_back(snapshot_of(match, match.seats.select_related("user")), gap)
        for name in TIME_FIELDS:
            setattr(match, name, getattr(after, name))
        match.gap_began_at, match.gap_ended_at = gap
        match.save(update_fields=["turn_started_at", "away_since", "gap_began_at", "gap_ended_at"])
        # A connected player who was last seen GONE_LIMIT seconds ago counts as gone. During the outage no process could
        # see them. With this time, they count as gone no sooner than COME_BACK_LIMIT seconds after it.
        seen_at = gap.ended_at + timedelta(seconds=COME_BACK_LIMIT - GONE_LIMIT)
        match.seats.filter(connected=True, seen_at__lt=seen_at).update(seen_at=seen_at)
        save_change(match)
