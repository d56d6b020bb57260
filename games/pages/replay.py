"""The replay of a match: the page, watching together, print, embedding, and the check of the shuffles."""

from functools import wraps
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_safe

from accounts.limits import View, limited
from accounts.people.blocks import is_apart
from games.catalog import game_name
from games.deal_index.share_cards import match_card, moment_card
from games.history import odd_plays, together, verification
from games.history.paper import deal_on_paper
from games.kit.language import lazy, say, say_in
from games.kit.shuffle import SCHEME
from games.kit.words import with_sign
from games.models import Match
from games.pages import replay_parts as parts
from games.pages.forms import OddForm
from games.pages.looking import opened_match, snapshot_at, unchanging, visible_match
from games.pages.refusals import NotHere, act, page
from games.pages.social import Moment, preview, share_links, side_names, standings_of
from games.play.errors import NotAllowed, Refused
from games.play.snapshot import SeatSnapshot


@page("replay")
@unchanging
def replay(request: HttpRequest, code: str) -> HttpResponse:
    """Show a match after one of its moves. The address holds all settings: ?move=147&seat=2&beside=0&open=1.

    `move` is the index of the last applied move, shuffles included: 0 shows the first deal. An index beyond the end
    shows the end. Without `move`, `deal` shows the start of a deal, or a moment of it that `at` names. While the match
    runs, `open` alone shows the start of the deal that was scored last. `spoilers=off` hides everything after the deal.
    """
    return render(request, "replay/replay.html", replay_context(request, code))


def replay_context(request: HttpRequest, code: str) -> dict[str, object]:
    """Return the template context of a replay page: the position after one move, and the means to go to others.

    The fields of the address say which move, and whose cards are visible (the viewpoint). Raises NotHere, Refused or
    NotAllowed if there is no such move, or the user may not see what the address asks for.
    """
    replay, viewpoint, move = parts.read_query(request, code)
    move = move or 0  # Without a move in the address, begin with the first.
    deal = replay.steps[move].deal  # Its number.
    extras = parts.extras_of(replay, request.user, deal)  # Explanations, comments and so on, next to the moves.
    frame = parts.frame(replay, viewpoint, move, extras)
    frame["sheet"] = parts.sheet(replay, viewpoint, move)  # The score sheet.
    timeline = parts.timeline(replay, viewpoint, move, request.user)
    marked_moves = [mark["move"] for mark in timeline["marks"]]
    names = [player["name"] for player in replay.players]
    return parts.page_context(replay, viewpoint) | {
        "social": preview(request, replay.match, names, Moment(move, viewpoint, replay.label(move))),
        "share": share_links(request, replay.match, move, viewpoint) if replay.over else None,
        "frame": frame,
        # A replay without spoilers lists no later moves.
        "moves": parts.move_groups(replay, viewpoint, deal, until=move if replay.hides else None),
        "controls": parts.controls(replay, viewpoint, move, marked_moves),
        "timeline": timeline,
        "deal": deal,
        "hides": replay.hides,
        "with_times": request.GET.get("times") == "1",
        "longest": parts.MAX_THOUGHT,
        "data": parts.script_data(replay, viewpoint, move, timeline["marks"]),
    }


@page("replay")
@unchanging
def frames(request: HttpRequest, code: str) -> HttpResponse:
    """Send every position of one deal, for a script to step through: ?deal=3&seat=2&open=0.

    There is a <template data-move> for each position and one for the list of moves. The first position has the whole
    score sheet. To save bytes, later ones have a sheet only if it changed, with the rows that differ from the first.
    """
    replay, viewpoint, _ = parts.read_query(request, code)
    deal = parts.deal_in(request, replay)
    extras = parts.extras_of(replay, request.user, deal.number)  # Explanations, comments and so on.
    positions, previous_sheet = [], None
    for move in range(deal.first, deal.last + 1):
        frame = parts.frame(replay, viewpoint, move, extras)
        sheet = parts.sheet(replay, viewpoint, move)
        if move == deal.first:
            frame["sheet"] = first_sheet = sheet
        elif sheet != previous_sheet:
            changed_rows = [row for row in sheet["rows"] if row not in first_sheet["rows"]]
            frame["sheet"] = {**sheet, "rows": changed_rows}
        previous_sheet = sheet
        positions.append(frame)
    context = parts.page_context(replay, viewpoint) | {
        "frames": positions,
        "moves": parts.move_groups(replay, viewpoint, deal.number),
    }
    return render(request, "replay/replay.html#frames", context)


