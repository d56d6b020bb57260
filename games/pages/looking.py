"""The match that an address names, for whoever may see it, and what those do who sit at it."""

from functools import wraps

from django.contrib.auth.decorators import login_required
from django.views.decorators.http import require_http_methods

from accounts.limits import limited
from games.lines.teams import demand_both_over
from games.models import Match
from games.pages.refusals import NotHere, refusing
from games.play import presence, store
from games.play.browsers import COOKIE
from games.play.company import HIDDEN, why_unseen
from games.play.errors import NO_SUCH_MATCH, NotAllowed, Refused


def snapshot_at(code):
    """The Snapshot of a match. Raises NotHere."""
    try:
        return store.read(code)
    except Match.DoesNotExist:
        raise NotHere(NO_SUCH_MATCH) from None


def seen_snapshot(request, code):
    """The Snapshot of a match that the user may see. Raises NotHere, or NotAllowed where nobody like them may watch."""
    snapshot = snapshot_at(code)
    why = why_unseen(request.user.pk, snapshot, request.COOKIES.get(COOKIE, ""))
    if why in HIDDEN:
        raise NotHere(why)
    if why:
        raise NotAllowed(why)
    demand_both_over(snapshot, request.user.pk)
    return snapshot


def seen_match(request, code):
    """The Match that the user may see. Raises as `seen_snapshot` does."""
    match = Match.objects.filter(code=code).first()
    if match is None:
        raise NotHere(NO_SUCH_MATCH)
    if match.status in Match.RUNNING:
        seen_snapshot(request, code)
    demand_both_over(match, request.user.pk)
    return match


def act_of_player(*methods):
    """A decorator: the view of an act at a table, of somebody who is known here, so often as is allowed.

    methods: of HTTP, POST alone where none is named. Who acts at a match is there, without a socket too.
    """

    def decorate(view):
        @wraps(view)
        def there(request, code):
            presence.note_visit(request.user.pk, seen_snapshot(request, code))
            return view(request, code)

        return require_http_methods(methods or ["POST"])(login_required(limited("act")(refusing(there))))

    return decorate


def chosen_team(request):
    """The side that a form asks for, 0 or 1, or None."""
    team = request.POST.get("team", "")
    if team not in ("", "0", "1"):
        raise Refused("Choose one of the two sides.")
    return int(team) if team else None
