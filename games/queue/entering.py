"""Enter the queue, stay in it as long as a page asks, and leave it.

Transactions lock users first, then entries, then matches. So a user can't leave and be seated at the same time.
"""

from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts import sanctions
from accounts.models import User
from games.models import Match
from games.play import opening, seating
from games.play.errors import Refused
from games.play.origins import SeatRequest
from games.play.pace import SPEEDS
from games.play.rated import demand_rateable
from games.queue.models import Kind, QueueEntry

SESSION_KEY = "queue"  # Whether somebody has entered the queue in this browser. It saves other pages a query.
SPEED = "normal"
LOOK_EVERY = 2  # Seconds. How often pages ask.
RELOAD_EVERY = 4  # Seconds. How often pages without scripts do.
NOTE_AFTER = timedelta(seconds=3)  # Looks that come sooner after another are not stored.
PRESENT = timedelta(seconds=9)  # Users whose pages have not asked for longer are not seated, nor counted.
FOLLOW_WITHIN = timedelta(seconds=10)  # After a call, other tabs of a user who has arrived go to the table too.
KEPT = timedelta(minutes=2)  # Their entries stay so long: the page may come back, as after a restart of the site.


@transaction.atomic
def enter(user: User, kind: Kind, fill_after: int | None, seat: SeatRequest) -> QueueEntry:
    """Let a user wait for players. Return their entry. Raise Refused. Call it within `room_for`, which locks the user.

    A user who is called to a table has to go there or refuse first. fill_after: seconds until bots may take the free
    seats, None for never. It is ignored for rated matches, which are for people only.
    """
    called = QueueEntry.objects.filter(user=user, match__isnull=False).select_related("match").first()
    if called and not _has_arrived(called):
        return called
    opening.usual_setup(kind.game, kind.length)
    if kind.rated:
        demand_rateable(user, SPEEDS[SPEED], bots=0)
        fill_after = None
    now = timezone.now()
    values = {"fill_after": fill_after, "since": now, "seen_at": now, "match": None}
    values |= {"entropy_hash": seat.entropy_hash, "address": seat.origin.address}
    return QueueEntry.objects.update_or_create(user=user, defaults=kind._asdict() | values)[0]


def look(user: User) -> QueueEntry | None:
    """Note that a page of a user is open. Return their entry, or None if they no longer wait or have taken their seat.

    Time without an open page does not count as waiting.
    """
    entry = QueueEntry.objects.select_related("match").filter(user=user).first()
    if entry is None:
        return None
    if entry.match is not None:
        return None if _has_arrived(entry) else entry
    silence = timezone.now() - entry.seen_at
    if silence > NOTE_AFTER:
        lost = silence if silence > 2 * PRESENT else timedelta()  # More than `step_away` makes of it.
        waiting = QueueEntry.objects.filter(pk=entry.pk, match=None, seen_at=entry.seen_at)  # Two tabs count it once.
        waiting.update(seen_at=timezone.now(), since=F("since") + lost)
        entry.since += lost
    return entry


def _has_arrived(entry: QueueEntry) -> bool:
    """Return whether a called user is at the table, or has no seat there any more. If so, delete the entry."""
    assert entry.match is not None
    seats = entry.match.seats.filter(user=entry.user_id, left_at=None)
    if entry.seen_at < timezone.now() - FOLLOW_WITHIN:
        seats = seats.filter(connected=False)
    if entry.match.status in Match.RUNNING and seats.exists():
        return False
    QueueEntry.objects.filter(pk=entry.pk, match=entry.match).delete()
    return True


def arrive(user: User, code: str) -> None:
    """Delete the entry of a user who opens the page of their table."""
    QueueEntry.objects.filter(user=user, match__code=code, seen_at__lt=timezone.now() - FOLLOW_WITHIN).delete()


def step_away(user: User) -> None:
    """Note that a page was left. Unless another one asks, the user is not seated any more."""
    QueueEntry.objects.filter(user=user, match=None).update(seen_at=timezone.now() - PRESENT)


@transaction.atomic
def leave(user: User, **_: object) -> None:
    """Take a user out of the queue. If they were called just now, they leave that table and a bot takes the seat.

    A receiver of the signals `account_closing` and `barred`.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    for entry in QueueEntry.objects.filter(user=user).select_related("match"):
        entry.delete()
        if entry.match:
            with suppress(Refused):  # It is over, or they have left it already.
                seating.leave_match(user, entry.match.code)


def keep_strip(sender: object, *, request: HttpRequest, user: User, **_: object) -> None:
    """Go on showing how the waiting of a user goes after a log-in. A receiver of `user_logged_in`."""
    if QueueEntry.objects.filter(user=user).exists():
        request.session[SESSION_KEY] = True


def wait_on(sender: object, *, request: HttpRequest, guest: User, **_: object) -> None:
    """Let a guest who has logged in wait on as the user of the account. A receiver of `guest_logged_in`.

    An entry says nothing about the past, so this needs no question. A table to which the guest is called stays theirs
    until the user says that the guest was them: see `call_of_guest`.
    """
    user = request.user
    with transaction.atomic():
        list(User.objects.select_for_update(no_key=True).filter(pk__in=[guest.pk, user.pk]).order_by("pk"))
        if sanctions.why_suspended(user.pk) or QueueEntry.objects.filter(user=user).exists():
            return
        QueueEntry.objects.filter(user=guest, match=None).update(user=user)
        is_in_queue = QueueEntry.objects.filter(user__in=[guest, user]).exists()
    if is_in_queue:
        request.session[SESSION_KEY] = True


def call_of_guest(guest: User) -> QueueEntry | None:
    """Return the entry of a guest who is called to a table, but has logged in to an account before going there."""
    entry = QueueEntry.objects.select_related("match", "user").filter(user=guest, match__isnull=False).first()
    return entry if entry and not _has_arrived(entry) else None


def waited(entry: QueueEntry) -> float:
    """Return for how many seconds a user has waited."""
    return (timezone.now() - entry.since).total_seconds()


def present_counts() -> Counter[Kind]:
    """Return how many users wait for each kind of match and have a page open. One query."""
    present = QueueEntry.objects.filter(match=None, seen_at__gt=timezone.now() - PRESENT)
    return Counter(Kind(*row) for row in present.values_list("game", "length", "rated"))


def abandoned(now: datetime) -> QuerySet[QueueEntry]:
    """Return the entries of users whose pages have not asked for long."""
    return QueueEntry.objects.filter(seen_at__lt=now - KEPT)
