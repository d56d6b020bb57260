"""What is kept out of the log: the same trouble over and over, as while the database or Redis is away."""

import copy
import logging
import threading
import time
from collections.abc import Hashable, Iterator

from django.db import InterfaceError, OperationalError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

EVERY = 60.0  # seconds
REMEMBERED = 500  # kinds of lines
WITHOUT_ARGUMENTS = ("daphne.", "psycopg.")  # loggers with a line for every connection that is dropped or not made
AWAY = (InterfaceError, OperationalError, RedisConnectionError, RedisTimeoutError, ConnectionError, TimeoutError)


class NoProbe(logging.Filter):
    """Lets through all but what Django says of each probe that finds this process unready."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not getattr(getattr(record, "request", None), "path", "").startswith("/healthz")


class OnceAMinute(logging.Filter):
    """Lets a warning or an error of a kind through once a minute, saying how many there were meanwhile.

    Of what fails because something is away there is one kind for each logger and error, and no traceback, which would
    say nothing that the line doesn't. Other lines of ours are told apart by their words; those of daphne and
    psycopg by their words without the connection that they tell of.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._kinds: dict[Hashable, tuple[float, int]] = {}  # when one was let through, how many were withheld since

    def filter(self, record: logging.LogRecord) -> bool | logging.LogRecord:
        error = next((error for error in _errors(record) if isinstance(error, AWAY)), None)
        kind = _kind(record, error)
        if record.levelno < logging.WARNING or kind is None:
            return True
        withheld = self._withheld(kind)
        if withheld is None:
            return False
        words = record.getMessage().rstrip()
        told = copy.copy(record)
        told.args = ()
        if error and record.exc_info:
            words = f"{words} {type(error).__name__}: {' '.join(str(error).split())}"
            told.exc_info = told.exc_text = None
        told.msg = f"{words} (and {withheld} more since the last such line)" if withheld else words
        return told

    def _withheld(self, kind: Hashable) -> int | None:
        """How many of this kind were withheld since the last one; None where this one is to be, too."""
        now = time.monotonic()
        with self._lock:
            told_at, withheld = self._kinds.get(kind, (now - EVERY, 0))
            if now - told_at < EVERY:
                self._kinds[kind] = told_at, withheld + 1
                return None
            self._kinds.pop(kind, None)
            if len(self._kinds) >= REMEMBERED:
                self._kinds.pop(next(iter(self._kinds)))  # the one that was told longest ago
            self._kinds[kind] = now, 0
            return withheld


def _errors(record: logging.LogRecord) -> Iterator[BaseException]:
    """The exceptions that a line tells of, with what caused them."""
    args = record.args if isinstance(record.args, tuple) else ()
    among_args = (arg for arg in args if isinstance(arg, BaseException))
    error = record.exc_info[1] if record.exc_info else next(among_args, None)
    for _ in range(10):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _kind(record: logging.LogRecord, error: BaseException | None) -> Hashable:
    """What makes two lines alike; None for a line that is always told."""
    if error:
        return record.name, type(error)
    if record.name.startswith("valat."):
        return record.name, record.getMessage()
    if record.name.startswith(WITHOUT_ARGUMENTS) and not record.exc_info:
        return record.name, record.msg if isinstance(record.msg, str) else ""
    return None
