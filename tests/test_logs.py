"""The log while something is away: once a minute, and how often."""

import logging
import logging.config

import pytest
from django.conf import settings
from django.db import OperationalError

from config import logs


@pytest.fixture
def lines(monkeypatch):
    """What the console shows of records, as a function of a logger's name, level, words and arguments."""
    config = {key: settings.LOGGING[key] for key in ("version", "disable_existing_loggers", "formatters", "filters")}
    shown = []

    class Console(logging.Handler):
        def emit(self, record):
            shown.append(self.format(record).partition(": ")[2])

    handler = {"()": Console} | {key: settings.LOGGING["handlers"]["console"][key] for key in ("formatter", "filters")}
    names = ("valat.test", "daphne.server", "django.request", "psycopg.pool")
    loggers = {name: {"handlers": ["console"], "propagate": False, "level": "INFO"} for name in names}
    before = {name: logging.getLogger(name).__dict__.copy() for name in names}
    logging.config.dictConfig(config | {"handlers": {"console": handler}, "loggers": loggers})
    yield shown
    for name, values in before.items():
        logging.getLogger(name).__dict__.update(values)


def fail(logger, error, words="It failed.", *args):
    try:
        raise error
    except type(error):
        logging.getLogger(logger).exception(words, *args)


def test_a_database_that_is_away_is_told_once_a_minute_without_a_traceback(lines, monkeypatch):
    for move in range(200):
        fail("valat.test", OperationalError("connection\n\trefused"), "Move %s failed.", move)

    assert lines == ["Move 0 failed. OperationalError: connection refused"]

    monkeypatch.setattr(logs, "INTERVAL", 0)
    fail("valat.test", OperationalError("connection refused"), "Move 200 failed.")
    assert lines[1:] == [
        "Move 200 failed. OperationalError: connection refused (and 199 more since the last such line)"
    ]


def test_what_it_caused_is_told_with_it(lines):
    for _ in range(2):
        try:
            try:
                raise ConnectionRefusedError("nobody listens")
            except ConnectionRefusedError as error:
                raise ValueError("no answer") from error
        except ValueError as error:
            logging.getLogger("django.request").error("Internal Server Error", exc_info=error)
            logging.getLogger("valat.test").error("Nothing came: %r", error)

    assert lines == [
        "Internal Server Error ConnectionRefusedError: nobody listens",
        "Nothing came: ValueError('no answer')",
    ]


def test_mistakes_of_ours_keep_their_tracebacks(lines):
    for code in ("aaa", "bbb", "aaa"):
        fail("valat.test", KeyError("x"), "The table of match %s can’t be drawn.", code)
        fail("django.request", KeyError("x"), "Internal Server Error")

    assert [line.splitlines()[0] for line in lines] == [
        "The table of match aaa can’t be drawn.",
        "Internal Server Error",
        "The table of match bbb can’t be drawn.",
        "Internal Server Error",
        "Internal Server Error",
    ]
    assert all("Traceback" in line for line in lines)


def test_connections_that_are_dropped_together_are_one_line(lines):
    for number in range(300):
        logging.getLogger("daphne.server").warning("Application instance for connection %s was killed.", number)
        logging.getLogger("psycopg.pool").warning("error connecting in %r: %s", "pool-1", f"refused {number}")
        logging.getLogger("daphne.server").info("Listening on %s", number)

    assert sum("killed" in line for line in lines) == 1
    assert sum("connecting" in line for line in lines) == 1
    assert sum("Listening" in line for line in lines) == 300


def test_what_is_remembered_has_a_bound(lines):
    for number in range(2 * logs.MAX_KINDS):
        logging.getLogger("valat.test").warning("Match %s.", number)

    log_filter = logs.OnceAMinute()
    for number in range(2 * logs.MAX_KINDS):
        log_filter._admit(number)
    assert len(log_filter._kinds) == logs.MAX_KINDS
