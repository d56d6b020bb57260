"""A signed cookie that remembers which accounts have logged in from a browser.

Failed logins elsewhere do not lock out a browser that the account has used before. Suspended and banned users cannot
start again as somebody else in the same browser, not even after they have deleted the account.
"""

import secrets
from datetime import timedelta
from typing import NamedTuple

from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from accounts import names, sanctions
from accounts.models import Exclusion, User

COOKIE = "device"
MAX_AGE = 365 * 24 * 3600  # seconds
MAX_ACCOUNTS = 8


class Device(NamedTuple):
    """A browser. accounts: primary keys, the latest login first."""

    token: str
    accounts: tuple[int, ...]


def device_of(request: HttpRequest) -> Device | None:
    """Return the browser of a request with the accounts that have logged in there, or None if there are none.

    A signed cookie holds a token, which identifies the browser, and the keys of the accounts: "token.key.key", the
    latest login first.
    """
    token, *keys = request.get_signed_cookie(COOKIE, default="", salt=COOKIE, max_age=MAX_AGE).split(".")
    accounts = tuple(int(key) for key in keys if key.isdecimal())
    return Device(token, accounts) if accounts else None


def token_of(cookies: dict[str, str]) -> str:
    """Return the identifier of the browser with these cookies, or "" if nobody has logged in there."""
    request = HttpRequest()  # Only a request can verify signed cookies.
    request.COOKIES = cookies
    device = device_of(request)
    return device.token if device else ""


def remember(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Add a user to the cookie that lists the accounts which have logged in with this browser, the latest first."""
    token, accounts = device_of(request) or Device(secrets.token_urlsafe(16), ())
    latest = list(dict.fromkeys([user.pk, *accounts]))[:MAX_ACCOUNTS]  # Without duplicates.
    response.set_signed_cookie(
        COOKIE,
        ".".join(map(str, [token, *latest])),
        salt=COOKIE,
        max_age=MAX_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def trusted_token(request: HttpRequest, name: str) -> str:
    """Return the identifier of the browser if the user with this name has logged in there before, else ""."""
    device = device_of(request)
    if device is None:
        return ""
    namesakes = User.objects.filter(pk__in=device.accounts, casefolded_name=names.casefold(name))
    return device.token if namesakes.exists() else ""


def check_admission(request: HttpRequest) -> None:
    """Refuse a new user from a browser with an account that is suspended or banned, or was so when it was deleted.

    Raises ImmediateHttpResponse, which allauth's middleware answers with the page that says why.
    """
    device = device_of(request)
    if device and (sentence := _why_not_admitted(device)):
        raise ImmediateHttpResponse(render(request, "site/refused.html", {"sentence": sentence}, status=403))


def _why_not_admitted(device: Device) -> str:
    """Return a sentence that says why nobody may become a new user in this browser, or "" if they may.

    Otherwise suspended and banned users could go on with another account.
    """
    if sanction := sanctions.longest_sanction(device.accounts):
        words = gettext(
            "The account {owner}, which was logged in from this browser, can’t be replaced by another. {why}"
        )
        return words.format(owner=sanction.user, why=sanctions.sentence(sanction))
    # Of deleted accounts we only keep a hash of their key.
    exclusions = Exclusion.objects.filter(account__in=map(_hash_account, device.accounts), until__gt=timezone.now())
    if exclusion := exclusions.order_by("until").last():
        words = gettext(
            "An account that was logged in from this browser was deleted while it was suspended or banned. "
            "Until {moment} nobody new can play from here. If this is a mistake, "
            "tell the people who run this site the number {number}."
        )
        return words.format(moment=sanctions.moment(exclusion.until), number=exclusion.pk)
    return ""


def exclude_browsers(instance: User, **_: object) -> None:
    """Receive `pre_delete`: keep a suspension or ban in force in the browsers that the account has used.

    Otherwise users could delete their account and play on with another.
    """
    if sanction := sanctions.longest_sanction([instance.pk]):
        latest = timezone.now() + timedelta(seconds=MAX_AGE)  # Later no browser has a cookie with this account.
        until = min(sanction.until or latest, latest)
        Exclusion.objects.update_or_create(account=_hash_account(instance.pk), defaults={"until": until})


def _hash_account(pk: int) -> str:
    """Return the keyed hash that stands for a deleted account. It needs the site's SECRET_KEY."""
    return salted_hmac("accounts.exclusion", str(pk), algorithm="sha256").hexdigest()
