"""Promises of seeds, which let players verify shuffles: see games.kit.shuffle for their purpose.

The page of a full table shows the promise of its match. A player who opens a table against bots needs no such page,
because the seats are known in advance. So the page with the form already promises a seed. The form sends the promise
back, with the browser's share and its notes of the promise.

Most readers of that page never play, so nothing is stored before the form is sent. The seed is computed from the
promise's token and a secret key of the site. A promise can be used once, because match codes are unique. Tokens expire
before the command `tidy` deletes the match and its code.
"""

import secrets
from typing import NamedTuple

from django.core.signing import BadSignature, TimestampSigner
from django.utils.crypto import salted_hmac

from games.kit import shuffle
from games.kit.language import lazy
from games.models import Match, new_code
from games.play import store
from games.play.errors import StaleMove
from games.play.origins import PromiseReply
from games.play.snapshot import SeatSnapshot, Snapshot

MAX_AGE = 12 * 3600  # Seconds. Less than `tidy` ever keeps a closed table.

_SIGNER = TimestampSigner(salt="valat.promise")
STALE = lazy("This page is out of date, so nothing was dealt. Go back to the lobby and press Play there.")


class Promise(NamedTuple):
    """A page's promise of a match."""

    code: str
    token: str  # the seed is computed from it
    seed_hash: str


def new_promise() -> Promise:
    """Return the promise of a match that is not opened yet: its code, a signed token, and the hash of its seed.

    All shuffles follow from the secret seed. With the hash, the player can verify after the match that the site has not
    chosen another seed. Nothing is stored: the token comes back with the form that opens the match, within MAX_AGE.
    """
    code = new_code()
    text = f"{code}.{secrets.token_urlsafe(16)}"
    return Promise(code, _SIGNER.sign(text), shuffle.commitment(_seed(text)))


def redeem(reply: PromiseReply) -> tuple[str, str]:
    """Return the code and the seed of a promised match. Raise StaleMove if the promise is too old or forged.

    reply: what the browser sends back with the form that opens the match. Its signed token holds the code of the match
    and a random text, from which only this site can compute the seed.
    """
    try:
        text = _SIGNER.unsign(reply.token, max_age=MAX_AGE)
    except BadSignature:
        raise StaleMove(STALE) from None
    return text.partition(".")[0], _seed(text)  # Before the first dot is the code.


def _seed(text: str) -> str:
    """Return the seed that belongs to the signed text of a promise. Only this site can compute it."""
    return salted_hmac("valat.promised-seed", text, algorithm="sha256").hexdigest()


def promise_notes(snapshot: Snapshot, seat: SeatSnapshot) -> dict[str, object]:
    """Return what a player's browser notes about a full table, to verify its shuffles later. Of plain JSON types.

    The shuffles follow from the seed of the match and from each browser's share, a random text. The browser notes the
    hashes of both before it sends its own share, so that nobody can exchange them afterwards. The lists are in the
    order of sitting down. "dealing": how the rules deal out a deck. "place": the seat's, in that order.
    """
    assert snapshot.rules  # Without them nobody can sit down.
    seats = snapshot.seats_by_place()
    return {
        "scheme": shuffle.SCHEME,
        "seedHash": snapshot.seed_hash,
        "hashes": [seat.entropy_hash for seat in seats],
        "teams": [seat.team for seat in seats],
        "dealing": snapshot.rules.dealing(snapshot.rules.new_match(snapshot.seat_count, snapshot.options)),
        "place": seat.place,
    }


def accept_share(match: Match, reply: PromiseReply) -> None:
    """Store the share of the host's browser: a random text (`entropy`) that it adds to the shuffles of a full table.

    reply: what the browser sends with the form that opens the table. Raise StaleMove if it has noted another table than
    this one, or if the share does not have the hash that the browser has sent before.
    """
    snapshot = store.snapshot_of(match, match.seats.select_related("user"))
    seat = snapshot.seat_of(match.host_id)
    assert seat  # The host of a promised table has a seat.
    if reply.notes != promise_notes(snapshot, seat) or shuffle.commitment(reply.entropy) != seat.entropy_hash:
        raise StaleMove(STALE)
    match.seats.filter(pk=seat.pk).update(entropy=reply.entropy)
