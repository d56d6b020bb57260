"""The hub: the sockets of a process, and what is pushed to them.

Each process has one hub. `push_match` reports the writes of this process after their commit. The channel layer reports
the writes of other processes. Each socket then gets the table as its seat sees it, rendered by the templates of the
page. The hub also checks the database every few seconds, because messages may be lost.
"""

import asyncio
import contextvars
import json
import logging
import threading
from collections.abc import Awaitable, Callable, Collection, Coroutine
from functools import partial
from itertools import batched, chain
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import transaction

from accounts.site import current
from games.fragments import Fragments, lobby_tables
from games.live import others
from games.live.allowance import Allowances, SocketCounts
from games.live.attendance import Attendance
from games.live.chat import TalkDesk
from games.live.clubs import ClubDesk
from games.live.desks import Desk, PageSocket
from games.live.errands import Errands, MatchReads
from games.live.jobs import repeat
from games.live.rights import RightsDesk
from games.live.rooms import RoomDesk
from games.live.sockets import NOT_FOUND, MatchSocket, ProgramSocket, Socket
from games.live.tallies import TallyDesk
from games.live.threads import DatabaseThread
from games.models import Match
from games.notifications import bell
from games.notifications.waiting import waiting_tables
from games.play import metrics, store
from games.play.snapshot import Snapshot
from games.play.tables import tables_of_programs

log = logging.getLogger("valat.live")

# Claims per second. The proof of a claim may take some tenths of a second.
CLAIMS_A_USER = 1 / 3
CLAIMS_AN_ADDRESS = 1.0

LOBBY_PAUSE = 0.2  # Seconds. Changes of the lobby are pushed together after this time.

PAGES_AT_ONCE = 20  # Pages that get their waiting count before other tasks may run.

_hub: "Hub | None" = None


def hub() -> "Hub":
    """Return the hub, which holds all WebSockets of this process. Start it in the running event loop if needed."""
    global _hub
    loop = asyncio.get_running_loop()
    if _hub is None or _hub.loop is not loop:  # A test has a loop of its own.
        _hub = Hub(loop)
    return _hub


def stop() -> None:
    """Close the threads of the hub and forget it. Tests call this: each has an event loop of its own."""
    global _hub
    if _hub is not None:
        _hub.reads.close()
        _hub.writes.close()
        _hub.proofs.close()
        _hub = None


def push_match(snapshot: Snapshot, **_: object) -> None:
    """Send a changed match to the browsers that show it. The signal `match_changed` calls this.

    The hub holds the WebSockets of this process. A process without browsers, such as a clock, may have none: then tell
    the other processes. Must not run in the thread of an event loop, where `async_to_sync` fails.
    """
    if _hub is not None and _hub.loop.is_running():
        _hub.push(snapshot)  # It notifies the other processes too.
    elif others.there_may_be_others():
        async_to_sync(others.send)(others.match_messages(snapshot))


def push_chat(code: str, **_: object) -> None:
    """Send the changed chat of a match to its readers. The signal `talked` calls this. code: of the match.

    The hub holds the WebSockets of this process. A process without browsers, such as a clock, may have none: then tell
    the other processes. Must not run in the thread of an event loop, where `async_to_sync` fails.
    """
    if _hub is not None and _hub.loop.is_running():
        _hub.loop.call_soon_threadsafe(_hub.talk.changed, code)  # It notifies the other processes too.
    elif others.there_may_be_others():
        async_to_sync(others.send)(others.chat_messages(code))


def push_club(code: str, **_: object) -> None:
    """Send the changed page of a club to its readers. The signal `board.changed` calls this. code: of the club."""
    _push_page("club", code)


def push_tally(code: str, **_: object) -> None:
    """Send a changed tally to its readers. The signal `tally_changed` calls this, outside of an event loop."""
    _push_page("tally", code)


def _push_page(kind: str, code: str) -> None:
    if _hub is not None and _hub.loop.is_running():
        _hub.loop.call_soon_threadsafe(_hub.desks[kind].changed, code)  # It notifies the other processes too.
    elif others.there_may_be_others():
        async_to_sync(others.send)(others.page_messages(kind, code))


def push_bells(user_ids: Collection[int], **_: object) -> None:
    """Send the pages of these users what is new in their bells. The signal `rung` calls this.

    Must not run in the thread of an event loop, where `async_to_sync` fails.
    """
    if _hub is not None and _hub.loop.is_running():
        _hub.loop.call_soon_threadsafe(_hub.bells_rung, user_ids)  # It notifies the other processes too.
    elif others.there_may_be_others():
        async_to_sync(others.send)(others.bell_messages(user_ids))


