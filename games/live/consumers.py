"""Sockets: they join the hub, pass its tables on, and hand moves to the writer."""

import asyncio
import json
import logging
import time

from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from accounts.limits import address_of_scope
from games.catalog import IllegalMove
from games.fragments import TableDrawer, lobby_tables
from games.live import hub as live
from games.live.writer import writer
from games.models import Match
from games.pages.forms import clean_move
from games.play import services
from games.play import snapshot as snapshots

MESSAGE_LIMIT = 4_096  # characters: a player's move is some 40
PATIENCE = 100  # refused messages of a flood until the socket is closed

NOWHERE = 4404
UNASKED = 4400
TOO_MANY = 4429

log = logging.getLogger("valat.consumers")


class Socket(AsyncWebsocketConsumer):
    """A socket of ours: no channel of its own in the layer, and only the newest of what it is offered."""

    opener = None  # the user or the address that it is counted for

    async def __call__(self, scope, receive, send):
        self.scope = scope
        self.base_send = send
        self._offered = None
        self._sending = None
        user = scope.get("user")
        self.user_id = user.pk if user and user.is_authenticated and user.is_active else None
        try:
            while True:
                await self.dispatch(await receive())
        except StopConsumer:
            pass
        finally:
            await self.leave()
            if self.opener is not None:
                live.hub().openers.give_back(self.opener)

    async def leave(self):
        """What is to be undone when the socket is no more, however it ended."""

    async def dispatch(self, message):
        # As channels' own, but without its look after database connections, for which ours have threads.
        await getattr(self, get_handler_name(message))(message)

    async def enter(self):
        """Accept the socket, unless its user or address has too many. Returns whether it may go on."""
        await self.accept()
        opener = self.user_id or address_of_scope(self.scope)
        if live.hub().openers.take(opener, settings.SOCKETS_A_USER if self.user_id else settings.SOCKETS_AN_ADDRESS):
            self.opener = opener
            return True
        await self.send(live.refusal("Too many pages are open: close some of them."))
        await self.close(TOO_MANY)
        return False

    def offer(self, text):
        """Send `text` as soon as what was sent before is out; a newer offer takes the place of one that waits."""
        self._offered = text
        if self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._send_offered())

    async def _send_offered(self):
        while self._offered is not None:
            text, self._offered = self._offered, None
            try:
                await self.send(text)
            except Exception:  # the server's own kinds of "the socket is gone": its disconnect follows
                return


class NowhereConsumer(Socket):
    """Answers sockets to addresses that lead nowhere."""

    async def connect(self):
        await self.accept()
        await self.send(live.refusal("There is nothing here."))
        await self.close(NOWHERE)


class LobbyConsumer(Socket):
    """Gives a browser the open tables, at once and whenever they change. Takes no messages."""

    async def connect(self):
        if await self.enter():
            await live.hub().join_lobby(self)
            self.offer(await live.hub().thread.run(lobby_tables))  # the page may be old, as after a sleep

    async def receive(self, text_data=None, bytes_data=None):
        await self.close(UNASKED)

    async def leave(self):
        live.hub().leave_lobby(self)


class MatchConsumer(Socket):
    """Gives a browser the table of its seat whenever it changes, and takes that seat's moves."""

    joined = False

    async def connect(self):
        hub = live.hub()
        self.code = self.scope["url_route"]["kwargs"]["code"]
        self._allowance = Allowance(settings.SOCKET_BURST, settings.SOCKET_RATE)
        if not await self.enter():
            return
        try:
            snapshot = await hub.thread.run(snapshots.read, self.code)
        except Match.DoesNotExist:
            await self.send(live.refusal("There is no such match."))
            await self.close(NOWHERE)
            return
        self.joined = True
        await hub.join(self, snapshot)
        self.offer(TableDrawer(snapshots.recent(self.code) or snapshot).table(self.user_id))

    async def leave(self):
        if self.joined:
            live.hub().leave(self)

    async def receive(self, text_data=None, bytes_data=None):
        if not self._allowance.take():
            if self._allowance.refused > PATIENCE:
                await self.close(TOO_MANY)
            elif self._allowance.refused == 1:
                await self.send(live.refusal("Not so fast: wait a moment."))
            return
        try:
            await self._act(_parsed(text_data))
        except (services.Refused, IllegalMove) as refusal:
            await self.send(live.refusal(str(refusal)))
            if isinstance(refusal, services.StaleMove):
                await self._send_table()
        except Exception:
            log.exception("A message to match %s failed.", self.code)
            await self.send(live.refusal("Something broke on our side: try again."))

    async def _act(self, message):
        hub = live.hub()
        if "move" in message:
            move, seen = clean_move(message)
            snapshot = snapshots.recent(self.code) or await hub.thread.run(snapshots.read, self.code)
            seat = snapshot.player_number(self.user_id)
            await writer().play(services.MoveRequest(self.code, seat, move, seen))
        elif "ready" in message:
            await writer().play(services.ReadyRequest(self.code, self.user_id))
        elif "resume" in message:
            if await hub.thread.run(services.resume, self.user_id, self.code) is None:
                await self._send_table()  # nothing has changed, but every message is answered
        elif "sync" in message:
            await self._send_table()
        else:
            raise services.Refused("That is not a message we know.")

    async def _send_table(self):
        snapshot = await live.hub().thread.run(snapshots.read, self.code)
        self.offer(TableDrawer(snapshot).table(self.user_id))


def _parsed(text):
    if text is None or len(text) > MESSAGE_LIMIT:
        raise services.Refused("That message is too long.")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise services.Refused("That message could not be read.")
    return message


class Allowance:
    """How many messages a socket may still send: `burst` at once, then `rate` a second (a token bucket)."""

    def __init__(self, burst, rate):
        self._burst = self._tokens = burst
        self._rate = rate
        self._at = time.monotonic()
        self.refused = 0  # in a row

    def take(self):
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
