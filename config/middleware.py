"""A helper for middleware, and the middleware that keeps private pages out of caches and search engines."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import has_vary_header
from django.utils.decorators import sync_and_async_middleware

type GetResponse = Callable[[HttpRequest], Any]  # Django's own name: the next middleware, or the view.


def make_middleware(
    after_view: Callable[[HttpRequest, HttpResponse], HttpResponseBase],
    before_view: Callable[[HttpRequest], None] = lambda request: None,
) -> Callable[[GetResponse], Any]:
    """Return a middleware from two functions: `before_view(request)`, and `after_view(request, response)`.

    `after_view` returns the response to send. Both run in the event loop, so they must not block.
    """

    @sync_and_async_middleware
    def middleware(get_response: GetResponse) -> GetResponse:
        if iscoroutinefunction(get_response):

            async def answer_async(request: HttpRequest) -> HttpResponseBase:
                before_view(request)
                return after_view(request, await get_response(request))

            return answer_async

        def answer(request: HttpRequest) -> HttpResponseBase:
            before_view(request)
            return after_view(request, get_response(request))

        return answer

    return middleware


def _keep_private(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Keep the pages of a session out of caches, unless the view has set Cache-Control, and out of search engines.

    Otherwise the back button could show a hand or settings to the next person at a computer. This must wrap the
    middleware of sessions, which adds Cookie to Vary if the response depends on the session.
    """
    if settings.SESSION_COOKIE_NAME in request.COOKIES and has_vary_header(response, "Cookie"):
        response.headers.setdefault("Cache-Control", "private, no-store")
        response.headers.setdefault("X-Robots-Tag", "noindex")
    return response


private_pages_middleware = make_middleware(_keep_private)
