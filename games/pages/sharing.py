"""HTTP: what is shown of a match elsewhere: pictures of it, and its replay within another page."""

from functools import wraps

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_safe

from accounts.limits import limited
from games.catalog import game_name
from games.deal_index.share_cards import match_card, moment_card
from games.kit.language import lazily, said
from games.kit.words import signed
from games.models import Match
from games.pages import replay_parts as parts
from games.pages.finished import unchanging
from games.pages.looking import seen_match, snapshot_at
from games.pages.replay import whole_page
from games.pages.social import side_of, standings_of
from games.play.errors import NotAllowed

WITHIN = settings.SECURE_CSP | {"frame-ancestors": ["*"]}


def as_nobody(view):
    """The view for somebody who is not known, whoever asks: what others see elsewhere is the same for everybody."""

    @wraps(view)
    def wrapped(request, code):
        request.looker = request.user.pk
        request.user, request.COOKIES = AnonymousUser(), {}
        request.__dict__.pop("_messages", None)  # they wait for whoever is known
        return view(request, code)

    return wrapped


@require_safe
@as_nobody
@limited("card")
@unchanging
def card(request, code):
    """A picture of a match, or with ?move=147 of that moment: with &open=1 and all hands, once the match is over.

    With spoilers=off the picture of a match tells nobody how it ended.
    """
    if request.GET.get("move"):
        shown, sight, move = parts.asked(request, code)
        drawn = moment_card(shown, move, hands=sight.open and shown.is_open(move))
    else:
        match = seen_match(request, code)
        drawn = match_card(game_name(match.game), *_lines(match, request.GET.get("spoilers") == "off"))
    return HttpResponse(drawn, content_type="image/png")


def _lines(match, blind):
    """The heading of the picture of a match, and its lines."""
    names = [player["name"] for player in snapshot_at(match.code).players()]
    if match.status == Match.Status.OVER and not blind:
        return said("Final standings"), [(side_of(line, names), signed(line["score"])) for line in standings_of(match)]
    if match.status == Match.Status.OPEN:
        heading = said("A table that is open")
    else:
        heading = said("Replay" if match.status == Match.Status.OVER else "At the table")
    return heading, [(name, "") for name in names]


@require_safe
@xframe_options_exempt
@csp_override(WITHIN)
@as_nobody
@limited("replay")
@unchanging
def embed(request, code):
    """The replay of a finished match within a page of another site: ?move=147&seat=2&open=1. It acts for nobody."""
    if seen_match(request, code).status != Match.Status.OVER:
        raise NotAllowed(lazily("Other sites can show a match once it is over."))
    return render(request, "replay/replay.html", whole_page(request, code) | {"embedded": True})
