"""How many tables wait for somebody, told to every page of theirs that has a socket: {"waiting": 2}."""

import asyncio
import json
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, TypeGuard

from games.live.threads import DatabaseThread
from games.notices.waiting import waiting

AT_ONCE = 20  # pages that are told before anything else has its turn


class PageSocket(Protocol):
    """A socket that somebody looks through."""

    user_id: int | None
    told_waiting: int | None

    async def send(self, text_data: str) -> None: ...


def is_of_page(socket: object) -> TypeGuard[PageSocket]:
    """Whether somebody looks through a socket: those of programs count no tables."""
    return hasattr(socket, "told_waiting")  # asking whether it is a PageSocket takes twenty times as long


class Pages(Protocol):
    """The sockets of a process, as the hub has them."""

    reads: DatabaseThread

    def sockets_of_pages(self) -> Sequence[PageSocket]: ...

    def start_task(self, coroutine: Coroutine[Any, Any, None]) -> None: ...


async def tell(pages: Pages) -> None:
    """Look how many tables wait for those who are here, all by one query, and tell what is new."""
    users = {socket.user_id for socket in pages.sockets_of_pages() if socket.user_id is not None}
    if not users:
        return
    found = await pages.reads.run(waiting, users)
    told = 0
    for socket in pages.sockets_of_pages():
        number = len(found.get(socket.user_id, ())) if socket.user_id in users else None
        if number is not None and number != socket.told_waiting:
            socket.told_waiting = number
            pages.start_task(socket.send(json.dumps({"waiting": number})))
            told += 1
            if told % AT_ONCE == 0:
                await asyncio.sleep(0)  # moves come first: thousands of pages may be told
