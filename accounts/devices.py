"""Browsers that somebody has logged in from, known by a signed cookie: the failures of others do not count for them."""

import secrets

from django.conf import settings

from accounts import names
from accounts.models import User

COOKIE = "device"
PATH = "/accounts/"  # where passwords are asked for
AGE = 365 * 24 * 3600  # seconds


def remember(response, user):
    """Let the browser that `response` goes to be known as one of the user's."""
    response.set_signed_cookie(
        COOKIE,
        f"{user.pk}.{secrets.token_urlsafe(16)}",
        salt=COOKIE,
        max_age=AGE,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def owner_of(request):
    """The user who has logged in from a browser last, or None. Only where passwords are asked for."""
    owner, _, _ = request.get_signed_cookie(COOKIE, default="", salt=COOKIE, max_age=AGE).partition(".")
    return User.objects.filter(pk=owner).first() if owner else None


def known_device(request, name):
    """What a browser is called that the user with this name has logged in from; "" for any other browser."""
    device = request.get_signed_cookie(COOKIE, default="", salt=COOKIE, max_age=AGE)
    owner, _, _ = device.partition(".")
    return device if device and User.objects.filter(pk=owner, casefolded_name=names.casefold(name)).exists() else ""
