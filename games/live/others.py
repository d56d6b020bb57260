"""What the processes of a site tell each other over the channel layer.

A match or the lobby has changed, a right of a user may have ended. That of a match carries its code and its revision.
Messages get lost while the layer's server is away, which is why the hub looks for changes by itself too.
"""

import asyncio
import contextvars
import logging
import uuid
from collections.abc import Callable, Iterable
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.live.errands import Errands
from games.models import Match
from games.play.snapshot import Snapshot

log = logging.getLogger("valat.live")

LOBBY = "lobby"
USERS = "users"
ANSWER_WITHIN = 3.0  # seconds: a server that hangs is as one that is away

Message = dict[str, Any]
Key = tuple[str, str, int | None]  # group, type and user: of equal ones the newest is enough


def group_name(code: str) -> str:
    """The channel layer's group of a match."""
    return f"match.{code}"


def room_name(code: str) -> str:
    """The channel layer's group of a room in which a replay is watched."""
    return f"room.{code}"


def room_of(group: str) -> str | None:
    """The code of the room that a group is of; None for another group."""
    return group.removeprefix(room_name("")) if group.startswith(room_name("")) else None


def concerns_lobby(snapshot: Snapshot) -> bool:
    """Whether the lobby shows this change: a table opened, its seats changed, a match began or ended."""
    return (snapshot.terms.listed or snapshot.club is not None) and (
        snapshot.status != Match.Status.PLAYING or snapshot.move_count <= 1
    )


def there_may_be_others() -> bool:
    """Whether the channel layer reaches other processes at all."""
    return not isinstance(get_channel_layer(), InMemoryChannelLayer)


def changed(snapshot: Snapshot) -> list[tuple[str, Message]]:
    """What is told of a match that has changed: (group, message) each."""
    message: Message = {"type": "match.changed", "code": snapshot.code, "revision": snapshot.revision}
    told: list[tuple[str, Message]] = [(group_name(snapshot.code), message)]
    return [*told, (LOBBY, {"type": "lobby.changed"})] if concerns_lobby(snapshot) else told


def rights_changed(user_ids: Iterable[int]) -> list[tuple[str, Message]]:
    """Return the messages that rights of these users may have ended. Processes from before an update know the type."""
    return [(USERS, {"type": "user.hang_up", "user_id": user_id}) for user_id in user_ids]


def talked(code: str) -> list[tuple[str, Message]]:
    """What is told of a match whose talk has changed, or who watches it."""
    return [(group_name(code), {"type": "talk.changed", "code": code})]


def room_changed(code: str) -> list[tuple[str, Message]]:
    """What is told of a room in which something has changed."""
    return [(room_name(code), {"type": "room.changed", "room": code})]


async def tell(messages: list[tuple[str, Message]], sender: str = "") -> None:
    """Send messages. Raises where the layer does not answer."""
    async with asyncio.timeout(ANSWER_WITHIN):
        for group, message in messages:
            await get_channel_layer().group_send(group, message | {"sender": sender})


class Others:
    """The other processes, as a hub hears and tells them. Everything here runs in its event loop."""

    def __init__(self, hear: Callable[[Message], None], wants: Callable[[str], bool], joined: Callable[[str], None]):
        """hear: called with every message of another process. wants: whether a group is to be listened to.
        joined: called with a group when it is listened to from now on.
        """
        self.name = uuid.uuid4().hex
        self._hear, self._wants, self._joined = hear, wants, joined
        self._layer = get_channel_layer()
        self._channel: str | None = None
        self._joining = asyncio.Lock()
        self._receiving: asyncio.Task[None] | None = None
        self._groups = Errands("Listening to other processes", self._follow)
        self._unsent: dict[Key, Message] = {}  # the newest by its key
        self._messages = Errands("Telling other processes", self._send)

    def follow(self, group: str) -> None:
        """Listen to a group from now on, or no longer, as it is wanted."""
        self._groups.add(group)

    def tell(self, messages: list[tuple[str, Message]]) -> None:
        """Send messages, sooner or later."""
        if there_may_be_others():
            for group, message in messages:
                key = (group, message["type"], message.get("user_id"))
                self._unsent[key] = message
                self._messages.add(key)

    async def _send(self, key: Key) -> None:
        message = self._unsent.get(key)
        if message is not None:
            await tell([(key[0], message)], self.name)
            if self._unsent[key] is message:
                del self._unsent[key]

    async def _follow(self, group: str) -> None:
        async with asyncio.timeout(ANSWER_WITHIN):
            channel = await self._own_channel()
            if self._wants(group):
                await self._layer.group_add(group, channel)
                self._joined(group)
            else:
                await self._layer.group_discard(group, channel)

    async def _own_channel(self) -> str:
        async with self._joining:
            if self._channel is None:
                self._channel = await self._layer.new_channel()
                self._receiving = asyncio.get_running_loop().create_task(
                    self._receive(self._channel), context=contextvars.Context()
                )
                self._groups.add(USERS)
        return self._channel

    async def _receive(self, channel: str) -> None:
        while True:
            try:
                message = await self._layer.receive(channel)
                if message.get("sender") != self.name:
                    self._hear(message)
            except Exception as error:
                log.error("Other processes can’t be heard: %r", error)
                await asyncio.sleep(1)
