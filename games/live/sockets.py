"""What all sockets have in common: one ASGI application each, which sends the newest of what it is offered."""

import asyncio
import contextvars
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from autobahn.exception import Disconnected
from django.utils import timezone

from accounts.rights import Credential
from games.fragments import Fragments
from games.languages import language_of_scope, speak
from games.play.access import Access

# Why a socket is closed: static/site/socket.js knows these codes. Daphne can send no code below 3000 but 1000.
NOT_FOUND = 4404
CONNECT_ANEW = 4012
UNEXPECTED_MESSAGE = 4400
UNKNOWN_TOKEN = 4401
TOO_MANY = 4429

# What servers raise for a peer that is gone: uvicorn an OSError, as ASGI demands, daphne what autobahn does.
PEER_GONE = (OSError, Disconnected)

log = logging.getLogger("valat.consumers")


class Socket:
    """A socket of a browser or of a program."""

    user_id: int | None = None  # of somebody known
    told_waiting: int | None = None  # how many tables wait for its user, as it was told last
    credential: Credential | None = None  # with what its user has opened it
    access: Access | None = None  # of what its user watches without a seat
    is_closing = False  # then nothing goes out any more, and what comes in is thrown away

    @classmethod
    def as_asgi(cls) -> Callable[..., Awaitable[None]]:
        """An ASGI application: a socket for each connection."""

        async def application(scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
            await cls(scope, send).serve(receive)

        return application

    def __init__(self, scope: dict[str, Any], send: Callable[[dict[str, Any]], Awaitable[None]]):
        self.scope = scope
        self._send_to_server = send
        self._offered: Any = None
        self._sending: asyncio.Task[None] | None = None
        user = scope.get("user")
        if user and user.is_authenticated and user.is_active:
            self.user_id = user.pk
            self.credential = Credential(user.pk, timezone.now(), scope["session"].session_key, user.password)
        self.language = language_of_scope(scope)
        self._speaking = contextvars.Context()
        self._speaking.run(speak, self.language)

    async def serve(self, receive: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        """Do what the server tells of the connection, until that is closed."""
        speak(self.language)  # in all that this task says
        try:
            while (message := await receive())["type"] != "websocket.disconnect":
                if message["type"] == "websocket.connect":
                    await self.connect()
                elif not self.is_closing:
                    await self.receive(message.get("text"))
        finally:
            self.is_closing = True
            await self.leave()

    async def connect(self) -> None:
        """Accept the connection, and do what it begins with."""
        await self._send_to_server({"type": "websocket.accept"})

    async def receive(self, text: str | None) -> None:
        """A message has come. text: None for bytes."""
        await self.close(UNEXPECTED_MESSAGE)

    async def leave(self) -> None:
        """What is to be undone when the socket is no more, however it ended."""

    async def tell(self, sentence: str) -> None:
        """Say why something was not done."""
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

    async def _try_to_send(self, message: dict[str, Any]) -> None:
        """Have the server send. Where it does not, log that, at WARNING unless the peer is gone already."""
        try:
            await self._send_to_server(message)
        except Exception as error:
            level = logging.DEBUG if isinstance(error, PEER_GONE) else logging.WARNING
            log.log(level, "The server did not send to a socket, or close it: %r", error)

    def offer(self, offered: Any) -> None:
        """Send this, at once if what was sent before is out; a newer offer takes the place of one that waits."""
        if self.is_closing:
            return
        self._offered = offered
        if self._sending is None or self._sending.done():
            loop = asyncio.get_running_loop()
            # In a context of its own, whoever offers, in which nothing is known but the language of its user.
            context = self._speaking.copy()
            self._sending = asyncio.Task(self._send_offered(), loop=loop, context=context, eager_start=True)

    async def _send_offered(self) -> None:
        while self._offered is not None:
            offered, self._offered = self._offered, None
            if text := await self.text_of(offered):
                await self.send(text)

    async def text_of(self, offered: Any) -> str:
        """What is to be sent for an offer, or ""."""
        return str(offered)


class MatchSocket(Protocol):
    """One that looks at a match: a page, or a program at one of its tables."""

    code: str
    user_id: int | None
    language: str
    revision: int  # of the newest table that it was offered and could draw
    hears_talk: bool

    def offer(self, offered: Fragments) -> None: ...

    def hear(self, told: str) -> None: ...

    async def close(self, code: int) -> None: ...


class ProgramSocket(Protocol):
    """One of a program, which sits at any number of tables."""

    token_hash: str

    async def follow(self, codes: set[str]) -> None: ...


def refusal_message(text: str) -> str:
    """The message that an act was refused, and why."""
    return json.dumps({"refused": str(text)})
