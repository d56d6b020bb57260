"""Who has the page of a match open at this process: players count as connected, others as knowing its cards."""

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

GONE_AFTER = 3.0  # seconds without a page until a player counts as away: a reload is quicker


class Attendance:
    """What a hub does for those at its matches. Everything here runs in its event loop."""

    def __init__(self, sockets: dict[str, set[MatchSocket]], reads: DatabaseThread, writes: DatabaseThread):
        """sockets: of the hub, by code."""
        self._sockets, self._reads, self._writes = sockets, reads, writes
        self._changes = Errands("Storing who is there", self._store)
        self._looks = Errands("Noting who has looked on", self._note_look)

    def _is_here(self, user_id: int | None, code: str) -> bool:
        return user_id is not None and any(socket.user_id == user_id for socket in self._sockets.get(code, ()))

    def note(self, snapshot: Snapshot) -> None:
        """Store that players with a page open here are connected, where the match doesn't say so."""
        if snapshot.status not in Match.RUNNING:
            return  # a finished one is written to by no look
        for seat in snapshot.seats:
            if seat.user_id and not seat.connected and not seat.left and self._is_here(seat.user_id, snapshot.code):
                self._changes.add((seat.user_id, snapshot.code))

    def note_look(self, user_id: int, code: str) -> None:
        """Store that somebody without a seat looks at a match, so that its cards are known to them."""
        self._looks.add((user_id, code))

    async def left(self, user_id: int, code: str) -> None:
        """A socket is closed: store that its user is away, if they don't come back at once."""
        await asyncio.sleep(GONE_AFTER)
        if not self._is_here(user_id, code):
            self._changes.add((user_id, code))

    async def keep(self, users_here: set[int]) -> None:
        """Say who is there: the pages of a process that is no more are away after a while.

        users_here: the keys of all who have any page open here.
        """
        await self._writes.run(presence.keep_connected, self._seats_here())
        await self._reads.run(online.note, users_here)

    def _seats_here(self) -> list[int]:
        """The keys of the seats whose players have a page open here."""
        known = [(code, memory.recent(code)) for code in self._sockets]
        return [
            seat.pk
            for code, snapshot in known
            if snapshot
            for seat in snapshot.seats
            if self._is_here(seat.user_id, code)
        ]

    async def _store(self, key: tuple[int, str]) -> None:
        user_id, code = key
        with suppress(Refused):  # the match is gone
            await self._writes.run(presence.set_connected, user_id, code, self._is_here(user_id, code))

    async def _note_look(self, look: tuple[int, str]) -> None:
        user_id, code = look
        with suppress(Match.DoesNotExist, IntegrityError):  # the match is gone, or the account
            await self._writes.run(lambda: seen.note(user_id, Match.objects.get(code=code)))
