"""Vacations: days of a year on which the clocks of somebody's slow matches stand still, as their tables are told."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.kit.language import lazy
from games.models import Match, Seat, Vacation
from games.play.changes import locked, save_change
from games.play.errors import Refused
from games.play.pace import SPEEDS, VACATION_DAYS
from games.play.store import snapshot_of


def vacation_of(user: User) -> datetime | None:
    """Until when a user is on vacation, or None."""
    return Vacation.objects.filter(user=user, until__gt=timezone.now()).values_list("until", flat=True).first()


def days_left(user: User) -> int:
    """How many days of vacation a user has left this year."""
    taken = Vacation.objects.filter(user=user, year=timezone.now().year).values_list("days", flat=True).first()
    return VACATION_DAYS - (taken or 0)


@transaction.atomic
def begin(user: User, days: int | None) -> None:
    """Go on vacation for so many days from now on. Raises Refused."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # two clicks are counted one after the other
    if vacation_of(user):
        raise Refused(lazy("You are already on vacation. End it first."))
    left = days_left(user)
    if days is None or not 1 <= days <= left:
        raise Refused(
            lazy("Choose from 1 to {left} days." if left else "You have no vacation days left this year.", left=left)
        )
    now = timezone.now()
    until = now + timedelta(days=days)
    taken = {"until": until, "year": now.year, "days": VACATION_DAYS - left + days}
    Vacation.objects.update_or_create(user=user, defaults=taken)
    _tell_tables(user, until, longer=until - now)


@transaction.atomic
def end(user: User) -> None:
    """Come back: whole days that are left over may be taken another time. Raises Refused."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    vacation = Vacation.objects.filter(user=user, until__gt=timezone.now()).first()
    if vacation is None:
        raise Refused(lazy("You aren’t on vacation. Load the page again."))
    now = timezone.now()
    unused = vacation.until - now
    vacation.days = max(0, vacation.days - unused.days)
    vacation.until = now
    vacation.save(update_fields=["until", "days"])
    _tell_tables(user, None, longer=-unused)


def _tell_tables(user: User, until: datetime | None, *, longer: timedelta) -> None:
    """Note on a user's slow tables that they are away so long, and let a turn of theirs last that much longer."""
    slow = [speed.slug for speed in SPEEDS.values() if speed.slow]
    seats = Seat.objects.filter(user=user, left_at=None, match__status__in=Match.RUNNING, match__speed__in=slow)
    # In the order of codes, as whoever plays many moves at once: neither waits for the other’s rows.
    for code in seats.order_by("match__code").values_list("match__code", flat=True):
        with locked(code) as match:
            if match.status not in Match.RUNNING:
                continue
            match.seats.filter(user=user).update(vacation_until=until)
            snapshot = snapshot_of(match, match.seats.select_related("user"))
            theirs = snapshot.waits_for_person() and snapshot.to_act == snapshot.player_number(user.pk)
            if theirs and match.turn_started_at:
                match.turn_started_at += longer
            save_change(match, reschedule=match.status == Match.Status.PLAYING)
