"""Sockets: they join the hub, pass its tables on, and hand moves to the writer."""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from accounts.limits import address_of_scope
from games.catalog import IllegalMove
from games.fragments import Fragments, lobby_tables
from games.live.hub import hub, refusal_message
from games.live.writer import writer
from games.models import Match
from games.play import memory, presence, store
from games.play.errors import Refused, StaleMove
from games.play.requests import MoveRequest, ReadyRequest, clean_move

MESSAGE_LIMIT = 4_096  # characters: a player's move is some 40
FLOOD_LIMIT = 100  # refused messages in a row until the socket is closed

# Why a socket is closed: link.js knows them.
NOT_FOUND = 4404
UNEXPECTED_MESSAGE = 4400
TOO_MANY = 4429

log = logging.getLogger("valat.consumers")


class Socket(AsyncWebsocketConsumer):
    """A socket of ours: no channel of its own in the layer, and only the newest of what it is offered."""

    counted_for: int | str | None = None  # the user or the address

    async def __call__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        self.scope = scope
        self.base_send = send
        self._offered: str | None = None
        self._sending: asyncio.Task[None] | None = None
        user = scope.get("user")
        self.user_id = user.pk if user and user.is_authenticated and user.is_active else None
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            await self.leave()
            if self.counted_for is not None:
                hub().socket_counts.give_back(self.counted_for)

    async def leave(self) -> None:
        """What is to be undone when the socket is no more, however it ended."""

    async def dispatch(self, message: dict[str, Any]) -> None:
        # As channels' own, but without its look after database connections, for which ours have threads.
        await getattr(self, get_handler_name(message))(message)

    async def enter(self) -> bool:
        """Accept the socket, unless its user or address has too many. Returns whether it may go on."""
        await self.accept()
        owner = self.user_id or address_of_scope(self.scope)
        limit = settings.SOCKETS_A_USER if self.user_id else settings.SOCKETS_AN_ADDRESS
        if hub().socket_counts.take(owner, limit):
            self.counted_for = owner
            return True
        await self.send(refusal_message("Too many pages are open: close some of them."))
        await self.close(TOO_MANY)
        return False

    def offer(self, text: str) -> None:
        """Send `text` as soon as what was sent before is out; a newer offer takes the place of one that waits."""
        self._offered = text
        if self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._send_offered())

    async def _send_offered(self) -> None:
        while self._offered is not None:
            text, self._offered = self._offered, None
            try:
                await self.send(text)
            except Exception:  # the server's own kinds of "the socket is gone": its disconnect follows
                return


class NotFoundConsumer(Socket):
    """Answers sockets to addresses that lead nowhere."""

    async def connect(self) -> None:
        await self.accept()
        await self.send(refusal_message("There is nothing here."))
        await self.close(NOT_FOUND)


class LobbyConsumer(Socket):
    """Gives a browser the open tables, at once and whenever they change. Takes no messages."""

    async def connect(self) -> None:
        if await self.enter():
            await hub().join_lobby(self)
            self.offer(await hub().thread.run(lobby_tables))  # the page may be old, as after a sleep

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.close(UNEXPECTED_MESSAGE)

    async def leave(self) -> None:
        hub().leave_lobby(self)


class MatchConsumer(Socket):
    """Gives a browser the table of its seat whenever it changes, and takes that seat's moves."""

    joined = False

    async def connect(self) -> None:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        self._allowance = Allowance(settings.SOCKET_BURST, settings.SOCKET_RATE)
        if not await self.enter():
            return
        try:
            snapshot = await hub().thread.run(store.read, self.code)
        except Match.DoesNotExist:
            await self.send(refusal_message("There is no such match."))
            await self.close(NOT_FOUND)
            return
        self.joined = True
        await hub().join(self, snapshot)
        self.offer(Fragments(memory.recent(self.code) or snapshot).for_user(self.user_id))

    async def leave(self) -> None:
        if self.joined:
            hub().leave(self)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if not self._allowance.take():
            if self._allowance.refused > FLOOD_LIMIT:
                await self.close(TOO_MANY)
            elif self._allowance.refused == 1:
                await self.send(refusal_message("Not so fast: wait a moment."))
            return
        try:
            await self._act(_parsed(text_data))
        except (Refused, IllegalMove) as refusal:
            await self.send(refusal_message(str(refusal)))
            if isinstance(refusal, StaleMove):
                await self._send_table()
        except Exception:
            log.exception("A message to match %s failed.", self.code)
            await self.send(refusal_message("Something broke on our side: try again."))

    async def _act(self, message: dict[str, Any]) -> None:
        if "move" in message:
            move, seen = clean_move(message)
            snapshot = memory.recent(self.code)
            if snapshot is None:
                snapshot = await hub().thread.run(store.read, self.code)
            await writer().play(MoveRequest(self.code, snapshot.player_number(self.user_id), move, seen))
        elif "ready" in message:
            await writer().play(ReadyRequest(self.code, self.user_id))
        elif "resume" in message:
            if await hub().thread.run(presence.resume, self.user_id, self.code) is None:
                await self._send_table()  # nothing has changed, but every message is answered
        elif "sync" in message:
            await self._send_table()
        else:
            raise Refused("That is not a message we know.")

    async def _send_table(self) -> None:
        snapshot = await hub().thread.run(store.read, self.code)
        self.offer(Fragments(snapshot).for_user(self.user_id))


def _parsed(text: str | None) -> dict[str, Any]:
    if text is None or len(text) > MESSAGE_LIMIT:
        raise Refused("That message is too long.")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Refused("That message could not be read.")
    return message


class Allowance:
    """How many messages a socket may still send: `burst` at once, then `rate` a second (a token bucket)."""

    def __init__(self, burst: int, rate: float):
        self._burst = burst
        self._tokens: float = burst
        self._rate = rate
        self._at = time.monotonic()
        self.refused = 0  # in a row

    def take(self) -> bool:
        """Whether one more message is allowed now."""
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if self._tokens < 1:
            self.refused += 1
            return False
        self._tokens -= 1
        self.refused = 0
        return True
