"""The chats of the matches that this process shows, and their spectators here.

After each change a socket gets everything its user may read, so a user who reconnects misses nothing.
"""

import asyncio
import uuid
from typing import NamedTuple

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
Talks = dict[int | None, Talk]  # by user
Htmls = dict[Viewer, tuple[str, bool]]  # The chat as HTML, and whether it has any content.
STORE_PAUSE = 0.5  # Seconds. Changes of spectators are stored together after this time.
NOBODY: Spectators = (frozenset(), 0)


class Stage(NamedTuple):
    """The values of a snapshot that the chat depends on."""

    people: frozenset[int]
    status: str
    partners_hold_cards: bool


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
        """Send the chat of a match to a new socket from now on. Count its user as a spectator if they do not play."""
        if socket.gets_chat:
            # A stage is the part of a snapshot that the chat depends on. `table_changed` compares the next with it.
            if snapshot := memory.recent(socket.code):
                self._stages.setdefault(socket.code, _stage(snapshot))
            self._welcomes.add(socket.code)
            self._store_spectators_soon(socket.code)

    def left(self, socket: MatchSocket) -> None:
        """Forget a closed socket. If it was the last socket of its match here, forget the chat of the match too."""
        if socket.gets_chat:
            self._html.pop(socket, None)
            # The cached chat of this user may be wrong when they return: they may block somebody until then.
            self._talks.get(socket.code, {}).pop(socket.user_id, None)
            self._store_spectators_soon(socket.code)
        if socket.code not in self._sockets:  # It was the last of its match.
            for cache in (self._latest, self._stages, self._talks):
                cache.pop(socket.code, None)
            self._unread.discard(socket.code)

    def table_changed(self, snapshot: Snapshot) -> None:
        """Send the chat of a match again, if a new snapshot of the match changes who reads it or what may be written.

        A stage is the part of a snapshot that the chat depends on: the players, the status, and whether partners hold
        cards. While they do, they may send only some phrases, so that they can't tell each other their cards.
        """
        stage, previous_stage = _stage(snapshot), self._stages.get(snapshot.code)
        if stage == previous_stage:
            return
        self._stages[snapshot.code] = stage
        if previous_stage and (stage.people, stage.status) == (previous_stage.people, previous_stage.status):
            self._fetches.add(snapshot.code)  # The lines are the same. Only the phrases on offer change.
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
        """Read the chats that have newer lines in the database than here.

        The process that stored them has sent a message, but it may have been lost.
        """
        if self._sockets:
            for code, latest in (await self._reads.run(reading.latest, list(self._sockets))).items():
                if latest > self._latest.get(code, 0):
                    self.fetch(code)

    async def _fetch(self, code: str) -> None:
        """Send the chat of a match to its sockets. Take it from the cache if it is there, and without new lines."""
        sockets = [socket for socket in self._sockets.get(code, ()) if socket.gets_chat]
        viewers, snapshot = _viewers(sockets), memory.recent(code)
        # The chat as each user may read it. A code in `_unread` means that there may be new lines.
        talks = {} if code in self._unread else self._talks.get(code, {})
        is_cached = bool(talks) and all(user_id in talks for user_id, _ in viewers)
        if snapshot and is_cached:
            self._offer(code, sockets, await self._html_with_current_phrases(snapshot, talks, viewers))
            return
        self._unread.discard(code)  # Before the read, so that a line written during it causes another read.
        try:
            await self._read(code, sockets)
        except BaseException:  # A cancellation too.
            self._unread.add(code)
            raise

    async def _html_with_current_phrases(self, snapshot: Snapshot, talks: Talks, viewers: frozenset[Viewer]) -> Htmls:
        """Return the chat as HTML for each viewer, with the phrases that they may send now. Read no lines.

        talks: the cached chat as each user may read it, by the key of the user. viewers: pairs of a user and a
        language.
        """
        current_talks = {
            user_id: reading.with_current_phrases(talks[user_id], snapshot, user_id) for user_id, _ in viewers
        }
        if any(talk.lines for talk in current_talks.values()):
            return await self._reads.run(_render_chats, current_talks, viewers)
        return _render_chats(current_talks, viewers)  # Without lines, to render is faster than to switch to a thread.

    async def _read(self, code: str, sockets: list[MatchSocket]) -> None:
        """Read the chat of a match from the database, and send it to these sockets: those with a page of the match."""
        result = await self._read_if_needed(code, _viewers(sockets))
        if result is None or code not in self._sockets:  # All sockets may have closed during the read.
            return
        self._latest[code], talks, html = result
        self._cache_team_chat(code, sockets, talks)
        self._offer(code, sockets, html)
        self._check_phrases(code, talks)

    async def _welcome(self, code: str) -> None:
        """Send the chat of a match to those of its sockets that have not received it yet.

        The others have it already. A page that opens must not cause work for all other pages.
        """
        new = [socket for socket in self._sockets.get(code, ()) if socket.gets_chat and socket not in self._html]
        if result := await self._read_if_needed(code, _viewers(new)):
            latest, talks, html = result
            if code in self._sockets:
                # Keep an older value: the other sockets may have the chat only up to that line.
                self._latest.setdefault(code, latest)
            self._cache_team_chat(code, new, talks)
            self._offer(code, new, html)
            self._check_phrases(code, talks)

    def _check_phrases(self, code: str, talks: Talks) -> None:
        """Send the chat once more if partners have taken up or laid down their cards while it was read.

        talks: the chat as it was read, by user. The read may be ahead of the snapshots that `table_changed` has seen.
        So note the newest snapshot, with which the next is compared.
        """
        snapshot, previous_stage = memory.recent(code), self._stages.get(code)
        if snapshot is None or previous_stage is None or not has_partners(snapshot):
            return
        stage = _stage(snapshot)
        if (stage.people, stage.status) == (previous_stage.people, previous_stage.status):
            self._stages[code] = stage
        if any(reading.with_current_phrases(talk, snapshot, user) != talk for user, talk in talks.items()):
            self._fetches.add(code)

    def _cache_team_chat(self, code: str, sockets: list[MatchSocket], talks: Talks) -> None:
        """Keep the chat of a match with partners in memory, as each user with an open socket may read it.

        It must be sent again in every deal: partners may send fewer phrases while they hold cards. Then nothing has to
        be read. talks: the chat by user.
        """
        present_users = {socket.user_id for socket in sockets if socket in self._sockets.get(code, ())}
        if present_users and (snapshot := memory.recent(code)) and has_partners(snapshot):
            self._talks.setdefault(code, {}).update({user_id: talks[user_id] for user_id in present_users})

    async def _read_if_needed(self, code: str, viewers: frozenset[Viewer]) -> tuple[int, Talks, Htmls] | None:
        """Read the chat of a match for these viewers, as `_read_chat` returns it.

        Return None if there are no viewers, or if the match no longer exists.
        """
        try:
            return await self._reads.run(_read_chat, code, viewers) if viewers else None
        except Match.DoesNotExist:
            return None

    def _offer(self, code: str, sockets: list[MatchSocket], htmls: Htmls) -> None:
        """Send the chat to each of the sockets that is open and does not have it yet.

        htmls: by (user, language), the chat as HTML, and whether it has any content.
        """
        for socket in sockets:
            html, has_content = htmls[socket.user_id, socket.language]
            previous_html = self._html.get(socket)
            is_open = socket in self._sockets.get(code, ())
            if not is_open or html == previous_html:
                continue
            self._html[socket] = html
            # A new page shows an empty chat already. But partners may have laid down their cards since it was made, so
            # that other phrases are on offer.
            if has_content or previous_html is not None or code in self._talks:
                socket.offer_chat(html)

    # Spectators

    async def keep_spectators(self) -> None:
        """Confirm our spectators. The spectators of a dead process expire."""
        if self._stored_spectators:
            await self._writes.run(watching.keep, self._process)

    def _store_spectators_soon(self, code: str) -> None:
        """Store the spectators of a match after STORE_PAUSE seconds, once for all changes until then."""
        if code not in self._unsaved:  # Otherwise they are due already.
            self._unsaved.add(code)
            asyncio.get_running_loop().call_later(STORE_PAUSE, self._stores.add, code)

    async def _store_spectators(self, code: str) -> None:
        """Store who watches a match in this process, if that has changed. Then send the chat, which lists them."""
        self._unsaved.discard(code)
        snapshot = memory.recent(code)  # Without it we do not know who plays, and count nobody.
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
    return Stage(people_at(snapshot), snapshot.status, holds_partners(snapshot))


