"""Decorators that limit the requests to views, and the pages for requests that are refused."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.http import require_http_methods

from accounts.limits import limited
from games.play.errors import Refused

type View = Callable[..., HttpResponse]


class NotHere(Http404):
    """A page that does not exist. The message is a sentence for the player."""


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the 404 page, with the sentence of a `NotHere`. Other messages are not for players."""
    sentence = str(exception) if isinstance(exception, NotHere) else ""
    return render(request, "404.html", {"sentence": sentence}, status=404)


class Refusals(MiddlewareMixin):
    """Middleware that turns `Refused` into a page with the reason."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refused):
            context = {"sentence": str(exception), "code": _match_of(request)}
            return render(request, "site/refused.html", context, status=exception.status)
        return None


def _match_of(request: HttpRequest) -> str | None:
    """Return the code of the match in the URL, or None."""
    url = request.resolver_match
    return url.kwargs.get("code") if url.route.startswith("matches/") else None


def first_of(rows: QuerySet[Any], sentence: str) -> Any:
    """Return the first row, or raise NotHere with this sentence."""
    row = rows.first()
    if row is None:
        raise NotHere(sentence)
    return row


def page(action: str, *, needs_user: bool = False, posts: bool = False) -> Callable[[View], View]:
    """Return a decorator for the view of a page, with a rate limit.

    - action: a key of settings.RATE_LIMITS
    - needs_user: the page is for users and guests, not for visitors
    - posts: the view also takes POST requests
    """
    return _decorator(["GET", "HEAD", "POST"] if posts else ["GET", "HEAD"], action, needs_user)


def act(action: str = "act") -> Callable[[View], View]:
    """Return a decorator for a view that takes POST requests of users and guests, with the rate limit of `action`."""
    return _decorator(["POST"], action, needs_user=True)


def _decorator(methods: list[str], action: str, needs_user: bool) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        limited_view = limited(action)(view)
        return require_http_methods(methods)(login_required(limited_view) if needs_user else limited_view)

    return decorate
