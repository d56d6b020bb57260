"""The snapshots that this process has seen last, by the code of their match."""

import threading
from collections import OrderedDict

from games.play.snapshot import Snapshot

REMEMBERED = 2_000  # matches; some 10 kB each

_recent: OrderedDict[str, Snapshot] = OrderedDict()
_lock = threading.Lock()


def recent(code: str) -> Snapshot | None:
    """The last snapshot that this process knows of a match, or None."""
    with _lock:
        snapshot = _recent.get(code)
        if snapshot:
            _recent.move_to_end(code)
    return snapshot


def remember(snapshot: Snapshot) -> Snapshot:
    """Keep a snapshot that has been committed, unless a later one is known. Returns it."""
    with _lock:
        known = _recent.get(snapshot.code)
        if known is None or known.revision <= snapshot.revision:
            _recent[snapshot.code] = snapshot
            _recent.move_to_end(snapshot.code)
            if len(_recent) > REMEMBERED:
                _recent.popitem(last=False)
    return snapshot


def forget(code: str | None = None) -> None:
    """Drop what is known of a match, or of all."""
    with _lock:
        if code is None:
            _recent.clear()
        else:
            _recent.pop(code, None)
