"""Vacations: days on which a user's clocks stop in slow matches, as their tables show."""

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
    """Return when a user's vacation ends, or None."""
    return Vacation.objects.filter(user=user, until__gt=timezone.now()).values_list("until", flat=True).first()


def days_left(user: User) -> int:
    """Return how many days of vacation a user has left this year."""
    used = Vacation.objects.filter(user=user, year=timezone.now().year).values_list("days", flat=True).first()
    return VACATION_DAYS - (used or 0)


@transaction.atomic
def begin(user: User, days: int | None) -> None:
    """Begin a vacation of this many days: at slow tables, where players have days for a move, the user's clock stops.

    Raise Refused if the user has fewer days left in this year.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # Makes a double click wait for the first one.
    if vacation_of(user):
        raise Refused(lazy("You are already on vacation. End it first."))
    left = days_left(user)
    if days is None or not 1 <= days <= left:
        some_left = "Choose from 1 to {left} days."
        none_left = "You have no vacation days left this year. You get new ones in January."
        raise Refused(lazy(some_left if left else none_left, left=left))
    now = timezone.now()
    until = now + timedelta(days=days)
    values = {"until": until, "year": now.year, "days": VACATION_DAYS - left + days}  # days: used this year.
    Vacation.objects.update_or_create(user=user, defaults=values)
    _update_tables(user, until, extra=until - now)


@transaction.atomic
def end(user: User) -> None:
    """End a vacation now. Whole days that are left can be used later. Raise Refused."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    vacation = Vacation.objects.filter(user=user, until__gt=timezone.now()).first()
    if vacation is None:
        raise Refused(lazy("You aren’t on vacation. Load the page again."))
    now = timezone.now()
    unused = vacation.until - now
    vacation.days = max(0, vacation.days - unused.days)
    vacation.until = now
    vacation.save(update_fields=["until", "days"])
    _update_tables(user, None, extra=-unused)


def _update_tables(user: User, until: datetime | None, *, extra: timedelta) -> None:
    """Store a user's vacation at their slow tables, and extend the turns that they have there.

    Slow tables are those where players have days for each move. until: the end of the vacation; None if there is none
    any more. extra: how much later their present turns end. It is negative if a vacation ends early.
    """
    slow_speeds = [speed.slug for speed in SPEEDS.values() if speed.is_slow]
    seats = Seat.objects.filter(user=user, left_at=None, match__status__in=Match.RUNNING, match__speed__in=slow_speeds)
    # In the order of codes, as in games.play.moves, so that two processes never deadlock.
    for code in seats.order_by("match__code").values_list("match__code", flat=True):
        with locked(code) as match:
            if match.status not in Match.RUNNING:  # It has just ended.
                continue
            match.seats.filter(user=user).update(vacation_until=until)
            snapshot = snapshot_of(match, match.seats.select_related("user"))
            is_to_act = snapshot.waits_for_person() and snapshot.to_act == snapshot.player_number(user.pk)
            if is_to_act and match.turn_started_at:
                match.turn_started_at += extra  # A later start moves the end of the turn, too.
            save_change(match, reschedule=match.status == Match.Status.PLAYING)
