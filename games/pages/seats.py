"""Whoever takes a seat: a table is opened, or sat down at, by so many and so often as the house has room for."""

from contextlib import contextmanager

from allauth.core.exceptions import ImmediateHttpResponse

from accounts.guests import guest_for
from accounts.limits import address_of, allow, too_many
from games.play import tables


@contextmanager
def seat_for(request, action, code=None):
    """The user who may take one more seat now, perhaps a new guest; they take it within this.

    action: of settings.RATE_LIMITS. code: of the table, where it may be one that they sit at already.
    Raises TooManyTables; ImmediateHttpResponse, which allauth's middleware answers, when it was done too often.
    """
    if not allow(request, action):
        raise ImmediateHttpResponse(too_many(request))
    tables.demand_room_for_address(address_of(request), code)
    user = guest_for(request)
    with tables.room_for(user, code):
        yield user
