"""The page after a form."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def next_url(request: HttpRequest) -> str:
    """Return the form's field "next" if it is a URL of this site, else ""."""
    url = request.POST.get("next", "")
    is_safe = url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
    return url if is_safe else ""
