"""The sockets of rooms where people watch a replay together."""

import json
import logging
from collections.abc import Callable
from functools import partial

from accounts.people.blocks import is_apart
from accounts.sanctions import why_suspended
from games.history import together
from games.history.together import Person, Room
from games.kit.language import lazy
from games.live.consumers import TalkingSocket, in_time
from games.live.hub import hub
from games.live.rooms import RoomState
from games.live.sockets import NOT_FOUND, RECONNECT, TOO_MANY
from games.play import metrics
from games.play.access import Access
from games.play.errors import NotAllowed, Refused
from games.play.requests import Fields

log = logging.getLogger("valat.live")

NO_PLACE = -1


class TogetherConsumer(TalkingSocket[RoomState]):
    """A page in a room. Receives the position and the people, and sends the moves of the steerer."""

    place = NO_PLACE
    person: Person

    async def connect(self) -> None:
        self.code = self.scope["url_route"]["kwargs"]["room"]
        if not await self.enter():
            return
        self.person = together.person_of(self.code, self.scope.get("user") if self.user_id else None)
        try:
            if not await self.may_meet(await in_time(hub().reads.run(together.read, self.code))):
                return
            self.place = await in_time(hub().reads.run(together.enter, self.code, self.person))
        except Refused as refusal:
            await self.send_refusal(str(refusal))
            await self.close(NOT_FOUND if refusal.args[0] == together.NO_SUCH_ROOM else TOO_MANY)
            return
        except Exception:
            log.exception("Room %s could not be read.", self.code)
            metrics.ERRORS.labels("socket").inc()
            await self.close(RECONNECT)
            return
        hub().rooms.join(self)

    async def leave(self) -> None:
        await super().leave()
        if self.place != NO_PLACE:
            await hub().rooms.free_place(self)

    async def may_meet(self, room: Room) -> bool:
        """Return whether the user may be in a replay room: they and its steerer must not have blocked each other.

        The steerer chooses the move that all people in the room see. After a block, close the socket as if there were
        no such room, because blocks are secret.
        """
        steerer = room.steerer.user_id  # None for a visitor, whom nobody can block.
        access = Access(frozenset() if steerer is None else frozenset({steerer}))
        if self.access != access:  # The steerer is another one than at the last check.
            if await in_time(hub().reads.run(is_apart, self.user_id, access.people)):
                await self.send_refusal(together.NO_SUCH_ROOM)
                await self.close(NOT_FOUND)
                return False
            self.access = access
        return True

    async def act(self, message: Fields) -> None:
        if self.place == NO_PLACE:
            return
        if "steer" in message:
            await self._change_room(partial(together.steer, position=message["steer"]))
        elif "hand_over" in message:
            await self._change_room(partial(together.hand_over, to=message["hand_over"]))
        elif "take_over" in message:
            await self._change_room(together.take_over)
        else:
            raise Refused(lazy("We don’t understand that message. Load the page again."))
        hub().rooms.changed(self.code)

    async def _change_room(self, act: Callable[[str, Person], Room]) -> None:
        """Call `act` with the room and this person, in the database thread. Raise Refused if they may not."""
        await in_time(hub().reads.run(_unless_suspended, act, self.code, self.person))

    async def text_of(self, offer: RoomState) -> str:
        """Return a replay room as JSON: the move that is shown, the person who steers, and all people.

        Return "" if this user may no longer be there. offer: the room and the people in it.
        """
        room, people = offer
        if not await self.may_meet(room):
            return ""
        names = [{"id": person.id, "name": person.display_name} for person in people]
        steerer = {"id": room.steerer.id, "name": room.steerer.display_name}
        message = {"you": self.person.id, "steerer": steerer, "people": names, "position": room.position}
        return json.dumps(message)


def _unless_suspended(act: Callable[[str, Person], Room], code: str, person: Person) -> Room:
    """Call `act`, which changes a replay room for a person. code: of the room.

    Raise NotAllowed for a suspended user, who may only watch.
    """
    if why := why_suspended(person.user_id):
        raise NotAllowed(why)
    return act(code, person)
