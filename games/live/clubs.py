"""The pages of clubs with sockets in this process. Each process that shows a club reads it again after a change."""

import time
from typing import Protocol

from games.clubs import drawing
from games.clubs.models import Membership
from games.live.desks import Desk, PageSocket

AT_ONCE = 5  # Clubs that `keep` reads in one run.
READ_AGAIN_AFTER = 20.0  # seconds


class ClubSocket(PageSocket[str], Protocol):
    """A member's page of a club."""

    language: str


class ClubDesk(Desk[ClubSocket]):
    """The clubs of a hub."""

    kind = "club"

    async def _fetch(self, code: str) -> None:
        viewers = {(socket.user_id, socket.language) for socket in self.sockets.get(code, ())}
        if not viewers:
            return
        self._last_read[code] = time.monotonic()
        pages = await self._reads.run(drawing.pages, code, viewers)
        for socket in self.sockets.get(code, ()):
            if html := pages.get((socket.user_id, socket.language)):  # None for a user who has left the club.
                socket.offer(html)

    async def keep(self) -> None:
        """Read a few clubs again, those read longest ago: messages about changes may be lost, and dates pass."""
        due = time.monotonic() - READ_AGAIN_AFTER
        oldest = sorted(self.sockets, key=lambda code: self._last_read.get(code, 0.0))
        for code in oldest[:AT_ONCE]:
            if self._last_read.get(code, 0.0) < due:
                self.fetch(code)


def membership_key(code: str, user_id: int | None) -> int | None:
    """Return the key of an open club if the user is a member, or else None."""
    memberships = Membership.objects.filter(club__code=code, club__closed_at=None, user=user_id)
    return memberships.values_list("club", flat=True).first() if user_id is not None else None
