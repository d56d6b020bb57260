"""Whoever takes a seat: a table is opened, or sat down at, by so many and so often as the house has room for."""

import json
import re
from contextlib import contextmanager

from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings

from accounts.guests import guest_for
from accounts.limits import address_of, allow, too_many
from games.kit.shuffle import SEED, clean_commitment
from games.models import Seat
from games.play import origins, tables
from games.play.origins import Origin, SeatRequest
from games.play.promises import Told


@contextmanager
def seat_for(request, action, code=None):
    """The user who may take one more seat now, perhaps a new guest; they take it within this.

    action: of settings.RATE_LIMITS. code: of the table, where it may be one that they sit at already; so may be the one
    that a form has led to which comes again.
    Raises TooManyTables; ImmediateHttpResponse, which allauth's middleware answers, when it was done too often.
    """
    if not allow(request, action):
        raise ImmediateHttpResponse(too_many(request))
    code = code or _code_of_form(request)
    tables.demand_room_for_address(address_of(request), code)
    user = guest_for(request)
    with tables.room_for(user, code):
        yield user


def _code_of_form(request):
    """The code of the table that the user of a form has a seat at by the same form, or None."""
    seats = Seat.objects.filter(user=request.user.pk, form_key=_form_key(request.POST), left_at=None)
    return seats.exclude(form_key="").values_list("match__code", flat=True).first()


def seat_request(request, team=None):
    """The SeatRequest of a posted form, without what `told_share` reads."""
    data = request.POST
    origin = Origin(address_of(request), origins.seats_in(request.COOKIES.get(origins.COOKIE, "")))
    return SeatRequest(team, clean_commitment(data.get("entropy_hash")), _form_key(data), origin)


def _form_key(data):
    form_key = data.get("form_key", "")
    return form_key if re.fullmatch(r"[\w-]{1,32}", form_key, re.ASCII) else ""


def told_share(data):
    """What a posted form says of a match that was promised, a Told; None where it says nothing."""
    token, entropy = data.get("token", ""), data.get("entropy", "")
    if not token or not SEED.fullmatch(entropy):
        return None
    try:
        noted = json.loads(data.get("noted", ""))
    except (ValueError, RecursionError):
        noted = None  # the promise of no table
    return Told(token, noted, entropy)


def remember_seat(request, response, code):
    """`response`, which lets the browser that it goes to be known as one that sits at a table."""
    value = origins.with_seat(request.COOKIES.get(origins.COOKIE, ""), code, request.user.pk)
    if value:
        response.set_cookie(
            origins.COOKIE,
            value,
            max_age=origins.AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response
