"""The chats of the matches that this process shows, and their spectators here.

After each change a socket gets everything its user may read, so a user who reconnects misses nothing.
"""

import asyncio
import uuid

from games.chat import reading, watching
from games.chat.drawing import talk_html
from games.chat.posting import has_partners, holds_partners
from games.chat.reading import Talk
from games.languages import using_language
from games.live import others
from games.live.errands import Errands
from games.live.sockets import MatchSocket
from games.live.threads import DatabaseThread
from games.models import Match
from games.play import memory
from games.play.access import people_at
from games.play.snapshot import Snapshot

Viewer = tuple[int | None, str]  # The user, and their language.
Spectators = tuple[frozenset[int], int]  # The keys of the users, and the number of visitors.
Stage = tuple[frozenset[int], str, bool]  # The players, the status, and whether partners hold cards.
Talks = dict[int | None, Talk]  # by user
Htmls = dict[Viewer, tuple[str, bool]]  # The chat as HTML, and whether it has any content.
STORE_PAUSE = 0.5  # Seconds. Changes of spectators are stored together after this time.
NOBODY: Spectators = (frozenset(), 0)


class TalkDesk:
    """The chats of a hub. All methods run in its event loop."""

    def __init__(
        self,
        sockets: dict[str, set[MatchSocket]],
        reads: DatabaseThread,
        writes: DatabaseThread,
        other_processes: others.Others,
    ):
        """sockets: the sockets of the hub, by match code."""
        self._sockets, self._reads, self._writes, self._others = sockets, reads, writes, other_processes
        self._process = uuid.uuid4().hex
        self._html: dict[MatchSocket, str] = {}  # The last HTML that each socket received.
        self._latest: dict[str, int] = {}  # By code, the key of the latest line.
        self._stored_spectators: dict[str, Spectators] = {}  # By code, the stored spectators. NOBODY is not stored.
        self._stages: dict[str, Stage] = {}  # By code, the stage at the last read.
        self._talks: dict[str, Talks] = {}  # By code, the last chat read. Only for team games.
        self._unread: set[str] = set()  # The codes of chats to read again.
        self._fetches = Errands("Reading the chat of a match", self._fetch)
        self._welcomes = Errands("Reading the chat for a page", self._welcome)
        self._stores = Errands("Storing spectators", self._store_spectators)
        self._unsaved: set[str] = set()

    # Sockets come and go

    def joined(self, socket: MatchSocket) -> None:
        """Start sending the chat of its match to a socket."""
        if socket.gets_chat:
            if snapshot := memory.recent(socket.code):
                self._stages.setdefault(socket.code, _stage(snapshot))
            self._welcomes.add(socket.code)
            self._store_spectators_soon(socket.code)

    def left(self, socket: MatchSocket) -> None:
        """Forget a closed socket."""
        if socket.gets_chat:
            self._html.pop(socket, None)
            self._talks.get(socket.code, {}).pop(socket.user_id, None)  # A block may have changed it when they return.
            self._store_spectators_soon(socket.code)
        if socket.code not in self._sockets:
            for cache in (self._latest, self._stages, self._talks):
                cache.pop(socket.code, None)
            self._unread.discard(socket.code)

    def table_changed(self, snapshot: Snapshot) -> None:
        """Update the chat if the new snapshot changes who watches or what may be written."""
        stage, before = _stage(snapshot), self._stages.get(snapshot.code)
        if before == stage:
            return
        self._stages[snapshot.code] = stage
        if before and before[:2] == stage[:2]:
            self._fetches.add(snapshot.code)  # Nothing was written: only what may be written changes.
        else:
            self._store_spectators_soon(snapshot.code)
            self.fetch(snapshot.code)

    # Chats change

    def changed(self, code: str) -> None:
        """Send a changed chat to our sockets, and notify the other processes."""
        self.fetch(code)
        self._others.announce(others.chat_messages(code))

    def fetch(self, code: str) -> None:
        """Read the chat of a match soon and send it to its sockets."""
        self._unread.add(code)
        self._fetches.add(code)

    async def fetch_missed_lines(self) -> None:
        """Fetch the chats with lines that no message announced."""
        if self._sockets:
            for code, latest in (await self._reads.run(reading.latest, list(self._sockets))).items():
                if latest > self._latest.get(code, 0):
                    self.fetch(code)

    async def _fetch(self, code: str) -> None:
        """Send the chat of a match. Without new lines, the cached chat of all viewers is enough."""
        sockets = [socket for socket in self._sockets.get(code, ()) if socket.gets_chat]
        viewers, snapshot = _viewers(sockets), memory.recent(code)
        talks = {} if code in self._unread else self._talks.get(code, {})
        if snapshot and talks and all(user_id in talks for user_id, _ in viewers):
            self._offer(code, sockets, await self._html_in_this_phase(snapshot, talks, viewers))
            return
        self._unread.discard(code)  # Before the read: a line written during it causes another read.
        try:
            await self._read(code, sockets)
        except BaseException:
            self._unread.add(code)
            raise

    async def _html_in_this_phase(self, snapshot: Snapshot, talks: Talks, viewers: frozenset[Viewer]) -> Htmls:
        """Return the cached chat as HTML, with the form or phrases that each user may use at this point."""
        present_talks = {
            user_id: reading.with_current_phrases(talks[user_id], snapshot, user_id) for user_id, _ in viewers
        }
        if any(talk.lines for talk in present_talks.values()):
            return await self._reads.run(_render_chats, present_talks, viewers)
        return _render_chats(present_talks, viewers)  # Without lines this is faster than a thread.

    async def _read(self, code: str, sockets: list[MatchSocket]) -> None:
        """Read the chat of a match, and send it to these sockets."""
        result = await self._read_if_needed(code, _viewers(sockets))
        if result is None or code not in self._sockets:
            return
        self._latest[code], talks, html = result
        self._cache_team_chat(code, sockets, talks)
        self._offer(code, sockets, html)

    async def _welcome(self, code: str) -> None:
        """Send the chat to new sockets only. Otherwise each page that opens would cost work for every other page."""
        new = [socket for socket in self._sockets.get(code, ()) if socket.gets_chat and socket not in self._html]
        if result := await self._read_if_needed(code, _viewers(new)):
            latest, talks, html = result
            if code in self._sockets:
                self._latest.setdefault(code, latest)  # The other sockets have at least this line.
            self._cache_team_chat(code, new, talks)
            self._offer(code, new, html)

    def _cache_team_chat(self, code: str, sockets: list[MatchSocket], talks: Talks) -> None:
        """Cache the chat of a team game for the sockets that are still open."""
        here = {socket.user_id for socket in sockets if socket in self._sockets.get(code, ())}
        if here and (snapshot := memory.recent(code)) and has_partners(snapshot):
            self._talks.setdefault(code, {}).update({user_id: talks[user_id] for user_id in here})

    async def _read_if_needed(self, code: str, viewers: frozenset[Viewer]) -> tuple[int, Talks, Htmls] | None:
        """Return the result of `_read_chat`. Return None if there are no viewers, or the match is gone."""
        try:
            return await self._reads.run(_read_chat, code, viewers) if viewers else None
        except Match.DoesNotExist:
            return None

    def _offer(self, code: str, sockets: list[MatchSocket], htmls: Htmls) -> None:
        """Send the chat to the sockets that do not have it yet."""
        for socket in sockets:
            html, has_content = htmls[socket.user_id, socket.language]
            previous_html = self._html.get(socket)
            is_open = socket in self._sockets.get(code, ())
            if not is_open or html == previous_html:
                continue
            self._html[socket] = html
            if has_content or previous_html is not None:  # A new page shows an empty chat already.
                socket.offer_chat(html)

    # Spectators

    async def keep_spectators(self) -> None:
        """Confirm our spectators. The spectators of a dead process expire."""
        if self._stored_spectators:
            await self._writes.run(watching.keep, self._process)

    def _store_spectators_soon(self, code: str) -> None:
        """Store the spectators after STORE_PAUSE, once for all changes until then."""
        if code not in self._unsaved:
            self._unsaved.add(code)
            asyncio.get_running_loop().call_later(STORE_PAUSE, self._stores.add, code)

    async def _store_spectators(self, code: str) -> None:
        """Store the spectators of a match in this process, if they have changed, and send the chat that lists them."""
        self._unsaved.discard(code)
        snapshot = memory.recent(code)
        spectators = _spectators_here(snapshot, self._sockets.get(code, set())) if snapshot else NOBODY
        if spectators == self._stored_spectators.get(code, NOBODY):
            return
        await self._writes.run(watching.note, code, self._process, *spectators)
        if spectators == NOBODY:
            self._stored_spectators.pop(code, None)
        else:
            self._stored_spectators[code] = spectators
        self.changed(code)


