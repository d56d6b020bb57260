"""At which tables a browser has sat, by a signed cookie: nobody watches their own table from a second account.

Whoever deletes the cookie, or takes another browser, can't be known for who they are.
"""

from django.core import signing

from games.models import Match
from games.play.snapshot import Snapshot

COOKIE = "seats"
AGE = 60 * 24 * 3600  # seconds
MOST = 20  # tables, the latest


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
