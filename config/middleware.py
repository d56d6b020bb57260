"""What every answer goes through besides Django's own and allauth's, and how such a middleware is made."""

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.utils.cache import has_vary_header
from django.utils.decorators import sync_and_async_middleware


def around(end, begin=lambda request: None):
    """Return a middleware that calls `begin(request)` before the view, and answers with `end(request, response)`.

    Neither may wait for anything: they run in the event loop.
    """

    @sync_and_async_middleware
    def middleware(get_response):
        if iscoroutinefunction(get_response):

            async def answer(request):
                begin(request)
                return end(request, await get_response(request))
        else:

            def answer(request):
                begin(request)
                return end(request, get_response(request))

        return answer

    return middleware


def _kept_private(request, response):
    """Keep what somebody who is logged in was shown out of every cache, unless the view has said otherwise.

    So the back button shows no hand and no settings to the next person at a computer. It stands outside of the
    middleware of sessions, which notes in Vary that an answer depends on who asks.
    """
    if settings.SESSION_COOKIE_NAME in request.COOKIES and has_vary_header(response, "Cookie"):
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response


private_pages = around(_kept_private)
