"""Pages and files that follow from the settings of the site: legal pages, logo, colour, robots.txt, announcements."""

import base64
import io
import zlib
from functools import lru_cache
from pathlib import Path

from django.contrib import messages
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from PIL import Image

from accounts.site import current, invitations

SMALL_LOGO = (64, 64)  # Pixels. Even of noise, this makes 10 kB of text.
YEAR = 365 * 24 * 3600  # seconds
HIDDEN = ("/accounts/", "/admin/", "/messages/", "/notices/", "/clubs/", "/metrics")  # Robots gain nothing there.


def context(request: HttpRequest) -> dict[str, object]:
    """Add the settings and the announcements of the site to the context of every template."""
    return {"site_settings": current.settings(), "site_icon": icon, "announcements": current.announcements()}


def icon() -> str:
    """Return the URL of the logo. Templates call it: processes without collected static files draw texts, too."""
    version = logo_version()
    return reverse("site_logo", args=[version]) if version else static("img/favicon.svg")


def icon_data() -> str:
    """Return a small logo as a data URL, for a page that needs no network."""
    return _data_of(bytes(current.settings().logo or b""))


@lru_cache(maxsize=2)
def _data_of(logo: bytes) -> str:
    if not logo:
        kind, content = "svg+xml", Path(finders.find("img/favicon.svg")).read_bytes()
    else:
        picture, out = Image.open(io.BytesIO(logo)), io.BytesIO()
        picture.thumbnail(SMALL_LOGO)
        picture.save(out, "WEBP")
        kind, content = "webp", out.getvalue()
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


@require_safe
def announcements(request: HttpRequest) -> HttpResponse:
    """Send the announcements. An open page replaces its own with them."""
    return render(request, "site/announcements.html")


@require_safe
def imprint(request: HttpRequest) -> HttpResponse:
    if not current.settings().imprint:
        raise Http404
    return render(request, "site/imprint.html")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "site/privacy.html")


@require_safe
def terms(request: HttpRequest) -> HttpResponse:
    return render(request, "site/terms.html")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Send robots.txt: which pages search engines may visit."""
    paths = HIDDEN if current.settings().indexed else ("/",)
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in paths)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain")


@require_safe
def logo(request: HttpRequest, version: str) -> HttpResponse:
    """Send the logo. version: in its address, so that browsers may keep it."""
    if not (image := current.settings().logo):
        raise Http404
    return HttpResponse(bytes(image), content_type="image/png", headers=_kept(version == logo_version()))


def _kept(is_current: bool) -> dict[str, str]:
    """Return the header that lets browsers keep an answer.

    A process may know a change two seconds later than the one that wrote the page. What it sends then under the new
    address must not stay.
    """
    return {"Cache-Control": f"max-age={YEAR}" if is_current else "no-store"}


def logo_version() -> str:
    """Return a text that changes with the logo, or "" without one."""
    image = current.settings().logo
    return f"{zlib.crc32(image):08x}" if image else ""


@require_safe
def colour(request: HttpRequest, version: str) -> HttpResponse:
    """Send a style sheet that puts the colour of the site in place of our green. version: the colour, for caches."""
    chosen = current.settings().colour
    if not chosen:
        raise Http404
    return HttpResponse(
        f":root {{ --felt-deep: {chosen}; --felt: color-mix(in oklab, {chosen} 88%, white);"
        f" --felt-light: color-mix(in oklab, {chosen} 80%, white); --accent: {chosen};"
        f" --accent-strong: color-mix(in oklab, {chosen} 80%, black); }}\n",
        content_type="text/css",
        headers=_kept(version == chosen[1:]),
    )


@require_safe
def accept_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Follow the link of an invitation: this browser may then sign up."""
    if not invitations.accept(request, token):
        messages.error(
            request, gettext("This invitation is used up or too old. Ask the person who sent it for another.")
        )
    return redirect("account_signup")
