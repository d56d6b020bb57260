"""Which requests views answer, and the pages that refuse others."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.http import require_http_methods

from accounts.limits import limited
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


def first_of(rows, sentence):
    """Return the first of some rows. Raises NotHere with this sentence where there is none."""
    row = rows.first()
    if row is None:
        raise NotHere(sentence)
    return row


def page(action, *, known=False, posts=False):
    """Return a decorator for the view of a page, which is read as often as `action` of settings.RATE_LIMITS allows.

    known: by users and guests alone. posts: its forms are posted to the same address.
    """
    return _answering(["GET", "HEAD", "POST"] if posts else ["GET", "HEAD"], action, known)


def act(action="act"):
    """Return a decorator for the view of what a user or guest does by POST, as often as `action` allows."""
    return _answering(["POST"], action, known=True)


def _answering(methods, action, known):
    def decorate(view):
        of_known = login_required(limited(action)(view)) if known else limited(action)(view)
        return require_http_methods(methods)(of_known)

    return decorate
