"""The types of the ASGI interface."""

from collections.abc import Awaitable, Callable
from typing import Any

type Scope = dict[str, Any]  # a connection
type Message = dict[str, Any]  # an event of a connection, in either direction
type Receive = Callable[[], Awaitable[Message]]
type Send = Callable[[Message], Awaitable[None]]
type Application = Callable[[Scope, Receive, Send], Awaitable[None]]
