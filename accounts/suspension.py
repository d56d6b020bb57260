"""Refuses what suspended users send, in one place for all pages; and notes in browsers who has logged in there."""

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.shortcuts import render
from django.utils.decorators import sync_and_async_middleware

from accounts import devices, sanctions
from config.middleware import around

SAFE = ("GET", "HEAD", "OPTIONS")


def open_to_suspended(view):
    """Mark a view: who is suspended may do this too. It is seen by nobody else, or takes something of theirs away."""
    view.is_open_to_suspended = True
    return view


@sync_and_async_middleware
def middleware(get_response):
    """Answer 403 with the reason where a suspended user would change something, or opens the admin."""
    answering = around(_remembered)(get_response)
    if iscoroutinefunction(get_response):

        async def process_view(request, view, args, kwargs):
            return await sync_to_async(_refusal)(request) if _is_guarded(request, view) else None
    else:

        def process_view(request, view, args, kwargs):
            return _refusal(request) if _is_guarded(request, view) else None

    answering.process_view = process_view
    return answering


def _is_guarded(request, view):
    """Whether a request may change what others see, or is one of the staff's. Log-in and passwords are allauth's."""
    if request.resolver_match.app_name == "admin":
        return request.resolver_match.url_name not in ("login", "logout")
    is_open = hasattr(view, "is_open_to_suspended") or view.__module__.startswith("allauth.")
    return request.method not in SAFE and not is_open


def _refusal(request):
    if why := sanctions.why_barred(request.user.pk):
        return render(request, "site/refused.html", {"sentence": why}, status=403)
    return None


def _remembered(request, response):
    if user := getattr(request, "user_to_remember", None):  # noted when somebody logs in
        devices.remember(request, response, user)
    return response
