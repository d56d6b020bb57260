"""Pages of finished matches, which stay as they are: a browser that has one is told so, and not sent it again."""

import hashlib
from functools import cache, wraps

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.cache import patch_vary_headers
from django.utils.timezone import get_current_timezone_name
from django.views.decorators.http import etag

from games.chat.reading import heard_mark
from games.history import marks
from games.kit.language import language
from games.models import Match, Seat
from games.pages.looking import looker_of

CODE = ("accounts", "config", "games", "locale", "templates")  # the folders that a page is made by


def unchanging(view):
    """The view of a page of a match, which once that is over has an ETag and is answered by 304 where it still holds.

    Browsers may keep it, but ask each time: it is public, and yet shows who looks at it.
    """
    conditional = etag(_etag)(view)

    @wraps(view)
    def wrapped(request, code):
        response = conditional(request, code=code)
        if response.status_code not in (200, 304):
            del response.headers["ETag"]
        elif response.has_header("ETag"):
            response.headers["Cache-Control"] = "private, no-cache"
            patch_vary_headers(response, ["Cookie", "HX-Request"])
        return response

    return wrapped


def _etag(request, code):
    """What is equal for equal pages: of the match, of who looks and how, and of our own code. None until it is over."""
    match = Match.objects.filter(code=code, status=Match.Status.OVER)
    match = match.values_list("pk", "revision", "rules_version", "listed").first()
    if match is None:
        return None
    seats = Seat.objects.filter(match=match[0]).order_by("place")
    players = seats.values_list("user", "user__username", "user__is_guest", "bot", "name", "left_at")
    user = request.user
    reader = (looker_of(request), user.pk, user.username, user.is_authenticated and user.is_guest, user.is_staff)
    talk = heard_mark(match[0], user.pk)
    asked = (sorted(request.COOKIES.items()), bool(request.htmx), language(), get_current_timezone_name())
    made_by = _hash_of_code() if settings.DEBUG else _kept_hash_of_code()
    noted = marks.version(match[0], user)
    text = repr((match, list(players), reader, talk, noted, asked, made_by))
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def _hash_of_code():
    """A hash of all that pages are made by: the templates, the code, the names of the static files."""
    digest = hashlib.sha256(getattr(staticfiles_storage, "manifest_hash", "").encode())
    for folder in CODE:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".mo"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


_kept_hash_of_code = cache(_hash_of_code)  # templates are edited only while DEBUG is on
