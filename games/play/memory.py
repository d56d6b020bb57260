"""A cache of the latest snapshots in this process, by the code of the match."""

import threading
from collections import OrderedDict

from games.play.snapshot import Snapshot

MAX_SNAPSHOTS = 2_000  # some 10 kB each

_recent: OrderedDict[str, Snapshot] = OrderedDict()
_lock = threading.Lock()


def recent(code: str) -> Snapshot | None:
    """Return the cached snapshot of a match, or None."""
    with _lock:
        snapshot = _recent.get(code)
        if snapshot:
            _recent.move_to_end(code)
    return snapshot


def remember(snapshot: Snapshot) -> Snapshot:
    """Cache a committed snapshot of a match, unless a later one is cached. Return the given one.

    If the cache is full, the match that was not used for longest is dropped.
    """
    with _lock:
        cached = _recent.get(snapshot.code)
        if cached is None or cached.revision <= snapshot.revision:
            _recent[snapshot.code] = snapshot
            _recent.move_to_end(snapshot.code)
            if len(_recent) > MAX_SNAPSHOTS:
                _recent.popitem(last=False)
    return snapshot


def forget(code: str | None = None) -> None:
    """Remove a match from the cache, or all matches."""
    with _lock:
        if code is None:
            _recent.clear()
        else:
            _recent.pop(code, None)
