"""Rate limits by user, by address or by any other key.

Rates are written as in django-allauth: "20/m/ip,5/5m/key" allows 20 a minute per address and 5 in 5 minutes per key.
"""

import hashlib
import ipaddress
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from accounts.models import User
from accounts.site.current import address_factor
from config.asgi_types import Scope

type View = Callable[..., HttpResponseBase]

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def consume(action: str, rates: str, **owners: object) -> list[str] | None:
    """Count an action. Return its counters, for `give_back`, or None if a limit is exceeded.

    rates: separated by commas, such as "20/h/user,5/2m/ip": at most 20 an hour by a user, and 5 in 2 minutes from an
    address. owners: whose actions are counted, such as ip="192.0.2.1" for rates that end in "/ip". Other rates are
    ignored.
    """
    counters = []
    for rate in filter(None, rates.split(",")):
        amount, duration, per = rate.strip().split("/")
        if per not in owners:
            continue
        number, unit = int(duration[:-1] or 1), duration[-1]
        owner = hashlib.sha256(str(owners[per]).encode()).hexdigest()
        counter = f"limit:{action}:{rate.strip()}:{owner}"
        counters.append(counter)
        limit = int(amount) * (address_factor() if per == "ip" else 1)
        if _increment(counter, number * SECONDS[unit]) > limit:
            return None
    return counters


def _increment(counter: str, seconds: int) -> int:
    """Increment a counter and return it. A counter expires `seconds` after its first use."""
    cache.add(counter, 0, seconds)
    try:
        return cache.incr(counter)
    except ValueError:  # It has expired since the line above.
        return 1


def give_back(counters: Iterable[str]) -> None:
    """Take back the count of an action, which does not count after all. counters: from `consume`."""
    for counter in counters:
        with suppress(ValueError):  # It has expired.
            cache.decr(counter)


def allow(request: HttpRequest, action: str) -> bool:
    """Count an action and return whether it is allowed.

    action: a key of settings.RATE_LIMITS. Its rates by user only apply to users who are logged in.
    """
    owners = {"user": request.user.pk} if request.user.is_authenticated else {}
    return consume(action, settings.RATE_LIMITS[action], ip=address_of(request), **owners) is not None


def allow_user(user: User, action: str) -> bool:
    """Do the same as `allow` without a request. Use it for actions that only have rates by user."""
    return consume(action, settings.RATE_LIMITS[action], user=user.pk) is not None


def limited(action: str, *, method: str = "") -> Callable[[View], View]:
    """Decorate a view that answers 429 if `action` is not allowed. method: count only requests with this method."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
            is_counted = method in ("", request.method)
            return too_many(request) if is_counted and not allow(request, action) else view(request, *args, **kwargs)

        return wrapped

    return decorate


def address_of(request: HttpRequest) -> str:
    """Return the address or network that a request comes from. TRUSTED_PROXIES limits X-Forwarded-For."""
    return network_of(get_adapter().get_client_ip(request))


def network_of(ip: str) -> str:
    """Return an IPv4 address unchanged, and the first address of the /64 of an IPv6 address.

    A home or a phone has a whole /64, so it must not count as many addresses.
    """
    with suppress(ValueError):
        if ipaddress.ip_address(ip).version == 6:
            return str(ipaddress.ip_network((ip, 64), strict=False).network_address)
    return ip


def address_of_scope(scope: Scope) -> str:
    """Return the address or network that a socket comes from, by its ASGI scope; "unknown" for a Unix socket."""
    request = HttpRequest()  # `address_of` needs one, with these headers.
    request.META["REMOTE_ADDR"] = (scope.get("client") or [""])[0]
    for name, value in scope.get("headers", ()):
        if name == b"x-forwarded-for":
            request.META["HTTP_X_FORWARDED_FOR"] = value.decode("latin1")
    try:
        return address_of(request)
    except PermissionDenied:  # A Unix socket has no address.
        return "unknown"


def too_many(request: HttpRequest) -> HttpResponse:
    """Return the answer to a request over its limit."""
    return render(request, "429.html", status=429)
