"""The rooms that this process has sockets of. What changes in one is read again by every process that shows it."""

from typing import Any, Protocol

from games.history import together
from games.history.together import Person, Room
from games.live import others
from games.live.errands import Errands
from games.live.threads import DatabaseThread
from games.play.errors import Refused


class RoomSocket(Protocol):
    """A socket in a room."""

    code: str
    user_id: int | None
    place: int | None
    person: Person

    def offer(self, offered: tuple[Room, list[Person]]) -> None: ...


class RoomDesk:
    """What a hub does for rooms. Everything here runs in its event loop."""

    def __init__(self, reads: DatabaseThread, other_processes: others.Others):
        self.sockets: dict[str, set[RoomSocket]] = {}  # by the code of the room
        self._reads, self._others = reads, other_processes
        self._fetches = Errands("Reading a room", self._fetch)

    def join(self, socket: RoomSocket) -> None:
        """Tell a socket of its room, and the room of it."""
        group = self.sockets.setdefault(socket.code, set())
        group.add(socket)
        if len(group) == 1:
            self._others.follow(others.room_name(socket.code))
        self.changed(socket.code)

    async def leave(self, socket: RoomSocket) -> None:
        """A socket is gone, and its place free."""
        group = self.sockets.get(socket.code, set())
        group.discard(socket)
        if not group:
            self.sockets.pop(socket.code, None)
            self._others.follow(others.room_name(socket.code))  # no longer
        await self._reads.run(together.leave, socket.code, socket.place)
        self.changed(socket.code)

    def changed(self, code: str) -> None:
        """Something has changed in a room: tell our own sockets and the other processes."""
        self.fetch(code)
        self._others.tell(others.room_changed(code))

    def fetch(self, code: str) -> None:
        """Read a room soon, and tell its sockets."""
        self._fetches.add(code)

    async def _fetch(self, code: str) -> None:
        if code in self.sockets:
            try:
                state = await self._reads.run(_state, code)
            except Refused:
                return  # it is over: its pages stay where they are
            for socket in self.sockets.get(code, ()):
                socket.offer(state)

    async def keep(self) -> None:
        """Say who is there, as those of a process that is no more are forgotten. Tell what no message told of."""
        for code, sockets in list(self.sockets.items()):
            await self._reads.run(_keep, code, [(socket.place, socket.person) for socket in sockets])
            self.fetch(code)


def _state(code: str) -> tuple[Room, list[Person]]:
    return together.read(code), together.people(code)


def _keep(code: str, places: list[tuple[Any, Person]]) -> None:
    for place, person in places:
        together.stay(code, place, person)
