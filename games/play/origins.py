"""Origins of seats: players see who else at their table shares their address or browser.

A signed cookie lists the tables at which a browser has sat, so that nobody can watch their own table from a second
account. It can be deleted, and other browsers do not have it.

With a seat we store a keyed hash of the address, different at every table, and the user who first sat at this table in
the same browser. They only show whether two seats have the same origin, and are deleted at the end of the match.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

from django.core import signing
from django.utils.crypto import salted_hmac

from accounts.models import User
from games.kit.language import lazy, say, say_in
from games.kit.words import join_words
from games.models import Match, Seat
from games.play.errors import Refused
from games.play.snapshot import SeatSnapshot, Snapshot

COOKIE = "seats"
MAX_AGE = 60 * 24 * 3600  # seconds
MAX_TABLES = 20  # The cookie lists the latest ones.


class SeatFields(TypedDict):
    """The fields of a seat that store its origin."""

    network: str
    browser: int | None


class Origin(NamedTuple):
    """The address and browser from which a user takes a seat."""

    address: str = ""  # from accounts.limits.address_of; "" if unknown
    seats: Mapping[str, int] = {}  # {code: user} from the browser's cookie, as `read_cookie` returns it


UNKNOWN = Origin()


class PromiseReply(NamedTuple):
    """A browser's reply to a promise, sent with the form that opens the match."""

    token: str
    notes: object  # from the browser; `promises.promise_notes` returns the correct ones
    entropy: str


@dataclass(frozen=True)
class SeatRequest:
    """A request for a seat at a table."""

    team: int | None = None  # The side, 0 or 1; None for either.
    entropy_hash: str = ""  # The commitment of the browser: see games.kit.shuffle.
    form_key: str = ""  # Of the form. Sent twice, it takes one seat.
    origin: Origin = UNKNOWN
    promise: PromiseReply | None = None  # for a promised table against bots


ANY_SEAT = SeatRequest()
FORGOTTEN: SeatFields = {"network": "", "browser": None}  # The fields of a seat without an origin.


def seat_fields(origin: Origin, match: Match, user: User, seats: Iterable[Seat]) -> SeatFields:
    """Return the fields of a new seat that store the address and the browser of its player, as keyed hash and user.

    The other players see who shares an address or a browser. "browser" is the user who first sat here in this browser.
    seats: the seats taken at the match, with their users. Raise Refused if the match is rated and another player sits
    there in the same browser.
    """
    browser_user = origin.seats.get(match.code)  # As this user, the browser sits at the table already.
    first_seat = next((seat for seat in seats if seat.user_id == browser_user and seat.left_at is None), None)
    if first_seat is None or first_seat.user_id == user.pk:
        return {"network": _hash(match, origin.address), "browser": user.pk}
    if match.rated:
        sentences = (
            "You sit at this table as {name} in this browser. At rated matches everybody plays for themselves: "
            "log in as {name}, or choose another table."
        )
        raise Refused(lazy(sentences, name=first_seat.user))
    return {"network": _hash(match, origin.address), "browser": first_seat.browser or first_seat.user_id}


type Sharing = tuple[str, list[SeatSnapshot]]  # "browser" or "address", and the seats that share it


def shared_origins(snapshot: Snapshot) -> list[Sharing]:
    """Return which players at a table share a browser or an address, as pairs of "browser" or "address" and seats.

    Each group of players is listed once, so players who share both are not listed again for the address.
    """
    people = [seat for seat in snapshot.seats if seat.is_person and seat.user_id is not None and not seat.left]
    if all(_are_distinct([getattr(seat, column) for seat in people]) for column in ("browser", "network")):
        return []
    people.sort(key=lambda seat: seat.place)  # in the order of sitting down
    sharings: list[Sharing] = []
    for column, name in (("browser", "browser"), ("network", "address")):
        groups: dict[str | int, list[SeatSnapshot]] = defaultdict(list)
        for seat in people:
            groups[getattr(seat, column)].append(seat)
        listed = [seats for _, seats in sharings]
        groups = {key: seats for key, seats in groups.items() if key and len(seats) > 1 and seats not in listed}
        sharings += [(name, seats) for seats in groups.values()]
    return sharings


def _are_distinct(keys: list[object]) -> bool:
    """Return whether all keys differ, unknown ones aside."""
    known_keys = [key for key in keys if key]
    return len(set(known_keys)) == len(known_keys)


def _hash(match: Match, address: str) -> str:
    """Return a keyed hash of an address, which differs from table to table; "" if the address is unknown."""
    if not address:
        return ""
    return salted_hmac("games.play.origins", f"{match.code} {address}", algorithm="sha256").hexdigest()


def sharing_sentences(sharings: list[Sharing], me: SeatSnapshot | None) -> list[str]:
    """Return sentences for a player about who at their table shares an address or a browser; none for spectators.

    sharings: pairs of "browser" or "address" and the seats that share it. me: the seat of the reader, or None.
    """
    if me is None or me.left:
        return []
    sentences = []
    for name, seats in sharings:
        others = [seat.name for seat in seats if seat is not me]
        names = [say_in("begins a list", "You"), *others] if me in seats else others
        sentences.append(_sharing_sentence(name, with_reader=me in seats).format(names=join_words(names)))
    return sentences


def _sharing_sentence(name: str, *, with_reader: bool) -> str:
    """Return the sentence about a shared "browser" or "address", with a placeholder for {names}.

    with_reader: the names begin with "You", which takes another form of the verb in some languages.
    """
    if with_reader:
        if name == "browser":
            return say_in("You and others", "{names} play in the same browser.")
        return say_in("You and others", "{names} share an address.")
    return say("{names} play in the same browser.") if name == "browser" else say("{names} share an address.")


# The cookie.


def read_cookie(cookie: str) -> dict[str, int]:
    """Return {code: user}, the tables at which this browser has sat; empty if the cookie is missing or not ours."""
    try:
        seats = signing.loads(cookie, salt=COOKIE, max_age=MAX_AGE) if cookie else {}
    except signing.BadSignature:
        return {}
    return seats if isinstance(seats, dict) else {}


def add_to_cookie(cookie: str, code: str, user_id: int) -> str:
    """Return the cookie with one more table, at which the browser sits as this user; "" if it has it already."""
    seats = read_cookie(cookie)
    if seats.get(code) == user_id:
        return ""
    others = [(other, user) for other, user in seats.items() if other != code]
    return signing.dumps(dict([*others, (code, user_id)][-MAX_TABLES:]), salt=COOKIE, compress=True)


def find_other_name(cookie: str, user_id: int | None, snapshot: Snapshot) -> str:
    """Return the name under which this browser sits at a match in progress, if the user has no seat there; else ""."""
    me = snapshot.seat_of(user_id)
    if snapshot.status != Match.Status.PLAYING or (me and not me.left):
        return ""
    seat = snapshot.seat_of(read_cookie(cookie).get(snapshot.code))
    return seat.name if seat and not seat.left and seat.user_id != user_id else ""
