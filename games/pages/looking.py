"""The match of a page: whether the user may see it, and caching of its pages once it is over."""

import hashlib
from functools import cache, wraps

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.timezone import get_current_timezone_name
from django.views.decorators.http import etag

from accounts.adoption import SESSION_KEY
from accounts.limits import View
from games.challenges.seen import note_seen, why_hidden
from games.chat.reading import lines_version
from games.history import marks
from games.kit.language import language, lazy
from games.models import Match, Seat
from games.pages.outage import going_without
from games.pages.refusals import NotHere, act, first_of
from games.play import presence, store
from games.play.access import BLOCK_REASONS
from games.play.errors import NO_SUCH_MATCH, NotAllowed, Refused
from games.play.origins import COOKIE
from games.play.snapshot import Snapshot
from games.queue import entering


def snapshot_at(code: str) -> Snapshot:
    """Return the snapshot of a match, an unchangeable copy of its present state. Raises NotHere."""
    try:
        return store.read(code)
    except Match.DoesNotExist:
        raise NotHere(NO_SUCH_MATCH) from None


def visible_snapshot(request: HttpRequest, code: str) -> Snapshot:
    """Return the snapshot of a match that the user may see. Raises NotHere, or NotAllowed if they may not watch it."""
    snapshot = snapshot_at(code)
    _demand_visible(request, snapshot)
    return snapshot


def visible_match(request: HttpRequest, code: str) -> Match:
    """Return the row of a match that the user may see. Raises NotHere, or NotAllowed if they may not watch it."""
    match = first_of(Match.objects.filter(code=code), NO_SUCH_MATCH)
    _demand_visible(request, match)
    return match


def _demand_visible(request: HttpRequest, match: Match | Snapshot) -> None:
    """Raise NotAllowed or NotHere, with the reason, if the user may not see a match."""
    reason = why_hidden(request.user.pk, match, request.COOKIES.get(COOKIE, ""))
    if reason in BLOCK_REASONS:  # Users must not notice that somebody has blocked them: the match seems to be gone.
        raise NotHere(reason)
    if reason:
        raise NotAllowed(reason)


def opened_snapshot(request: HttpRequest, code: str) -> Snapshot:
    """Do the same as `visible_snapshot`, and record that the user has seen the cards."""
    return _note_look(request, visible_snapshot(request, code))


def opened_match(request: HttpRequest, code: str) -> Match:
    """Do the same as `visible_match`, and record that the user has seen the cards."""
    return _note_look(request, visible_match(request, code))


def _note_look[M: (Match, Snapshot)](request: HttpRequest, match: M) -> M:
    """Record that the user has seen the cards of a match, and return the match.

    A player who has seen the cards of a challenge has an advantage, and its results say so. If the database is away,
    the page does without the record.
    """
    with going_without():
        note_seen(reader_key(request), match)
    return match


def reader_key(request: HttpRequest) -> int | None:
    """Return the primary key of the user who looks at a page, or None for a visitor.

    Pages inside other sites look the same to everybody, so their request has an anonymous user. There, the view has
    stored the real key as `request.looker`.
    """
    return getattr(request, "looker", request.user.pk)


def at_match(view: View) -> View:
    """Decorate a view of a match: only users who may see the match get it, and the request counts as their presence."""

    @wraps(view)
    def wrapped(request: HttpRequest, code: str) -> HttpResponseBase:
        presence.note_visit(request.user.pk, visible_snapshot(request, code))
        return view(request, code)

    return wrapped


def act_at_match(view: View) -> View:
    """Decorate a view for an action by POST at a match that the user may see. It needs an account or a guest."""
    return act()(at_match(view))


def chosen_team(request: HttpRequest) -> int | None:
    """Return the side that the user has chosen in a form, 0 or 1; None if they have no wish. Raises Refused."""
    team = request.POST.get("team", "")
    if team not in ("", "0", "1"):
        raise Refused(lazy("Choose one of the two sides."))
    return int(team) if team else None


CODE_FOLDERS = ("accounts", "config", "games", "locale", "templates")  # The folders that can change a page.


def unchanging(view: View) -> View:
    """Decorate a page of a match so that browsers load it again only if it has changed.

    Once the match is over, the page has an ETag: a hash of everything that it depends on. A browser sends the hash back
    the next time. If it is still the same, we answer 304 without the page. Browsers must check it each time, because
    the page has the name of the user, who may have logged out.
    """
    conditional_view = etag(_etag)(view)

    @wraps(view)
    def wrapped(request: HttpRequest, code: str) -> HttpResponseBase:
        response = conditional_view(request, code=code)
        if response.status_code not in (200, 304):
            del response.headers["ETag"]  # It is the hash of the page, not of an error or a redirect.
        elif response.has_header("ETag"):
            response.headers["Cache-Control"] = "private, no-cache"
            patch_vary_headers(response, ["Cookie", "HX-Request"])
        return response

    return wrapped


def _etag(request: HttpRequest, code: str) -> str | None:
    """Return a hash of everything that can change a page of a match: the match, the reader and our code.

    Browsers send it back to ask whether the page has changed. Return None until the match is over, and while the reader
    waits for players, as the page says how that goes.
    """
    if request.session.get(entering.SESSION_KEY):
        return None
    finished = Match.objects.filter(code=code, status=Match.Status.OVER)
    match = finished.values_list("pk", "revision", "rules_version", "listed").first()
    if match is None:
        return None
    match_pk, *_ = match
    seats = Seat.objects.filter(match=match_pk).order_by("place")
    players = seats.values_list("user", "user__username", "user__is_guest", "bot", "name", "left_at")
    user = request.user
    reader = (reader_key(request), user.pk, user.username, user.is_authenticated and user.is_guest, user.is_staff)
    question = request.session.get(SESSION_KEY) if user.is_authenticated else None
    chat = lines_version(match_pk, user.pk)
    request_state = (sorted(request.COOKIES.items()), bool(request.htmx), language(), get_current_timezone_name())
    code_hash = _hash_of_code() if settings.DEBUG else _cached_hash_of_code()  # A developer changes the code.
    own_marks = marks.version(match_pk, user)  # Of comments and so on, on the timeline of the replay.
    text = repr((match, list(players), reader, question, chat, own_marks, request_state, code_hash))
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def _hash_of_code() -> str:
    """Return a hash of all code that can change a page: templates, Python, translations and names of static files."""
    digest = hashlib.sha256(getattr(staticfiles_storage, "manifest_hash", "").encode())
    for folder in CODE_FOLDERS:
        for path in sorted((settings.BASE_DIR / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".mo"):
                digest.update(path.read_bytes())
    return digest.hexdigest()


_cached_hash_of_code = cache(_hash_of_code)  # Without DEBUG nobody edits templates.
