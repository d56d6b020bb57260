"""What a hub knows of its sockets, and how many somebody may have open."""

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from games.fragments import Fragments
from games.live.waiting_counts import PageSocket


class LobbySocket(PageSocket, Protocol):
    """A socket that looks at the lobby. What it has already is not sent again."""

    language: str

    def offer(self, offered: str) -> None: ...


class ProgramSocket(Protocol):
    """One of a program, which sits at any number of tables."""

    user_id: int | None
    token_hash: str

    async def follow(self, codes: set[str]) -> None: ...


class MatchSocket(Protocol):
    """One that looks at a match. It draws its table itself, when it can send it."""

    code: str
    user_id: int | None
    language: str
    revision: int  # of the newest table that it was offered and could draw
    hears_talk: bool

    def offer(self, offered: Fragments) -> None: ...

    def hear(self, told: str) -> None: ...

    async def close(self, code: int) -> None: ...


class SocketCounts:
    """How many sockets each user, and each address, has open."""

    def __init__(self) -> None:
        self._counts: Counter[int | str] = Counter()

    def take(self, limits: dict[int | str, int]) -> bool:
        """Count one more for each owner, unless one of them is at their limit. Return whether it was counted."""
        if any(self._counts[owner] >= limit for owner, limit in limits.items()):
            return False
        self._counts.update(limits.keys())
        return True

    def give_back(self, owners: Iterable[int | str]) -> None:
        """Count one less for each."""
        for owner in owners:
            self._counts[owner] -= 1
            if not self._counts[owner]:
                del self._counts[owner]
