"""Log filters that drop repeated records, for example while the database or Redis is away."""

import copy
import logging
import threading
import time
from collections.abc import Hashable, Iterator

from django.db import InterfaceError, OperationalError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

INTERVAL = 60.0  # seconds
MAX_KINDS = 500
CONNECTION_LOGGERS = ("daphne.", "psycopg.")  # They log each failed connection. Their records differ in arguments.
AWAY = (InterfaceError, OperationalError, RedisConnectionError, RedisTimeoutError, ConnectionError, TimeoutError)


class NoProbe(logging.Filter):
    """Drops Django's records about probes of a process that is not ready."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not getattr(getattr(record, "request", None), "path", "").startswith("/healthz")


class OnceAMinute(logging.Filter):
    """Passes one warning or error of a kind each minute, with the number of dropped ones.

    If a server is away, all records of a logger with the same class of error are one kind, and lose their traceback.
    Other records of this site are of one kind if their texts are equal. For daphne and psycopg the texts without
    arguments count.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._kinds: dict[Hashable, tuple[float, int]] = {}  # when the last record passed, how many were dropped since

    def filter(self, record: logging.LogRecord) -> bool | logging.LogRecord:
        """Drop records that repeat the same problem within a minute.

        Return False to drop a record, True to pass it, or a copy of it that says how many were dropped before.
        """
        # The one which says that the database or Redis is away.
        error = next((error for error in _errors(record) if isinstance(error, AWAY)), None)
        kind = _kind(record, error)
        if record.levelno < logging.WARNING or kind is None:
            return True
        dropped_count = self._admit(kind)
        if dropped_count is None:
            return False
        words = record.getMessage().rstrip()
        short_record = copy.copy(record)
        short_record.args = ()
        if error and record.exc_info:  # One line in place of the traceback.
            words = f"{words} {type(error).__name__}: {' '.join(str(error).split())}"
            short_record.exc_info = short_record.exc_text = None
        short_record.msg = f"{words} (and {dropped_count} more since the last such line)" if dropped_count else words
        return short_record

    def _admit(self, kind: Hashable) -> int | None:
        """Count a record. Return how many of its kind were dropped since the last one passed, or None to drop it."""
        now = time.monotonic()
        with self._lock:
            passed_at, dropped_count = self._kinds.get(kind, (now - INTERVAL, 0))
            if now - passed_at < INTERVAL:
                self._kinds[kind] = passed_at, dropped_count + 1
                return None
            self._kinds.pop(kind, None)
            if len(self._kinds) >= MAX_KINDS:
                self._kinds.pop(next(iter(self._kinds)))  # the kind that passed longest ago
            self._kinds[kind] = now, 0
            return dropped_count


def _errors(record: logging.LogRecord) -> Iterator[BaseException]:
    """Yield the exception of a log record, the exception that caused it, and so on. There may be none."""
    args = record.args if isinstance(record.args, tuple) else ()
    among_args = (arg for arg in args if isinstance(arg, BaseException))
    error = record.exc_info[1] if record.exc_info else next(among_args, None)
    for _ in range(10):  # Causes can form a circle.
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _kind(record: logging.LogRecord, error: BaseException | None) -> Hashable:
    """Return a key that is equal for records of the same problem, or None for a record that is never dropped.

    Records of our own loggers are the same problem if they have the same text, and those of connections if they have
    the same format. error: the exception which says that the database or Redis is away, or None.
    """
    if error:
        return record.name, type(error)
    if record.name.startswith("valat."):
        return record.name, record.getMessage()
    if record.name.startswith(CONNECTION_LOGGERS) and not record.exc_info:
        return record.name, record.msg if isinstance(record.msg, str) else ""
    return None
