"""How often somebody may do something: counted in Django's cache, by user or by address."""

import hashlib
import ipaddress
import time

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import render

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def allow(request_or_key, action, rate):
    """Whether `action` may be done once more now; an allowed one is counted.

    request_or_key: a request, which stands for its user or, without one, for its address; or any string.
    rate: "10/m" is ten in each minute of the clock; s, m, h or d.
    """
    amount, unit = rate.split("/")
    who = request_or_key if isinstance(request_or_key, str) else requester(request_or_key)
    window = int(time.time() // SECONDS[unit])
    key = "limit:" + hashlib.sha256(f"{action}:{rate}:{window}:{who}".encode()).hexdigest()
    cache.add(key, 0, SECONDS[unit])
    try:
        return cache.incr(key) <= int(amount)
    except ValueError:  # the window ended between the two lines above
        return True


def requester(request):
    """Whom a request is counted for."""
    return f"user {request.user.pk}" if request.user.is_authenticated else f"address {address_of(request)}"


def address_of(request):
    """The network that a request comes from: an IPv4 address, or the /64 that a home or a phone has of IPv6.

    X-Forwarded-For counts only as far as TRUSTED_PROXIES says.
    """
    address = get_adapter(request).get_client_ip(request)
    try:
        if ipaddress.ip_address(address).version == 6:
            return str(ipaddress.ip_network(f"{address}/64", strict=False))
    except ValueError:
        pass  # some servers put a name there
    return address


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
