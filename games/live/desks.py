"""The pages of one kind with sockets in this process, such as clubs. Each process reads a page again after a change."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Protocol

from games.live import others
from games.live.errands import Errands
from games.live.threads import DatabaseThread


class PageSocket[Offer](Protocol):
    """A socket that shows a page. code: of the club, the tally or the room."""

    code: str
    user_id: int | None

    def offer(self, offer: Offer, /) -> None: ...

    async def close(self, code: int, /) -> None: ...


class Desk[S: PageSocket[Any]](ABC):
    """The pages of one kind that a hub shows. All methods run in its event loop."""

    kind: ClassVar[str]  # "club", in the messages between processes

    def __init__(self, reads: DatabaseThread, other_processes: others.Others):
        self.sockets: dict[str, set[S]] = {}  # by the code of the page
        self._last_read: dict[str, float] = {}  # by code: the time or the revision of the last reading
        self._reads, self._others = reads, other_processes
        self._fetches = Errands(f"Reading a {self.kind}", self._fetch)

    def join(self, socket: S) -> None:
        """Send a socket its page now, and after each change."""
        group = self.sockets.setdefault(socket.code, set())
        group.add(socket)
        if len(group) == 1:  # The first socket of this page: other processes must announce its changes to us.
            self._others.update_membership(others.page_group(self.kind, socket.code))
        self.fetch(socket.code)

    def leave(self, socket: S) -> None:
        """Forget a closed socket."""
        group = self.sockets.get(socket.code, set())
        group.discard(socket)
        if not group:  # It was the last of this page: this process no longer needs messages about it.
            self.sockets.pop(socket.code, None)
            self._last_read.pop(socket.code, None)
            self._others.update_membership(others.page_group(self.kind, socket.code))

    def changed(self, code: str) -> None:
        """Send a changed page to its sockets here, and notify the other processes."""
        self.fetch(code)
        self._others.announce(others.page_messages(self.kind, code))

    def fetch(self, code: str) -> None:
        """Read a page soon and send it to its sockets."""
        self._fetches.add(code)

    @abstractmethod
    async def _fetch(self, code: str) -> None:
        """Read a page and send it to its sockets here, if there are any."""

    @abstractmethod
    async def keep(self) -> None:
        """Read pages again: messages about changes may be lost."""
