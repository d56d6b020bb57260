"""A middleware that refuses changes by suspended users, and sets the device cookie after a login."""

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.decorators import sync_and_async_middleware

from accounts import devices, sanctions
from accounts.limits import View
from config.middleware import GetResponse, make_middleware

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def open_to_suspended(view: View) -> View:
    """Mark a view that suspended users may use too, because others see nothing new by it."""
    view.is_open_to_suspended = True  # type: ignore[attr-defined]
    return view


@sync_and_async_middleware
def suspension_middleware(get_response: GetResponse) -> GetResponse:
    """Answer 403 with the reason when a suspended user wants to change something or opens the admin.

    After a login it also sets the cookie that lists the accounts of the browser. Works for sync and async requests.
    """

    def process_view(request: HttpRequest, view: View, args: list, kwargs: dict) -> HttpResponse | None:
        return _refusal(request) if _is_guarded(request, view) else None

    async def process_view_async(request: HttpRequest, view: View, args: list, kwargs: dict) -> HttpResponse | None:
        return await sync_to_async(_refusal)(request) if _is_guarded(request, view) else None

    answer = make_middleware(_remember_device)(get_response)
    answer.process_view = process_view_async if iscoroutinefunction(get_response) else process_view
    return answer


def _is_guarded(request: HttpRequest, view: View) -> bool:
    """Return whether a suspended user may not send this request.

    They may read pages other than the admin, and use views that are marked as open to them. Views of allauth, such as
    logging in, are open too.
    """
    if request.resolver_match.app_name == "admin":
        return request.resolver_match.url_name not in ("login", "logout")
    is_open = hasattr(view, "is_open_to_suspended") or view.__module__.startswith("allauth.")
    return request.method not in SAFE_METHODS and not is_open


def _refusal(request: HttpRequest) -> HttpResponse | None:
    """Return the page that says why the user is suspended, or None if they are not."""
    if why := sanctions.why_suspended(request.user.pk):
        return render(request, "site/refused.html", {"sentence": why}, status=403)
    return None


def _remember_device(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Set the cookie that lists the accounts of this browser, if the user has logged in with this request."""
    if user := getattr(request, "user_to_remember", None):  # accounts.apps sets it at a login.
        devices.remember(request, response, user)
    return response
