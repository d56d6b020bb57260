"""From where seats were taken: players at a table are told who shares an address or a browser.

At which tables a browser has sat, a signed cookie says: nobody watches their own table from a second account. Whoever
deletes the cookie, or takes another browser, can't be known for who they are.

What is stored lies with the seat, says nothing but whether two at the same table are equal, and goes with the match's
end: of an address a keyed hash that is another one at every table, of a browser the user who first sat there in it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.core import signing
from django.utils.crypto import salted_hmac

from accounts.models import User
from games.kit.language import lazy, say, say_in
from games.kit.words import join_words
from games.models import Match, Seat
from games.play.errors import Refused
from games.play.snapshot import SeatSnapshot, Snapshot

COOKIE = "seats"
AGE = 60 * 24 * 3600  # seconds
MOST = 20  # tables, the latest


class Origin(NamedTuple):
    """From where somebody takes a seat."""

    address: str = ""  # as accounts.limits.address_of gives it; "" where that isn't known
    seats: Mapping[str, int] = {}  # {code: user} of their browser, as `seats_in` reads it


UNKNOWN = Origin()


@dataclass(frozen=True)
class SeatRequest:
    """What somebody sends who wants a seat."""

    team: int | None = None  # The side to be on where partners play, 0 or 1; None for either.
    entropy_hash: str = ""  # The commitment of their browser: see games.kit.shuffle.
    form_key: str = ""  # Of the form that was sent: sent twice it takes one seat.
    origin: Origin = UNKNOWN
    told: Any = None  # A promises.Told, of a table that was promised and that bots fill.


ANY_SEAT = SeatRequest()
FORGOTTEN: dict[str, Any] = {"network": "", "browser": None}  # the fields of a seat, once its match is over


def fields_of(origin: Origin, match: Match, user: User, seats: Iterable[Seat]) -> dict[str, Any]:
    """What is stored of where `user` takes a seat from. seats: those taken at the match, with their users.

    Raises Refused where the match is rated, and somebody else has a seat in the same browser.
    """
    before = origin.seats.get(match.code)
    other = next((seat for seat in seats if seat.user_id == before and seat.left_at is None), None)
    if other is None or other.user_id == user.pk:
        return {"network": _hash(match, origin.address), "browser": user.pk}
    if match.rated:
        sentences = (
            "You sit at this table as {name} in this browser. At rated matches everybody plays for themselves: "
            "log in as {name}, or choose another table."
        )
        raise Refused(lazy(sentences, name=other.user))
    return {"network": _hash(match, origin.address), "browser": other.browser or other.user_id}


def shared(snapshot: Snapshot) -> list[tuple[str, list[SeatSnapshot]]]:
    """Who at a table is in the same place: ("browser" or "address", the seats), each group of people once."""
    people = [seat for seat in snapshot.seats if seat.is_person and seat.user_id is not None and not seat.left]
    if all(_differ([getattr(seat, what) for seat in people]) for what in ("browser", "network")):
        return []
    people.sort(key=lambda seat: seat.place)  # in the order of sitting down
    found: list[tuple[str, list[SeatSnapshot]]] = []
    for what, name in (("browser", "browser"), ("network", "address")):
        groups: dict[Any, list[SeatSnapshot]] = defaultdict(list)
        for seat in people:
            groups[getattr(seat, what)].append(seat)
        known = [seats for _, seats in found]
        groups = {key: seats for key, seats in groups.items() if key and len(seats) > 1 and seats not in known}
        found += [(name, seats) for seats in groups.values()]
    return found


def _differ(keys: list[Any]) -> bool:
    """Whether of those that are known each is another."""
    known = [key for key in keys if key]
    return len(set(known)) == len(known)


def _hash(match: Match, address: str) -> str:
    """A keyed hash of an address, of no use at any other table; "" where it isn't known."""
    return (
        salted_hmac("games.play.origins", f"{match.code} {address}", algorithm="sha256").hexdigest() if address else ""
    )


def shared_words(groups: list[tuple[str, list[SeatSnapshot]]], me: SeatSnapshot | None) -> list[str]:
    """Who at a table shares an address or a browser, as sentences for who has a seat there; none for others.

    groups: as by `shared`.
    """
    if me is None or me.left:
        return []
    sentences = []
    for what, seats in groups:
        others = [seat.name for seat in seats if seat is not me]
        if me in seats:
            names, context = join_words([say_in("begins a list", "You"), *others]), "You and others"
        else:
            names, context = join_words(others), "others"
        sentences.append(_sharing(context, what).format(names=names))
    return sentences


def _sharing(context: str, what: str) -> str:
    """The sentence of what people share, with a place for their {names}. context: whether the reader is one of them."""
    if context == "You and others":
        if what == "browser":
            return say_in("You and others", "{names} play in the same browser.")
        return say_in("You and others", "{names} share an address.")
    return say("{names} play in the same browser.") if what == "browser" else say("{names} share an address.")


# The cookie


def seats_in(cookie: str) -> dict[str, int]:
    """{code: user}: as whom this browser has sat at tables; none where the cookie is missing or isn't ours."""
    try:
        seats = signing.loads(cookie, salt=COOKIE, max_age=AGE) if cookie else {}
    except signing.BadSignature:
        return {}
    return seats if isinstance(seats, dict) else {}


def with_seat(cookie: str, code: str, user_id: int) -> str:
    """The cookie of a browser that sits at a table as this user; "" where it says so already."""
    seats = seats_in(cookie)
    if seats.get(code) == user_id:
        return ""
    others = [(other, user) for other, user in seats.items() if other != code]
    return signing.dumps(dict([*others, (code, user_id)][-MOST:]), salt=COOKIE, compress=True)


def seated_otherwise(cookie: str, user_id: int | None, snapshot: Snapshot) -> str:
    """The name under which this browser has a seat at a match in progress where `user_id` has none; else ""."""
    me = snapshot.seat_of(user_id)
    if snapshot.status != Match.Status.PLAYING or (me and not me.left):
        return ""
    seat = snapshot.seat_of(seats_in(cookie).get(snapshot.code))
    return seat.name if seat and not seat.left and seat.user_id != user_id else ""
