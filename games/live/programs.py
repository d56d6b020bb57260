"""The sockets of programs. A program receives a position whenever it must move at a table, and sends its move.

Nothing else is sent to it. docs/bots.md describes the messages.
"""

import json
import logging

from django.utils import timezone

from accounts.programs import hash_token, user_of
from accounts.rights import Credential
from config.asgi_types import Scope
from games.fragments import Fragments
from games.kit.language import ENGLISH, lazy, say
from games.live.consumers import TalkingSocket, in_time, recent_snapshot
from games.live.hub import hub
from games.live.sockets import UNKNOWN_TOKEN, refusal_message
from games.live.writer import writer
from games.play import memory, metrics
from games.play.errors import Refused, StaleMove
from games.play.requests import Fields, MoveRequest, clean_move
from games.play.snapshot import Snapshot

log = logging.getLogger("valat.programs")


type Questions = dict[str, tuple[Snapshot, int]]  # by code of the match: its position, and the seat of the program


class ProgramConsumer(TalkingSocket[Questions]):
    """The socket of a program, for all its tables."""

    token_hash = ""

    async def connect(self) -> None:
        """Accept the socket of a user's program if its token is valid. From now on, ask it for moves at all its tables.

        A question is a position where the program is to move. Without a valid token, send the reason and close the
        socket. Accept it first, because nothing can be sent before that.
        """
        self._tables: dict[str, ProgramTable] = {}  # by code of the match
        self._questions: Questions = {}  # the questions that are not sent yet
        token = _bearer_token(self.scope)
        user = await in_time(hub().reads.run(user_of, token)) if token else None
        if user:
            self.user_id, self.token_hash = user.pk, hash_token(token)
            self.credential = Credential(user.pk, timezone.now(), token_hash=self.token_hash)
        if not await self.enter():
            return
        if user is None:
            await self.send_refusal(say("This token is not valid here. Make a new one on the page of your bots."))
            await self.close(UNKNOWN_TOKEN)
            return
        hub().join_program(self)

    async def leave(self) -> None:
        await super().leave()
        hub().leave_program(self)
        for table in self._tables.values():
            hub().leave(table)

    async def follow(self, codes: set[str]) -> None:
        """Join the tables with these codes, where the program has a seat. Leave all others."""
        for code in self._tables.keys() - codes:
            hub().leave(self._tables.pop(code))
        for code in codes - self._tables.keys():
            try:
                await self._join(code)
            except Exception as error:  # The hub calls `follow` again in a moment.
                log.error("The table %s of a program can’t be read: %r", code, error)

    async def _join(self, code: str) -> None:
        """Receive the changes of a table from now on. If the program is to move there, ask for its move."""
        stored = await hub().matches.read(code)
        has_joined = code in self._tables
        has_closed = self not in hub().programs
        if has_joined or has_closed:  # Either may have happened during the read.
            return
        table = self._tables[code] = ProgramTable(self, code)
        hub().join(table)
        hub().attendance.note_players(stored.snapshot)
        newest = memory.recent(code)  # A move may have been played during the read.
        table.offer(Fragments(newest) if newest else stored)

    def ask(self, snapshot: Snapshot, seat: int) -> None:
        """Send a question about a match. It replaces an older one about the same match that is not sent yet."""
        self._questions[snapshot.code] = snapshot, seat
        self.offer(self._questions)

    async def text_of(self, offer: Questions) -> str:
        """Take the first waiting question to the program, and return it as JSON. Return "" to send nothing.

        A question asks for a move. offer: the waiting questions, by the code of their match. The sender calls this.
        """
        if not offer:
            return ""
        self._offer = offer  # This makes the sender call again, for the next question.
        code = next(iter(offer))
        try:
            return question(*offer.pop(code))
        except Exception:  # Without an answer, a bot will move for the program.
            log.exception("A program can’t be asked about match %s.", code)
            metrics.ERRORS.labels("drawing").inc()
            return ""

    async def act(self, message: Fields) -> None:
        code = message.get("match")
        if not isinstance(code, str) or code not in self._tables:
            raise Refused(lazy("You have no seat in that match. Join it first."))
        move, seen_count = clean_move(message)
        seat = (await recent_snapshot(code)).player_number(self.user_id)
        await in_time(writer().play(MoveRequest(code, seat, move, seen_count)))

    async def refuse(self, message: Fields, refusal: Exception) -> None:
        code = message.get("match")
        await self.send(json.dumps({"match": code} | json.loads(refusal_message(str(refusal)))))
        if isinstance(refusal, StaleMove) and (table := self._tables.get(str(code))):
            table.ask_again()


class ProgramTable:
    """A table of a program. For the hub it is a MatchSocket."""

    gets_chat = False
    language = ENGLISH

    def __init__(self, socket: ProgramConsumer, code: str):
        self.code = code
        self.user_id = socket.user_id
        self.revision = -1
        self._socket = socket
        self._question_index = -1  # the number of moves in the latest question

    def offer(self, offer: Fragments) -> None:
        """Ask the program for its move, if its seat is to move. offer: the table, after any change of the match."""
        snapshot = offer.snapshot
        if snapshot.revision < self.revision:  # Changes may arrive in another order.
            return
        self.revision = snapshot.revision
        seat = snapshot.player_number(self.user_id)
        # Other changes, as when a player connects, do not repeat the question.
        is_new_position = snapshot.move_count != self._question_index
        if seat is not None and snapshot.to_act == seat and is_new_position:
            self._question_index = snapshot.move_count
            self._socket.ask(snapshot, seat)

    def offer_chat(self, html: str) -> None:
        """Do nothing: programs do not get the chat."""

    def ask_again(self) -> None:
        """Ask the program for its move again, in the newest position. Its answer was to an older one."""
        self._question_index = -1  # No position has this index, so the next one counts as new.
        if snapshot := memory.recent(self.code):
            self.offer(Fragments(snapshot))

    async def close(self, code: int) -> None:
        """Do nothing: `follow` drops the table of a deleted match. The hub closes the program's socket itself."""


def question(snapshot: Snapshot, seat: int) -> str:
    """Return the JSON that asks a program for a move. "view" is what its seat sees, "moves" are the legal moves.

    The answer must repeat "seen", the number of moves so far. So we notice an answer to an older position.
    """
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


def _bearer_token(scope: Scope) -> str:
    """Return the token after "Bearer" in the Authorization header, or ""."""
    for name, value in scope["headers"]:
        scheme, _, token = value.partition(b" ")
        if name == b"authorization" and scheme.lower() == b"bearer":
            return token.decode("latin1").strip()
    return ""
