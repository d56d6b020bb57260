"""The base of all sockets: an ASGI application that sends its client the newest offer of the hub."""

import asyncio
import contextvars
import json
import logging
from typing import Protocol

from autobahn.exception import Disconnected
from django.utils import timezone

from accounts.rights import Credential
from config.asgi_types import Application, Message, Receive, Scope, Send
from games.fragments import Fragments
from games.languages import language_of_scope, use_language
from games.notifications.bell import Unread
from games.play.access import Access

# The reasons for closing a socket. static/site/socket.js reads these codes. Below 3000 daphne sends no code but 1000.
NOT_FOUND = 4404
RECONNECT = 4012
UNEXPECTED_MESSAGE = 4400
UNKNOWN_TOKEN = 4401
TOO_MANY = 4429

# What servers raise if the client is gone: uvicorn an OSError, as ASGI demands, daphne the exception of autobahn.
CLIENT_GONE = (OSError, Disconnected)

log = logging.getLogger("valat.consumers")


class Socket[Offer]:
    """A socket of a browser or of a program."""

    user_id: int | None = None  # None for a visitor
    waiting_count: int | None = None  # the last sent number of tables that wait for the user
    bell: Unread | None = None  # the last sent numbers of unread events and messages
    credential: Credential | None = None  # the proof of identity that opened the socket
    access: Access | None = None  # of the table that the user watches without a seat
    is_closing = False  # From then on nothing is sent, and incoming messages are ignored.

    @classmethod
    def as_asgi(cls) -> Application:
        """Return an ASGI application that makes a new socket of this class for each connection."""

        async def application(scope: Scope, receive: Receive, send: Send) -> None:
            await cls(scope, send).serve(receive)

        return application

    def __init__(self, scope: Scope, send: Send):
        self.scope = scope
        self._send_to_server = send
        self._offer: Offer | None = None  # the next offer to send
        self._sending: asyncio.Task[None] | None = None
        user = scope.get("user")
        if user and user.is_authenticated and user.is_active:
            self.user_id = user.pk
            self.credential = Credential(user.pk, timezone.now(), scope["session"].session_key, user.password)
        self.language = language_of_scope(scope)
        self._language_context = contextvars.Context()
        self._language_context.run(use_language, self.language)

    async def serve(self, receive: Receive) -> None:
        """Handle the events of the WebSocket until it is closed. receive: waits for the next event from the server."""
        use_language(self.language)
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                if message["type"] == "websocket.connect":
                    await self.connect()
                elif not self.is_closing:  # Otherwise the client has not yet noticed.
                    await self.receive(message.get("text"))
        finally:
            self.is_closing = True
            await self.leave()

    async def connect(self) -> None:
        """Accept the connection."""
        await self._send_to_server({"type": "websocket.accept"})

    async def receive(self, text: str | None) -> None:
        """Handle a message of the client. text: None for bytes."""
        await self.close(UNEXPECTED_MESSAGE)

    async def leave(self) -> None:
        """Clean up after the end of the connection."""

    async def send_refusal(self, sentence: str) -> None:
        """Send the reason why something was not done."""
        await self.send(refusal_message(sentence))

    async def send(self, text: str) -> None:
        """Send a message, unless the socket is closing."""
        if not self.is_closing:
            await self._try_to_send({"type": "websocket.send", "text": text})

    async def close(self, code: int) -> None:
        """Close the connection, once."""
        if not self.is_closing:
            self.is_closing = True
            await self._try_to_send({"type": "websocket.close", "code": code})

    async def _try_to_send(self, message: Message) -> None:
        """Send an ASGI event to the server, which passes it on to the client. Log an error, and go on.

        Clients go away all the time, so such an error is no warning.
        """
        try:
            await self._send_to_server(message)
        except Exception as error:
            level = logging.DEBUG if isinstance(error, CLIENT_GONE) else logging.WARNING
            log.log(level, "The server did not send to a socket, or close it: %r", error)

    def offer(self, offer: Offer) -> None:
        """Send the client new content, such as a table, as soon as it can receive it. offer: the content.

        While one offer is being sent, only the newest one waits for its turn. So a slow client misses some in between.
        """
        if self.is_closing:
            return
        self._offer = offer
        if self._sending is None or self._sending.done():  # Otherwise that task will send this offer too.
            loop = asyncio.get_running_loop()
            # The context of the caller may have the language of another user.
            context = self._language_context.copy()
            self._sending = asyncio.Task(self._send_offers(), loop=loop, context=context, eager_start=True)

    async def _send_offers(self) -> None:
        while self._offer is not None:
            offer, self._offer = self._offer, None
            if text := await self.text_of(offer):
                await self.send(text)

    async def text_of(self, offer: Offer) -> str:
        """Return the message to send for an offer; "" for none."""
        return str(offer)


class MatchSocket(Protocol):
    """A page that shows a match, or a program at one of its tables."""

    code: str
    user_id: int | None
    language: str
    revision: int  # of the newest table that was offered and could be drawn
    gets_chat: bool

    def offer(self, offer: Fragments, /) -> None: ...

    def offer_chat(self, html: str, /) -> None: ...

    async def close(self, code: int, /) -> None: ...


class ProgramSocket(Protocol):
    """The socket of a program, which sits at any number of tables."""

    token_hash: str

    async def follow(self, codes: set[str]) -> None: ...


def refusal_message(text: str) -> str:
    """Return the message with the reason of a refusal."""
    return json.dumps({"refused": str(text)})
