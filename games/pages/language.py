"""The language of pages: from a cookie, which a choice or a login sets, or else from the browser's settings."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts.suspension import open_to_suspended
from config.middleware import make_middleware
from games.kit.language import language
from games.languages import language_of_request, use_language

COOKIE_AGE = 365 * 24 * 60 * 60  # Seconds.


def _set_language(request: HttpRequest) -> None:
    """Set the language for the answer to a request."""
    request.LANGUAGE_CODE = language_of_request(request)
    use_language(request.LANGUAGE_CODE)


def _mark_response(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Store the language of a login in the browser, and mark pages with their language for caches.

    Users choose a language for their account. After a login, the browser keeps it for pages without a user.
    """
    code = getattr(request, "language_to_keep", "")  # Set by accounts at a login.
    if code != request.LANGUAGE_CODE and code in dict(settings.LANGUAGES):
        remember(response, code)
    if len(settings.LANGUAGES) > 1 and "text/html" in response.get("Content-Type", ""):
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
    return response


language_middleware = make_middleware(_mark_response, _set_language)


@open_to_suspended
@csrf_exempt
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Choose the language of pages, and of mails to the user who is logged in.

    The form needs no CSRF token, which would be a cookie for every visitor of every page. A form on another site does
    not send the cookie of the session, so it can't change an account.
    """
    code = request.POST.get("language", "")
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = reverse("lobby")
    response = redirect(back)
    if code in dict(settings.LANGUAGES):
        remember(response, code)
        if request.user.is_authenticated and request.user.language != code:
            request.user.language = code
            request.user.save(update_fields=["language"])
    return response


def remember(response: HttpResponse, code: str) -> None:
    """Store a language in a cookie of the browser."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME, code, max_age=COOKIE_AGE, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )


def languages(request: HttpRequest) -> dict[str, object]:
    """Add the present language and the choice of languages to the context of every template."""
    return {"language": language(), "languages": [_language_info(code) for code, _ in settings.LANGUAGES]}


def _language_info(code: str) -> dict[str, str]:
    """Return the "code" of a language and its name in that language, "name_local".

    For a language that Django doesn't know, the name is the code.
    """
    try:
        return translation.get_language_info(code)
    except KeyError:
        return {"code": code, "name_local": code}
