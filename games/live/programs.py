"""Sockets of programs: each gets the positions in which its user is to move, at whatever table, and answers with moves.

Nothing else reaches them. docs/bots.md says what the messages are.
"""

import json
import logging
from typing import Any

from django.utils import timezone

from accounts.programs import hash_token, user_of
from accounts.rights import Credential
from games.fragments import Fragments
from games.kit.language import ENGLISH, lazy, say
from games.live.consumers import TalkingSocket, recent, soon
from games.live.hub import hub
from games.live.sockets import UNKNOWN_TOKEN, refusal_message
from games.live.writer import writer
from games.play import memory, metrics
from games.play.errors import Refused, StaleMove
from games.play.requests import MoveRequest, clean_move
from games.play.snapshot import Snapshot

log = logging.getLogger("valat.programs")


class ProgramConsumer(TalkingSocket):
    """One program, at all of its tables."""

    token_hash = ""

    async def connect(self) -> None:
        self._tables: dict[str, ProgramTable] = {}
        self._questions: dict[str, tuple[Snapshot, int]] = {}  # by match, those that are still to be sent
        token = _token(self.scope)
        user = await soon(hub().reads.run(user_of, token)) if token else None
        if user:
            self.user_id, self.token_hash = user.pk, hash_token(token)
            self.credential = Credential(user.pk, timezone.now(), token_hash=self.token_hash)
        if not await self.enter():
            return
        if user is None:
            await self.tell(say("This token is not valid here. Make a new one on the page of your bots."))
            await self.close(UNKNOWN_TOKEN)
            return
        hub().join_program(self)

    async def leave(self) -> None:
        await super().leave()
        hub().leave_program(self)
        for table in self._tables.values():
            hub().leave(table)

    async def follow(self, codes: set[str]) -> None:
        """Join the running tables of the program, and leave the others."""
        for code in self._tables.keys() - codes:
            hub().leave(self._tables.pop(code))
        for code in codes - self._tables.keys():
            try:
                await self._join(code)
            except Exception as error:  # the next look tries again
                log.error("The table %s of a program can’t be read: %r", code, error)

    async def _join(self, code: str) -> None:
        read = await hub().matches.read(code)
        if code in self._tables or self not in hub().programs:  # meanwhile
            return
        table = self._tables[code] = ProgramTable(self, code)
        hub().join(table)
        hub().attendance.note(read.snapshot)
        newest = memory.recent(code)
        table.offer(Fragments(newest) if newest else read)

    def ask(self, snapshot: Snapshot, seat: int) -> None:
        """Send a question about a match, or instead of the one about it that is still to be sent."""
        self._questions[snapshot.code] = snapshot, seat
        self.offer(self._questions)

    async def text_of(self, offered: Any) -> str:
        if not self._questions:
            return ""
        self._offered = offered  # for the next of them
        code = next(iter(self._questions))
        try:
            return question(*self._questions.pop(code))
        except Exception:  # the stand-in will move
            log.exception("A program can’t be asked about match %s.", code)
            metrics.ERRORS.labels("drawing").inc()
            return ""

    async def act(self, message: dict[str, Any]) -> None:
        code = message.get("match")
        if not isinstance(code, str) or code not in self._tables:
            raise Refused(lazy("You have no seat in that match. Join it first."))
        move, seen = clean_move(message)
        seat = (await recent(code)).player_number(self.user_id)
        await soon(writer().play(MoveRequest(code, seat, move, seen)))

    async def refuse(self, message: dict[str, Any], refusal: Exception) -> None:
        await self.send(json.dumps({"match": message.get("match")} | json.loads(refusal_message(str(refusal)))))
        if isinstance(refusal, StaleMove) and (table := self._tables.get(message["match"])):
            table.ask_again()


class ProgramTable:
    """A table at which a program sits, as the hub knows its sockets."""

    hears_talk = False
    language = ENGLISH

    def __init__(self, socket: ProgramConsumer, code: str):
        self.code = code
        self.user_id = socket.user_id
        self.revision = -1
        self._socket = socket
        self._asked = -1  # at how many moves the program was asked last

    def offer(self, offered: Fragments) -> None:
        """Ask the program if it is to move in this position, once."""
        snapshot = offered.snapshot
        if snapshot.revision < self.revision:
            return
        self.revision = snapshot.revision
        seat = snapshot.player_number(self.user_id)
        if seat is not None and snapshot.to_act == seat and snapshot.move_count != self._asked:
            self._asked = snapshot.move_count
            self._socket.ask(snapshot, seat)

    def hear(self, told: str) -> None:
        """Nothing: programs are told no talk."""

    def ask_again(self) -> None:
        """After an answer to an older position: ask about the newest, even if that was done."""
        self._asked = -1
        if snapshot := memory.recent(self.code):
            self.offer(Fragments(snapshot))

    async def close(self, code: int) -> None:
        """Nothing: the hub closes the program's socket itself, and a match that is gone is left by the next look."""


def question(snapshot: Snapshot, seat: int) -> str:
    """What a program is asked, as JSON: what its seat may see, and its legal moves."""
    rules = snapshot.rules
    assert rules is not None
    return json.dumps(
        {
            "match": snapshot.code,
            "game": snapshot.game,
            "version": snapshot.rules_version,
            "seen": snapshot.move_count,
            "view": rules.view(snapshot.state, seat),
            "moves": rules.legal_moves(snapshot.state),
        }
    )


def _token(scope: dict[str, Any]) -> str:
    """What stands after "Bearer" in the header of a socket; "" without it."""
    for name, value in scope["headers"]:
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            return value[7:].decode("latin1").strip()
    return ""