@page("replay")
@unchanging
def on_paper(request: HttpRequest, code: str) -> HttpResponse:
    """Show a deal of a finished match for printing on one page: ?deal=3.

    It has the cards and moves of the deal, and the rows of the score sheet for this deal only.
    """
    replay, viewpoint, _ = parts.read_query(request, code)
    if not replay.over:
        raise NotAllowed(lazy("You can print a whole deal once the match is over."))
    deal = parts.deal_in(request, replay)
    sheet = replay.sheet(deal.last, url_of=lambda move: "")  # No links on paper.
    rows_of_deal = [row for row in sheet["rows"] if row["number"] == str(deal.number)]
    context = parts.page_context(replay, viewpoint) | {
        "deal": deal,
        "paper": deal_on_paper(replay, deal),
        "sheet": {**sheet, "rows": rows_of_deal},
        "address": parts.address(replay, viewpoint, deal.start),
        "before": deal.number - 1,  # The deals that the page links to; 0 if there is none.
        "after": deal.number + 1 if deal.number < len(replay.deals) else None,
    }
    return render(request, "replay/paper.html", context)


@page("replay")
@unchanging
def shuffle(request: HttpRequest, code: str) -> HttpResponse:
    """Show what the site promised about the shuffles before a match and, once it is over, the data to verify them.

    The promise is the hash of a seed, from which all shuffles follow. Browsers of players may add random texts
    (entropy), whose hashes were promised too. So neither the site nor a player can choose the cards.
    """
    match = opened_match(request, code)
    seats = [(seat, SeatSnapshot.from_seat(seat)) for seat in match.seats.select_related("user").order_by("place")]
    context = {
        "match": match,
        "game": game_name(match.game),
        "over": match.status == Match.Status.OVER,
        "seats": seats,
        "added": any(seat.entropy or seat.entropy_hash for seat, _ in seats),  # Whether any browser took part.
        "scheme": SCHEME,
    }
    try:
        data = verification.verification_data(match)
        packs = [deal["pack"] for deal in data["deals"]]  # The cards of each deal before its shuffle.
        is_same_pack = bool(packs) and all(pack == packs[0] for pack in packs)
        context |= {"data": data, "one_pack": packs[0] if is_same_pack else None}
    except Refused as reason:  # The match is not over, for example.
        context["reason"] = str(reason)
    return render(request, "replay/shuffle.html", context)


@page("replay", needs_login=True, posts=True)
def odd(request: HttpRequest, code: str) -> HttpResponse:
    """Ask what was odd about a bot's move, ?move=147. By POST, report it to the host of the site."""
    replay, viewpoint, _ = parts.read_query(request, code)
    match = replay.match
    move = odd_plays.require_bot_move(match, parts.number_in(request, "move"))
    address = parts.address(replay, viewpoint, move)
    form = OddForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        odd_plays.report_odd_play(request.user, match, move, form.cleaned_data["note"])
        messages.success(request, say("Thank you. We have passed the move on to the people who look after the bots."))
        return redirect(f"{reverse('replay', args=[code])}{address}")
    context = parts.move_context(replay, move) | {"address": address, "form": form}
    return render(request, "replay/odd.html", context, status=400 if form.errors else 200)


@act("together")
def open_room(request: HttpRequest, code: str) -> HttpResponse:
    """Open a room, where several people watch a replay together. It starts at the position from the form.

    The form has the index of the "move", the "seat" whose cards are visible, and "open" for all cards.
    """
    match = visible_match(request, code)
    if match.status != Match.Status.OVER:
        raise NotAllowed(lazy("You can watch the replay together once the match is over."))
    move, seat = [parts.clean_number(request.POST.get(name, ""), name) or 0 for name in ("move", "seat")]
    position: together.Position = {"move": move, "seat": seat, "open": request.POST.get("open") == "1"}
    room = together.open_room(request.user, match.code, match.move_count, match.seat_count, position)
    return redirect("watch_together", match.code, room.code)