def check_rights(user_ids: Collection[int], **_: object) -> None:
    """Close the sockets that these users may no longer have, after the commit: a receiver of `rights_changed`."""
    transaction.on_commit(partial(_close_ended_sockets, user_ids), robust=True)


def _close_ended_sockets(user_ids: Collection[int]) -> None:
    """Close the WebSockets that these users may no longer have, as after a ban, in all processes.

    The hub holds the WebSockets of this process. A process without browsers, such as a clock, may have none: then tell
    the other processes.
    """
    if _hub is not None and _hub.loop.is_running():
        _hub.loop.call_soon_threadsafe(_hub.rights_changed, user_ids)  # It notifies the other processes too.
    elif others.there_may_be_others():
        async_to_sync(others.send)(others.rights_messages(user_ids))


class Hub:
    """The sockets of one process. Everything here runs in its event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self.loop = loop
        self.sockets: dict[str, set[MatchSocket]] = {}  # by code
        self.lobby: set[Socket[str]] = set()
        self.bells: set[Socket[str]] = set()  # pages without another socket
        self.programs: set[ProgramSocket] = set()
        self.socket_counts = SocketCounts()
        self.bell_counts = SocketCounts()  # Open pages without a table must not keep anybody from a table.
        self.messages = Allowances(settings.MESSAGES_A_USER, settings.MESSAGES_AN_ADDRESS)
        self.bell_messages = Allowances(settings.MESSAGES_A_USER, settings.MESSAGES_AN_ADDRESS)
        self.claims = Allowances(CLAIMS_A_USER, CLAIMS_AN_ADDRESS)
        # Two threads, so that reads do not wait for writes. Another process may block a write.
        self.reads = DatabaseThread("hub reads")
        self.writes = DatabaseThread("hub writes")
        self.proofs = DatabaseThread("hub proofs", keeps=False)  # Too slow for the other threads.
        self.matches = MatchReads(self.reads)
        self.others = others.Others(self._handle_message, self._is_member, self._catch_up)
        self.talk = TalkDesk(self.sockets, self.reads, self.writes, self.others)
        self.rooms = RoomDesk(self.reads, self.others)
        self.clubs = ClubDesk(self.reads, self.others)
        self.tallies = TallyDesk(self.reads, self.others)
        self.desks: dict[str, Desk[Any]] = {desk.kind: desk for desk in (self.rooms, self.clubs, self.tallies)}
        self.attendance = Attendance(self.sockets, self.reads, self.writes)
        self.rights = RightsDesk(self.reads, self.start_task)
        self._tasks: set[asyncio.Task[None]] = set()
        self._fetches = Errands("Reading a match", self._fetch)
        self._lobby_reads = Errands("Reading the lobby", self._push_lobby)
        self._lobby_is_due = False
        self._announcements = current.announcements_in_memory()
        self._bell_reads = Errands("Reading bells", self._send_bells)
        self._rung: set[int] = set()  # the users whose bells must be read
        self._changes: list[Snapshot] = []  # Snapshots from other threads, for `_push_changes`.
        self._lock = threading.Lock()  # For `_changes`.
        metrics.TABLES.set_function(lambda: len(self.sockets))
        metrics.SOCKETS.labels("match").set_function(lambda: sum(map(len, list(self.sockets.values()))))
        metrics.SOCKETS.labels("bell").set_function(lambda: len(self.bells))
        metrics.SOCKETS.labels("lobby").set_function(lambda: len(self.lobby))
        jobs: dict[str, Callable[[], Awaitable[None]]] = {
            "changes": self._fetch_missed_changes,
            "tables of programs": lambda: self._update_programs(self.programs),
            "attendance": lambda: self.attendance.keep_connected(self._users_with_pages()),
            "watchers": self.talk.keep_spectators,
            "waiting counts": self._send_waiting_counts,
            "bells": self._fetch_missed_bells,
            "rooms": self.rooms.keep,
            "clubs": self.clubs.keep,
            "tallies": self.tallies.keep,
            "rights": self.rights.close_ended,
            "announcements": self._send_announcements,
        }
        for name, act in jobs.items():
            self.start_task(repeat(name, act))

    def start_task(self, coroutine: Coroutine[object, None, None]) -> None:
        """Run a coroutine in the background, in a new context: it must not inherit the language of a request."""
        task = self.loop.create_task(coroutine, context=contextvars.Context())
        self._tasks.add(task)  # The event loop has only a weak reference.
        task.add_done_callback(self._forget_task)

    def _forget_task(self, task: asyncio.Task[None]) -> None:
        """Drop a finished task, and log its error: nobody awaits it."""
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("A task of the hub failed.", exc_info=task.exception())
            metrics.ERRORS.labels("hub").inc()

    # Sockets come and go

    def join(self, socket: MatchSocket) -> None:
        """Send a socket the changes of its match from now on."""
        group = self.sockets.setdefault(socket.code, set())
        group.add(socket)
        if len(group) == 1:  # The first socket of this match: other processes must announce its changes to us.
            self.others.update_membership(others.group_name(socket.code))
        self.talk.joined(socket)

    def leave(self, socket: MatchSocket) -> None:
        """Forget a closed socket. If its user opens no other page of the match soon, they count as away."""
        group = self.sockets.get(socket.code, set())
        group.discard(socket)
        if not group:  # It was the last of this match: this process no longer needs messages about it.
            self.sockets.pop(socket.code, None)
            self.others.update_membership(others.group_name(socket.code))
        if socket.user_id is not None:
            self.start_task(self.attendance.note_leaving(socket.user_id, socket.code))
        self.talk.left(socket)

    def join_lobby(self, socket: Socket[str]) -> None:
        """Send the lobby (the list of open tables) to a socket after each change from now on."""
        self.lobby.add(socket)
        if len(self.lobby) == 1:  # The first socket: other processes must announce changes of the lobby to us.
            self.others.update_membership(others.LOBBY)

    def leave_lobby(self, socket: Socket[str]) -> None:
        """Stop sending the lobby (the list of open tables) to a socket that closes."""
        self.lobby.discard(socket)
        if not self.lobby:  # It was the last: this process no longer needs messages about the lobby.
            self.others.update_membership(others.LOBBY)

    def join_bell(self, socket: Socket[str], user_id: int) -> None:
        """Send a socket what is new in the bell of its user, now and after each change."""
        self.bells.add(socket)
        self.others.update_membership(others.USERS)
        self._ring([user_id])

    def join_program(self, socket: ProgramSocket) -> None:
        """Start sending a socket the tables of its program."""
        self.programs.add(socket)
        self.start_task(self._update_programs([socket]))

    def leave_program(self, socket: ProgramSocket) -> None:
        """Stop sending tables to a socket."""
        self.programs.discard(socket)

    def _is_member(self, group: str) -> bool:
        """Return whether this process needs the messages of a group, because it has sockets for them.

        Processes send each other messages over the channel layer. A group is a topic there: the lobby, the rights of
        users, a replay room or a match.
        """
        if group == others.LOBBY:
            return bool(self.lobby)
        if page := self._page_of(group):
            desk, code = page
            return code in desk.sockets
        return group == others.USERS or self._match_code_of(group) in self.sockets

    def _catch_up(self, group: str) -> None:
        """Read again what a group of messages is about, such as a match. Called when this process has joined the group.

        Other processes may have changed it before. We have not received their messages.
        """
        if group == others.LOBBY:
            self.refresh_lobby()
        elif page := self._page_of(group):
            desk, code = page
            desk.fetch(code)
        elif group != others.USERS and others.there_may_be_others():  # A process alone has missed nothing.
            code = self._match_code_of(group)
            self.fetch(code)
            self.talk.fetch(code)

    def _page_of(self, group: str) -> tuple[Desk[Any], str] | None:
        """Return the desk and the code of the page that a group is about, or None for other groups."""
        kind, _, code = group.partition(".")
        return (self.desks[kind], code) if kind in self.desks else None

    @staticmethod
    def _match_code_of(group: str) -> str:
        return group.removeprefix(others.group_name(""))

    def _users_with_pages(self) -> set[int]:
        """Return the keys of the users with an open page here."""
        return {socket.user_id for socket in self._all_sockets() if socket.user_id is not None}

    def _all_sockets(self) -> list[Socket[str] | MatchSocket | PageSocket[Any]]:
        at_tables, at_desks = self.sockets.values(), (desk.sockets.values() for desk in self.desks.values())
        return [*self.lobby, *self.bells, *chain(*at_tables), *chain(*chain(*at_desks))]

    # Changes come in

    def push(self, snapshot: Snapshot) -> None:
        """Send a changed match to our sockets, and notify the other processes. Any thread may call this.

        It only puts the change in a list, and wakes the event loop, which does the work. So several changes at once,
        as from one transaction, wake it once.
        """
        with self._lock:
            self._changes.append(snapshot)
            if len(self._changes) > 1:
                return  # An earlier call has woken the loop, which will take this change too.
        self.loop.call_soon_threadsafe(self._push_changes)

    def _push_changes(self) -> None:
        """Send the changed matches that wait in `_changes` to our sockets, and notify the other processes.

        Our sockets come first, so that the players here do not wait for the messages.
        """
        with self._lock:
            snapshots, self._changes = self._changes, []
        for snapshot in reversed(snapshots):  # The newest first: older ones of the same match are then skipped.
            self._act_safely(self._offer, snapshot)
        for snapshot in snapshots:
            self._act_safely(self._announce, snapshot)

    @staticmethod
    def _act_safely(act: Callable[[Snapshot], None], snapshot: Snapshot) -> None:
        """Call `act` with the snapshot of a match. Log an error, so that it does not stop the other matches."""
        try:
            act(snapshot)
        except Exception:
            log.exception("Match %s could not be pushed.", snapshot.code)
            metrics.ERRORS.labels("hub").inc()

    def _announce(self, snapshot: Snapshot) -> None:
        """Notify the other processes of a changed match. Refresh the lobby, our list of tables, if it shows this."""
        if others.there_may_be_others():  # Otherwise nobody needs the messages.
            self.others.announce(others.match_messages(snapshot))
        if others.concerns_lobby(snapshot):
            self.refresh_lobby()
            if snapshot.club:
                self.clubs.fetch(snapshot.club.code)

    def bells_rung(self, user_ids: Collection[int]) -> None:
        """Send the pages of these users what is new in their bells, here and in the other processes."""
        self._ring(user_ids)
        self.others.announce(others.bell_messages(user_ids))

    def _ring(self, user_ids: Collection[int]) -> None:
        self._rung.update(user_ids)
        self._bell_reads.add("")

    async def _fetch_missed_bells(self) -> None:
        """Read the bells of all users here: messages about them may get lost."""
        self._ring(self._users_with_pages())

    async def _send_bells(self, _: str) -> None:
        """Send the numbers of unread events and messages to the pages of the users whose bells have rung.

        Only numbers: an open page fetches the list itself if its reader looks at it. `_bell_reads` is a queue of keys.
        There is only one, so the key says nothing.
        """
        user_ids, self._rung = self._rung & self._users_with_pages(), set()
        if not user_ids:
            return
        try:
            numbers = await self.reads.run(bell.numbers, user_ids)
        except BaseException:
            self._rung |= user_ids
            raise
        for socket in self._all_sockets():
            if socket.user_id in user_ids and isinstance(socket, Socket):
                unread = numbers[socket.user_id]
                if unread != socket.bell:
                    socket.bell = unread
                    self.start_task(socket.send(json.dumps({"bell": unread.events, "messages": unread.messages})))

    def rights_changed(self, user_ids: Collection[int]) -> None:
        """Close the sockets that these users may no longer have, here and in the other processes."""
        self._recheck_rights(user_ids)
        self.others.announce(others.rights_messages(user_ids))

    def _recheck_rights(self, user_ids: Collection[int]) -> None:
        """Close the sockets that these users may no longer have, and refresh the pages that now show them less.

        Their rights have changed, for example by a ban, or because somebody has blocked them.
        """
        self.start_task(self.rights.close_ended(user_ids))
        if any(socket.user_id in user_ids for socket in self.lobby):
            self.refresh_lobby()  # The list of tables may be shorter for them.
        # A block hides lines of a chat.
        for code, sockets in self.sockets.items():
            if any(socket.user_id in user_ids for socket in sockets):
                self.talk.fetch(code)
        for code, members in self.clubs.sockets.items():
            if any(socket.user_id in user_ids for socket in members):
                self.clubs.fetch(code)

    def _handle_message(self, message: others.Message) -> None:
        """Handle a message of another process. Ignore unknown ones: that process may run another version."""
        match message:
            case {"type": "lobby.changed"}:
                self.refresh_lobby()
            case {"type": "user.hang_up", "user_id": int(user_id)}:
                self._recheck_rights([user_id])
            case {"type": "bell.rung", "user_id": int(user_id)}:
                self._ring([user_id])
            case {"type": "match.changed", "code": str(code), "revision": int(revision)}:
                self._fetch_if_behind(code, revision)
            case {"type": "talk.changed", "code": str(code)}:
                self.talk.fetch(code)
            case {"type": "club.changed", "club": str(code)}:
                self.clubs.fetch(code)
            case {"type": "room.changed", "room": str(code)}:
                self.rooms.fetch(code)
            case {"type": "tally.changed", "tally": str(code)}:
                self.tallies.fetch(code)

    async def _fetch_missed_changes(self) -> None:
        """Fetch the changes of matches, chats and the lobby that we have missed: messages about them may get lost.

        The revision of a match is the number of its writes. If it is higher in the database than here, we have missed
        a change.
        """
        revisions = await self.reads.run(store.revisions, list(self.sockets)) if self.sockets else {}
        await self.talk.fetch_missed_lines()
        for code, revision in revisions.items():
            self._fetch_if_behind(code, revision)
        self.refresh_lobby()

    async def _update_programs(self, sockets: Collection[ProgramSocket]) -> None:
        """Let each of these sockets join the tables where its program has a seat, and leave all others.

        Users may let their own programs play. The hash of its token identifies a program. One query serves all sockets.
        """
        if sockets:
            codes = await self.reads.run(tables_of_programs, {socket.token_hash for socket in sockets})
            for socket in list(sockets):
                await socket.follow(codes.get(socket.token_hash, set()))

    async def _send_announcements(self) -> None:
        """Let all pages fetch the announcements of the staff again when they have changed."""
        announcements = current.announcements_in_memory()
        if announcements == self._announcements:
            return
        self._announcements = announcements
        for socket in list(self._all_sockets()):
            if isinstance(socket, Socket):
                self.start_task(socket.send(json.dumps({"announcements": True})))

    async def _send_waiting_counts(self) -> None:
        """Send each open page the number of tables that wait for its user, if it has changed.

        A table waits for a move or for an answer. One query serves all pages.
        """
        pages = [(socket, socket.user_id) for socket in self._all_sockets() if isinstance(socket, Socket)]
        pages_of_users = [(socket, user_id) for socket, user_id in pages if user_id is not None]
        if not pages_of_users:
            return
        # By user, the tables that wait for them.
        tables = await self.reads.run(waiting_tables, {user_id for _, user_id in pages_of_users})
        for batch in batched(pages_of_users, PAGES_AT_ONCE, strict=False):
            for socket, user_id in batch:
                count = len(tables.get(user_id, ()))
                if count != socket.waiting_count:
                    socket.waiting_count = count
                    self.start_task(socket.send(json.dumps({"waiting": count})))
            await asyncio.sleep(0)  # Let other tasks run, such as moves: there may be thousands of pages.

    def _fetch_if_behind(self, code: str, revision: int) -> None:
        """Read a match soon if any socket here shows an older revision. A revision counts the writes of a match."""
        if any(socket.revision < revision for socket in self.sockets.get(code, ())):
            self.fetch(code)

    def fetch(self, code: str) -> None:
        """Read a match soon and push it to the sockets with an older table."""
        self._fetches.add(code)

    async def _fetch(self, code: str) -> None:
        if code not in self.sockets:
            return
        try:
            self._offer((await self.matches.read(code)).snapshot)
        except Match.DoesNotExist:
            for socket in self.sockets.get(code, ()):
                self.start_task(socket.close(NOT_FOUND))

    # Pushes go out

    def _offer(self, snapshot: Snapshot) -> None:
        """Send a snapshot (the state of a match) to the sockets that show an older one.

        A revision counts the writes of a match. Also note who is present, and update the chat.
        """
        sockets = [socket for socket in self.sockets.get(snapshot.code, ()) if socket.revision < snapshot.revision]
        if not sockets:
            return
        table = Fragments(snapshot)  # The HTML, rendered once for all sockets that show the same.
        for socket in sockets:
            socket.offer(table)
        self.attendance.note_players(snapshot)
        self.talk.table_changed(snapshot)

    def refresh_lobby(self) -> None:
        """Read the lobby (the list of open tables) after LOBBY_PAUSE seconds, and send it to its sockets."""
        if self.lobby and not self._lobby_is_due:  # One read serves all changes until then.
            self._lobby_is_due = True
            self.loop.call_later(LOBBY_PAUSE, self._lobby_reads.add, "")

    async def _push_lobby(self, _: str) -> None:
        """Read the lobby (the list of open tables), and send it to each of its sockets as the user may see it.

        `_lobby_reads` is a queue of keys. There is only one lobby, so the key says nothing.
        """
        self._lobby_is_due = False
        html = await self.reads.run(lobby_tables, {(socket.user_id, socket.language) for socket in self.lobby})
        for socket in self.lobby:
            tables = html.get((socket.user_id, socket.language))
            if tables:  # Missing for sockets that joined during the read.
                socket.offer(tables)
