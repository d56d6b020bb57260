"""Sockets whose right has ended, as after a ban. Each is closed within a second, whichever process ended the right.

The database alone decides. A message of another process only makes the next check earlier.
"""

from collections.abc import Callable, Collection, Coroutine
from itertools import batched
from typing import Protocol

from accounts.rights import Credential, invalid_credentials
from games.live.sockets import RECONNECT
from games.live.threads import DatabaseThread
from games.play.access import Access, Watcher, excluded_watchers

SOCKETS_IN_A_QUERY = 500  # Tables are read between two queries.


class GuardedSocket(Protocol):
    """A socket with the rights that opened it."""

    user_id: int | None
    credential: Credential | None
    access: Access | None
    is_closing: bool

    async def close(self, code: int, /) -> None: ...


class RightsDesk:
    """The checks of rights of a hub. All methods run in its event loop."""

    def __init__(self, reads: DatabaseThread, start_task: Callable[[Coroutine[object, None, None]], None]):
        self.sockets: set[GuardedSocket] = set()  # all sockets of this process
        self._reads, self._start_task = reads, start_task

    async def close_ended(self, user_ids: Collection[int] | None = None) -> None:
        """Close the sockets that their users may no longer have, as after a ban or a logout.

        user_ids: check only the sockets of these users. None means all.
        """
        sockets = [socket for socket in self.sockets if _is_guarded(socket, user_ids)]
        for batch in batched(sockets, SOCKETS_IN_A_QUERY, strict=False):
            await self._close_ended_of(batch)

    async def _close_ended_of(self, sockets: Collection[GuardedSocket]) -> None:
        """Close each of these sockets whose login has ended, or whose user may no longer watch the table."""
        credentials = {socket.credential for socket in sockets if socket.credential}  # Proofs of identity.
        # A watcher is a user without a seat, and what decides who may watch that table.
        watchers = {watcher for socket in sockets if (watcher := _watcher(socket))}
        ended = await self._reads.run(_ended_rights, credentials, watchers)
        for socket in sockets:
            if socket.credential in ended or _watcher(socket) in ended:
                # The page then connects again, and reads why it may not watch.
                self._start_task(socket.close(RECONNECT))


def _is_guarded(socket: GuardedSocket, user_ids: Collection[int] | None) -> bool:
    """Return whether the rights of a socket must be checked. user_ids: check only these users, or all if None.

    Visitors have no credential (proof of identity), and so no right that could end.
    """
    if socket.credential is None or socket.is_closing:
        return False
    return user_ids is None or socket.user_id in user_ids


def _watcher(socket: GuardedSocket) -> Watcher | None:
    """Return the user of a socket and the access rules of the table that they watch; None for players and visitors."""
    return (socket.user_id, socket.access) if socket.user_id is not None and socket.access else None


def _ended_rights(credentials: set[Credential], watchers: set[Watcher]) -> set[Credential | Watcher]:
    """Return the credentials that are no longer valid, and the users who may no longer watch."""
    return {*invalid_credentials(credentials), *excluded_watchers(watchers)}
