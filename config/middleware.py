"""What every answer goes through besides Django's own and allauth's."""

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.utils.cache import has_vary_header
from django.utils.decorators import sync_and_async_middleware


@sync_and_async_middleware
def private_pages(get_response):
    """Keeps what somebody who is logged in was shown out of every cache, unless the view has said otherwise.

    So the back button shows no hand and no settings to the next person at a computer. It stands outside of the
    middleware of sessions, which notes in Vary that an answer depends on who asks.
    """
    if iscoroutinefunction(get_response):

        async def middleware(request):
            return _kept_private(request, await get_response(request))

    else:

        def middleware(request):
            return _kept_private(request, get_response(request))

    return middleware


def _kept_private(request, response):
    if settings.SESSION_COOKIE_NAME in request.COOKIES and has_vary_header(response, "Cookie"):
        response.headers.setdefault("Cache-Control", "private, no-store")
    return response
