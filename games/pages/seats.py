"""Whoever takes a seat: a table is opened, or sat down at, by so many and so often as the house has room for."""

from contextlib import contextmanager

from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings

from accounts.guests import guest_for
from accounts.limits import address_of, allow, too_many
from games.models import Seat
from games.pages.shares import seat_fields
from games.play import browsers, tables
from games.play.origins import Origin


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
    seats = Seat.objects.filter(user=request.user.pk, form_key=seat_fields(request.POST)["form_key"], left_at=None)
    return seats.exclude(form_key="").values_list("match__code", flat=True).first()


def origin_of(request):
    """From where a request takes a seat."""
    return Origin(address_of(request), browsers.seats_in(request.COOKIES.get(browsers.COOKIE, "")))


def remember_seat(request, response, code):
    """`response`, which lets the browser that it goes to be known as one that sits at a table."""
    value = browsers.with_seat(request.COOKIES.get(browsers.COOKIE, ""), code, request.user.pk)
    if value:
        response.set_cookie(
            browsers.COOKIE,
            value,
            max_age=browsers.AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response
