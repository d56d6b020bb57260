"""The match that an address names, for whoever may see it; its pages that browsers may keep once it is over."""

import hashlib
from functools import cache, wraps

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.cache import patch_vary_headers
from django.utils.timezone import get_current_timezone_name
from django.views.decorators.http import etag

from games.challenges.seen import note, why_hidden
from games.chat.reading import heard_mark
from games.history import marks
from games.kit.language import language, lazy
from games.models import Match, Seat
from games.pages.outage import going_without
from games.pages.refusals import NotHere, act, first_of
from games.play import presence, store
from games.play.access import BLOCK_REASONS
from games.play.errors import NO_SUCH_MATCH, NotAllowed, Refused
from games.play.origins import COOKIE


def snapshot_at(code):
    """The Snapshot of a match. Raises NotHere."""
    try:
        return store.read(code)
    except Match.DoesNotExist:
        raise NotHere(NO_SUCH_MATCH) from None


def seen_snapshot(request, code):
    """The Snapshot of a match that the user may see. Raises NotHere, or NotAllowed where nobody like them may watch."""
    snapshot = snapshot_at(code)
    _demand_seen(request, snapshot)
    return snapshot


def seen_match(request, code):
    """The Match that the user may see. Raises as `seen_snapshot` does."""
    match = first_of(Match.objects.filter(code=code), NO_SUCH_MATCH)
    _demand_seen(request, match)
    return match


def _demand_seen(request, match):
    why = why_hidden(request.user.pk, match, request.COOKIES.get(COOKIE, ""))
    if why in BLOCK_REASONS:
        raise NotHere(why)
    if why:
        raise NotAllowed(why)


def opened_snapshot(request, code):
    """As `seen_snapshot`, for a page that shows cards or gives them away: that the user has seen them is noted."""
    return _noted(request, seen_snapshot(request, code))


def opened_match(request, code):
    """As `seen_match`, for such a page."""
    return _noted(request, seen_match(request, code))


def _noted(request, match):
    with going_without():
        note(looker_of(request), match)
    return match


def looker_of(request):
    """The key of the user who looks, also at a page that knows nobody (`games.pages.replay`); None for a stranger."""
    return getattr(request, "looker", request.user.pk)


def at_match(view):
    """Return a view for somebody at a match that they may see. Who acts at a match is there, without a socket too."""

    @wraps(view)
    def there(request, code):
        presence.note_visit(request.user.pk, seen_snapshot(request, code))
        return view(request, code)

    return there


def act_at_match(view):
    """Return the view of an act at a match, by POST, of somebody who is known and may see it."""
    return act()(at_match(view))


def chosen_team(request):
    """The side that a form asks for, 0 or 1, or None."""
    team = request.POST.get("team", "")
    if team not in ("", "0", "1"):
        raise Refused(lazy("Choose one of the two sides."))
    return int(team) if team else None


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
