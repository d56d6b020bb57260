"""The socket of a page with a tally. It only sends: entries come by forms, which also work without it."""

from accounts.time_zones import zone_of_scope
from games.live.consumers import HtmlSocket, in_time
from games.live.hub import hub
from games.live.sockets import NOT_FOUND
from games.live.tallies import Reader
from games.tallies.keeping import NO_SUCH_TALLY, SESSION_KEY, right_of
from games.tallies.models import Tally


class TallyConsumer(HtmlSocket):
    """Sends a browser the sheet of a tally, at once and after each change. Accepts no messages."""

    _has_joined = False

    async def connect(self) -> None:
        self.code: str = self.scope["url_route"]["kwargs"]["code"]
        if not await self.enter():
            return
        key = await in_time(hub().reads.run(self._read_key))
        if key is None:
            await self.send_refusal(str(NO_SUCH_TALLY))
            await self.close(NOT_FOUND)
            return
        self.reader = Reader(self.user_id, key, self.language, zone_of_scope(self.scope))
        self._has_joined = True
        hub().tallies.join(self)

    def _read_key(self) -> str | None:
        """Return the key of the link that this browser has opened, "" for none, or None if the user may not read."""
        tally = Tally.objects.filter(code=self.code).select_related("club").first()
        key = str(self.scope["session"].get(SESSION_KEY, {}).get(self.code, ""))
        return key if tally and right_of(tally, self.user_id, key) else None

    async def leave(self) -> None:
        await super().leave()
        if self._has_joined:
            hub().tallies.leave(self)
