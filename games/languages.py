"""The languages of pages, sockets and mails. A language is active both in Django and in the games."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import HttpRequest
from django.utils import translation

from config.asgi_types import Scope
from games.kit import language


def use_language(code: str) -> None:
    """Activate a language in this thread or task."""
    translation.activate(code)
    language.use_language(code)


@contextmanager
def using_language(code: str) -> Iterator[None]:
    """Activate a language inside a `with` statement, and afterwards the previous one again."""
    if code == language.language() == translation.get_language():  # Nothing changes, which is frequent and faster.
        yield
        return
    with translation.override(code), language.using_language(code):
        yield


def language_of_request(request: HttpRequest) -> str:
    """Return the language that the user chose in this browser, or else the site's best match for the browser's own."""
    return translation.get_language_from_request(request)


def language_of_scope(scope: Scope) -> str:
    """Return the language of a socket: the user's choice in this browser, or else the best match for the browser's own.

    scope: of ASGI. Django looks at a request, so this makes one with the same cookies and header.
    """
    headers = dict(scope.get("headers", ()))
    accepted = headers.get(b"accept-language", b"").decode("latin1")
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted
    return translation.get_language_from_request(request)
