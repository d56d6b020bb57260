"""An act that is refused, or an address that leads nowhere, as a page."""

from functools import wraps

from django.http import Http404
from django.shortcuts import render

from games.play.errors import Refused


class NotHere(Http404):
    """What an address asks for is not here. Its text is shown to the player as it is."""


def not_found(request, exception):
    """The page for an address that leads nowhere. Django's own Http404s have nothing to say to a player."""
    sentence = str(exception) if isinstance(exception, NotHere) else ""
    return render(request, "404.html", {"sentence": sentence}, status=404)


def refusing(view):
    """The view, with an act that is refused answered by a page that says why, with a 4xx."""

    @wraps(view)
    def wrapped(request, *args, **kwargs):
        try:
            return view(request, *args, **kwargs)
        except Refused as refusal:
            context = {"sentence": str(refusal), "code": kwargs.get("code")}
            return render(request, "site/refused.html", context, status=refusal.status)

    return wrapped
