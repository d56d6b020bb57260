"""Requests of people, bots and the clock to a running match, and how they are read from a form or a message."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from games.kit import contract
from games.kit.language import lazy
from games.models import Move
from games.play.errors import Refused

COUNT_LIMIT = 1_000_000
NUMBER = re.compile("[0-9]{1,9}")
KEY_LIMIT = 2**63  # Primary keys are below this.

type Fields = Mapping[str, object]  # of a form or a socket's message


class MoveRequest(NamedTuple):
    """A move that a seat wants to play."""

    code: str
    seat: int | None  # CHANCE for the next deal; None for a user without a seat, who is refused
    move: Any  # a contract.Move; None for a deal, which follows from the seed
    seen_count: int  # how many moves the match had when this one was chosen
    actor: str = Move.Actor.PLAYER
    wake_at: datetime | None = None  # in requests of the clock: refused if the match's wake_at has changed
    first: tuple[contract.Move, ...] = ()  # moves to play before this one; either all are played or none

    @property
    def moves(self) -> list[Any]:
        """All moves to play, in order."""
        return [*self.first, self.move]


class ReadyRequest(NamedTuple):
    """A player has read the result of a deal and is ready for the next."""

    code: str
    user_id: int | None


class ClaimRequest(NamedTuple):
    """A proven claim, with the moves that play out the deal."""

    code: str
    seat: int
    kind: str  # of games.kit.claims.KINDS
    tricks: int  # how many are left, the one in progress included
    moves: tuple[tuple[int, contract.Move], ...]  # pairs of a seat and its move, in order
    seen_count: int  # how many moves the match had when it was proven
    actor: str = Move.Actor.PLAYER  # or BOT
    wake_at: datetime | None = None  # as in MoveRequest


Request = MoveRequest | ReadyRequest | ClaimRequest


def clean_move(data: Fields) -> tuple[contract.Move, int]:
    """Return a player's move from a posted form or a socket's message, and how many moves their page had shown.

    data: has "move", a dict or JSON, and "seen", that number. The rules check the move later. Raise Refused if it has
    the wrong form.
    Values of the move may refer to other fields of the form: {"bet": {"field": "stones"}} takes the number in the field
    "stones", {"positions": [{"field": "position"}]} the list of all numbers in fields named "position".
    """
    seen_count = clean_count(data.get("seen"))
    if seen_count is None:
        raise Refused(lazy("That is not a move. Load the page again."))
    move = _parse_move(data.get("move"))
    return {key: _fill_in(value, data) for key, value in move.items()}, seen_count


def clean_first(data: Fields) -> tuple[contract.Move, ...]:
    """Return the moves to play before the main one, from all fields "first" of a posted form or a message.

    They come from boxes that the player has ticked, to declare something together with a card. Raise Refused if one is
    no move.
    """
    return tuple([_parse_move(move) for move in _all_values("first", data)])


def _parse_move(move: object) -> contract.Move:
    """Return a move from a dict or from JSON. Raise Refused for anything else."""
    if isinstance(move, str):
        try:
            move = json.loads(move)
        except (ValueError, RecursionError):
            move = None
    if not isinstance(move, dict):
        raise Refused(lazy("That is not a move. Load the page again."))
    return move


def clean_count(value: object, limit: int = COUNT_LIMIT) -> int | None:
    """Return a count from a message or a form, as an int from 0 to below `limit`; None if it is anything else."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    return value if type(value) is int and 0 <= value < limit else None


def _fill_in(value: object, data: Fields) -> object:
    """Return a value of a move. If it refers to a field of the form, return the number or numbers in that field.

    {"field": NAME} refers to one number, [{"field": NAME}] to a sorted list of numbers.
    """
    match value:
        case {"field": str(name), **others} if not others:  # A dict with this key only.
            numbers = _numbers(name, data)
            if len(numbers) != 1:
                raise Refused(lazy("Choose a number first."))
            return numbers[0]
        case [{"field": str(name), **others}] if not others:
            return sorted(_numbers(name, data))
    return value


def _numbers(name: str, data: Fields) -> list[int]:
    """Return the whole numbers in all fields of that name. Raise Refused for anything else."""
    texts = [text for text in _all_values(name, data) if text != ""]
    numbers = [int(text) for text in texts if isinstance(text, str) and NUMBER.fullmatch(text)]
    if len(numbers) < len(texts):
        raise Refused(lazy("Enter a whole number."))
    return numbers


def _all_values(name: str, data: Fields) -> list[object]:
    """Return the values of all fields of that name. A message holds a list of them, or a single value."""
    values = data.getlist(name) if hasattr(data, "getlist") else data.get(name, [])
    return values if isinstance(values, list) else [values]