def _spectators_here(snapshot: Snapshot, sockets: set[MatchSocket]) -> Spectators:
    """Return who watches a match without a seat, of the people with these sockets.

    Return the keys of the users, and the number of visitors, who have no key.
    """
    players = {seat.user_id for seat in snapshot.seats if not seat.left} - {None}  # None is the user of a bot's seat.
    watchers = [socket for socket in sockets if socket.gets_chat and socket.user_id not in players]
    users = frozenset(socket.user_id for socket in watchers if socket.user_id is not None)
    visitor_count = sum(socket.user_id is None for socket in watchers)
    return users, visitor_count


def _viewers(sockets: list[MatchSocket]) -> frozenset[Viewer]:
    return frozenset((socket.user_id, socket.language) for socket in sockets)


def _read_chat(code: str, viewers: frozenset[Viewer]) -> tuple[int, Talks, Htmls]:
    """Return the key of the latest line, the chat by user, and its HTML by viewer.

    viewers: pairs of a user (None for visitors) and a language.
    """
    latest = reading.latest([code]).get(code, 0)  # Read first: a line written after it is fetched again, not missed.
    talks = reading.talks(code, {user_id for user_id, _ in viewers})
    return latest, talks, _render_chats(talks, viewers)


def _render_chats(talks: Talks, viewers: frozenset[Viewer]) -> Htmls:
    """Render the chat of a match for each viewer: a pair of a user (None for visitors) and their language.

    talks: the chat as each user may read it. Return a dict with, for each viewer, the HTML and whether it has any
    content.
    """
    html: dict[tuple[Talk, str], str] = {}  # By chat and language: viewers who may read the same share its HTML.
    for talk, language in {(talks[user_id], language) for user_id, language in viewers}:
        with using_language(language):
            html[talk, language] = talk_html(talk)
    htmls = {}
    for user_id, language in viewers:
        talk = talks[user_id]
        has_content = bool(talk.lines) or bool(talk.watchers.total)
        htmls[user_id, language] = html[talk, language], has_content
    return htmls
