"""Rooms in which people watch the replay of a finished match together: one steers, the others follow.

Anyone with the link may enter a room. Rooms are stored in the cache, which all processes share, and expire after a day.
One key holds the position and the steerer; only the steerer writes it. Each person in the room has a key of their own,
which expires unless they refresh it. So two processes never overwrite each other's changes.
"""

import hashlib
from typing import NamedTuple, TypedDict, TypeGuard

from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.utils.crypto import get_random_string

from accounts.models import User
from games.kit.language import lazy, say
from games.play.errors import NotAllowed, Refused

PLACES = 30  # Pages that may be in a room at once.
PERSON_TIMEOUT = 50  # seconds
ROOM_TIMEOUT = 24 * 3600  # seconds
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
NO_SUCH_ROOM = lazy("This room is closed. Open another one from the replay.")


class Position(TypedDict, total=False):
    """A position in the replay of a room. Empty before the first check."""

    move: int
    seat: int  # Its cards are visible.
    beside: int | None  # a second seat with visible cards
    open: bool  # All cards are visible.


class Person(NamedTuple):
    """A person in a room."""

    id: str  # Other pages name them by it.
    name: str  # Empty for a visitor.
    user_id: int | None

    @property
    def display_name(self) -> str:
        """The name, in the reader's language for a visitor."""
        return self.name or say("A visitor")


class Room(NamedTuple):
    """A room as it is stored."""

    code: str
    match: str  # Its code.
    moves: int  # How many there are.
    seats: int
    steerer: Person
    position: Position


def person_of(code: str, user: User | AnonymousUser | None) -> Person:
    """Return a user, or a visitor without an account, as a person in a room where people watch a replay together.

    code: of the room. A user with several pages is one person. Each page of a visitor is another person.
    """
    if user is None or not user.is_authenticated:
        return Person(get_random_string(12), "", None)
    return Person(hashlib.sha256(f"{code} {user.pk}".encode()).hexdigest()[:12], user.username, user.pk)


def open_room(user: User | AnonymousUser, match: str, moves: int, seats: int, position: Position) -> Room:
    """Store a new room, where people watch a replay together. The user steers it: they choose the move that all see.

    match: its code. moves, seats: how many the match has. position: the move and the seats to watch from. Raises
    Refused if the match has no such position.
    """
    code = get_random_string(12, LETTERS)
    room = Room(code, match, moves, seats, person_of(code, user), {})
    return _store(room._replace(position=clean_position(room, position)))


def read(code: str) -> Room:
    """Return the room with this code, where people watch a replay together. Raises Refused if there is none."""
    stored = cache.get(_key(code))
    if stored is None:
        raise Refused(NO_SUCH_ROOM)
    room = Room(*stored)
    return room._replace(steerer=Person(*room.steerer))


def steer(code: str, person: Person, position: object) -> Room:
    """Move the replay. Raises NotAllowed unless this person steers, and Refused for an invalid position."""
    room = _steered_by(person, code)
    return _store(room._replace(position=clean_position(room, position)))


def hand_over(code: str, person: Person, to: object) -> Room:
    """Let another person in the room steer the replay, which means to choose the move that all see.

    to: the id of the other person. Raises NotAllowed unless `person` steers it now, and Refused if the other has left.
    """
    room = _steered_by(person, code)
    successor = next((other for other in people(code) if other.id == to), None)
    if successor is None:
        raise Refused(lazy("They have left. Choose somebody who is here."))
    return _store(room._replace(steerer=successor))


def _steered_by(person: Person, code: str) -> Room:
    """Return the room if this person steers its replay. Raises NotAllowed if another person does. code: of the room."""
    room = read(code)
    if room.steerer.id != person.id:
        raise NotAllowed(_leading_sentence(room))
    return room


def _leading_sentence(room: Room) -> str:
    return lazy("{name} is leading now. Ask them to hand over to you.", name=room.steerer.name)


def take_over(code: str, person: Person) -> Room:
    """Let this person steer the replay of a room after the one who steered it has left. Raises NotAllowed before."""
    room = read(code)
    if room.steerer.id != person.id and room.steerer.id in {other.id for other in people(code)}:
        raise NotAllowed(_leading_sentence(room))
    return _store(room._replace(steerer=person))


def clean_position(room: Room, position: object) -> Position:
    """Validate a position from a page. Raises Refused if the match has no such position."""
    if type(position) is not dict:
        raise Refused(lazy("This match has no such position. Choose one in the replay."))
    move, seat, beside = position.get("move"), position.get("seat"), position.get("beside")
    if (
        _is_index(move, room.moves)
        and _is_index(seat, room.seats)
        and (beside is None or _is_index(beside, room.seats))
    ):
        return {"move": move, "seat": seat, "beside": beside, "open": position.get("open") is True}
    raise Refused(lazy("This match has no such position. Choose one in the replay."))


def _is_index(value: object, count: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < count


def _store(room: Room) -> Room:
    *fields, steerer, position = room
    cache.set(_key(room.code), (*fields, tuple(steerer), position), ROOM_TIMEOUT)
    return room


# The people in a room


def enter(code: str, person: Person) -> int:
    """Take a place in a room and return its number. Raises Refused if the room is full.

    Each place is a key in the cache. It expires unless the page refreshes it, so nobody has to leave.
    """
    for place in range(PLACES):
        if cache.add(_place_key(code, place), tuple(person), PERSON_TIMEOUT):
            return place
    raise Refused(lazy("This room is full. Open another one from the replay."))


def stay(code: str, place: int, person: Person) -> None:
    """Keep a place from expiring."""
    cache.set(_place_key(code, place), tuple(person), PERSON_TIMEOUT)


def leave(code: str, place: int) -> None:
    """Give up a place."""
    cache.delete(_place_key(code, place))


def people(code: str) -> list[Person]:
    """Return the people in a room in the order of their places, without duplicates."""
    keys = [_place_key(code, place) for place in range(PLACES)]
    rows = cache.get_many(keys)
    persons = [Person(*rows[key]) for key in keys if key in rows]
    return list({person.id: person for person in persons}.values())


def _key(code: str) -> str:
    return f"together:{code}"


def _place_key(code: str, place: int) -> str:
    return f"together:{code}:{place}"
