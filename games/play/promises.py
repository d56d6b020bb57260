"""What is promised of shuffles: at a full table, and of a table that somebody is about to open against bots.

What a promise is for, games.kit.shuffle says. For a full table it stands on its page. A player who sits down with bots
alone needs no page between: who will sit there is known before, so the page with the form promises a seed. It is sent
with the form, with the browser's share and all that the browser has noted.

Nothing is stored of a promise until then, as most of those who read a front page never play. The seed follows from a
token, which the browser gets and sends back, and from the key of this site: without the key nobody can tell it. It
serves once, for the code of a match is given once, and is forgotten (see tidy) later than the token is refused.
"""

import secrets
from typing import Any, NamedTuple

from django.core.signing import BadSignature, TimestampSigner
from django.utils.crypto import salted_hmac

from games.kit import shuffle
from games.kit.language import lazy
from games.models import Match, new_code
from games.play import store
from games.play.errors import StaleMove
from games.play.snapshot import SeatSnapshot, Snapshot

LASTS = 12 * 3600  # seconds that a page's promise is kept: less than the shortest time that tidy keeps a closed table

_SIGNER = TimestampSigner(salt="valat.promise")
STALE = lazy("This page is out of date, so nothing was dealt. Go back to the lobby and press Play there.")


class Promised(NamedTuple):
    """What a page says of a match that it promises."""

    code: str
    token: str  # from which the seed follows
    seed_hash: str


class Told(NamedTuple):
    """What a browser says with a form that opens a match as it was promised."""

    token: str
    noted: Any  # as `promise_to` makes it, if the browser is right
    entropy: str


def new_promise() -> Promised:
    """A promise for one match that may be opened within LASTS."""
    code = new_code()
    text = f"{code}.{secrets.token_urlsafe(16)}"
    return Promised(code, _SIGNER.sign(text), shuffle.commitment(_seed(text)))


def kept_promise(told: Told) -> tuple[str, str]:
    """The code and the seed that were promised: a code is given to one match. Raises Refused if it is too old."""
    try:
        text = _SIGNER.unsign(told.token, max_age=LASTS)
    except BadSignature:
        raise StaleMove(STALE) from None
    return text.partition(".")[0], _seed(text)


def _seed(text: str) -> str:
    return salted_hmac("valat.promised-seed", text, algorithm="sha256").hexdigest()


def promise_to(snapshot: Snapshot, seat: SeatSnapshot) -> dict[str, Any]:
    """What the browser of a seat notes of a full table before it tells its share: plain JSON types.

    static/site/notes.js says what they are.
    """
    assert snapshot.rules  # tables don't fill up without them
    seats = snapshot.seats_by_place()
    return {
        "scheme": shuffle.SCHEME,
        "seedHash": snapshot.seed_hash,
        "hashes": [seat.entropy_hash for seat in seats],
        "teams": [seat.team for seat in seats],
        "dealing": snapshot.rules.dealing(snapshot.rules.new_match(snapshot.seat_count, snapshot.options)),
        "place": seat.place,
    }


def take_share(match: Match, told: Told) -> None:
    """Let the share of a full table's host be the one told. Raises Refused unless just this table has been noted."""
    snapshot = store.snapshot_of(match, match.seats.select_related("user"))
    seat = snapshot.seat_of(match.host_id)
    assert seat  # whoever opens a table sits there
    if told.noted != promise_to(snapshot, seat) or shuffle.commitment(told.entropy) != seat.entropy_hash:
        raise StaleMove(STALE)
    match.seats.filter(pk=seat.pk).update(entropy=told.entropy)
