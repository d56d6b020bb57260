"""Who listens to which match, and everything that is ever said over a socket.

One hub a process knows all its sockets. A write in this process comes in by `tell_hub`, after its commit; one in
another process comes as a message of the channel layer, which carries the match's code and its revision, never a card.
Either way each socket gets the table of its own seat, made from that seat's view by the page's own templates.
"""

import asyncio
import contextvars
import json
import logging
import uuid
from collections import Counter
from collections.abc import Coroutine
from functools import partial
from typing import Any, Protocol

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer
from django.db import transaction

from games import fragments
from games.live.threads import DatabaseThread
from games.models import Match
from games.play import memory, presence, store
from games.play.pace import HEAL_EVERY
from games.play.snapshot import Snapshot

log = logging.getLogger("valat.live")

CONNECT_ANEW = 1012  # the code of a restart, after which browsers connect again
LOBBY_GROUP = "lobby"
USERS_GROUP = "users"
LOBBY_PAUSE = 0.2  # seconds in which changes of the lobby are gathered
GONE_AFTER = 3.0  # seconds without a page until a player counts as away: a reload is quicker

_hub: "Hub | None" = None


class Listener(Protocol):
    """A socket, as the hub knows it."""

    def offer(self, text: str) -> None: ...


class MatchSocket(Listener, Protocol):
    """One that looks at a match."""

    code: str
    user_id: int | None

    async def close(self, code: int) -> None: ...


def hub() -> "Hub":
    """The hub of this process, started in the running event loop if there is none yet."""
    global _hub
    loop = asyncio.get_running_loop()
    if _hub is None or _hub.loop is not loop:
        _hub = Hub(loop)
    return _hub


def stop() -> None:
    """Forget the hub of this process, for tests."""
    global _hub
    if _hub is not None:
        _hub.thread.close()
        _hub = None


def tell_hub(snapshot: Snapshot, **_: Any) -> None:
    """Say that a match has changed: a receiver of `match_changed`, called from any thread but that of an event loop."""
    if _hub is not None and _hub.loop.is_running():
        _hub.loop.call_soon_threadsafe(_hub.changed, snapshot)
    elif not isinstance(get_channel_layer(), InMemoryChannelLayer):  # that one reaches nobody outside a hub
        async_to_sync(_announce)(snapshot, sender="")


def close_sockets(user_id: int, **_: Any) -> None:
    """Close a user's sockets once this transaction is committed, so that whoever is still logged in connects anew.

    A receiver of `signed_out`: open pages know their user from when they connected.
    """
    transaction.on_commit(partial(_close_sockets, user_id))


def _close_sockets(user_id: int) -> None:
    if _hub is not None and _hub.loop.is_running():
        _hub.loop.call_soon_threadsafe(_hub.close_sockets, user_id)
    elif not isinstance(get_channel_layer(), InMemoryChannelLayer):
        async_to_sync(_announce_sign_out)(user_id, sender="")


def refusal_message(text: str) -> str:
    """The message that an act was refused, and why."""
    return json.dumps({"refused": text})


def group_name(code: str) -> str:
    """The channel layer's group of a match."""
    return f"match.{code}"


def concerns_lobby(snapshot: Snapshot) -> bool:
    """Whether the lobby shows this change: a table opened, its seats changed, a match began or ended."""
    return snapshot.listed and (snapshot.status != Match.Status.PLAYING or snapshot.move_count <= 1)


async def _announce(snapshot: Snapshot, sender: str) -> None:
    layer = get_channel_layer()
    message = {"type": "match.changed", "code": snapshot.code, "revision": snapshot.revision, "sender": sender}
    await layer.group_send(group_name(snapshot.code), message)
    if concerns_lobby(snapshot):
        await layer.group_send(LOBBY_GROUP, {"type": "lobby.changed", "sender": sender})


async def _announce_sign_out(user_id: int, sender: str) -> None:
    # The type is the one that processes from before an update know.
    message = {"type": "user.hang_up", "user_id": user_id, "sender": sender}
    await get_channel_layer().group_send(USERS_GROUP, message)


class SocketCounts:
    """How many sockets each user, or each address, has open."""

    def __init__(self) -> None:
        self._counts: Counter[int | str] = Counter()

    def take(self, who: int | str, limit: int) -> bool:
        """Count one more, unless there are `limit`. Returns whether it was counted."""
        if self._counts[who] >= limit:
            return False
        self._counts[who] += 1
        return True

    def give_back(self, who: int | str) -> None:
        """Count one less."""
        self._counts[who] -= 1
        if not self._counts[who]:
            del self._counts[who]


