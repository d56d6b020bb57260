"""An act that is refused, or an address that leads nowhere, as a page."""

from django.http import Http404
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

from games.play.errors import Refused


class NotHere(Http404):
    """What an address asks for is not here. Its text is shown to the player as it is."""


def not_found(request, exception):
    """The page for an address that leads nowhere. Django's own Http404s have nothing to say to a player."""
    sentence = str(exception) if isinstance(exception, NotHere) else ""
    return render(request, "404.html", {"sentence": sentence}, status=404)


class Refusals(MiddlewareMixin):
    """Answer every act that a view refuses by a page that says why, with a 4xx."""

    def process_exception(self, request, exception):
        if isinstance(exception, Refused):
            context = {"sentence": str(exception), "code": _match_of(request)}
            return render(request, "site/refused.html", context, status=exception.status)
        return None


def _match_of(request):
    """Return the code of the match that an address names, or None."""
    found = request.resolver_match
    return found.kwargs.get("code") if found.route.startswith("matches/") else None
