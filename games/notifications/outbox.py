"""What is to be told: written in the transaction of what has happened, taken out and sent once.

A way's row is held by whoever writes for it or takes from it, so of many processes one has it. What is taken counts as
handed over from that commit on: a process that is killed while it sends tells nobody twice, and what has not been taken
is left to the others. Only where it is known that nothing has arrived is it put back.
"""

import logging
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.people import online
from games.kit.language import say
from games.languages import speaking
from games.models import Match
from games.notifications import guard, mail, push, standing, webhook, words
from games.notifications.models import DeliveryMethod, Medium, Notification, NotificationKind, Subscription

log = logging.getLogger("valat.notices")

AWAY = (InterfaceError, OperationalError)  # the database
AWAY_FOR = timedelta(minutes=30)  # without a page open, until a mail is sent
QUIET = {  # between two messages by the same way
    Medium.PUSH: timedelta(minutes=1),
    Medium.WEBHOOK: timedelta(minutes=1),
    Medium.MAIL: timedelta(hours=4),
}
MOST_WAITING = 50  # notices by one way: more say nothing more
TRIED_AGAIN_AFTER = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2))
MOST_FAILURES = 10  # in a row, after which a way is given up
KEPT = timedelta(days=30)  # for which it is known what somebody was told


class Lane(StrEnum):
    """Where a way waits for a sender. Each lane has its own, so that slow servers hold up nobody else."""

    QUICK = "quick"
    NEW = "new"  # nothing was sent by it so far
    SLOW = "slow"


LANES = {
    Lane.QUICK: Q(is_slow=False) | Q(medium=Medium.MAIL),  # the mail server is the host's own
    Lane.NEW: Q(is_slow=None) & ~Q(medium=Medium.MAIL),
    Lane.SLOW: Q(is_slow=True) & ~Q(medium=Medium.MAIL),
}
QUICK = 2.0  # seconds, for the other side's answer
SEND = {Medium.PUSH: push.send, Medium.MAIL: mail.send, Medium.WEBHOOK: webhook.send}


class Taken(NamedTuple):
    """What one way is to be sent, and is taken out for."""

    method: DeliveryMethod
    message: words.Message
    notices: list[int]  # their keys


class News(NamedTuple):
    """Something to notify users of."""

    kind: NotificationKind
    key: str  # What it is about; of one kind each is sent once.
    match: Match | None = None
    other_id: int | None = None  # The key of a user.
    after: timedelta = timedelta()  # It is sent so much later, if it still holds then.


def put(user_ids: Iterable[int], news: News) -> None:
    """Write what these users are to be notified of, each as they have subscribed. Call it in a transaction."""
    subscriptions = Subscription.objects.filter(user__in=list(user_ids), kind=news.kind).values_list("user", "medium")
    wished = set(subscriptions)
    if not wished:
        return
    methods = DeliveryMethod.objects.select_for_update(no_key=True).filter(
        user__in={user for user, _ in wished}, disabled_at=None
    )
    for method in methods.order_by("pk"):  # always in this order, so that nobody waits for each other
        if (method.user_id, method.medium) in wished:
            write(method, news)


def write(method: DeliveryMethod, news: News) -> None:
    """Write one notice for a way whose row is held."""
    kind, key, match, other_id, after = news
    if Notification.objects.filter(method=method, handed_at=None).count() >= MOST_WAITING:
        return
    now = timezone.now()
    due_at = now + (max(after, AWAY_FOR) if method.medium == Medium.MAIL and kind != NotificationKind.TEST else after)
    _, new = Notification.objects.get_or_create(
        method=method, kind=kind, key=key, defaults={"match": match, "other_id": other_id, "due_at": due_at}
    )
    if new:
        _schedule(method)


def take(lane: Lane) -> Taken | None:
    """Take what a way of this lane is due to be sent, if there is any; what no longer holds is thrown away."""
    now = timezone.now()
    due = DeliveryMethod.objects.filter(LANES[lane], disabled_at=None, next_at__lte=now)
    if not due.exists():  # without a transaction: on SQLite each is one that may write
        return None
    method = None
    try:
        with transaction.atomic():
            method = due.select_for_update(skip_locked=True, no_key=True).order_by("next_at").first()
            return _taken(method, now) if method else None
    except AWAY:
        raise
    except Exception:  # of this one: the others have theirs
        log.exception("Way %s could not be written to.", method and method.pk)
        if method:
            DeliveryMethod.objects.filter(pk=method.pk).update(next_at=now + TRIED_AGAIN_AFTER[1])
        return None


