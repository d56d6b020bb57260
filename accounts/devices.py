"""Browsers, and the accounts that were logged in there, in a signed cookie.

At a log-in the failures of others do not count for a browser that the account knows. Who is suspended or banned can't
go on in the same browser as somebody new, also when the account is deleted.
"""

import secrets
from datetime import timedelta
from typing import NamedTuple

from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from accounts import names, sanctions
from accounts.models import Exclusion, User

COOKIE = "device"
AGE = 365 * 24 * 3600  # seconds
MOST = 8  # accounts that one browser remembers, the latest


class Device(NamedTuple):
    """A browser. accounts: primary keys, the latest first."""

    token: str
    accounts: tuple[int, ...]


def device_of(request) -> Device | None:
    """Return the browser of a request, or None where nobody has logged in there."""
    token, *keys = request.get_signed_cookie(COOKIE, default="", salt=COOKIE, max_age=AGE).split(".")
    accounts = tuple(int(key) for key in keys if key.isdecimal())
    return Device(token, accounts) if accounts else None


def token_of(cookies: dict[str, str]) -> str:
    """Return an identifier of the browser with these cookies, or "" if nobody has logged in there."""
    request = HttpRequest()
    request.COOKIES = cookies
    device = device_of(request)
    return device.token if device else ""


def remember(request, response, user) -> None:
    """Note on the browser that receives `response` that the user has logged in there."""
    token, accounts = device_of(request) or Device(secrets.token_urlsafe(16), ())
    latest = dict.fromkeys([user.pk, *accounts])
    response.set_signed_cookie(
        COOKIE,
        ".".join(map(str, [token, *latest][: MOST + 1])),
        salt=COOKIE,
        max_age=AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_device(request, name) -> str:
    """Return an identifier of the browser if the user of this name has logged in there, else ""."""
    device = device_of(request)
    if device is None:
        return ""
    namesakes = User.objects.filter(pk__in=device.accounts, casefolded_name=names.casefold(name))
    return device.token if namesakes.exists() else ""


def demand_admission(request) -> None:
    """Raise ImmediateHttpResponse, which allauth's middleware answers, where nobody new may come from a browser."""
    device = device_of(request)
    if device and (sentence := _objection(device)):
        raise ImmediateHttpResponse(render(request, "site/refused.html", {"sentence": sentence}, status=403))


def _objection(device) -> str:
    """Return why nobody new may come from a browser, or ""."""
    if sanction := sanctions.longest_of(device.accounts):
        words = gettext(
            "The account {owner}, which was logged in from this browser, can’t be replaced by another. {why}"
        )
        return words.format(owner=sanction.user, why=sanctions.sentence(sanction))
    outlived = Exclusion.objects.filter(account__in=map(_hash, device.accounts), until__gt=timezone.now())
    if exclusion := outlived.order_by("until").last():
        words = gettext(
            "An account that was logged in from this browser was deleted while it was suspended or banned. "
            "Until {moment} nobody new can play from here. If this is a mistake, tell the host the number {number}."
        )
        return words.format(moment=sanctions.moment(exclusion.until), number=exclusion.pk)
    return ""


def exclude(instance, **_) -> None:
    """A receiver of `pre_delete`: a suspension or ban outlives its account in the browsers that knew it."""
    if sanction := sanctions.longest_of([instance.pk]):
        latest = timezone.now() + timedelta(seconds=AGE)  # no cookie is older
        until = min(sanction.until or latest, latest)
        Exclusion.objects.update_or_create(account=_hash(instance.pk), defaults={"until": until})


def _hash(pk) -> str:
    """Return what is stored of a deleted account: only this site's key can make it."""
    return salted_hmac("accounts.exclusion", str(pk), algorithm="sha256").hexdigest()
