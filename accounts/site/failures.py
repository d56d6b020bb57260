"""A record of pages that failed, for the overview of the staff."""

import logging
import sys
import traceback
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from accounts.site.models import PageFailure

log = logging.getLogger("valat.accounts")

KINDS = 200  # The largest number of different failures that are stored.


def record(sender: object, request: HttpRequest | None = None, **_: object) -> None:
    """Count a page that failed: a receiver of Django's `got_request_exception`, which calls it in the `except`."""
    error = sys.exception()
    if error is None or isinstance(error, DatabaseError):  # Without a database it can't be stored.
        return
    match = request.resolver_match if request else None
    view = match.view_name if match else ""
    try:
        with transaction.atomic():
            _count(view[:100], _place(error)[:200])
    except DatabaseError as trouble:
        log.error("A failure could not be counted: %r", trouble)
    finally:
        if not connection.in_atomic_block:  # Async views fail in a thread whose connection nobody else closes.
            connection.close_if_unusable_or_obsolete()


def _place(error: BaseException) -> str:
    """Return the kind of an error, and our own line of code that is nearest to it. The message may hold secrets."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [
        each for each in frames if each.filename.startswith(f"{settings.BASE_DIR}/") and ".venv" not in each.filename
    ]
    frame = own[-1] if own else frames[-1]
    path = frame.filename.removeprefix(f"{settings.BASE_DIR}/")
    return f"{type(error).__name__} at {path}:{frame.lineno}"


def _count(view: str, place: str) -> None:
    key = {"view": view, "place": place}
    if not PageFailure.objects.filter(**key).exists() and PageFailure.objects.count() < KINDS:
        PageFailure.objects.bulk_create([PageFailure(**key)], ignore_conflicts=True)
    PageFailure.objects.filter(**key).update(times=F("times") + 1, last_at=timezone.now())


def failures_before(moment: datetime) -> QuerySet[PageFailure]:
    """Return the failures that have not come again since then."""
    return PageFailure.objects.filter(last_at__lt=moment)