def _taken(method: DeliveryMethod, now: datetime) -> Taken | None:
    """What a way whose row is held is sent now."""
    if standing.is_over(method):
        method.delete()
        return None
    due = Notification.objects.filter(method=method, handed_at=None, due_at__lte=now).select_related("match", "other")
    notices = list(due.order_by("pk"))
    waiting, still = standing.standing(method, notices)
    # What no longer holds counts as told, too: else it could be written again and again.
    Notification.objects.filter(pk__in=[notice.pk for notice in notices]).update(handed_at=now)
    if still:
        method.quiet_until = now + QUIET[Medium(method.medium)]
        method.save(update_fields=["quiet_until"])
    _schedule(method)
    if not still:
        return None
    with speaking(method.user.language_read):
        message = words.message(method, still, waiting)
    return Taken(method, message, [notice.pk for notice in still])


def send_next(lane: Lane) -> bool:
    """Send the next message of a lane that is due. Return whether there was one. Not for an event loop."""
    taken = take(lane)
    if taken is None:
        return False
    began = time.monotonic()
    with speaking(taken.method.user.language_read):
        _send(taken)
    # How long that took says in what lane the way waits next time.
    DeliveryMethod.objects.filter(pk=taken.method.pk).update(is_slow=time.monotonic() - began > QUICK)
    return True


def _send(taken: Taken) -> None:
    """Send a message, and note what has become of it, in the language spoken now."""
    try:
        SEND[Medium(taken.method.medium)](taken.method, taken.message)
    except push.Gone:
        taken.method.delete()
    except guard.Failure as failure:
        fail(taken, str(failure), again=failure.again)
    except Exception:
        log.exception("A message by way %s could not be sent.", taken.method.pk)
        fail(taken, say("Something went wrong on our side."), again=False)
    else:
        DeliveryMethod.objects.filter(pk=taken.method.pk).update(failures=0, trouble="")


def fail(taken: Taken, trouble: str, *, again: bool) -> None:
    """Note that it has not arrived, as far as is known. again: for sure, so that it is tried again later.

    A way that fails again and again is given up: a browser is forgotten, a webhook waits for its owner.
    """
    now = timezone.now()
    with transaction.atomic():
        method = DeliveryMethod.objects.select_for_update(no_key=True).filter(pk=taken.method.pk).first()
        if method is None:
            return
        if method.medium != Medium.MAIL:  # there it is the host's own server that fails
            method.failures += 1
        method.trouble = trouble
        if method.failures >= MOST_FAILURES:
            if method.medium == Medium.PUSH:
                method.delete()
                return
            method.disabled_at = now
        if again:
            method.quiet_until = None  # nobody has been disturbed
        method.save(update_fields=["failures", "trouble", "disabled_at", "quiet_until"])
        if again:
            for notice in Notification.objects.filter(pk__in=taken.notices):
                if notice.attempts < len(TRIED_AGAIN_AFTER):
                    notice.due_at = now + TRIED_AGAIN_AFTER[notice.attempts]
                    notice.attempts += 1
                    notice.handed_at = None
                    notice.save(update_fields=["due_at", "attempts", "handed_at"])
        _schedule(method)


def hold_mail_for_those_here() -> None:
    """Put off the mails to whoever has a page open: they are told when they have been away for a while."""
    pending = DeliveryMethod.objects.filter(medium=Medium.MAIL, next_at__isnull=False)
    users = set(pending.values_list("user", flat=True))
    if not users or not (here := online.here(users)):
        return
    with transaction.atomic():
        held = DeliveryMethod.objects.select_for_update(no_key=True).filter(medium=Medium.MAIL, user__in=here)
        for method in held.order_by("pk"):
            waiting, later = Notification.objects.filter(method=method, handed_at=None), timezone.now() + AWAY_FOR
            waiting.exclude(kind=NotificationKind.TEST).filter(due_at__lt=later).update(due_at=later)
            _schedule(method)


def old(before: datetime):
    """The notices that were handed over before a moment."""
    return Notification.objects.filter(handed_at__lt=before)


def _schedule(method: DeliveryMethod) -> None:
    """Note when there is something to send by a way, whose row is held."""
    first = (
        Notification.objects.filter(method=method, handed_at=None)
        .order_by("due_at")
        .values_list("due_at", flat=True)
        .first()
    )
    method.next_at = max(first, method.quiet_until or first) if first else None
    method.save(update_fields=["next_at"])


def unwanted(user: User, medium: Medium, kinds: Iterable[str]) -> None:
    """Throw away what waits of kinds that a user no longer wants by a medium."""
    Notification.objects.filter(method__user=user, method__medium=medium, kind__in=list(kinds), handed_at=None).delete()