@page("replay")
def watch(request: HttpRequest, code: str, room: str) -> HttpResponse:
    """Show a replay that several people watch together: one of them (the steerer) moves it for all.

    room: the code of the room where they meet. An address without a move leads to the steerer's present position.
    """
    match = visible_match(request, code)
    try:
        room_state = together.read(room)
    except Refused as refusal:
        raise NotHere(str(refusal)) from None
    # Blocks are secret. If the user or the steerer has blocked the other, the room seems not to exist.
    if room_state.match != match.code or is_apart(request.user.pk, [room_state.steerer.user_id]):
        raise NotHere(together.NO_SUCH_ROOM)
    if not request.GET.get("move"):
        position = room_state.position
        query = {"move": position["move"], "seat": position["seat"]} | ({"open": 1} if position["open"] else {})
        return redirect(f"{request.path}?{urlencode(query)}")
    link = request.build_absolute_uri(reverse("watch_together", args=[match.code, room_state.code]))
    return render(
        request, "replay/replay.html", replay_context(request, code) | {"room": room_state, "room_link": link}
    )


EMBEDDING_POLICY = settings.SECURE_CSP | {"frame-ancestors": ["*"]}


def as_nobody(view: View) -> View:
    """Decorate a view to treat every visitor as anonymous: a page inside another site is the same for everybody."""

    @wraps(view)
    def wrapped(request: HttpRequest, code: str) -> HttpResponseBase:
        request.looker = request.user.pk  # It is still recorded who has seen the cards.
        request.user, request.COOKIES = AnonymousUser(), {}
        request.__dict__.pop("_messages", None)  # Messages wait for a page where the user is logged in.
        return view(request, code)

    return wrapped


@require_safe
@as_nobody
@limited("card")
@unchanging
def card(request: HttpRequest, code: str) -> HttpResponse:
    """Send the picture that other sites show with a link to a match: its players, and the result once it is over.

    With ?move=147 it shows the table after that move, and with &open=1 also all hands of a finished match. With
    ?spoilers=off it hides the result.
    """
    if request.GET.get("move"):
        replay, viewpoint, move = parts.read_query(request, code)
        move = move or 0
        image = moment_card(replay, move, hands=viewpoint.open and replay.is_open(move))
    else:
        match = visible_match(request, code)
        heading, lines = _card_words(match, blind=request.GET.get("spoilers") == "off")
        image = match_card(game_name(match.game), heading, lines)
    return HttpResponse(image, content_type="image/png")


def _card_words(match: Match, blind: bool) -> tuple[str, list[tuple[str, str]]]:
    """Return the words on the picture of a match: a heading, and pairs of a name and a score.

    A finished match has a line for each side, the best first. Otherwise each player has a line, with the score "".
    blind: whether to hide the result.
    """
    names = [player["name"] for player in snapshot_at(match.code).players()]
    if match.status == Match.Status.OVER and not blind:
        lines = [(side_names(line, names), with_sign(line["score"])) for line in standings_of(match)]
        return say("Final standings"), lines
    if match.status == Match.Status.OPEN:
        heading = say("A table that is open")
    elif match.status == Match.Status.OVER:
        heading = say_in("of a finished match", "Replay")
    else:
        heading = say_in("of a running match", "At the table")
    return heading, [(name, "") for name in names]


@require_safe
@xframe_options_exempt
@csp_override(EMBEDDING_POLICY)
@as_nobody
@limited("replay")
@unchanging
def embed(request: HttpRequest, code: str) -> HttpResponse:
    """Show the replay of a finished match inside another site: ?move=147&seat=2&open=1. The visitor is anonymous."""
    if visible_match(request, code).status != Match.Status.OVER:
        raise NotAllowed(lazy("Other sites can show a match once it is over."))
    return render(request, "replay/replay.html", replay_context(request, code) | {"embedded": True})
