"""Sockets of programs: each gets the positions in which its user is to move, at whatever table, and answers with moves.

Nothing else reaches them. docs/bots.md says what the messages are.
"""

import asyncio
import json
import logging
from typing import Any

from accounts.programs import user_of
from games.fragments import Fragments
from games.live.consumers import TalkingSocket, recent, soon
from games.live.hub import CONNECT_ANEW, hub, refusal_message
from games.live.writer import writer
from games.models import Match, Seat
from games.play import memory, store
from games.play.errors import Refused, StaleMove
from games.play.requests import MoveRequest, clean_move
from games.play.snapshot import Snapshot

UNKNOWN_TOKEN = 4401
LOOK_EVERY = 2.0  # seconds between looks for tables at which the program has been given a seat

log = logging.getLogger("valat.programs")


class ProgramConsumer(TalkingSocket):
    """One program, at all of its tables."""

    _following: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        self._tables: dict[str, ProgramTable] = {}
        self._questions: dict[str, str] = {}  # by match, those that are still to be sent
        token = _token(self.scope)
        user = await soon(hub().reads.run(user_of, token)) if token else None
        self.user_id = user.pk if user else None
        if not await self.enter():
            return
        if user is None:
            await self.tell("This token is not known here.")
            await self.close(UNKNOWN_TOKEN)
            return
        self._following = asyncio.get_running_loop().create_task(self._follow())

    async def leave(self) -> None:
        if self._following:
            self._following.cancel()
        for table in self._tables.values():
            hub().leave(table)

    async def _follow(self) -> None:
        """Join the tables at which the program sits, as it is given seats, and leave those that are over."""
        while True:
            try:
                codes = await hub().reads.run(_tables_of, self.user_id)
                for code in self._tables.keys() - codes:
                    hub().leave(self._tables.pop(code))
                for code in codes - self._tables.keys():
                    await self._join(code)
            except Exception as error:
                log.error("Looking for the tables of a program failed: %r", error)
            await asyncio.sleep(LOOK_EVERY)

    async def _join(self, code: str) -> None:
        snapshot = await hub().reads.run(store.read, code)
        table = self._tables[code] = ProgramTable(self, code)
        hub().join(table)
        hub().note_presence(snapshot)
        table.offer(Fragments(memory.recent(code) or snapshot))

    def ask(self, code: str, question: str) -> None:
        """Send a question about a match, or instead of the one about it that is still to be sent."""
        self._questions[code] = question
        self.offer(self._questions)

    async def text_of(self, offered: Any) -> str:
        if not self._questions:
            return ""
        self._offered = offered  # for the next of them
        return self._questions.pop(next(iter(self._questions)))

    async def act(self, message: dict[str, Any]) -> None:
        code = message.get("match")
        if not isinstance(code, str) or code not in self._tables:
            raise Refused("You have no seat in that match.")
        move, seen = clean_move(message)
        seat = (await recent(code)).player_number(self.user_id)
        await soon(writer().play(MoveRequest(code, seat, move, seen)))

    async def refuse(self, message: dict[str, Any], refusal: Exception) -> None:
        await self.send(json.dumps({"match": message.get("match")} | json.loads(refusal_message(str(refusal)))))
        if isinstance(refusal, StaleMove) and (table := self._tables.get(message["match"])):
            table.ask_again()


class ProgramTable:
    """A table at which a program sits, as the hub knows its sockets."""

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
            self._socket.ask(self.code, question(snapshot, seat))

    def ask_again(self) -> None:
        """After an answer to an older position: ask about the newest, even if that was done."""
        self._asked = -1
        if snapshot := memory.recent(self.code):
            self.offer(Fragments(snapshot))

    async def close(self, code: int) -> None:
        """Only who is logged out has to connect anew: a match that is gone is left when it is missed."""
        if code == CONNECT_ANEW:
            await self._socket.close(code)


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


def _tables_of(user_id: int) -> set[str]:
    """The codes of the running matches at which a user has a seat."""
    seats = Seat.objects.filter(user=user_id, left_at=None, match__status__in=Match.RUNNING)
    return set(seats.values_list("match__code", flat=True))


def _token(scope: dict[str, Any]) -> str:
    """What stands after "Bearer" in the header of a socket; "" without it."""
    for name, value in scope["headers"]:
        if name == b"authorization" and value[:7].lower() == b"bearer ":
            return value[7:].decode("latin1").strip()
    return ""
