"""The pages of matches that are open in this process: their players are connected, their spectators see cards."""

import asyncio
from contextlib import suppress

from django.db import IntegrityError

from accounts.people import online
from games.challenges import seen
from games.live.errands import Errands
from games.live.sockets import MatchSocket
from games.live.threads import DatabaseThread
from games.models import Match
from games.play import memory, presence
from games.play.errors import Refused
from games.play.snapshot import Snapshot

GONE_AFTER = 3.0  # Seconds without a page until a player is away. A reload is faster.


class Attendance:
    """The attendance at the matches of a hub. All methods run in its event loop."""

    def __init__(self, sockets: dict[str, set[MatchSocket]], reads: DatabaseThread, writes: DatabaseThread):
        """sockets: the sockets of the hub, by match code."""
        self._sockets, self._reads, self._writes = sockets, reads, writes
        self._changes = Errands("Storing connections", self._store_connection)
        self._looks = Errands("Storing spectators of cards", self._store_look)

    def _has_open_page(self, user_id: int | None, code: str) -> bool:
        return user_id is not None and any(socket.user_id == user_id for socket in self._sockets.get(code, ()))

    def note_players(self, snapshot: Snapshot) -> None:
        """Store as connected the players of a match who have its page open here, but count as away.

        snapshot: the state of the match, which says who counts as away. "Here" means in this process.
        """
        if snapshot.status not in Match.RUNNING:
            return  # Looking at a finished match writes nothing.
        for seat in snapshot.seats:
            is_away = not seat.connected and not seat.left
            if seat.user_id and is_away and self._has_open_page(seat.user_id, snapshot.code):
                self._changes.add((seat.user_id, snapshot.code))

    def note_look(self, user_id: int, code: str) -> None:
        """Store that a user without a seat has seen the cards of a match. Challenges list who knew their cards."""
        self._looks.add((user_id, code))

    async def note_leaving(self, user_id: int, code: str) -> None:
        """Store the user of a closed socket as away, unless they open a page again within GONE_AFTER seconds.

        code: of the match. A reload closes the socket too.
        """
        await asyncio.sleep(GONE_AFTER)
        if not self._has_open_page(user_id, code):
            self._changes.add((user_id, code))

    async def keep_connected(self, users_here: set[int]) -> None:
        """Store again that the players with an open page are connected, and that the users here are online.

        A process must do this again and again. If it dies, its players and users soon count as away. users_here: the
        keys of the users with any open page in this process.
        """
        await self._writes.run(presence.keep_connected, self._seats_here())
        await self._reads.run(online.note, users_here)

    def _seats_here(self) -> list[int]:
        """Return the primary keys of the seats whose players have a page of their match open in this process."""
        snapshots = [(code, memory.recent(code)) for code in self._sockets]  # None if not in memory.
        return [
            seat.pk
            for code, snapshot in snapshots
            if snapshot
            for seat in snapshot.seats
            if self._has_open_page(seat.user_id, code)
        ]

    async def _store_connection(self, key: tuple[int, str]) -> None:
        """Store whether a player has a page of their match open. key: the user, and the code of the match."""
        user_id, code = key
        with suppress(Refused):  # The match no longer exists.
            await self._writes.run(presence.set_connected, user_id, code, self._has_open_page(user_id, code))

    async def _store_look(self, look: tuple[int, str]) -> None:
        user_id, code = look
        with suppress(Match.DoesNotExist, IntegrityError):  # The match or the account no longer exists.
            await self._writes.run(lambda: seen.note_seen(user_id, Match.objects.get(code=code)))
