"""The tallies with sockets in this process. Each process that shows a tally reads it again after a change.

Every reading checks the right of each reader, so nobody sees a sheet after their link was switched off.
"""

from collections.abc import Collection
from contextlib import suppress
from functools import cache, partial
from typing import NamedTuple, Protocol
from zoneinfo import ZoneInfo

from django.utils import timezone

from games.languages import using_language
from games.live.desks import Desk, PageSocket
from games.live.sockets import RECONNECT
from games.play.errors import Refused
from games.tallies.drawing import live_html
from games.tallies.keeping import right_of
from games.tallies.models import Tally


class Reader(NamedTuple):
    """Who reads a tally. key: of the link that they opened, or ""."""

    user_id: int | None
    key: str
    language: str
    zone: ZoneInfo | None


class TallySocket(PageSocket[str], Protocol):
    """A page that shows a tally."""

    reader: Reader


class TallyDesk(Desk[TallySocket]):
    """The tallies of a hub."""

    kind = "tally"

    async def _fetch(self, code: str) -> None:
        sockets = list(self.sockets.get(code, ()))
        if not sockets:
            return
        revision, html = await self._reads.run(_read, code, {socket.reader for socket in sockets})
        self._last_read[code] = revision
        for socket in sockets:
            if text := html.get(socket.reader):
                socket.offer(text)
            else:  # Their right has ended, or the tally is deleted. The page connects again, and reads why.
                await socket.close(RECONNECT)

    async def keep(self) -> None:
        """Read the tallies that have changed without a message: it may have been lost."""
        revisions = await self._reads.run(_revisions, list(self.sockets)) if self.sockets else {}
        for code in self.sockets:
            if revisions.get(code) != self._last_read.get(code):
                self.fetch(code)


def _read(code: str, readers: Collection[Reader]) -> tuple[int, dict[Reader, str]]:
    """Return the revision of a tally, and its page as each reader may see it. Others are left out."""
    tally = Tally.objects.filter(code=code).select_related("club").prefetch_related("players").first()
    if tally is None:
        return 0, {}
    draw = cache(partial(_draw, tally))
    rights = {reader: right_of(tally, reader.user_id, reader.key) for reader in readers}
    html = {reader: draw(right, reader.language, reader.zone) for reader, right in rights.items() if right}
    return tally.revision, html


def _draw(tally: Tally, right: int, language: str, zone: ZoneInfo | None) -> str:
    with using_language(language), timezone.override(zone), suppress(Refused):
        return live_html(tally, right)
    return ""  # This site cannot count it any more. The page says so.


def _revisions(codes: Collection[str]) -> dict[str, int]:
    return dict(Tally.objects.filter(code__in=codes).values_list("code", "revision"))
