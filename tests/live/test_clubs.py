"""The pages of clubs that a process shows: how often they are read again without news."""

import asyncio

from games.live import clubs
from games.live.clubs import ClubDesk


def test_a_run_reads_few_clubs_again_those_first_that_were_read_longest_ago(monkeypatch):
    desk = ClubDesk(None, None)
    codes = [f"club{number}" for number in range(3 * clubs.AT_ONCE)]
    desk.sockets = {code: set() for code in codes}
    read = []

    def fetch(code):
        read.append(code)
        desk._last_read[code] = clubs.time.monotonic()

    monkeypatch.setattr(desk, "fetch", fetch)
    runs = []
    for _ in range(4):
        asyncio.run(desk.keep())
        runs.append(len(read))

    assert runs == [clubs.AT_ONCE, 2 * clubs.AT_ONCE, 3 * clubs.AT_ONCE, 3 * clubs.AT_ONCE]
    assert read == codes  # Those that were read just now are not due.
    monkeypatch.setattr(clubs, "READ_AGAIN_AFTER", -1.0)
    asyncio.run(desk.keep())
    assert read[-clubs.AT_ONCE :] == codes[: clubs.AT_ONCE]
