"""Rooms in which people watch the replay of a finished match together: one steers, the others follow.

A room is known by its link alone. What it holds stands in the cache, which all processes share, and is forgotten after
a day: where the replay is, who steers, and for as long as they say so, who is there. Every key is written whole, by
the one whom it belongs to, so nobody undoes what another process writes.
"""

import hashlib
from typing import Any, NamedTuple

from django.core.cache import cache
from django.utils.crypto import get_random_string

from games.kit.language import lazy, say
from games.play.errors import NotAllowed, Refused

PLACES = 30  # pages that may be in a room at once
STAYS = 50  # seconds after which who has not said so is there no longer
LASTS = 24 * 3600  # seconds that a room is kept after it was last steered
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
NO_SUCH_ROOM = lazy("This room is closed. Open another one from the replay.")


class Person(NamedTuple):
    """Somebody in a room. id: what they are called by others' pages; user_id: their account, or None."""

    id: str
    name: str  # "" of a visitor
    user_id: int | None

    @property
    def called(self) -> str:
        """What they are called in the language that is spoken."""
        return self.name or say("A visitor")


class Room(NamedTuple):
    """A room as it is stored. match: a code. moves, seats: how many there are. position: {"move", "seat", ...}."""

    code: str
    match: str
    moves: int
    seats: int
    steerer: Person
    position: dict[str, Any]


def person_of(code: str, user: Any) -> Person:
    """Who a user is in a room; with several pages open still one. Of those whom nobody knows each page is one."""
    if user is None or not user.is_authenticated:
        return Person(get_random_string(12), "", None)
    return Person(hashlib.sha256(f"{code} {user.pk}".encode()).hexdigest()[:12], user.username, user.pk)


def open_room(user: Any, match: str, moves: int, seats: int, position: dict[str, Any]) -> Room:
    """A new room, which the user steers. Raises Refused for a position that there is not."""
    code = get_random_string(12, LETTERS)
    room = Room(code, match, moves, seats, person_of(code, user), {})
    return _store(room._replace(position=clean_position(room, position)))


def read(code: str) -> Room:
    """The room of a code. Raises Refused where there is none."""
    stored = cache.get(_key(code))
    if stored is None:
        raise Refused(NO_SUCH_ROOM)
    *rest, steerer, position = stored
    return Room(*rest, Person(*steerer), position)


def steer(code: str, person: Person, position: Any) -> Room:
    """The room, moved by who steers it. Raises NotAllowed for others, Refused for a position that there is not."""
    room = _steered_by(person, code)
    return _store(room._replace(position=clean_position(room, position)))


def hand_over(code: str, person: Person, to: Any) -> Room:
    """The room, steered by somebody else who is there. Raises NotAllowed, or Refused where nobody is."""
    room = _steered_by(person, code)
    others = [other for other in people(code) if other.id == to]
    if not others:
        raise Refused(lazy("They have left. Choose somebody who is here."))
    return _store(room._replace(steerer=others[0]))


def _steered_by(person: Person, code: str) -> Room:
    room = read(code)
    if room.steerer.id != person.id:
        raise NotAllowed(lazy("{name} is leading now.", name=room.steerer.name))
    return room


def take_over(code: str, person: Person) -> Room:
    """The room, steered by somebody who is there, if who steered is gone. Raises NotAllowed."""
    room = read(code)
    if room.steerer.id != person.id and room.steerer.id in {other.id for other in people(code)}:
        raise NotAllowed(lazy("{name} is leading now. Ask them to hand over to you.", name=room.steerer.name))
    return _store(room._replace(steerer=person))


def clean_position(room: Room, position: Any) -> dict[str, Any]:
    """A position as pages send it. Raises Refused for one that the match has not."""
    if type(position) is not dict:
        raise Refused(lazy("This match has no such position. Choose one in the replay."))
    move, seat, beside = position.get("move"), position.get("seat"), position.get("beside")
    whole = type(move) is int and type(seat) is int and (beside is None or type(beside) is int)
    if not whole or not (0 <= move < room.moves and 0 <= seat < room.seats and 0 <= (beside or 0) < room.seats):
        raise Refused(lazy("This match has no such position. Choose one in the replay."))
    return {"move": move, "seat": seat, "beside": beside, "open": position.get("open") is True}


def _store(room: Room) -> Room:
    cache.set(_key(room.code), tuple(room._replace(steerer=tuple(room.steerer))), LASTS)
    return room


# Who is there


def enter(code: str, person: Person) -> int:
    """Take a place in a room. Raises Refused where all are taken."""
    for place in range(PLACES):
        if cache.add(_place(code, place), tuple(person), STAYS):
            return place
    raise Refused(lazy("This room is full. Open another one from the replay."))


def stay(code: str, place: int, person: Person) -> None:
    """Say that a place is still taken."""
    cache.set(_place(code, place), tuple(person), STAYS)


def leave(code: str, place: int) -> None:
    """Give a place back."""
    cache.delete(_place(code, place))


def people(code: str) -> list[Person]:
    """Who is in a room, each once, in the order of their places."""
    stored = cache.get_many([_place(code, place) for place in range(PLACES)])
    found = [Person(*stored[key]) for key in (_place(code, place) for place in range(PLACES)) if key in stored]
    return list({person.id: person for person in found}.values())


def _key(code: str) -> str:
    return f"together:{code}"


def _place(code: str, place: int) -> str:
    return f"together:{code}:{place}"
