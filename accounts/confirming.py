"""Acts that a session alone must not be enough for: people confirm first that it’s them, and then come back."""

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import messages
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode
from django.utils.translation import gettext

REPEAT = "confirm_then_repeat"  # in the session: the act was put off and must be done once more


def confirmed(return_to=""):
    """A decorator: the view, for people who have confirmed lately that it’s them.

    Guests, who have nothing to confirm it with, pass. return_to: the name of the page with the button, for a view that
    has no page of its own.
    """

    def decorate(view):
        wrapped = reauthentication_required(view)
        wrapped.return_to = return_to
        return wrapped

    return decorate


class AskToConfirm(MiddlewareMixin):
    """Ask people to confirm that it’s them, also where django-allauth demands it.

    django-allauth would store a post and do it after the confirmation. So somebody at an open browser could leave an
    act behind, which its owner would confirm unawares by opening the same page. Nothing is stored here.
    """

    def process_exception(self, request, exception):
        """Lead to the page that asks for the password, a passkey or a code."""
        if not isinstance(exception, ReauthenticationRequired):
            return None
        return_to = getattr(request.resolver_match.func, "return_to", "")
        if return_to or request.method != "GET":
            request.session[REPEAT] = True
        else:
            request.session.pop(REPEAT, None)  # of another act, which was given up
        page = reverse(return_to) if return_to else request.get_full_path()
        methods = get_adapter(request).get_reauthentication_methods(request.user)
        url = methods[0]["url"] if methods else reverse("account_login")
        return redirect(f"{url}?{urlencode({'next': page})}")


def remind(request, reauthenticated=False, **_):
    """A receiver of `authentication_step_completed`: say that the act itself is still to be done."""
    if reauthenticated and request.session.pop(REPEAT, False):
        messages.info(request, gettext("Thanks for confirming. Nothing has been done yet, so please do it once more."))
