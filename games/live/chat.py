"""The talk of the matches that this process shows, and who watches them from here.

Each socket gets all that its user may read, whenever anything has changed: who connects again has missed nothing.
"""

import asyncio
import uuid

from games.chat import reading, watching
from games.chat.drawing import told_html
from games.chat.posting import has_partners, holds_partners
from games.chat.reading import Talk
from games.languages import speaking
from games.live import others
from games.live.errands import Errands
from games.live.sockets import MatchSocket
from games.live.threads import DatabaseThread
from games.models import Match
from games.play import memory
from games.play.access import people_at
from games.play.snapshot import Snapshot

Viewer = tuple[int | None, str]  # the user, and the language they read
Watched = tuple[frozenset[int], int]  # users by their keys, and how many are nobody known
Stage = tuple[frozenset[int], str, bool]  # who sits there, the status, whether partners hold cards
Talks = dict[int | None, Talk]  # by user
Told = dict[Viewer, tuple[str, bool]]  # the talk as HTML, and whether there is any
NOTE_PAUSE = 0.5  # seconds in which those who come and go are gathered
NOBODY: Watched = (frozenset(), 0)


class TalkDesk:
    """What a hub does for talk. Everything here runs in its event loop."""

    def __init__(
        self,
        sockets: dict[str, set[MatchSocket]],
        reads: DatabaseThread,
        writes: DatabaseThread,
        other_processes: others.Others,
    ):
        """sockets: of the hub, by code."""
        self._sockets, self._reads, self._writes, self._others = sockets, reads, writes, other_processes
        self._process = uuid.uuid4().hex
        self._told: dict[MatchSocket, str] = {}  # what each has been told last
        self._latest: dict[str, int] = {}  # by code, the key of the latest line that was read
        self._noted: dict[str, Watched] = {}  # by code, who is stored to watch from here; nobody is left out
        self._stages: dict[str, Stage] = {}  # by code, what the talk was last read with
        self._talks: dict[str, Talks] = {}  # by code, as it was last read, where partners play
        self._unread: set[str] = set()  # codes of those that are to be read again
        self._fetches = Errands("Reading the talk of a match", self._fetch)
        self._welcomes = Errands("Reading the talk for a page", self._welcome)
        self._notes = Errands("Storing who watches", self._note)
        self._to_note: set[str] = set()

    # Sockets come and go

    def joined(self, socket: MatchSocket) -> None:
        """A socket looks at a match from now on."""
        if socket.hears_talk:
            if snapshot := memory.recent(socket.code):
                self._stages.setdefault(socket.code, _stage(snapshot))
            self._welcomes.add(socket.code)
            self._note_soon(socket.code)

    def left(self, socket: MatchSocket) -> None:
        """A socket is gone."""
        if socket.hears_talk:
            self._told.pop(socket, None)
            self._talks.get(socket.code, {}).pop(socket.user_id, None)  # they may come back after a block
            self._note_soon(socket.code)
        if socket.code not in self._sockets:
            for known in (self._latest, self._stages, self._talks):
                known.pop(socket.code, None)
            self._unread.discard(socket.code)

    def table_changed(self, snapshot: Snapshot) -> None:
        """A table was pushed: from who sits there and what goes on follows who watches, and what can be said."""
        stage, before = _stage(snapshot), self._stages.get(snapshot.code)
        if before == stage:
            return
        self._stages[snapshot.code] = stage
        if before and before[:2] == stage[:2]:
            self._fetches.add(snapshot.code)  # partners have cards, or have none any more: nothing was said
        else:
            self._note_soon(snapshot.code)
            self.fetch(snapshot.code)

    # Talk comes in

    def changed(self, code: str) -> None:
        """Something was said here: tell our own sockets and the other processes."""
        self.fetch(code)
        self._others.tell(others.talked(code))

    def fetch(self, code: str) -> None:
        """Read the talk of a match, as soon as the database answers, and tell it to its sockets."""
        self._unread.add(code)
        self._fetches.add(code)

    async def look(self) -> None:
        """Look for lines that no message told us of."""
        if self._sockets:
            for code, latest in (await self._reads.run(reading.latest, list(self._sockets))).items():
                if latest > self._latest.get(code, 0):
                    self.fetch(code)

    async def _fetch(self, code: str) -> None:
        sockets = [socket for socket in self._sockets.get(code, ()) if socket.hears_talk]
        viewers, snapshot = _viewers(sockets), memory.recent(code)
        known = {} if code in self._unread else self._talks.get(code, {})
        if snapshot and known and all(user_id in known for user_id, _ in viewers):
            self._hear(code, sockets, await self._told_in_this_phase(snapshot, known, viewers))
            return
        self._unread.discard(code)  # before it is read: what is said meanwhile is read after it
        try:
            await self._read(code, sockets)
        except BaseException:
            self._unread.add(code)
            raise

    async def _told_in_this_phase(self, snapshot: Snapshot, talks: Talks, viewers: frozenset[Viewer]) -> Told:
        """The talk as it was read before, with what can be said now."""
        now = {user_id: reading.in_this_phase(talks[user_id], snapshot, user_id) for user_id, _ in viewers}
        if any(talk.lines for talk in now.values()):
            return await self._reads.run(_drawn, now, viewers)
        return _drawn(now, viewers)  # which is done before the thread would have begun

    async def _read(self, code: str, sockets: list[MatchSocket]) -> None:
        found = await self._found(code, _viewers(sockets))
        if found is None or code not in self._sockets:
            return
        self._latest[code], talks, told = found
        self._keep(code, sockets, talks)
        self._hear(code, sockets, told)

    async def _welcome(self, code: str) -> None:
        # To nobody else: pages that come and go would make as much work as there are pages.
        new = [socket for socket in self._sockets.get(code, ()) if socket.hears_talk and socket not in self._told]
        if found := await self._found(code, _viewers(new)):
            latest, talks, told = found
            if code in self._sockets:
                self._latest.setdefault(code, latest)  # of the first who were told: the others know no less
            self._keep(code, new, talks)
            self._hear(code, new, told)

    def _keep(self, code: str, sockets: list[MatchSocket], talks: Talks) -> None:
        """Where partners play, keep the talk as it was read for those of these sockets that are still there."""
        here = {socket.user_id for socket in sockets if socket in self._sockets.get(code, ())}
        if here and (snapshot := memory.recent(code)) and has_partners(snapshot):
            self._talks.setdefault(code, {}).update({user_id: talks[user_id] for user_id in here})

    async def _found(self, code: str, viewers: frozenset[Viewer]) -> tuple[int, Talks, Told] | None:
        """What `_told` finds, None where there is nobody to tell or no such match."""
        try:
            return await self._reads.run(_told, code, viewers) if viewers else None
        except Match.DoesNotExist:
            return None

    def _hear(self, code: str, sockets: list[MatchSocket], told: Told) -> None:
        """Tell sockets of a match what is new to them."""
        for socket in sockets:
            html, is_news = told[socket.user_id, socket.language]
            before = self._told.get(socket)
            if socket not in self._sockets.get(code, ()) or html == before:
                continue
            self._told[socket] = html
            if is_news or before is not None:
                socket.hear(html)

    # Who watches

    async def keep(self) -> None:
        """Say who watches: those of a process that is no more are forgotten."""
        if self._noted:
            await self._writes.run(watching.keep, self._process)

    def _note_soon(self, code: str) -> None:
        """Note who watches in a moment: those who come and go meanwhile are noted once."""
        if code not in self._to_note:
            self._to_note.add(code)
            asyncio.get_running_loop().call_later(NOTE_PAUSE, self._notes.add, code)

    async def _note(self, code: str) -> None:
        self._to_note.discard(code)
        snapshot = memory.recent(code)
        now = _watched(snapshot, self._sockets.get(code, set())) if snapshot else NOBODY
        if now == self._noted.get(code, NOBODY):
            return
        await self._writes.run(watching.note, code, self._process, *now)
        if now == NOBODY:
            self._noted.pop(code, None)
        else:
            self._noted[code] = now
        self.changed(code)


