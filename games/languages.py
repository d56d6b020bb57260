"""Which language somebody reads, and how pages, sockets and mails speak it: Django's words and those of the games."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from django.http import HttpRequest
from django.utils import translation

from config.asgi_types import Scope
from games.kit import language


def speak(code: str) -> None:
    """Speak a language from now on, in this thread or task."""
    translation.activate(code)
    language.speak(code)


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language within a `with`."""
    if code == language.language() == translation.get_language():
        yield
        return
    with translation.override(code), language.speaking(code):
        yield


def language_of_request(request: HttpRequest) -> str:
    """The language that a browser was told to show, else that which it asks for, as far as the site has it."""
    return translation.get_language_from_request(request)


def language_of_scope(scope: Scope) -> str:
    """The same of a socket."""
    headers = dict(scope.get("headers", ()))
    accepted = headers.get(b"accept-language", b"").decode("latin1")
    asked: Any = SimpleNamespace(COOKIES=scope.get("cookies", {}), META={"HTTP_ACCEPT_LANGUAGE": accepted})
    return translation.get_language_from_request(asked)
