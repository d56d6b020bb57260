"""Requests that take a seat: the user and limits, the share in the shuffles, and the choices of last time."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict

from accounts.guests import guest_for
from accounts.limits import address_of, allow, too_many
from accounts.models import User
from games.catalog import Rules, levels_of, usual_bot
from games.kit.shuffle import SEED, clean_commitment
from games.models import Seat
from games.play import origins, tables
from games.play.origins import Origin, SeatRequest
from games.play.promises import PromiseReply


@contextmanager
def seat_for(request: HttpRequest, action: str, code: str | None = None) -> Iterator[User]:
    """Yield the user, or a new guest, who takes one more seat within this context.

    - action: a key of settings.RATE_LIMITS
    - code: the table, if it is known. Taking the same seat again does not count as one more.

    Raises TooManyTables, or ImmediateHttpResponse over the rate limit, which allauth's middleware answers.
    """
    if not allow(request, action):
        raise ImmediateHttpResponse(too_many(request))
    code = code or _code_of_form(request)
    tables.demand_room_for_address(address_of(request), code)
    user = guest_for(request)
    with tables.room_for(user, code):
        yield user


def _code_of_form(request: HttpRequest) -> str | None:
    """Return the code of the table where the user has taken a seat by the same form, or None."""
    seats = Seat.objects.filter(user=request.user.pk, form_key=_form_key(request.POST), left_at=None)
    return seats.exclude(form_key="").values_list("match__code", flat=True).first()


def seat_request(request: HttpRequest, team: int | None = None) -> SeatRequest:
    """Return the SeatRequest of a form, without the promise that `promised_share` reads."""
    data = request.POST
    origin = Origin(address_of(request), origins.read_cookie(request.COOKIES.get(origins.COOKIE, "")))
    return SeatRequest(team, clean_commitment(data.get("entropy_hash")), _form_key(data), origin)


def _form_key(data: QueryDict) -> str:
    form_key = data.get("form_key", "")
    return form_key if re.fullmatch(r"[\w-]{1,32}", form_key, re.ASCII) else ""


def promised_share(data: QueryDict) -> PromiseReply | None:
    """Return the browser's share in the shuffles of a promised match, or None if the form has none."""
    token, entropy = data.get("token", ""), data.get("entropy", "")
    if not token or not SEED.fullmatch(entropy):
        return None
    try:
        noted = json.loads(data.get("noted", ""))
    except (ValueError, RecursionError):
        noted = None  # Matches the promise of no table.
    return PromiseReply(token, noted, entropy)


def remember_seat(request: HttpRequest, response: HttpResponse, code: str):
    """Set a cookie that identifies the browser as one that has a seat at this table. Return the response."""
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


# Keys of the session. They hold the last choice for each game.
LENGTHS = "lengths"
LEVELS = "levels"


def last_length(request: HttpRequest, rules: Rules) -> str:
    """Return the slug of the format that was chosen last in this session, or "" if the game no longer has it."""
    last = _last(request, LENGTHS, rules.slug)
    return last if rules.find_format(last) else ""


def last_level(request: HttpRequest, game: str) -> str:
    """Return the level of bots that was chosen last in this session, or the game's usual one."""
    last = _last(request, LEVELS, game)
    return last if last in levels_of(game) else usual_bot(game)


def remember(request: HttpRequest, key: str, game: str, choice: str | None) -> None:
    """Store a choice for a game in the session. key: LENGTHS or LEVELS. choice: an empty one changes nothing."""
    if choice and _last(request, key, game) != choice:
        request.session[key] = request.session.get(key, {}) | {game: choice}


def _last(request: HttpRequest, key: str, game: str) -> str:
    return request.session.get(key, {}).get(game, "")
