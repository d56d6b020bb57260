"""The queue of notifications. They are written in the transaction of their event, and sent once.

Writing or taking a notification locks the row of its delivery method, so only one process takes it. It counts as sent
from that commit on: if a process is killed while it sends, nobody is notified twice. A notification returns to the
queue only if it has certainly not arrived.
"""

import logging
import time
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.people import online
from games.kit.language import say
from games.languages import using_language
from games.notifications import bell, guard, mail, push, validity, webhook, words
from games.notifications.bell import News
from games.notifications.models import DeliveryMethod, Medium, Notification, NotificationKind, Subscription

log = logging.getLogger("valat.notices")

DATABASE_ERRORS = (InterfaceError, OperationalError)
MAIL_DELAY = timedelta(minutes=30)  # A user gets mail only after this time without an open page.
QUIET_PERIODS = {  # between two messages by the same delivery method
    Medium.PUSH: timedelta(minutes=1),
    Medium.WEBHOOK: timedelta(minutes=1),
    Medium.MAIL: timedelta(hours=4),
}
MAX_PENDING = 50  # notifications per delivery method
RETRY_DELAYS = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30), timedelta(hours=2))
MAX_FAILURES = 10  # in a row
LIFETIME = timedelta(days=30)  # of notifications after they were sent


class Lane(StrEnum):
    """A queue of delivery methods. Each lane has its own sender, so that slow servers delay nobody else."""

    QUICK = "quick"
    NEW = "new"  # Nothing has been sent by these yet.
    SLOW = "slow"


LANES = {
    Lane.QUICK: Q(is_slow=False) | Q(medium=Medium.MAIL),  # The mail server is the host's own.
    Lane.NEW: Q(is_slow=None) & ~Q(medium=Medium.MAIL),
    Lane.SLOW: Q(is_slow=True) & ~Q(medium=Medium.MAIL),
}
MAX_QUICK_TIME = 2.0  # seconds
SEND = {Medium.PUSH: push.send, Medium.MAIL: mail.send, Medium.WEBHOOK: webhook.send}


class Delivery(NamedTuple):
    """A message to send. notification_ids: the primary keys of the notifications in it."""

    method: DeliveryMethod
    message: words.Message
    notification_ids: list[int]


def notify(user_ids: Iterable[int], news: News) -> None:
    """Show an event in the bells of these users, and queue the notifications that they want elsewhere too.

    Call this in a transaction. A delivery method is a browser, a mail address or a webhook of a user. Each gets its own
    notification. Pages show nothing about people whom the reader has blocked or muted, so callers need not check that.
    """
    user_ids = set(user_ids)
    queue(user_ids, news, bell.ring(user_ids, news))


def queue(user_ids: set[int], news: News, items: dict[int, int]) -> None:
    """Queue the notifications of an event for each of these users who wants them. items: the rows of bells, by user."""
    rows = Subscription.objects.filter(user__in=user_ids, kind=news.kind).values_list("user", "medium")
    subscriptions = set(rows)
    if not subscriptions:
        return
    methods = DeliveryMethod.objects.select_for_update(no_key=True).filter(
        user__in={user for user, _ in subscriptions}, disabled_at=None
    )
    if news.happened_at:  # A new browser gets no notifications of the past.
        methods = methods.filter(made_at__lt=news.happened_at)
    for method in methods.order_by("pk"):  # The same order everywhere prevents deadlocks.
        if (method.user_id, method.medium) in subscriptions:
            write(method, news, items.get(method.user_id))


def write(method: DeliveryMethod, news: News, item: int | None = None) -> None:
    """Queue the notification of an event for a delivery method: a browser, mail address or webhook of a user.

    The caller has locked its row. news: the event. Its key identifies it, so that it is sent only once, and `after` is
    how long to wait. Mail waits longer: the user may come back by then. item: the key of the event's row of the bell.
    """
    kind, key, after = news.kind, news.key, news.after
    if Notification.objects.filter(method=method, handed_at=None).count() >= MAX_PENDING:
        return  # The user does not need even more.
    now = timezone.now()
    is_delayed_mail = method.medium == Medium.MAIL and kind != NotificationKind.TEST
    due_at = now + (max(after, MAIL_DELAY) if is_delayed_mail else after)
    fields = {"match": news.match, "other_id": news.other_id, "item_id": item, "due_at": due_at}
    _, is_new = Notification.objects.get_or_create(method=method, kind=kind, key=key, defaults=fields)
    if is_new:
        _update_next_at(method)


def take(lane: Lane) -> Delivery | None:
    """Take the next message out of the queue of a lane. Return None if none is due.

    Each lane has a sender of its own: there is one for quick servers, one for new ones and one for slow ones, so that
    slow servers delay nobody else. Drop notifications that are no longer valid, for example of a turn that is over.
    """
    now = timezone.now()
    due = DeliveryMethod.objects.filter(LANES[lane], disabled_at=None, next_at__lte=now)
    if not due.exists():  # On SQLite every transaction locks the database, so we look without one first.
        return None
    method = None
    try:
        with transaction.atomic():
            method = due.select_for_update(skip_locked=True, no_key=True).order_by("next_at").first()
            return _take_due(method, now) if method else None
    except DATABASE_ERRORS:  # The delivery method is not the problem.
        raise
    except Exception:  # A problem with this delivery method must not stop the others.
        log.exception("Way %s could not be written to.", method and method.pk)
        if method:
            DeliveryMethod.objects.filter(pk=method.pk).update(next_at=now + RETRY_DELAYS[1])
        return None


