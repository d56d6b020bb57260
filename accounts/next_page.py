"""Where a form goes on to."""

from django.utils.http import url_has_allowed_host_and_scheme


def next_url(request):
    """Where a form asks to go on to, if that is a page of this site; else ""."""
    url = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
    return url if safe else ""
