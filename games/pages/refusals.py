"""Decorators for the views of pages and actions, and the pages for refused requests."""

from collections.abc import Callable
from typing import Protocol

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin
from django.views.decorators.http import require_http_methods

from accounts.limits import View, limited
from games.catalog import UnknownGame, get_game
from games.kit.game import Game
from games.kit.language import lazy
from games.play.errors import Refused

NO_SUCH_PLAYER = lazy("There is no such player. Check the name.")


class NotHere(Http404):
    """An address that leads nowhere. The text of the exception is shown to the player."""


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Render the page for an address that leads nowhere. Only our own exceptions have a text for players."""
    sentence = str(exception) if isinstance(exception, NotHere) else ""
    return render(request, "404.html", {"sentence": sentence}, status=404)


class Refusals(MiddlewareMixin):
    """Answer every Refused of a view with a page that has the reason and a status of 4xx."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refused):
            context = {"sentence": str(exception), "code": _match_code_of(request)}
            return render(request, "site/refused.html", context, status=exception.status)
        return None


def _match_code_of(request: HttpRequest) -> str | None:
    """Return the code of the match that an address names, or None."""
    resolved = request.resolver_match
    return resolved.kwargs.get("code") if resolved.route.startswith("matches/") else None


class Rows[M](Protocol):
    """A query set, by the model of its rows."""

    def first(self) -> M | None: ...


def first_of[M](rows: Rows[M], sentence: str) -> M:
    """Return the first row. Raises NotHere with this sentence if there is none."""
    row = rows.first()
    if row is None:
        raise NotHere(sentence)
    return row


def game_at(slug: str) -> Game:
    """Return the game of an address. Raises NotHere."""
    try:
        return get_game(slug)
    except UnknownGame as unknown:
        raise NotHere(str(unknown)) from None


def page(action: str, *, needs_login: bool = False, posts: bool = False) -> Callable[[View], View]:
    """Return a decorator for the view of a page.

    action: a key of settings.RATE_LIMITS. needs_login: whether only users and guests may read the page. posts: whether
    the page has a form that posts to its own address.
    """
    return _view_decorator(["GET", "HEAD", "POST"] if posts else ["GET", "HEAD"], action, needs_login)


def act(action: str = "act") -> Callable[[View], View]:
    """Return a decorator for an action by POST of a user or guest. action: a key of settings.RATE_LIMITS."""
    return _view_decorator(["POST"], action, needs_login=True)


def _view_decorator(methods: list[str], action: str, needs_login: bool) -> Callable[[View], View]:
    """Return a decorator that limits a view to these HTTP methods, to the rate of an action, and perhaps to users."""

    def decorate(view: View) -> View:
        limited_view = limited(action)(view)
        return require_http_methods(methods)(login_required(limited_view) if needs_login else limited_view)

    return decorate
