"""The replay rooms with sockets in this process. Each process that shows a room reads it again after a change."""

from typing import Protocol

from games.history import together
from games.history.together import Person, Room
from games.live.desks import Desk, PageSocket
from games.play.errors import Refused

type RoomState = tuple[Room, list[Person]]


class RoomSocket(PageSocket[RoomState], Protocol):
    """A socket in a room."""

    place: int
    person: Person


class RoomDesk(Desk[RoomSocket]):
    """The rooms of a hub."""

    kind = "room"

    def join(self, socket: RoomSocket) -> None:
        """Add a socket to a replay room, and show its person to the others there."""
        super().join(socket)
        self.changed(socket.code)

    async def free_place(self, socket: RoomSocket) -> None:
        """Remove a closed socket from its replay room, and free its place for somebody else."""
        self.leave(socket)
        await self._reads.run(together.leave, socket.code, socket.place)
        self.changed(socket.code)

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
