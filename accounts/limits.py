"""How often somebody may do something: so many times within so long, by user, by address or by any other key.

Rates are written as django-allauth writes them: "20/m/ip,5/5m/key".
"""

import hashlib
import ipaddress
from contextlib import suppress
from functools import wraps

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import render

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def consume(action, rates, **owners):
    """Count `action` once more. Returns the counters, for `give_back`, or None where it is not allowed.

    owners: who it is counted for, by the last part of a rate. Rates of others are left out.
    """
    counters = []
    for rate in filter(None, rates.split(",")):
        amount, duration, per = rate.strip().split("/")
        if per not in owners:
            continue
        owner = hashlib.sha256(str(owners[per]).encode()).hexdigest()
        counters.append(f"limit:{action}:{rate.strip()}:{owner}")
        if _count(counters[-1], int(duration[:-1] or 1) * SECONDS[duration[-1]]) > int(amount):
            return None
    return counters


def _count(counter, seconds):
    """Count one more. The first one begins a time of so many seconds, after which counting begins again."""
    cache.add(counter, 0, seconds)
    try:
        return cache.incr(counter)
    except ValueError:  # That time is over since a moment ago.
        return 1


def give_back(counters):
    """Undo a `consume`."""
    for counter in counters:
        with suppress(ValueError):  # its time is over
            cache.decr(counter)


def allow(request, action):
    """Whether `action` may be done once more now; an allowed one is counted.

    action: a key of settings.RATE_LIMITS. Of its rates those by user hold for who is logged in.
    """
    owners = {"user": request.user.pk} if request.user.is_authenticated else {}
    return consume(action, settings.RATE_LIMITS[action], ip=address_of(request), **owners) is not None


def allow_user(user, action):
    """As `allow`, for a user whose request isn't at hand, as at a socket: all rates of the action are by user."""
    return consume(action, settings.RATE_LIMITS[action], user=user.pk) is not None


def limited(action, *, method=""):
    """A decorator: the view, for whoever may do `action` once more now. method: only requests by this one count."""

    def decorate(view):
        @wraps(view)
        def wrapped(request, *args, **kwargs):
            counts = method in ("", request.method)
            return too_many(request) if counts and not allow(request, action) else view(request, *args, **kwargs)

        return wrapped

    return decorate


def address_of(request):
    """The IPv4 address that a request comes from, or the first of the /64 that a home or a phone has of IPv6.

    X-Forwarded-For counts only as far as TRUSTED_PROXIES says.
    """
    return network_of(get_adapter().get_client_ip(request))


def network_of(ip):
    """An address as `address_of` gives it."""
    with suppress(ValueError):
        if ipaddress.ip_address(ip).version == 6:
            return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
    return ip


def address_of_scope(scope):
    """As `address_of`, for a socket's ASGI scope."""
    request = HttpRequest()
    request.META["REMOTE_ADDR"] = (scope.get("client") or [""])[0]
    for name, value in scope.get("headers", ()):
        if name == b"x-forwarded-for":
            request.META["HTTP_X_FORWARDED_FOR"] = value.decode("latin1")
    try:
        return address_of(request)
    except PermissionDenied:  # no address: a Unix socket, say
        return "unknown"


def too_many(request):
    """The answer to somebody who is not allowed for now."""
    return render(request, "429.html", status=429)
