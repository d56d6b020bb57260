"""What people, bots and the clock may ask of a running match, and how it is read out of a form or a message."""

import json
from datetime import datetime
from typing import Any, NamedTuple

from games.kit.language import lazy
from games.models import Move
from games.play.errors import Refused

COUNT_LIMIT = 1_000_000
KEY_LIMIT = 2**63  # of what databases count rows by


class MoveRequest(NamedTuple):
    """A move that somebody wants to make."""

    code: str
    seat: int | None  # CHANCE for the next shuffle; None for somebody without a seat
    move: Any  # None for a shuffle: it follows from the seed
    seen: int  # how many moves they had seen
    actor: str = Move.Actor.PLAYER
    wake_at: datetime | None = None  # of the clock's requests: they hold only while the match waits for that moment
    first: tuple[dict[str, Any], ...] = ()  # moves that go before it, in this order: all of them are made, or none

    @property
    def moves(self) -> list[Any]:
        """What is to be made of it, in order."""
        return [*self.first, self.move]


class ReadyRequest(NamedTuple):
    """A player has seen the result of the deal and waits for the next."""

    code: str
    user_id: int | None


class ClaimRequest(NamedTuple):
    """A claim that has been proven: the rest of the deal, to be played out at once."""

    code: str
    seat: int
    kind: str  # of games.kit.claims.KINDS
    tricks: int  # how many are left, the one in progress included
    moves: tuple[tuple[int, dict[str, Any]], ...]  # pairs of a seat and its move, in order
    seen: int  # on how many moves it was proven
    actor: str = Move.Actor.PLAYER  # or BOT
    wake_at: datetime | None = None  # as of a MoveRequest


Request = MoveRequest | ReadyRequest | ClaimRequest


def clean_move(data: Any) -> tuple[dict[str, Any], int]:
    """(move, seen) from the fields of a posted form or a socket's message: "move", JSON or a dict, and "seen".

    Numbers of the move may have been chosen in fields of their own: {"bet": {"field": "stones"}} takes the number in
    the field "stones", {"positions": [{"field": "position"}]} all that were chosen by that name, none perhaps.
    The move need not be legal, nor even one of the game's. Raises Refused.
    """
    seen = clean_count(data.get("seen"))
    if seen is None:
        raise Refused(lazy("That is not a move. Load the page again."))
    move = _parsed(data.get("move"))
    return {key: _filled_in(value, data) for key, value in move.items()}, seen


def clean_first(data: Any) -> tuple[dict[str, Any], ...]:
    """The moves that go before the one in "move": every "first" of a posted form or a message, in their order.

    Boxes that are ticked send them: what is declared along with a card. Raises Refused.
    """
    return tuple([_parsed(move) for move in _all_named("first", data)])


def _parsed(move: object) -> dict[str, Any]:
    """A move, JSON or a dict. Raises Refused."""
    if isinstance(move, str):
        try:
            move = json.loads(move)
        except (ValueError, RecursionError):
            move = None
    if not isinstance(move, dict):
        raise Refused(lazy("That is not a move. Load the page again."))
    return move


def clean_count(value: object, limit: int = COUNT_LIMIT) -> int | None:
    """How many moves a page says it has seen, in a number or a form's text; None where that is no such number."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    return value if type(value) is int and 0 <= value < limit else None


def _filled_in(value: object, data: Any) -> object:
    """A value of a move, with what was chosen in the field that it names."""
    match value:
        case {"field": str(name), **others} if not others:
            numbers = _numbers(name, data)
            if len(numbers) != 1:
                raise Refused(lazy("Choose a number first."))
            return numbers[0]
        case [{"field": str(name), **others}] if not others:
            return sorted(_numbers(name, data))
    return value


def _numbers(name: str, data: Any) -> list[int]:
    """The whole numbers in all fields of that name. Raises Refused if there is anything else in one."""
    texts = [text for text in _all_named(name, data) if text != ""]
    if not all(isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 10 for text in texts):
        raise Refused(lazy("Enter a whole number."))
    return [int(text) for text in texts]


def _all_named(name: str, data: Any) -> list[Any]:
    """What is in all fields of that name: a form lists them, a message has a list of several and else the one."""
    values = data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])
    return values if isinstance(values, list) else [values]