def _take_due(method: DeliveryMethod, now: datetime) -> Delivery | None:
    """Take the due notifications of a browser, mail address or webhook, and combine them into one message.

    Return None if none of them is still valid. The caller has locked the row of the delivery method.
    """
    if validity.is_logged_out(method):  # A browser gets messages only as long as its user is logged in there.
        method.delete()
        return None
    due = Notification.objects.filter(method=method, handed_at=None, due_at__lte=now).select_related(
        "match", "other", "item__club", "item__comment"
    )
    notifications = list(due.order_by("pk"))
    codes, valid = validity.filter_valid(method, notifications)
    # Invalid ones count as sent too. Otherwise the same event could be written again.
    Notification.objects.filter(pk__in=[notification.pk for notification in notifications]).update(handed_at=now)
    if valid:  # Later notifications wait until the quiet period is over, and then share a message.
        method.quiet_until = now + QUIET_PERIODS[Medium(method.medium)]
        method.save(update_fields=["quiet_until"])
    _update_next_at(method)
    if not valid:
        return None
    with using_language(method.user.language_read):
        message = words.message(method, valid, codes)
    return Delivery(method, message, [notification.pk for notification in valid])


def send_next(lane: Lane) -> bool:
    """Send the next message of a lane, a queue for quick, new or slow servers. Return whether there was one.

    This waits for the server of the browser or webhook, so never call it in an event loop.
    """
    delivery = take(lane)
    if delivery is None:
        return False
    began = time.monotonic()
    with using_language(delivery.method.user.language_read):
        _send(delivery)
    # The time that this took decides the lane of the next message to the same server.
    DeliveryMethod.objects.filter(pk=delivery.method.pk).update(is_slow=time.monotonic() - began > MAX_QUICK_TIME)
    return True


def _send(delivery: Delivery) -> None:
    """Send a message by push, mail or webhook, and store whether it has arrived. Errors are in the active language."""
    try:
        SEND[Medium(delivery.method.medium)](delivery.method, delivery.message)
    except push.Gone:  # The browser no longer receives messages.
        delivery.method.delete()
    except guard.Failure as failure:
        record_failure(delivery, str(failure), retry=failure.is_retryable)
    except Exception:
        log.exception("A message by way %s could not be sent.", delivery.method.pk)
        record_failure(delivery, say("Something went wrong on our side."), retry=False)
    else:
        DeliveryMethod.objects.filter(pk=delivery.method.pk).update(failures=0, trouble="")


def record_failure(delivery: Delivery, trouble: str, *, retry: bool) -> None:
    """Store that a message has not arrived, or may not have. trouble: the reason, for the user.

    retry: whether to send its notifications again later, because they have certainly not arrived. After too many
    failures delete a browser, and disable a webhook until its owner tests it.
    """
    now = timezone.now()
    with transaction.atomic():
        method = DeliveryMethod.objects.select_for_update(no_key=True).filter(pk=delivery.method.pk).first()
        if method is None:  # The user has deleted it.
            return
        if method.medium != Medium.MAIL:  # A failure of the host's mail server is not the user's.
            method.failures += 1
        method.trouble = trouble
        if method.failures >= MAX_FAILURES:
            if method.medium == Medium.PUSH:
                method.delete()
                return
            method.disabled_at = now
        if retry:
            method.quiet_until = None  # No message has disturbed the user.
        method.save(update_fields=["failures", "trouble", "disabled_at", "quiet_until"])
        if retry:
            for notification in Notification.objects.filter(pk__in=delivery.notification_ids):
                if notification.attempts < len(RETRY_DELAYS):  # Otherwise we give this one up.
                    notification.due_at = now + RETRY_DELAYS[notification.attempts]
                    notification.attempts += 1
                    notification.handed_at = None
                    notification.save(update_fields=["due_at", "attempts", "handed_at"])
        _update_next_at(method)


def postpone_mail() -> None:
    """Postpone the mails to users who are online, until they have been away for MAIL_DELAY. Call this regularly."""
    pending = DeliveryMethod.objects.filter(medium=Medium.MAIL, next_at__isnull=False)
    users = set(pending.values_list("user", flat=True))
    if not users or not (here := online.here(users)):
        return
    with transaction.atomic():
        methods = DeliveryMethod.objects.select_for_update(no_key=True).filter(medium=Medium.MAIL, user__in=here)
        for method in methods.order_by("pk"):
            later = timezone.now() + MAIL_DELAY
            unsent = Notification.objects.filter(method=method, handed_at=None)
            unsent.exclude(kind=NotificationKind.TEST).filter(due_at__lt=later).update(due_at=later)
            _update_next_at(method)


def sent_before(moment: datetime) -> QuerySet[Notification]:
    """Return the notifications that were sent before a moment."""
    return Notification.objects.filter(handed_at__lt=moment)


def _update_next_at(method: DeliveryMethod) -> None:
    """Update when the next message to a browser, mail address or webhook is due. The caller has locked its row.

    It is None if no notification waits. The quiet period after the previous message must be over.
    """
    unsent = Notification.objects.filter(method=method, handed_at=None).order_by("due_at")
    first = unsent.values_list("due_at", flat=True).first()
    method.next_at = max(first, method.quiet_until or first) if first else None
    method.save(update_fields=["next_at"])


def drop_pending(user: User, medium: Medium, kinds: Iterable[str]) -> None:
    """Delete the pending notifications of kinds that a user has unsubscribed from."""
    Notification.objects.filter(method__user=user, method__medium=medium, kind__in=list(kinds), handed_at=None).delete()
