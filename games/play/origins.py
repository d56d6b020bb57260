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
    """Return the fields of a new seat that show the other players who shares an address or a browser.

    "network": a keyed hash of the address. "browser": the user who was first to sit at this table in this browser.
    origin: the address, and the browser's cookie, which lists the users as whom it sits at tables. seats: those taken
    at the match, with their users. Raise Refused if the match is rated and somebody else sits there in this browser.
    """
    network = _hash(match, origin.address)
    browser_user = origin.seats.get(match.code)  # As this user, the browser sits at the table already.
    first_seat = next((seat for seat in seats if seat.user_id == browser_user and seat.left_at is None), None)
    if first_seat is None or first_seat.user_id == user.pk:  # Nobody else sits here in this browser.
        return {"network": network, "browser": user.pk}
    if match.rated:
        sentences = (
            "You sit at this table as {name} in this browser. At rated matches everybody plays for themselves: "
            "log in as {name}, or choose another table."
        )
        raise Refused(lazy(sentences, name=first_seat.user))
    return {"network": network, "browser": first_seat.browser or first_seat.user_id}


type Sharing = tuple[str, list[SeatSnapshot]]  # "browser" or "address", and the seats that share it


def shared_origins(snapshot: Snapshot) -> list[Sharing]:
    """Return which players at a table share a browser or an address: pairs of "browser" or "address" and their seats.

    Each group of players is listed once, so players who share both are not listed again for the address.
    """
    people = [seat for seat in snapshot.seats if seat.is_person and seat.user_id is not None and not seat.left]
    # Usually nobody shares anything, and this is called for every drawing of a table.
    if all(_are_distinct([getattr(seat, column) for seat in people]) for column in ("browser", "network")):
        return []
    people.sort(key=lambda seat: seat.place)  # In the order of sitting down.
    sharings: list[Sharing] = []
    for column, name in (("browser", "browser"), ("network", "address")):
        seats_by_origin: dict[str | int, list[SeatSnapshot]] = defaultdict(list)
        for seat in people:
            seats_by_origin[getattr(seat, column)].append(seat)
        # Unknown addresses ("") and browsers (None) are not shared.
        groups = [seats for origin, seats in seats_by_origin.items() if origin and len(seats) > 1]
        listed = [seats for _, seats in sharings]
        sharings += [(name, seats) for seats in groups if seats not in listed]
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

    sharings: pairs of "browser" or "address" and the seats that share it. me: the seat of the reader, or None. For
    example: "You and anna share an address, as people in one home do."
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

    with_reader: the names begin with "You". In some languages the verb then has another form, so these sentences are
    translated separately, in the context "You and others".
    """
    if with_reader:
        if name == "browser":
            return say_in("You and others", "{names} play in the same browser.")
        return say_in("You and others", "{names} share an address, as people in one home do.")
    if name == "browser":
        return say("{names} play in the same browser.")
    return say("{names} share an address, as people in one home do.")


# The cookie.


def read_cookie(cookie: str) -> dict[str, int]:
    """Return {code: user} for the tables where this browser has sat; empty if the cookie is missing or not ours."""
    try:
        seats = signing.loads(cookie, salt=COOKIE, max_age=MAX_AGE) if cookie else {}
    except signing.BadSignature:
        return {}
    return seats if isinstance(seats, dict) else {}


def add_to_cookie(cookie: str, code: str, user_id: int) -> str:
    """Return the new cookie of a browser that has sat down at a table as this user; "" if it need not change.

    The cookie is a signed list of tables, the latest last. code: of the table.
    """
    seats = read_cookie(cookie)
    if seats.get(code) == user_id:
        return ""
    others = [(other, user) for other, user in seats.items() if other != code]
    latest_seats = [*others, (code, user_id)][-MAX_TABLES:]  # The size of a cookie is limited.
    return signing.dumps(dict(latest_seats), salt=COOKIE, compress=True)


def find_other_name(cookie: str, user_id: int | None, snapshot: Snapshot) -> str:
    """Return the other name under which this browser sits at a match, if the user has no seat there; else "".

    The signed cookie has stored as whom the browser sat down. "" before and after the match, too.
    """
    me = snapshot.seat_of(user_id)
    if snapshot.status != Match.Status.PLAYING or (me and not me.left):
        return ""
    browser_seat = snapshot.seat_of(read_cookie(cookie).get(snapshot.code))
    if browser_seat is None or browser_seat.left or browser_seat.user_id == user_id:
        return ""
    return browser_seat.name
