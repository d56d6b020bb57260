"""Forms that take a seat: who may take one, what they say of its shuffles, and what they chose last."""

import json
import re
from contextlib import contextmanager

from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings

from accounts.guests import guest_for
from accounts.limits import address_of, allow, too_many
from games.catalog import levels_of, usual_bot
from games.kit.shuffle import SEED, clean_commitment
from games.models import Seat
from games.play import origins, tables
from games.play.origins import Origin, SeatRequest
from games.play.promises import PromiseReply


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
    origin = Origin(address_of(request), origins.read_cookie(request.COOKIES.get(origins.COOKIE, "")))
    return SeatRequest(team, clean_commitment(data.get("entropy_hash")), _form_key(data), origin)


def _form_key(data):
    form_key = data.get("form_key", "")
    return form_key if re.fullmatch(r"[\w-]{1,32}", form_key, re.ASCII) else ""


def told_share(data):
    """What a posted form says of a match that was promised, a PromiseReply; None where it says nothing."""
    token, entropy = data.get("token", ""), data.get("entropy", "")
    if not token or not SEED.fullmatch(entropy):
        return None
    try:
        noted = json.loads(data.get("noted", ""))
    except (ValueError, RecursionError):
        noted = None  # the promise of no table
    return PromiseReply(token, noted, entropy)


def remember_seat(request, response, code):
    """`response`, which lets the browser that it goes to be known as one that sits at a table."""
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


LENGTHS = "lengths"  # in the session: which format of each game was played last
LEVELS = "levels"  # and against bots of which level


def last_length(request, rules):
    """The slug of the format of the last table in this session, as far as the game still has it, else ""."""
    last = _last(request, LENGTHS, rules.slug)
    return last if rules.find_format(last) else ""


def last_level(request, game):
    """The level of the bot chosen last in this session, as far as the game still has it, else the usual one."""
    last = _last(request, LEVELS, game)
    return last if last in levels_of(game) else usual_bot(game)


def remember(request, what, game, chosen):
    """Keep what was chosen for the game of this slug. what: LENGTHS or LEVELS. chosen: "" changes nothing."""
    if chosen and _last(request, what, game) != chosen:
        request.session[what] = request.session.get(what, {}) | {game: chosen}


def _last(request, what, game):
    return request.session.get(what, {}).get(game, "")
