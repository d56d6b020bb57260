"""Messages between the processes of a site, over the channel layer.

They announce changes of matches, chats, rooms, bells and the lobby, and rights of users that may have ended. Messages
get lost while the server of the layer is away, so the hub also checks the database.
"""

import asyncio
import contextvars
import logging
import uuid
from collections.abc import Callable, Iterable, Mapping

from channels.layers import InMemoryChannelLayer, get_channel_layer

from games.live.errands import Errands
from games.models import Match
from games.play.snapshot import Snapshot

log = logging.getLogger("valat.live")

LOBBY = "lobby"
USERS = "users"
ANSWER_WITHIN = 3.0  # Seconds. A server that hangs counts as away.

type Message = Mapping[str, str | int]
type Key = tuple[str, str | int, str | int | None]  # Group, type and user. Only the newest message of a key matters.


def group_name(code: str) -> str:
    """Return the channel layer's group for messages about a match."""
    return f"match.{code}"


def page_group(kind: str, code: str) -> str:
    """Return the channel layer's group for messages about a page of a desk. kind: of the desk."""
    return f"{kind}.{code}"


def concerns_lobby(snapshot: Snapshot) -> bool:
    """Return whether the last change of a match changes the lobby (the list of tables) too. snapshot: after the change.

    The lobby shows new tables, who sits there, and the start and the end of a match. Most changes are moves, which it
    does not show.
    """
    is_in_a_lobby = snapshot.terms.listed or snapshot.club is not None
    has_just_begun = snapshot.move_count <= 1
    return is_in_a_lobby and (snapshot.status != Match.Status.PLAYING or has_just_begun)


def there_may_be_others() -> bool:
    """Return whether the channel layer can reach other processes. A layer in memory never leaves this process."""
    return not isinstance(get_channel_layer(), InMemoryChannelLayer)


def match_messages(snapshot: Snapshot) -> list[tuple[str, Message]]:
    """Return the messages that tell other processes of a changed match, as pairs (group, message).

    A group is a topic of the channel layer. A process gets the messages of the groups that it has joined. The revision
    counts the writes of a match. It tells the receiver whether its own copy is older.
    """
    message: Message = {"type": "match.changed", "code": snapshot.code, "revision": snapshot.revision}
    messages: list[tuple[str, Message]] = [(group_name(snapshot.code), message)]
    if concerns_lobby(snapshot):
        messages.append((LOBBY, {"type": "lobby.changed"}))
        messages += page_messages("club", snapshot.club.code) if snapshot.club else []
    return messages


def rights_messages(user_ids: Iterable[int]) -> list[tuple[str, Message]]:
    """Return the messages that these users may have lost rights, as by a ban: (group of the channel layer, message)."""
    # The type has its old name, so that processes of an older version understand it during an update.
    return [(USERS, {"type": "user.hang_up", "user_id": user_id}) for user_id in user_ids]


def chat_messages(code: str) -> list[tuple[str, Message]]:
    """Return the messages about a change of a match's chat or spectators."""
    return [(group_name(code), {"type": "talk.changed", "code": code})]


def page_messages(kind: str, code: str) -> list[tuple[str, Message]]:
    """Return the messages about a changed page of a desk, such as a club. kind: of the desk."""
    return [(page_group(kind, code), {"type": f"{kind}.changed", kind: code})]


def bell_messages(user_ids: Iterable[int]) -> list[tuple[str, Message]]:
    """Return the messages that the bells of these users may have changed."""
    return [(USERS, {"type": "bell.rung", "user_id": user_id}) for user_id in user_ids]


async def send(messages: list[tuple[str, Message]], sender: str = "") -> None:
    """Send (group, message) pairs over the channel layer. Raise an error if it does not answer in time.

    sender: the name of the process, so that it can ignore its own messages.
    """
    async with asyncio.timeout(ANSWER_WITHIN):
        for group, message in messages:
            await get_channel_layer().group_send(group, {**message, "sender": sender})


class Others:
    """The connection of a hub to the other processes. All methods run in its event loop."""

    def __init__(
        self, handle: Callable[[Message], None], is_member: Callable[[str], bool], after_joining: Callable[[str], None]
    ):
        """Messages of other processes go to `handle`.

        is_member: tells whether to be a member of a group. after_joining: called with each group after joining it.
        """
        self.name = uuid.uuid4().hex
        self._handle, self._is_member, self._after_joining = handle, is_member, after_joining
        self._layer = get_channel_layer()
        self._channel: str | None = None
        self._joining = asyncio.Lock()
        self._receiving: asyncio.Task[None] | None = None
        self._groups = Errands("Listening to other processes", self._join_or_leave)
        self._unsent: dict[Key, Message] = {}  # The newest message of each key.
        self._messages = Errands("Announcing to other processes", self._send)

    def update_membership(self, group: str) -> None:
        """Join or leave a group soon, depending on whether this process still needs its messages."""
        self._groups.add(group)

    def announce(self, messages: list[tuple[str, Message]]) -> None:
        """Send messages to the other processes soon, and try again until the channel layer takes them.

        messages: pairs (group, message). The processes that have joined a group get its messages.
        """
        if there_may_be_others():
            for group, message in messages:
                # A message replaces an unsent one about the same thing: receivers read the database anyway.
                key = (group, message["type"], message.get("user_id"))
                self._unsent[key] = message
                self._messages.add(key)

    async def _send(self, key: Key) -> None:
        """Send the message that waits under a key in `_unsent`. key: its group, its type, and its user or None."""
        message = self._unsent.get(key)
        if message is not None:
            group, *_ = key
            await send([(group, message)], self.name)
            if self._unsent[key] is message:  # Otherwise a newer one has replaced it, and waits for its own turn.
                del self._unsent[key]

    async def _join_or_leave(self, group: str) -> None:
        """Join a group of the channel layer if this process needs the messages about its topic. Otherwise leave it."""
        async with asyncio.timeout(ANSWER_WITHIN):
            channel = await self._own_channel()
            if self._is_member(group):
                await self._layer.group_add(group, channel)
                self._after_joining(group)
            else:
                await self._layer.group_discard(group, channel)

    async def _own_channel(self) -> str:
        """Return the name of the channel on which this process receives messages. The first call creates it.

        It also starts the task that receives them.
        """
        async with self._joining:  # Two calls at once must not create two channels.
            if self._channel is None:
                self._channel = await self._layer.new_channel()
                self._receiving = asyncio.get_running_loop().create_task(
                    self._receive(self._channel), context=contextvars.Context()
                )
                self._groups.add(USERS)  # Every process joins the group about rights of users.
        return self._channel

    async def _receive(self, channel: str) -> None:
        """Handle the messages of other processes until cancelled."""
        while True:
            try:
                message = await self._layer.receive(channel)
                if message.get("sender") != self.name:  # A group also returns our own messages.
                    self._handle(message)
            except Exception as error:
                log.error("Other processes can’t be heard: %r", error)
                await asyncio.sleep(1)  # The channel layer may be away. Do not fill the log.
