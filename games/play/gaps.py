"""Nobody loses time because the site was away: a heartbeat says when it was, and running matches get that time back.

Web processes and clocks each write a heartbeat once a second. Without one of either kind for GAP_LIMIT seconds there is
a gap, until both beat again. Each running match gets the time back once: it stores up to when it has. So it does not
matter how many processes do that, or that one is killed meanwhile.
"""

import logging
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.models import Gap, Heartbeat, Match, Seat
from games.play.changes import locked, save_change
from games.play.errors import Refused
from games.play.pace import COME_BACK_LIMIT, GAP_LIMIT, GONE_LIMIT, NEGLIGIBLE
from games.play.snapshot_parts import TimeAway
from games.play.store import snapshot_of
from games.play.transition import with_time_back
from games.play.versions import played_here

WEB, CLOCK = Heartbeat.Kind.WEB, Heartbeat.Kind.CLOCK
BEAT_EVERY = 1.0  # seconds
BATCH = 50  # Matches that get their time back in one sweep of a clock, so that bots need not wait for all.

TIMES = ("turn_started_at", "away_since", "asked_at", "here_at", "paused_until", "starts_at", "wake_at")

log = logging.getLogger("valat.gaps")

_beats: dict[str, datetime] = {}  # of this process, by kind


# The heartbeat


def beat(kinds: Iterable[str], now: datetime) -> None:
    """Store that processes of these kinds work now. Store a gap too, if one begins or ends with that."""
    beats = dict(Heartbeat.objects.values_list("kind", "beat_at"))
    if set(kinds) <= beats.keys() and not _late(beats, now):
        Heartbeat.objects.filter(kind__in=kinds, beat_at__lt=now).update(beat_at=now)
    else:
        _note_gap(kinds, now)


@transaction.atomic
def _note_gap(kinds: Iterable[str], now: datetime) -> None:
    beats = {row.kind: row.beat_at for row in Heartbeat.objects.select_for_update().order_by("kind")}
    gap = Gap.objects.filter(ended_at=None).order_by("began_at").first()
    if gap is None and (late := _late(beats, now)):
        gap = Gap.objects.create(began_at=min(late))
    for kind in kinds:
        Heartbeat.objects.get_or_create(kind=kind, defaults={"beat_at": now})
    Heartbeat.objects.filter(kind__in=kinds, beat_at__lt=now).update(beat_at=now)
    if gap and not _late({kind: at for kind, at in beats.items() if kind not in kinds}, now):
        gap.ended_at = max(now, gap.began_at)
        gap.save(update_fields=["ended_at"])
        log.warning("The site was away for %.0f seconds.", (gap.ended_at - gap.began_at).total_seconds())


def _late(beats: dict[str, datetime], now: datetime) -> list[datetime]:
    return [at for at in beats.values() if now - at > timedelta(seconds=GAP_LIMIT)]


class Heart:
    """The heartbeat of a clock."""

    def __init__(self) -> None:
        self.is_steady = False  # Whether every match has its time back.

    def beat(self) -> bool:
        """Beat once a second, and give time back at BATCH matches if there was a gap. Return `is_steady`."""
        now = timezone.now()
        if CLOCK not in _beats or abs(now - _beats[CLOCK]) >= timedelta(seconds=BEAT_EVERY):
            beat([CLOCK], now)
            _beats[CLOCK] = now
            self.is_steady = False
        if not self.is_steady:
            self.is_steady = _go_on_giving_back(now)
        return self.is_steady


def beat_as_web() -> None:
    """Beat, once a second. The first time and after a gap give all time back: a move made before that would cost it."""
    now = timezone.now()
    if WEB not in _beats or _late(_beats, now):
        come_back({WEB, *_beats})
    else:
        beat([WEB], now)
        _beats[WEB] = now


def come_back(kinds: Collection[str]) -> None:
    """Begin to work as processes of these kinds. Beat, and give all time back at once."""
    now = timezone.now()
    beat(kinds, now)
    for gap in Gap.objects.filter(is_settled=False).order_by("began_at"):
        while _give_back(TimeAway(gap.began_at, gap.ended_at or now)):
            pass
        Gap.objects.filter(pk=gap.pk, ended_at__isnull=False).update(is_settled=True)
    _beats.update(dict.fromkeys(kinds, now))


def come_back_if_late() -> None:
    """Before moves, give time back if this process itself stood still, as when a laptop was closed."""
    if _beats and _late(_beats, timezone.now()):
        come_back(list(_beats))


def forget() -> None:
    """Let this process be one that never beat, for tests."""
    _beats.clear()


# Giving time back


def _go_on_giving_back(now: datetime) -> bool:
    """Give time back at BATCH matches after the earliest gap that is not settled. Return whether there is none."""
    gap = Gap.objects.filter(is_settled=False).order_by("began_at").first()
    if gap is None:
        return True
    if gap.ended_at is None:
        _note_gap([CLOCK], now)  # it ends here if all is well
    elif not _give_back(TimeAway(gap.began_at, gap.ended_at)):
        Gap.objects.filter(pk=gap.pk).update(is_settled=True)
    return False


def _give_back(gap: TimeAway) -> int:
    """Give the time of a gap back at BATCH matches, the most urgent first. Return their number."""
    codes = list(_with_time_lost(gap).order_by("wake_at").values_list("code", flat=True)[:BATCH])
    for code in codes:
        try:
            give_back(code, gap)
        except DatabaseError:
            raise
        except Exception:
            log.exception("Match %s could not get its time back.", code)
            Match.objects.filter(code=code).update(gap_began_at=gap.began_at, gap_ended_at=gap.ended_at)
    return len(codes)


def _with_time_lost(gap: TimeAway) -> QuerySet[Match]:
    """The running matches that have not had the time of a gap back, and to which it is not NEGLIGIBLE."""
    lasted = min(gap.ended_at - gap.began_at, timedelta(days=1))
    latest = gap.ended_at + lasted / NEGLIGIBLE
    somebody = Exists(Seat.objects.filter(match=OuterRef("pk"), connected=True, user__isnull=False))
    running = Match.objects.filter(played_here(), status__in=Match.RUNNING, created_at__lt=gap.ended_at)
    unpaid = running.exclude(gap_ended_at__gte=gap.ended_at)
    return unpaid.filter(Q(wake_at__lt=latest) | somebody)


def give_back(code: str, gap: TimeAway) -> None:
    """Give the time of a gap back at one match, unless it is over or has had it."""
    with suppress(Refused), locked(code) as match:
        if match.status not in Match.RUNNING or (match.gap_ended_at and match.gap_ended_at >= gap.ended_at):
            return
        after = with_time_back(snapshot_of(match, match.seats.select_related("user")), gap)
        for name in TIMES:
            setattr(match, name, getattr(after, name))
        match.gap_began_at, match.gap_ended_at = gap
        match.save(update_fields=["turn_started_at", "away_since", "gap_began_at", "gap_ended_at"])
        # Meanwhile no process could store that they are there.
        heard = gap.ended_at + timedelta(seconds=COME_BACK_LIMIT - GONE_LIMIT)
        match.seats.filter(connected=True, seen_at__lt=heard).update(seen_at=heard)
        save_change(match)
