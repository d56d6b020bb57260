"""Look up the match in a URL, if the user may see it. Let browsers cache the pages of finished matches."""

import hashlib
from functools import cache, wraps

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.timezone import get_current_timezone_name
from django.views.decorators.http import etag

from games.challenges.seen import note, why_hidden
from games.chat.reading import heard_mark
from games.history import marks
from games.kit.language import language, lazy
from games.models import Match, Seat
from games.pages.outage import going_without
from games.pages.refusals import NotHere, View, act, first_of
from games.play import presence, store
from games.play.access import BLOCK_REASONS
from games.play.errors import NO_SUCH_MATCH, NotAllowed, Refused
from games.play.origins import COOKIE
from games.play.snapshot import Snapshot


def snapshot_at(code: str):
    """Return the snapshot of a match, or raise NotHere."""
    try:
        return store.read(code)
    except Match.DoesNotExist:
        raise NotHere(NO_SUCH_MATCH) from None


def visible_snapshot(request: HttpRequest, code: str):
    """Return the snapshot of a match. Raises NotHere or NotAllowed if the user may not see it."""
    snapshot = snapshot_at(code)
    _require_visible(request, snapshot)
    return snapshot


def visible_match(request: HttpRequest, code: str):
    """Return a match. Raises NotHere or NotAllowed if the user may not see it."""
    match = first_of(Match.objects.filter(code=code), NO_SUCH_MATCH)
    _require_visible(request, match)
    return match


def _require_visible(request: HttpRequest, match: Match | Snapshot) -> None:
    why = why_hidden(request.user.pk, match, request.COOKIES.get(COOKIE, ""))
    if why in BLOCK_REASONS:
        raise NotHere(why)
    if why:
        raise NotAllowed(why)


def opened_snapshot(request: HttpRequest, code: str):
    """Return the snapshot like `visible_snapshot`, and note that the user has seen its cards."""
    return _note_opening(request, visible_snapshot(request, code))


def opened_match(request: HttpRequest, code: str):
    """Return the match like `visible_match`, and note that the user has seen its cards."""
    return _note_opening(request, visible_match(request, code))


def _note_opening[T: (Match, Snapshot)](request: HttpRequest, match: T) -> T:
    with going_without():
        note(viewer_of(request), match)
    return match


def viewer_of(request: HttpRequest) -> int | None:
    """Return the primary key of the user, even on pages that are drawn as for a visitor (`games.pages.replay`)."""
    return getattr(request, "viewer", request.user.pk)


def at_match(view: View):
    """Decorate a view of a visible match. The request shows that the user is present, even without a socket."""

    @wraps(view)
    def wrapped(request: HttpRequest, code: str) -> HttpResponse:
        presence.note_visit(request.user.pk, visible_snapshot(request, code))
        return view(request, code)

    return wrapped


def act_at_match(view: View):
    """Decorate the view of a POST request by which a user acts at a visible match."""
    return act()(at_match(view))


def chosen_team(request: HttpRequest) -> int | None:
    """Return the side in the form, 0 or 1, or None."""
    team = request.POST.get("team", "")
    if team not in ("", "0", "1"):
        raise Refused(lazy("Choose one of the two sides."))
    return int(team) if team else None


CODE = ("accounts", "config", "games", "locale", "templates")  # The folders that influence a page.


def cacheable(view: View):
    """Decorate the view of a page of a match, so that browsers can cache it once the match is over.

    The page gets an ETag. Browsers ask each time, because the page depends on the user.
    """
    conditional = etag(_etag)(view)

    @wraps(view)
    def wrapped(request: HttpRequest, code: str) -> HttpResponse:
        response = conditional(request, code=code)
        if response.status_code not in (200, 304):
            del response.headers["ETag"]
        elif response.has_header("ETag"):
            response.headers["Cache-Control"] = "private, no-cache"
            patch_vary_headers(response, ["Cookie", "HX-Request"])
        return response

    return wrapped


def _etag(request: HttpRequest, code: str) -> str | None:
    """Hash all that a page depends on. Return None until the match is over."""
    match = Match.objects.filter(code=code, status=Match.Status.OVER)
    match = match.values_list("pk", "revision", "rules_version", "listed").first()
    if match is None:
        return None
    seats = Seat.objects.filter(match=match[0]).order_by("place")
    players = seats.values_list("user", "user__username", "user__is_guest", "bot", "name", "left_at")
    user = request.user
    reader = (viewer_of(request), user.pk, user.username, user.is_authenticated and user.is_guest, user.is_staff)
    talk = heard_mark(match[0], user.pk)
    options = (sorted(request.COOKIES.items()), bool(request.htmx), language(), get_current_timezone_name())
    code_hash = _hash_of_code() if settings.DEBUG else _cached_hash_of_code()
    marks_version = marks.version(match[0], user)
    text = repr((match, list(players), reader, talk, marks_version, options, code_hash))
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def _hash_of_code() -> str:
    """Return a hash of the templates, the code and the names of the static files."""
    digest = hashlib.sha256(getattr(staticfiles_storage, "manifest_hash", "").encode())
    for folder in CODE:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".mo"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


_cached_hash_of_code = cache(_hash_of_code)  # Only with DEBUG does code change in a running process.
