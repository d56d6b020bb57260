"""Sockets: they join the hub, pass its tables on, and hand moves to the writer."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings

from accounts.limits import address_of_scope
from games.catalog import IllegalMove
from games.challenges.seen import why_hidden
from games.chat import posting
from games.fragments import Fragments, lobby_tables
from games.history.folding import extend_latest
from games.kit.language import lazy, say
from games.live.allowance import Refusals
from games.live.hub import hub
from games.live.sockets import NOT_FOUND, TOO_MANY, Socket, refusal_message
from games.live.writer import writer
from games.models import Match
from games.play import claims, memory, metrics, presence, waiting
from games.play.access import Access
from games.play.errors import NO_SUCH_MATCH, Refused, StaleMove
from games.play.origins import COOKIE
from games.play.requests import MoveRequest, ReadyRequest, clean_count, clean_first, clean_move
from games.play.snapshot import Snapshot

PONG = json.dumps({"pong": 1})
MESSAGE_LIMIT = 4_096  # characters: a player's move is some 40
ANSWER_WITHIN = 4.0  # seconds: who waits longer is told so, and gets the table as soon as it can be read
FLOOD_LIMIT = 100  # refused messages of a user until each of their sockets is closed that sends one more

TOO_FAST = lazy("That was too fast. Wait a moment.")

log = logging.getLogger("valat.consumers")


class NotFoundConsumer(Socket):
    """Answers sockets to addresses that lead nowhere."""

    async def connect(self) -> None:
        await super().connect()
        await self.tell(say("There is nothing at this address. Check it."))
        await self.close(NOT_FOUND)


class CountedSocket(Socket):
    """A socket that the hub knows: how many there are of its user and its address, and until when they may have it."""

    counted_for: Collection[int | str] = ()  # its address, and its user

    async def enter(self) -> bool:
        """Accept the socket, unless its user or address has too many. Returns whether it may go on."""
        await super().connect()
        hub().rights.sockets.add(self)
        self.address = address_of_scope(self.scope)
        limits: dict[int | str, int] = {self.address: settings.SOCKETS_AN_ADDRESS}
        if self.user_id is not None:
            limits[self.user_id] = settings.SOCKETS_A_USER
        if not hub().socket_counts.take(limits):
            await self._turn_away(say("You have too many pages open. Close some of them."))
            return False
        self.counted_for = limits.keys()
        if not self.may_send():  # to open one costs more than a message
            await self._turn_away(str(TOO_FAST))
            return False
        return True

    def may_send(self) -> bool:
        """Whether its user and its address have a message left; it is counted."""
        return hub().messages.take(self.user_id or self.address, self.address)

    async def _turn_away(self, sentence: str) -> None:
        await self.tell(sentence)
        await self.close(TOO_MANY)

    async def leave(self) -> None:
        hub().rights.sockets.discard(self)
        hub().socket_counts.give_back(self.counted_for)


class LobbyConsumer(CountedSocket):
    """Gives a browser the open tables, at once and whenever they change. Takes no messages."""

    _html = ""

    async def connect(self) -> None:
        if not await self.enter():
            return
        hub().join_lobby(self)
        try:
            viewer = self.user_id, self.language
            self.offer((await hub().reads.run(lobby_tables, {viewer}))[viewer])  # the page may be old, as after a sleep
        except Exception:
            log.exception("The lobby could not be read.")
            hub().refresh_lobby()

    def offer(self, offered: str) -> None:
        """As every socket, but nothing that it was offered last."""
        if offered != self._html:
            self._html = offered
            super().offer(offered)

    async def leave(self) -> None:
        await super().leave()
        hub().leave_lobby(self)


class TalkingSocket(CountedSocket):
    """A socket that takes messages, as many as its user and its address may send, and says why it refuses one."""

    async def enter(self) -> bool:
        self._refusals = Refusals()  # Only of visitors. Visitors of one address may be several people.
        return await super().enter()

    async def receive(self, text: str | None) -> None:
        if not self.may_send():
            refused = self._refusals.add() if self.user_id is None else hub().messages.refuse(self.user_id)
            if refused > FLOOD_LIMIT:
                await self.close(TOO_MANY)
            elif refused <= 1:
                await self.tell(str(TOO_FAST))
            return
        message: dict[str, Any] = {}
        try:
            message = _parsed(text)
            await self.act(message)
        except (Refused, IllegalMove) as refusal:
            metrics.REFUSALS.inc()
            await self.refuse(message, refusal)
        except Exception:
            log.exception("A message to %s failed.", self.scope["path"])
            metrics.ERRORS.labels("socket").inc()
            await self.tell(say("Something went wrong on our side. Please try again."))

    async def act(self, message: dict[str, Any]) -> None:
        """Do what a message asks for. Raises Refused or IllegalMove."""
        raise NotImplementedError

    async def refuse(self, message: dict[str, Any], refusal: Exception) -> None:
        """Say why it is not done."""
        await self.tell(str(refusal))


# What a message asks for beside moves, by its key; each is called with the user, the match's code and the message.
ACTS: dict[str, Callable[[int | None, str, dict[str, Any]], object]] = {
    "vote": lambda user, code, message: waiting.vote_for_stand_in(user, code, clean_count(message.get("seen"))),
    "ask": lambda user, code, message: waiting.ask_if_present(user, code, clean_count(message.get("seen"))),
    "here": lambda user, code, _: waiting.confirm_presence(user, code),
    "pause": lambda user, code, _: waiting.ask_for_pause(user, code),
    "go_on": lambda user, code, _: waiting.end_pause(user, code),
    "say": lambda user, code, message: posting.post(
        user, code, phrase=message.get("phrase", ""), text=message.get("text", "")
    ),
}


class MatchConsumer(TalkingSocket):
    """Gives a browser the table of its seat whenever it changes, and takes that seat's moves.

    {"ping": 1} is answered by {"pong": 1}, and nothing is read for it: so a page finds out that its socket is dead.
    """

    revision = -1  # of the newest table that it was offered, and could draw
    _joined = False
    _checked_access: Access | None = None  # with what its user was last found to be allowed to look
    _noted = False  # that its user, who has no seat, has seen cards
    _knows_of_failure = False  # whether it was told that its table can't be drawn
    hears_talk = False  # until its user is known to be allowed to look
    _unheard = ""  # the talk of the match as it is still to be sent
    _hearing: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        # How many moves its page has been sent; None where it doesn't say, and is told of none before its first table.
        self._seen = clean_count(parse_qs(self.scope["query_string"].decode("latin1")).get("seen", [""])[-1])
        if await self.enter():
            await self._send_table()

    async def leave(self) -> None:
        await super().leave()
        if self._joined:
            hub().leave(self)

    async def refuse(self, message: dict[str, Any], refusal: Exception) -> None:
        await super().refuse(message, refusal)
        if isinstance(refusal, StaleMove):
            await self._send_table()

    async def act(self, message: dict[str, Any]) -> None:
        if "ping" in message:
            await self.send(PONG)
        elif "move" in message:
            move, seen = clean_move(message)
            first = clean_first(message)
            seat = (await recent(self.code)).player_number(self.user_id)
            await soon(writer().play(MoveRequest(self.code, seat, move, seen, first=first)))
        elif "ready" in message:
            await soon(writer().play(ReadyRequest(self.code, self.user_id)))
        elif "resume" in message:
            if await soon(hub().writes.run(presence.resume, self.user_id, self.code)) is None:
                await self._send_table()  # nothing has changed, but every message is answered
        elif "claim" in message:
            await self._claim(message)
        elif "sync" in message:
            await self._send_table()
        elif acts := [ACTS[key] for key in ACTS if key in message]:
            await soon(hub().writes.run(acts[0], self.user_id, self.code, message))
        else:
            raise Refused(lazy("We don’t understand that message. Load the page again."))

    async def _claim(self, message: dict[str, Any]) -> None:
        if not hub().claims.take(self.user_id or self.address, self.address):
            raise claims.TooOften(claims.TOO_OFTEN)
        try:
            snapshot = (await soon(hub().matches.read(self.code))).snapshot
        except Match.DoesNotExist:
            raise Refused(NO_SUCH_MATCH) from None
        claim = partial(claims.claim_at, snapshot, seen_count=clean_count(message.get("seen")))
        await soon(hub().proofs.run(claim, self.user_id, message["claim"]))

    async def _send_table(self) -> None:
        """Send the table as it is stored, and from now on whenever it changes."""
        self._knows_of_failure = False
        try:
            table = await soon(hub().matches.read(self.code))
            may_look = await self._may_look(table)
        except Match.DoesNotExist:
            await self.tell(NO_SUCH_MATCH)
            await self.close(NOT_FOUND)
            return
        except Exception:
            log.exception("Match %s could not be read.", self.code)
            metrics.ERRORS.labels("socket").inc()
            await self.tell(say("The table can’t be loaded right now. It will appear as soon as it can."))
            self._join()
            self.revision = -1
            hub().fetch(self.code)
            return
        if not may_look:
            return
        self._join()
        hub().attendance.note(table.snapshot)
        newest = memory.recent(self.code)
        self.offer(table if newest is None or newest is table.snapshot else Fragments(newest))

    async def _may_look(self, table: Fragments) -> bool:
        """Whether its user may see this table, asked anew for every company. Who may not is told as of no match."""
        snapshot, access = table.snapshot, table.access
        if self._checked_access != access:
            cookie = self.scope.get("cookies", {}).get(COOKIE, "")
            if why := await soon(hub().reads.run(why_hidden, self.user_id, snapshot, cookie)):
                await self.tell(why)
                await self.close(NOT_FOUND)
                return False
            self._checked_access = access
            self.access = access if snapshot.player_number(self.user_id) is None else None
            self._note_look(snapshot)
            self._hear_talk()
        return True

    def _hear_talk(self) -> None:
        if not self.hears_talk:
            self.hears_talk = True
            if self._joined:  # while the table could not be read
                hub().talk.joined(self)

    def _note_look(self, snapshot: Snapshot) -> None:
        if self._noted or self.user_id is None or snapshot.status == Match.Status.OPEN:
            return
        if snapshot.seat_of(self.user_id) is None:
            self._noted = True
            hub().attendance.note_look(self.user_id, self.code)

    def _join(self) -> None:
        if not self._joined:
            self._joined = True
            hub().join(self)

    def offer(self, offered: Fragments) -> None:
        """As every socket, but never a table that is older than one it was offered before."""
        if offered.snapshot.revision >= self.revision:
            self.revision = offered.snapshot.revision
            super().offer(offered)

    def hear(self, told: str) -> None:
        """Send the talk of the match as soon as what was sent before is out, the newest only."""
        if self.is_closing:
            return
        self._unheard = json.dumps({"talk": told})
        if self._hearing is None or self._hearing.done():
            self._hearing = asyncio.get_running_loop().create_task(self._send_talk())

    async def _send_talk(self) -> None:
        while self._unheard:
            told, self._unheard = self._unheard, ""
            await self.send(told)

    async def text_of(self, offered: Fragments) -> str:
        """The table of this seat, with what has happened since the last one that was sent."""
        snapshot = offered.snapshot
        seen = snapshot.move_count if self._seen is None else self._seen
        try:
            if not await self._may_look(offered):
                return ""
            if snapshot.moves_since(seen) is None:
                offered = await self._reaching_back(offered, seen)
            text = offered.for_user(self.user_id, seen)
        except Exception:
            log.exception("The table of match %s can’t be drawn.", self.code)
            metrics.ERRORS.labels("drawing").inc()
            self.revision = -1  # so that the hub tries again
            if self._knows_of_failure:
                return ""
            self._knows_of_failure = True
            return refusal_message(say("The table can’t be shown right now. It will appear as soon as it can."))
        self._knows_of_failure = False
        self._seen = snapshot.move_count
        return text

    async def _reaching_back(self, table: Fragments, seen: int) -> Fragments:
        """The table with what has happened since so many moves, if that can be found out."""
        try:
            return Fragments(await hub().reads.run(extend_latest, table.snapshot, seen))
        except Exception:
            log.exception("What has happened in match %s could not be read.", self.code)
            return table


async def soon[T](waited_for: Awaitable[T]) -> T:
    """What is waited for. Raises TimeoutError where it does not come in time; a move may be played all the same."""
    return await asyncio.wait_for(waited_for, ANSWER_WITHIN)


async def recent(code: str) -> Snapshot:
    """The last snapshot that this process knows of a match, else the one that is stored."""
    snapshot = memory.recent(code)
    return snapshot if snapshot else (await soon(hub().matches.read(code))).snapshot


def _parsed(text: str | None) -> dict[str, Any]:
    if text is None or len(text) > MESSAGE_LIMIT:
        raise Refused(lazy("That message is too long. Shorten it."))
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Refused(lazy("That message couldn’t be read. Load the page again, or send valid JSON."))
    return message
