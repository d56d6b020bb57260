"""Sockets whose right has ended: each is closed within a second, whichever process the right was cut in.

The database alone decides. A message that rights of somebody may have ended only makes the next look at it earlier.
"""

from collections.abc import Callable, Collection, Coroutine
from itertools import batched
from typing import Any

from accounts.rights import Credential, invalid_credentials
from games.live.sockets import CONNECT_ANEW, Socket
from games.live.threads import DatabaseThread
from games.play.access import Access, Watcher, excluded_watchers

AT_ONCE = 500  # sockets in one read, so that tables are read between


class RightsDesk:
    """What a hub does for rights. Everything here runs in its event loop."""

    def __init__(self, reads: DatabaseThread, start_task: Callable[[Coroutine[Any, Any, None]], None]):
        self.sockets: set[Socket] = set()  # all of this process
        self._reads, self._start_task = reads, start_task

    async def look(self, user_ids: Collection[int] | None = None) -> None:
        """Close the sockets of these users, or of all, whose right has ended."""
        sockets = [socket for socket in self.sockets if _is_guarded(socket, user_ids)]
        for some in batched(sockets, AT_ONCE, strict=False):
            await self._look_at(some)

    async def _look_at(self, sockets: Collection[Socket]) -> None:
        credentials = {socket.credential for socket in sockets}
        watchers = {_watcher(socket) for socket in sockets if socket.access}
        lost = await self._reads.run(_lost, credentials, watchers)
        for socket in sockets:
            if socket.credential in lost or _watcher(socket) in lost:
                self._start_task(socket.close(CONNECT_ANEW))


def _is_guarded(socket: Socket, user_ids: Collection[int] | None) -> bool:
    if socket.credential is None or socket.is_closing:
        return False
    return user_ids is None or socket.user_id in user_ids


def _watcher(socket: Socket) -> tuple[int | None, Access | None]:
    return socket.user_id, socket.access


def _lost(credentials: set[Credential], watchers: set[Watcher]) -> set[Credential | Watcher]:
    return {*invalid_credentials(credentials), *excluded_watchers(watchers)}
