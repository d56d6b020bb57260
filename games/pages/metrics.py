"""The figures of this process, for Prometheus."""

import ipaddress

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest


@require_safe
def metrics(request):
    """What games.play.metrics counts, and how this process does.

    Every process answers for itself: where there are several, Prometheus asks each by its own port, and never through
    the proxy.
    """
    if not _is_allowed(request):
        raise Http404
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _is_allowed(request):
    """Whether METRICS_ALLOWED has the address that a request comes from, as far as TRUSTED_PROXIES tells it."""
    if "x-forwarded-for" in request.headers and not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        return False  # somebody behind a proxy that we were not told of, whose address this is
    try:
        return may_read_figures(get_adapter(request).get_client_ip(request))
    except (PermissionDenied, ImproperlyConfigured):  # a Unix socket, too few proxies
        return False


def may_read_figures(address):
    """Whether METRICS_ALLOWED has an address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:  # a name, or none
        return False
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    return any(parsed in ipaddress.ip_network(allowed) for allowed in settings.METRICS_ALLOWED)
