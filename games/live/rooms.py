"""The replay rooms with sockets in this process. Each process that shows a room reads it again after a change."""

from typing import Protocol

from games.history import together
from games.history.together import Person, Room
from games.live import others
from games.live.errands import Errands
from games.live.threads import DatabaseThread
from games.play.errors import Refused

type RoomState = tuple[Room, list[Person]]


class RoomSocket(Protocol):
    """A socket in a room."""

    code: str
    user_id: int | None
    place: int
    person: Person

    def offer(self, offer: RoomState, /) -> None: ...


class RoomDesk:
    """The rooms of a hub. All methods run in its event loop."""

    def __init__(self, reads: DatabaseThread, other_processes: others.Others):
        self.sockets: dict[str, set[RoomSocket]] = {}  # by the code of the room
        self._reads, self._others = reads, other_processes
        self._fetches = Errands("Reading a room", self._fetch)

    def join(self, socket: RoomSocket) -> None:
        """Add a socket to a replay room, and show its person to the others there."""
        group = self.sockets.setdefault(socket.code, set())
        group.add(socket)
        if len(group) == 1:  # The first socket of this room: other processes must announce its changes to us.
            self._others.update_membership(others.room_name(socket.code))
        self.changed(socket.code)

    async def leave(self, socket: RoomSocket) -> None:
        """Remove a closed socket from its replay room, and free its place for somebody else."""
        group = self.sockets.get(socket.code, set())
        group.discard(socket)
        if not group:  # It was the last of this room: this process no longer needs messages about it.
            self.sockets.pop(socket.code, None)
            self._others.update_membership(others.room_name(socket.code))
        await self._reads.run(together.leave, socket.code, socket.place)
        self.changed(socket.code)

    def changed(self, code: str) -> None:
        """Send a changed replay room to its sockets here, and notify the other processes."""
        self.fetch(code)
        self._others.announce(others.room_messages(code))

    def fetch(self, code: str) -> None:
        """Read a room soon and send it to its sockets."""
        self._fetches.add(code)

    async def _fetch(self, code: str) -> None:
        """Read a replay room, where people look at a finished match together. Send it to its sockets here.

        code: of the room. "Here" means in this process.
        """
        if code in self.sockets:
            try:
                state = await self._reads.run(_read_state, code)
            except Refused:
                return  # The room has expired. Its pages stay where they are.
            for socket in self.sockets.get(code, ()):
                socket.offer(state)

    async def keep(self) -> None:
        """Renew the places of our sockets in their rooms, which expire otherwise, and read the rooms again.

        Messages about changes of a room may be lost, so it is read in any case.
        """
        for code, sockets in list(self.sockets.items()):
            await self._reads.run(_keep_places, code, [(socket.place, socket.person) for socket in sockets])
            self.fetch(code)


def _read_state(code: str) -> RoomState:
    """Return a room and the people in it. Raise Refused if it has expired."""
    return together.read(code), together.people(code)


def _keep_places(code: str, places: list[tuple[int, Person]]) -> None:
    """Renew the places of these people in a replay room. Nobody renews places of a dead process, so they expire."""
    for place, person in places:
        together.stay(code, place, person)