def _stage(snapshot: Snapshot) -> Stage:
    return people_at(snapshot), snapshot.status, holds_partners(snapshot)


def _watched(snapshot: Snapshot, sockets: set[MatchSocket]) -> Watched:
    """Who watches a match by these sockets."""
    seated = {seat.user_id for seat in snapshot.seats if not seat.left} - {None}  # bots have none, nor have visitors
    watchers = [socket for socket in sockets if socket.hears_talk and socket.user_id not in seated]
    users = frozenset(socket.user_id for socket in watchers if socket.user_id is not None)
    return users, sum(socket.user_id is None for socket in watchers)


def _viewers(sockets: list[MatchSocket]) -> frozenset[Viewer]:
    return frozenset((socket.user_id, socket.language) for socket in sockets)


def _told(code: str, viewers: frozenset[Viewer]) -> tuple[int, Talks, Told]:
    """The key of a match's latest line, the talk as its users read it, and for each viewer as HTML."""
    latest = reading.latest([code]).get(code, 0)
    talks = reading.talks(code, {user_id for user_id, _ in viewers})
    return latest, talks, _drawn(talks, viewers)


def _drawn(talks: Talks, viewers: frozenset[Viewer]) -> Told:
    html: dict[tuple[Talk, str], str] = {}  # until somebody says something all of a table read the same
    for talk, language in {(talks[user_id], language) for user_id, language in viewers}:
        with speaking(language):
            html[talk, language] = told_html(talk)
    told = {}
    for user_id, language in viewers:
        talk = talks[user_id]
        told[user_id, language] = html[talk, language], bool(talk.lines) or bool(talk.watchers.count)
    return told
