"""The language of pages: of the cookie that a choice or a login leaves, else what the browser asks for."""

from typing import Any

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
from config.middleware import around
from games.kit.language import language
from games.languages import language_of_request, speak

KEPT_FOR = 365 * 24 * 60 * 60  # seconds


def _begin(request: HttpRequest) -> None:
    """Answer in the language of who asks."""
    request.LANGUAGE_CODE = language_of_request(request)
    speak(request.LANGUAGE_CODE)


def _end(request: HttpRequest, response: HttpResponse):
    code = getattr(request, "language_to_keep", "")  # noted by accounts, when somebody logs in
    if code != request.LANGUAGE_CODE and code in dict(settings.LANGUAGES):
        remember(response, code)
    if len(settings.LANGUAGES) > 1 and "text/html" in response.get("Content-Type", ""):
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
    return response


middleware = around(_end, _begin)


@open_to_suspended
@csrf_exempt
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Show pages in another language from now on, and write mails to whoever is logged in in it.

    Without a token, which would be a cookie for every visitor of every page. Another site's form comes without the
    session's cookie, so it could change no account.
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
    """Have a browser ask for a language from now on."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME, code, max_age=KEPT_FOR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )


def languages(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the languages to choose from, each under the name that it has in itself."""
    return {"language": language(), "languages": [_name_of(code) for code, _ in settings.LANGUAGES]}


def _name_of(code: str):
    """{"code", "name_local"} of a language; one that Django doesn't know goes by its code."""
    try:
        return translation.get_language_info(code)
    except KeyError:
        return {"code": code, "name_local": code}
