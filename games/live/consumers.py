"""The sockets of browsers. They join the hub, send its tables to the browser, and pass moves to the writer."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from urllib.parse import parse_qs

from django.conf import settings

from accounts.limits import address_of_scope
from accounts.site.current import address_factor
from games.catalog import IllegalMove
from games.challenges.seen import why_hidden
from games.chat import posting
from games.clubs import board
from games.fragments import Fragments, lobby_tables
from games.history.folding import extend_latest
from games.kit.language import lazy, say
from games.live.allowance import Refusals, SocketCounts
from games.live.clubs import membership_key
from games.live.hub import hub
from games.live.sockets import NOT_FOUND, RECONNECT, TOO_MANY, Socket, refusal_message
from games.live.writer import writer
from games.models import Match
from games.play import claims, memory, metrics, presence, waiting
from games.play.access import Access
from games.play.errors import NO_SUCH_MATCH, Refused, StaleMove
from games.play.origins import COOKIE
from games.play.requests import Fields, MoveRequest, ReadyRequest, clean_count, clean_first, clean_move
from games.play.snapshot import Snapshot

SAID = json.dumps({"said": 1})
PONG = json.dumps({"pong": 1})
MESSAGE_LIMIT = 4_096  # Characters. A move has some 40.
ANSWER_WITHIN = 4.0  # Seconds until the user reads that something went wrong. The table follows when it can be read.
FLOOD_LIMIT = 100  # The refused messages of a user after which one more closes the socket that sends it.

TOO_FAST = lazy("That was too fast. Wait a moment.")

log = logging.getLogger("valat.consumers")


class NotFoundConsumer(Socket[str]):
    """Refuses sockets to unknown addresses."""

    async def connect(self) -> None:
        await super().connect()
        await self.send_refusal(say("There is nothing at this address. Check it."))
        await self.close(NOT_FOUND)


class CountedSocket[Offer](Socket[Offer]):
    """A socket that counts towards the limits of its user and its address. The hub closes it when its right ends."""

    counted_for: Collection[int | str] = ()  # the address and the user

    async def enter(self) -> bool:
        """Accept a WebSocket. If its user or its IP address has too many, say so, close it and return False."""
        await super().connect()  # Even if we close it at once: only an accepted socket can receive the reason.
        hub().rights.sockets.add(self)
        self.address = address_of_scope(self.scope)
        limits: dict[int | str, int] = {self.address: settings.SOCKETS_AN_ADDRESS * address_factor()}
        if self.user_id is not None:
            limits[self.user_id] = settings.SOCKETS_A_USER
        if not self.socket_counts().take(limits):
            await self._turn_away(say("You have too many pages open. Close some of them."))
            return False
        self.counted_for = limits.keys()
        if not self.may_send():  # A new socket counts as a message too, for it costs us even more.
            await self._turn_away(str(TOO_FAST))
            return False
        return True

    def may_send(self) -> bool:
        """Count one more message of the user, and of the IP address. Return False if either has sent too many."""
        return hub().messages.take(self.user_id or self.address, self.address)

    def socket_counts(self) -> SocketCounts:
        """Return the counts of the sockets that share the limits of this one."""
        return hub().socket_counts

    async def _turn_away(self, sentence: str) -> None:
        await self.send_refusal(sentence)
        await self.close(TOO_MANY)

    async def leave(self) -> None:
        hub().rights.sockets.discard(self)
        self.socket_counts().give_back(self.counted_for)


class HtmlSocket(CountedSocket[str]):
    """A socket that sends a part of a page as HTML, unless the browser has the same already."""

    _html = ""  # the latest offer

    def offer(self, offer: str) -> None:
        if offer != self._html:
            self._html = offer
            super().offer(offer)


class LobbyConsumer(HtmlSocket):
    """Sends a browser the open tables, at once and after each change. Accepts no messages."""

    async def connect(self) -> None:
        """Accept the socket of a page that lists the open tables, and send it the tables now and after each change.

        The first list matters for an old page that connects again, as after a laptop wakes up.
        """
        if not await self.enter():
            return
        hub().join_lobby(self)
        try:
            viewer = self.user_id, self.language
            self.offer((await hub().reads.run(lobby_tables, {viewer}))[viewer])
        except Exception:
            log.exception("The lobby could not be read.")
            hub().refresh_lobby()  # The hub tries again until it succeeds.

    async def leave(self) -> None:
        await super().leave()
        hub().leave_lobby(self)


class BellConsumer(CountedSocket[str]):
    """Sends a page without another socket how much is new for its reader. Accepts no messages.

    Each open page may have one. So their limits are apart: they keep nobody from a table.
    """

    async def connect(self) -> None:
        reader = parse_qs(self.scope["query_string"].decode("latin1")).get("reader", [""])[-1]
        if await self.enter():
            if self.user_id is None or reader != str(self.user_id):
                await self.close(
                    NOT_FOUND
                )  # The reader of the page has logged out, and somebody else may have logged in.
            else:
                hub().join_bell(self, self.user_id)

    def socket_counts(self) -> SocketCounts:
        return hub().bell_counts

    def may_send(self) -> bool:
        return hub().bell_messages.take(self.user_id or self.address, self.address)

    async def leave(self) -> None:
        await super().leave()
        hub().bells.discard(self)


class TalkingSocket[Offer](CountedSocket[Offer]):
    """A socket that accepts messages, within the limits of its user and its address. It answers refusals."""

    async def enter(self) -> bool:
        self._refusals = Refusals()  # Only for visitors, because the visitors of an address may be several people.
        return await super().enter()

    async def receive(self, text: str | None) -> None:
        """Carry out a message of the client, or send it the reason why not. text: the message as JSON, None for bytes.

        A client that sends too fast gets one answer, and then none. If it goes on for long, the socket is closed.
        """
        if not self.may_send():
            refusals = self._refusals.add() if self.user_id is None else hub().messages.refuse(self.user_id)
            if refusals > FLOOD_LIMIT:
                await self.close(TOO_MANY)
            elif refusals <= 1:  # Only the first of a flood is answered.
                await self.send_refusal(str(TOO_FAST))
            return
        message: Fields = {}
        try:
            message = _parse(text)
            await self.act(message)
        except (Refused, IllegalMove) as refusal:
            metrics.REFUSALS.inc()
            await self.refuse(message, refusal)
        except Exception:
            log.exception("A message to %s failed.", self.scope["path"])
            metrics.ERRORS.labels("socket").inc()
            await self.send_refusal(say("Something went wrong on our side. Please try again."))

    async def act(self, message: Fields) -> None:
        """Carry out a message. Raise Refused or IllegalMove."""
        raise NotImplementedError

    async def refuse(self, message: Fields, refusal: Exception) -> None:
        """Answer a message that was refused."""
        await self.send_refusal(str(refusal))


class ClubConsumer(HtmlSocket, TalkingSocket[str]):
    """Sends a member the page of a club, at once and after each change. {"say": "Hello"} writes in its chat."""

    async def connect(self) -> None:
        self.code = self.scope["url_route"]["kwargs"]["code"]
        if not await self.enter():
            return
        try:
            club = await in_time(hub().reads.run(membership_key, self.code, self.user_id))
        except Exception:
            log.exception("Club %s could not be read.", self.code)
            metrics.ERRORS.labels("socket").inc()
            await self.close(RECONNECT)
            return
        if club is None:
            await self.send_refusal(say("There is no such club. Check the link."))
            await self.close(NOT_FOUND)
            return
        self.access = Access(frozenset(), club=club)  # The socket is closed when the membership ends.
        hub().clubs.join(self)

    async def leave(self) -> None:
        await super().leave()
        if self.access:  # Otherwise it has not joined. Anybody can open sockets to any number of unknown clubs.
            hub().clubs.leave(self)

    async def act(self, message: Fields) -> None:
        if "say" not in message:
            raise Refused(lazy("We don’t understand that message. Load the page again."))
        await in_time(hub().writes.run(board.write_line, self.user_id, self.code, message["say"]))
        await self.send(SAID)


# The actions of messages that write in one step, by key. Arguments: the user, the code of the match and the message.
ACTS: dict[str, Callable[[int | None, str, Fields], object]] = {
    "vote": lambda user, code, message: waiting.vote_for_stand_in(user, code, clean_count(message.get("seen"))),
    "ask": lambda user, code, message: waiting.ask_if_present(user, code, clean_count(message.get("seen"))),
    "here": lambda user, code, _: waiting.confirm_presence(user, code),
    "pause": lambda user, code, _: waiting.ask_for_pause(user, code),
    "go_on": lambda user, code, _: waiting.end_pause(user, code),
    "say": lambda user, code, message: posting.post(
        user, code, phrase=message.get("phrase", ""), text=message.get("text", "")
    ),
}


class MatchConsumer(TalkingSocket[Fragments]):
    """Sends a browser the table of its seat after each change, and accepts the moves of that seat.

    The answer to {"ping": 1} is {"pong": 1}, without a query. Pages use it to notice that their socket is dead.
    """

    revision = -1  # of the newest table that was offered and could be drawn
    _has_joined = False
    _checked_access: Access | None = None  # the access at the latest check of the user's right to watch
    _has_noted_look = False
    _has_reported_failure = False  # The page shows that the table can't be drawn.
    gets_chat = False  # True after the first check of the user's right to watch.
    _chat_message = ""  # the newest chat, if it is not sent yet
    _sending_chat: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Accept the socket of a page that shows a match. Send it the table (as HTML) now and after each change."""
        self.code = self.scope["url_route"]["kwargs"]["code"]
        # The number of moves that the page shows, so that it can animate later ones. None if the page does not say.
        query = parse_qs(self.scope["query_string"].decode("latin1"))
        self._seen_count = clean_count(query.get("seen", [""])[-1])
        if await self.enter():
            await self._send_table()

    async def leave(self) -> None:
        await super().leave()
        if self._has_joined:
            hub().leave(self)

    async def refuse(self, message: Fields, refusal: Exception) -> None:
        await super().refuse(message, refusal)
        if isinstance(refusal, StaleMove):
            await self._send_table()  # The move was made at an older position, so the page has missed a change.

    async def act(self, message: Fields) -> None:
        """Carry out a message of the page, a dict with one key that names the action. Raise Refused or IllegalMove.

        "move": the player plays it. "seen" with it is the number of moves on the page, and "first" a list of moves to
        play before. "ready": the player has read the result of a deal. "resume": they take over from the bot that plays
        for them. "claim": they say that they will win the remaining tricks. "sync": the page wants the present table.
        """
        if "ping" in message:
            await self.send(PONG)
        elif "move" in message:
            move, seen_count = clean_move(message)
            first = clean_first(message)
            seat = (await recent_snapshot(self.code)).player_number(self.user_id)
            await in_time(writer().play(MoveRequest(self.code, seat, move, seen_count, first=first)))
        elif "ready" in message:
            await in_time(writer().play(ReadyRequest(self.code, self.user_id)))
        elif "resume" in message:
            if await in_time(hub().writes.run(presence.resume, self.user_id, self.code)) is None:
                await self._send_table()  # Nothing has changed, but every message gets an answer.
        elif "claim" in message:
            await self._claim(message)
        elif "sync" in message:
            await self._send_table()
        elif known_keys := [key for key in ACTS if key in message]:
            act = ACTS[known_keys[0]]
            await in_time(hub().writes.run(act, self.user_id, self.code, message))
        else:
            raise Refused(lazy("We don’t understand that message. Load the page again."))

    async def _claim(self, message: Fields) -> None:
        """Let the user claim the remaining tricks of the deal, if we can prove that they win these.

        A proof takes long. So it runs in a thread of its own, and users may not claim often.
        """
        if not hub().claims.take(self.user_id or self.address, self.address):
            raise claims.TooOften(claims.TOO_OFTEN)
        try:
            snapshot = (await in_time(hub().matches.read(self.code))).snapshot
        except Match.DoesNotExist:
            raise Refused(NO_SUCH_MATCH) from None
        claim = partial(claims.claim_at, snapshot, seen_count=clean_count(message.get("seen")))
        await in_time(hub().proofs.run(claim, self.user_id, message["claim"]))

    async def _send_table(self) -> None:
        """Send the page the table as the database has it. Join the hub, which sends the table again after each change.

        If there is no such match, or the user may not see it, say so and close the socket.
        """
        self._has_reported_failure = False
        try:
            table = await in_time(hub().matches.read(self.code))
            may_look = await self._may_look(table)
        except Match.DoesNotExist:
            await self.send_refusal(NO_SUCH_MATCH)
            await self.close(NOT_FOUND)
            return
        except Exception:
            log.exception("Match %s could not be read.", self.code)
            metrics.ERRORS.labels("socket").inc()
            await self.send_refusal(say("The table can’t be loaded right now. It will appear as soon as it can."))
            self._join()
            self.revision = -1  # Older than any table, so the hub sends the first that it can read.
            hub().fetch(self.code)
            return
        if not may_look:
            return
        self._join()
        hub().attendance.note_players(table.snapshot)
        newest = memory.recent(self.code)  # A move may have been played during the read.
        self.offer(table if newest is None or newest is table.snapshot else Fragments(newest))

    async def _may_look(self, table: Fragments) -> bool:
        """Return whether the user may see this table. If not, send the reason and close the socket.

        `access` has everything about a table that decides who may watch it, such as its players. Only a change of it
        needs a new check, which takes a query.
        """
        snapshot, access = table.snapshot, table.access
        if self._checked_access != access:
            cookie = self.scope.get("cookies", {}).get(COOKIE, "")
            if why := await in_time(hub().reads.run(why_hidden, self.user_id, snapshot, cookie)):
                await self.send_refusal(why)
                await self.close(NOT_FOUND)
                return False
            self._checked_access = access
            self.access = access if snapshot.player_number(self.user_id) is None else None  # Players may always look.
            self._note_look(snapshot)
            self._start_chat()
        return True

    def _start_chat(self) -> None:
        """Receive the chat of the match from now on. Call this once it is certain that the user may watch the table."""
        if not self.gets_chat:
            self.gets_chat = True
            if self._has_joined:  # Otherwise `_join` does it.
                hub().talk.joined(self)

    def _note_look(self, snapshot: Snapshot) -> None:
        """Store once that a user without a seat has seen the cards of this match.

        Others may play the same cards in a challenge, where it counts who knew them. A table that is still open has
        not started, and has no cards yet.
        """
        if self._has_noted_look or self.user_id is None or snapshot.status == Match.Status.OPEN:
            return
        if snapshot.seat_of(self.user_id) is None:
            self._has_noted_look = True
            hub().attendance.note_look(self.user_id, self.code)

    def _join(self) -> None:
        if not self._has_joined:
            self._has_joined = True
            hub().join(self)

    def offer(self, offer: Fragments) -> None:
        """Send a table, unless a newer one was sent before. A revision counts the writes of a match."""
        if offer.snapshot.revision >= self.revision:
            self.revision = offer.snapshot.revision
            super().offer(offer)

    def offer_chat(self, html: str) -> None:
        """Send the chat as HTML. While an older one is being sent, only the newest waits: it contains all lines."""
        if self.is_closing:
            return
        self._chat_message = json.dumps({"talk": html})
        if self._sending_chat is None or self._sending_chat.done():  # Otherwise that task will send this one too.
            self._sending_chat = asyncio.get_running_loop().create_task(self._send_chat())

    async def _send_chat(self) -> None:
        while self._chat_message:
            message, self._chat_message = self._chat_message, ""
            await self.send(message)

    async def text_of(self, offer: Fragments) -> str:
        """Return the message with the table as this user sees it, for the sender. Return "" to send nothing.

        It has the events since the last table that the page has received, so that the page can animate them.
        """
        snapshot = offer.snapshot
        seen_count = snapshot.move_count if self._seen_count is None else self._seen_count
        try:
            if not await self._may_look(offer):
                return ""
            # The snapshot has only the latest moves. None means that the page needs more.
            if snapshot.moves_since(seen_count) is None:
                offer = await self._with_earlier_events(offer, seen_count)
            text = offer.for_user(self.user_id, seen_count)
        except Exception:
            log.exception("The table of match %s can’t be drawn.", self.code)
            metrics.ERRORS.labels("drawing").inc()
            self.revision = -1  # The hub will try again.
            if self._has_reported_failure:
                return ""  # The page shows the sentence already.
            self._has_reported_failure = True
            return refusal_message(say("The table can’t be shown right now. It will appear as soon as it can."))
        self._has_reported_failure = False
        self._seen_count = snapshot.move_count
        return text

    async def _with_earlier_events(self, table: Fragments, seen_count: int) -> Fragments:
        """Return the table with all events after its first `seen_count` moves, for a page that shows only these.

        If they can't be read, return the table unchanged. Then the page does not animate what has happened.
        """
        try:
            return Fragments(await hub().reads.run(extend_latest, table.snapshot, seen_count))
        except Exception:
            log.exception("What has happened in match %s could not be read.", self.code)
            return table


async def in_time[T](answer: Awaitable[T]) -> T:
    """Wait for an answer. Raise TimeoutError after ANSWER_WITHIN seconds.

    The work goes on in its thread: a move may still be played after that.
    """
    return await asyncio.wait_for(answer, ANSWER_WITHIN)


async def recent_snapshot(code: str) -> Snapshot:
    """Return the newest snapshot (state of a match) in the memory of this process. If it has none, read it."""
    snapshot = memory.recent(code)
    return snapshot if snapshot else (await in_time(hub().matches.read(code))).snapshot


def _parse(text: str | None) -> Fields:
    """Return the fields of a message. Raise Refused if it is too long or no JSON object."""
    if text is None or len(text) > MESSAGE_LIMIT:
        raise Refused(lazy("That message is too long. Shorten it."))
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Refused(lazy("That message couldn’t be read. Load the page again, or send valid JSON."))
    return message
