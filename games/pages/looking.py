"""The match that an address names, for whoever may see it, and what those do who sit at it."""

from functools import wraps

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_http_methods

from accounts.limits import limited
from games.challenges.seen import note, why_unseen
from games.kit.language import lazily
from games.models import Match
from games.pages.outage import going_without
from games.pages.refusals import NotHere
from games.play import presence, store
from games.play.company import HIDDEN
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
    match = Match.objects.filter(code=code).first()
    if match is None:
        raise NotHere(NO_SUCH_MATCH)
    _demand_seen(request, match)
    return match


def _demand_seen(request, match):
    why = why_unseen(request.user.pk, match, request.COOKIES.get(COOKIE, ""))
    if why in HIDDEN:
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
    """The key of the user who looks, also at a page that knows nobody (`games.pages.sharing`); None for a stranger."""
    return getattr(request, "looker", request.user.pk)


def act_of_player(*methods):
    """A decorator: the view of an act at a table, of somebody who is known here, so often as is allowed.

    methods: of HTTP, POST alone where none is named. Who acts at a match is there, without a socket too.
    """

    def decorate(view):
        @wraps(view)
        def there(request, code):
            presence.note_visit(request.user.pk, seen_snapshot(request, code))
            return view(request, code)

        return require_http_methods(methods or ["POST"])(login_required(limited("act")(there)))

    return decorate


def chosen_team(request):
    """The side that a form asks for, 0 or 1, or None."""
    team = request.POST.get("team", "")
    if team not in ("", "0", "1"):
        raise Refused(lazily("Choose one of the two sides."))
    return int(team) if team else None
