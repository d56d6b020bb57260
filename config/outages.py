"""What counts as the database being away, and how often the log speaks of it."""

import copy
import logging
import threading
import time
from math import inf

from django.db.utils import InterfaceError, OperationalError

OUTAGES = (OperationalError, InterfaceError)  # gone, too slow, locked, full, read-only, not migrated
QUIET = 60.0  # seconds between two lines about the same trouble


class OnceAMinute(logging.Filter):
    """Lets what the log says of an outage through once a minute, as one line with how often it was said meanwhile."""

    def __init__(self):
        super().__init__()
        self._lock = threading.Lock()
        self._said = {}  # (logger, kind of error) -> (when it was let through, how often it was not since)

    def filter(self, record):
        error = record.exc_info[1] if record.exc_info else None
        if not (isinstance(error, OUTAGES) or (error is None and getattr(record, "status_code", None) == 503)):
            return True
        key, now = (record.name, type(error)), time.monotonic()
        with self._lock:
            at, held_back = self._said.get(key, (-inf, 0))
            if now - at < QUIET:
                self._said[key] = (at, held_back + 1)
                return False
            self._said[key] = (now, 0)
        line = copy.copy(record)
        more = f" (and {held_back} times more since this was last said)" if held_back else ""
        reason = f": {' '.join(str(error).split())}" if error else ""
        line.msg, line.args, line.exc_info, line.exc_text = f"{record.getMessage()}{reason}{more}", (), None, None
        return line