class Hub:
    """The sockets of one process. Everything here runs in its event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self.loop = loop
        self.name = uuid.uuid4().hex
        self.sockets: dict[str, set[MatchSocket]] = {}  # by code
        self.lobby: set[Listener] = set()
        self.socket_counts = SocketCounts()
        self.thread = DatabaseThread("hub")
        self._pushed: dict[str, int] = {}  # code -> the revision last pushed
        self._tasks: set[asyncio.Task[None]] = set()
        self._lobby_is_due = False
        self._layer = get_channel_layer()
        self._is_alone = isinstance(self._layer, InMemoryChannelLayer)  # no other process hears it
        self._channel: str | None = None
        self._joining = asyncio.Lock()

    def start_task(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine apart from whoever asks for it: it must not inherit a request's context."""
        task = self.loop.create_task(coroutine, context=contextvars.Context())
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("A task of the hub failed.", exc_info=task.exception())

    # Sockets come and go

    async def join(self, socket: MatchSocket, snapshot: Snapshot) -> None:
        """Start pushing a match to a socket."""
        group = self.sockets.setdefault(socket.code, set())
        group.add(socket)
        if len(group) == 1:
            self._pushed[socket.code] = snapshot.revision  # its page is given that one
            await self._listen(group_name(socket.code))
            if not self._is_alone:
                self.start_task(self._fetch(socket.code))  # what came before we listened
        self._note_presence(snapshot)

    def leave(self, socket: MatchSocket) -> None:
        """Stop pushing to a socket."""
        if socket.user_id is not None:
            self.start_task(self._disconnect_later(socket.user_id, socket.code))
        group = self.sockets.get(socket.code, set())
        group.discard(socket)
        if not group:
            self.sockets.pop(socket.code, None)
            self._pushed.pop(socket.code, None)
            if self._channel is not None:
                self.start_task(self._layer.group_discard(group_name(socket.code), self._channel))

    async def join_lobby(self, socket: Listener) -> None:
        self.lobby.add(socket)
        if len(self.lobby) == 1:
            await self._listen(LOBBY_GROUP)

    def leave_lobby(self, socket: Listener) -> None:
        self.lobby.discard(socket)

    async def _listen(self, group: str) -> None:
        async with self._joining:
            if self._channel is None:
                channel = await self._layer.new_channel()
                await self._layer.group_add(USERS_GROUP, channel)
                self._channel = channel
                self.start_task(self._receive())
                self.start_task(self._heal())
        await self._layer.group_add(group, self._channel)

    def _is_here(self, user_id: int | None, code: str) -> bool:
        return user_id is not None and any(socket.user_id == user_id for socket in self.sockets.get(code, ()))

    def _note_presence(self, snapshot: Snapshot) -> None:
        """Store that players with a page open here are connected, where the match doesn't say so."""
        for seat in snapshot.seats:
            if seat.user_id and not seat.connected and not seat.left and self._is_here(seat.user_id, snapshot.code):
                self.start_task(self._store_presence(seat.user_id, snapshot.code, True))

    async def _disconnect_later(self, user_id: int, code: str) -> None:
        await asyncio.sleep(GONE_AFTER)
        if not self._is_here(user_id, code):
            await self._store_presence(user_id, code, False)

    async def _store_presence(self, user_id: int, code: str, connected: bool) -> None:
        await self.thread.run(presence.set_connected, user_id, code, connected)

    # Changes come in

    def changed(self, snapshot: Snapshot) -> None:
        """A write of this process: push it to our own sockets, tell the other processes."""
        self._push(snapshot)
        if not self._is_alone:
            self.start_task(_announce(snapshot, self.name))
        if concerns_lobby(snapshot):
            self._refresh_lobby()

    def close_sockets(self, user_id: int) -> None:
        """Close a user's sockets, here and in the other processes."""
        self._close_sockets_here(user_id)
        self.start_task(_announce_sign_out(user_id, self.name))

    def _close_sockets_here(self, user_id: int) -> None:
        for sockets in self.sockets.values():
            for socket in sockets:
                if socket.user_id == user_id:
                    self.start_task(socket.close(CONNECT_ANEW))

    async def _receive(self) -> None:
        while True:
            try:
                message = await self._layer.receive(self._channel)
            except Exception:  # the layer's server is away: messages are lost, and _heal makes up for them
                log.exception("The channel layer does not answer.")
                await asyncio.sleep(1)
                continue
            self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        """Do what a message asks for. What is not understood here comes from a process with another version."""
        match message:
            case {"sender": self.name}:
                pass
            case {"type": "lobby.changed"}:
                self._refresh_lobby()
            case {"type": "user.hang_up", "user_id": user_id}:
                self._close_sockets_here(user_id)
            case {"type": "match.changed", "code": code, "revision": revision}:
                if code in self.sockets and revision > self._pushed.get(code, -1):
                    self.start_task(self._fetch(code))

    async def _heal(self) -> None:
        """From time to time look for what no message told us of: layers drop messages when they are full or away."""
        while True:
            await asyncio.sleep(HEAL_EVERY)
            try:
                await self.thread.run(presence.keep_connected, self._seats_here())
                revisions = await self.thread.run(store.revisions, list(self.sockets))
            except Exception:
                log.exception("The database does not answer.")
                continue
            for code, revision in revisions.items():
                if revision > self._pushed.get(code, -1):
                    self.start_task(self._fetch(code))

    def _seats_here(self) -> list[int]:
        """The keys of the seats whose players have a page open here."""
        known = [(code, memory.recent(code)) for code in self.sockets]
        return [
            seat.pk
            for code, snapshot in known
            if snapshot
            for seat in snapshot.seats
            if self._is_here(seat.user_id, code)
        ]

    async def _fetch(self, code: str) -> None:
        self._push(await self.thread.run(store.read, code))

    # Pushes go out

    def _push(self, snapshot: Snapshot) -> None:
        """Give every socket of a match its new table."""
        sockets = self.sockets.get(snapshot.code)
        if not sockets or snapshot.revision <= self._pushed.get(snapshot.code, -1):
            return
        self._pushed[snapshot.code] = snapshot.revision
        draw = fragments.Fragments(snapshot)
        for socket in sockets:
            socket.offer(draw.for_user(socket.user_id))
        self._note_presence(snapshot)

    def _refresh_lobby(self) -> None:
        if self.lobby and not self._lobby_is_due:
            self._lobby_is_due = True
            self.loop.call_later(LOBBY_PAUSE, lambda: self.start_task(self._push_lobby()))

    async def _push_lobby(self) -> None:
        self._lobby_is_due = False
        html = await self.thread.run(fragments.lobby_tables)
        for socket in self.lobby:
            socket.offer(html)
