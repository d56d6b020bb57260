"""Views that need a recent login: the user reauthenticates first and then returns to them."""

from collections.abc import Callable

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode
from django.utils.translation import gettext

from accounts.limits import View

REPEAT = "confirm_then_repeat"  # A key of the session. The form was not stored: the user must send it again.


def confirmed(return_to: str = "") -> Callable[[View], View]:
    """Decorate a view so that users who logged in long ago must first enter their password, a passkey or a code again.

    Guests have no password, so they pass. return_to: for a view without a page of its own, the URL name of the page
    with the button for it. The user returns there.
    """

    def decorate(view: View) -> View:
        wrapped = reauthentication_required(view)
        wrapped.return_to = return_to
        return wrapped

    return decorate


class AskToConfirm(MiddlewareMixin):
    """Redirect to the login when a view needs a recent one. Unlike django-allauth, never store the form.

    django-allauth stores a POST and performs it after the login. A stranger at an open browser could leave one there,
    and the owner would confirm it unknowingly.
    """

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Redirect to the page that asks for the password, a passkey or a code, and then leads back.

        None for other exceptions than that of a view which needs this: Django handles them.
        """
        if not isinstance(exception, ReauthenticationRequired):
            return None
        return_to = getattr(request.resolver_match.func, "return_to", "")
        if return_to or request.method != "GET":
            request.session[REPEAT] = True  # The form is not stored, so a message will ask the user to send it again.
        else:
            request.session.pop(REPEAT, None)  # The user has abandoned an earlier form.
        page = reverse(return_to) if return_to else request.get_full_path()
        methods = get_adapter(request).get_reauthentication_methods(request.user)
        url = methods[0]["url"] if methods else reverse("account_login")
        return redirect(f"{url}?{urlencode({'next': page})}")


def remind_to_repeat(request: HttpRequest, reauthenticated: bool = False, **_: object) -> None:
    """Receive `authentication_step_completed`: remind the user to send the form again."""
    if reauthenticated and request.session.pop(REPEAT, False):
        messages.info(request, gettext("Thanks for confirming. Nothing has been done yet, so please do it once more."))