def _stage(snapshot: Snapshot) -> Stage:
    """Return the values of a snapshot that the chat depends on."""
    return people_at(snapshot), snapshot.status, holds_partners(snapshot)


def _spectators_here(snapshot: Snapshot, sockets: set[MatchSocket]) -> Spectators:
    """Return the spectators of a match among these sockets."""
    seated = {seat.user_id for seat in snapshot.seats if not seat.left} - {None}  # Bots and visitors have no key.
    watchers = [socket for socket in sockets if socket.gets_chat and socket.user_id not in seated]
    users = frozenset(socket.user_id for socket in watchers if socket.user_id is not None)
    return users, sum(socket.user_id is None for socket in watchers)


def _viewers(sockets: list[MatchSocket]) -> frozenset[Viewer]:
    return frozenset((socket.user_id, socket.language) for socket in sockets)


def _read_chat(code: str, viewers: frozenset[Viewer]) -> tuple[int, Talks, Htmls]:
    """Return the key of the latest line, the chat by user, and its HTML by viewer."""
    latest = reading.latest([code]).get(code, 0)
    talks = reading.talks(code, {user_id for user_id, _ in viewers})
    return latest, talks, _render_chats(talks, viewers)


def _render_chats(talks: Talks, viewers: frozenset[Viewer]) -> Htmls:
    """Render the chat of each viewer, in their language."""
    html: dict[tuple[Talk, str], str] = {}  # Readers of the same text share its HTML.
    for talk, language in {(talks[user_id], language) for user_id, language in viewers}:
        with using_language(language):
            html[talk, language] = talk_html(talk)
    htmls = {}
    for user_id, language in viewers:
        talk = talks[user_id]
        has_content = bool(talk.lines) or bool(talk.watchers.total)
        htmls[user_id, language] = html[talk, language], has_content
    return htmls
