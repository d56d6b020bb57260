"""How many tables wait for somebody, told to every page of theirs that has a socket: {"waiting": 2}."""

import asyncio
import json
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, runtime_checkable

from games.live.threads import DatabaseThread
from games.notices.waiting import waiting

log = logging.getLogger("valat.live")

LOOK_EVERY = 3.0  # seconds: tables are played in other processes, too


@runtime_checkable
class PageSocket(Protocol):
    """A socket that somebody looks through."""

    user_id: int | None
    told_waiting: int | None

    async def send(self, text_data: str) -> None: ...


class Pages(Protocol):
    """The sockets of a process, as the hub has them."""

    reads: DatabaseThread

    def sockets_of_pages(self) -> Sequence[PageSocket]: ...

    def start_task(self, coroutine: Coroutine[Any, Any, None]) -> None: ...


async def keep_telling(pages: Pages) -> None:
    """From time to time look how many tables wait for those who are here, all by one query, and tell what is new."""
    while True:
        await asyncio.sleep(LOOK_EVERY)
        users = {socket.user_id for socket in pages.sockets_of_pages() if socket.user_id is not None}
        if not users:
            continue
        try:
            found = await pages.reads.run(waiting, users)
        except Exception as error:
            log.error("Counting the tables that wait failed: %r", error)
            continue
        for socket in pages.sockets_of_pages():
            number = len(found.get(socket.user_id, ())) if socket.user_id in users else None
            if number is not None and number != socket.told_waiting:
                socket.told_waiting = number
                pages.start_task(socket.send(json.dumps({"waiting": number})))
