"""Forms that take a seat: limits, shares in the shuffles, and the choices that a session remembers."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.guests import guest_for
from accounts.limits import address_of, allow, too_many
from accounts.models import User
from games.catalog import levels_of, usual_bot
from games.kit.contract import Rules
from games.kit.shuffle import SEED, clean_commitment
from games.models import Seat
from games.play import origins, tables
from games.play.origins import Origin, SeatRequest
from games.play.promises import PromiseReply


@contextmanager
def seat_for(request: HttpRequest, action: str, code: str | None = None) -> Iterator[User]:
    """Provide the user for one more seat: the one who is logged in, or a new guest. Use it as `with seat_for(...)`.

    The seat must be taken within the block. Users can sit at a limited number of tables. A table at which they already
    sit, perhaps because the form came twice, needs no room for one more.

    action: a key of settings.RATE_LIMITS. code: of the table; None for a new one.
    Raises TooManyTables. Raises ImmediateHttpResponse, for the middleware of allauth, if the rate limit is exceeded.
    """
    if not allow(request, action):
        raise ImmediateHttpResponse(too_many(request))
    code = code or _table_of_form(request)
    tables.demand_room_for_address(address_of(request), code)  # Before a guest is created.
    user = guest_for(request)
    with tables.room_for(user, code):
        yield user


def _table_of_form(request: HttpRequest) -> str | None:
    """Return the code of the table where the user has a seat by the same form, or None."""
    seats = Seat.objects.filter(user=request.user.pk, form_key=_form_key(request.POST), left_at=None)
    return seats.exclude(form_key="").values_list("match__code", flat=True).first()


def seat_request(request: HttpRequest, team: int | None = None) -> SeatRequest:
    """Return the request for a seat that a posted form makes. team: the side, 0 or 1; None for either.

    It has the hash of a random text that this browser will add to the shuffles (a commitment), the key of the form, and
    the user's address and browser.
    """
    data = request.POST
    origin = Origin(address_of(request), origins.read_cookie(request.COOKIES.get(origins.COOKIE, "")))
    return SeatRequest(team, clean_commitment(data.get("entropy_hash")), _form_key(data), origin)


def _form_key(data: Mapping[str, str]) -> str:
    """Return the key of a form, or "" for anything that our pages do not send."""
    form_key = data.get("form_key", "")
    return form_key if re.fullmatch(r"[\w-]{1,32}", form_key, re.ASCII) else ""


def read_promise_reply(data: Mapping[str, str]) -> PromiseReply | None:
    """Read what a browser sends back about a match that its page has promised. Return None if it sends nothing.

    The promise fixes the shuffles of a match against bots before it is opened. The reply has the promise's "token", a
    random text of the browser ("entropy"), and what the browser has noted about the match ("noted", JSON).
    """
    token, entropy = data.get("token", ""), data.get("entropy", "")
    if not token or not SEED.fullmatch(entropy):
        return None
    try:
        tables = json.loads(data.get("noted", ""))
    except (ValueError, RecursionError):
        tables = None  # It equals the notes of no table, so the promise will be refused.
    return PromiseReply(token, tables, entropy)


def remember_seat(request: HttpRequest, response: HttpResponse, code: str) -> HttpResponse:
    """Add a cookie to the response that notes as which user this browser sits at a table. Return the response."""
    value = origins.add_to_cookie(request.COOKIES.get(origins.COOKIE, ""), code, request.user.pk)
    if value:
        response.set_cookie(
            origins.COOKIE,
            value,
            max_age=origins.MAX_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


# Keys of the session.
LENGTHS = "lengths"  # the latest format of each game
LEVELS = "levels"  # the latest level of bots of each game


def last_length(request: HttpRequest, rules: Rules) -> str:
    """Return the slug of the latest format in this session, or "" if the game has no such format any more."""
    last = _latest_choice(request, LENGTHS, rules.slug)
    return last if rules.find_format(last) else ""


def last_level(request: HttpRequest, game: str) -> str:
    """Return the latest level of bots in this session, or the usual one if the game does not have it any more."""
    last = _latest_choice(request, LEVELS, game)
    return last if last in levels_of(game) else usual_bot(game)


def remember(request: HttpRequest, key: str, game: str, choice: str | None) -> None:
    """Store a choice for a game in the session. key: LENGTHS or LEVELS. An empty choice changes nothing."""
    if choice and _latest_choice(request, key, game) != choice:
        request.session[key] = request.session.get(key, {}) | {game: choice}


def _latest_choice(request: HttpRequest, key: str, game: str) -> str:
    return request.session.get(key, {}).get(game, "")
