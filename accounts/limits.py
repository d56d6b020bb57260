"""How often somebody may do something: django-allauth's limiter with rates of ours, by user and by address."""

from functools import wraps

from allauth.core.internal import ratelimit
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest


def allow(request, action):
    """Whether `action` may be done once more now; an allowed one is counted.

    action: a key of settings.RATE_LIMITS. Of its rates those by user hold for who is logged in.
    """
    rates = settings.RATE_LIMITS[action].split(",")
    if not request.user.is_authenticated:
        rates = [rate for rate in rates if not rate.endswith("/user")]
    # The limiter's public door counts no GET, and a rate by user would raise for a visitor who is nobody.
    config = {action: ",".join(rates)}
    return ratelimit.consume(request, app="valat", action=action, config=config, limit_get=True) is not None


def allow_user(user, action):
    """As `allow`, for a user whose request isn't at hand, as at a socket: all rates of the action are by user."""
    config = {action: settings.RATE_LIMITS[action]}
    return ratelimit.consume(None, app="valat", action=action, config=config, user=user, limit_get=True) is not None


def limited(action):
    """A decorator: the view, for whoever may do `action` once more now."""

    def decorate(view):
        @wraps(view)
        def wrapped(request, *args, **kwargs):
            return view(request, *args, **kwargs) if allow(request, action) else too_many(request)

        return wrapped

    return decorate


def address_of(request):
    """The IPv4 address that a request comes from, or the first of the /64 that a home or a phone has of IPv6.

    X-Forwarded-For counts only as far as TRUSTED_PROXIES says.
    """
    return ratelimit.get_ip(request)


def network_of(ip):
    """An address as `address_of` gives it."""
    return ratelimit.truncate_ip(ip)


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
    return ratelimit.respond_429(request)
