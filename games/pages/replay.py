"""HTTP: the replay of a match, a deal of it on paper, and the check of its shuffles."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.limits import limited
from games.catalog import game_name
from games.history import odd_plays, verification
from games.history.paper import deal_on_paper
from games.kit.language import lazily, said
from games.kit.shuffle import SCHEME
from games.models import Match
from games.pages import replay_parts as parts
from games.pages.finished import unchanging
from games.pages.forms import OddForm
from games.pages.looking import opened_match
from games.pages.social import Moment, share_links, social
from games.play.errors import NotAllowed, Refused
from games.play.snapshot import SeatSnapshot


@require_safe
@limited("replay")
@unchanging
def replay(request, code):
    """The page of a match at one of its moves, all of it in the address: ?move=147&seat=2&beside=0&open=1.

    `move` is the index of the last move applied, shuffles included: 0 shows the first deal. It may be left out, and
    then `deal` may say which deal’s start to show, and `at` a moment of it; `open` alone shows the start of the deal
    that was scored last, while the match runs. Beyond the end it shows the end. With `spoilers=off` it tells nothing
    of what comes after the deal that is shown.
    """
    return render(request, "replay/replay.html", whole_page(request, code))


def whole_page(request, code):
    """All that a page of a replay shows, as a dict. Raises as `parts.asked` does."""
    shown, sight, move = parts.asked(request, code)
    move = move or 0
    here = shown.steps[move]
    frame = parts.frame(shown, sight, move, parts.beside_moves(shown, request, here.deal))
    frame["sheet"] = parts.sheet(shown, sight, move)
    found = parts.timeline(shown, sight, move, request.user)
    names = [player["name"] for player in shown.players]
    return parts.page(shown, sight) | {
        "social": social(request, shown.match, names, Moment(move, sight, shown.label(move))),
        "share": share_links(request, shown.match, move, sight) if shown.over else None,
        "frame": frame,
        "moves": parts.moves(shown, sight, here.deal, move if shown.hides else None),
        "controls": parts.controls(shown, sight, move, [mark["move"] for mark in found["marks"]]),
        "timeline": found,
        "deal": here.deal,
        "hides": shown.hides,
        "with_times": request.GET.get("times") == "1",
        "longest": parts.LONGEST,
        "data": parts.data(shown, sight, move, found),
    }


@require_safe
@limited("replay")
@unchanging
def frames(request, code):
    """Every position of one deal for a script to step through: ?deal=3&seat=2&open=0.

    A <template data-move> for each, and one with the list of the deal's moves. The score sheet comes once, and then
    where it changes a table of the rows that are other than in the first one, or new.
    """
    shown, sight, _ = parts.asked(request, code)
    number = parts.number_in(request, "deal")
    deal = parts.deal_of(shown, 1 if number is None else number)
    drawn, last, beside = [], None, parts.beside_moves(shown, request, deal.number)
    for move in range(deal.first, deal.last + 1):
        frame = parts.frame(shown, sight, move, beside)
        sheet = parts.sheet(shown, sight, move)
        if move == deal.first:
            frame["sheet"] = first = sheet
        elif sheet != last:
            frame["sheet"] = sheet | {"rows": [row for row in sheet["rows"] if row not in first["rows"]]}
        last = sheet
        drawn.append(frame)
    context = parts.page(shown, sight) | {"frames": drawn, "moves": parts.moves(shown, sight, deal.number)}
    return render(request, "replay/replay.html#frames", context)


@require_safe
@limited("replay")
@unchanging
def on_paper(request, code):
    """A deal of a finished match on one page of paper: ?deal=3."""
    shown, sight, _ = parts.asked(request, code)
    if not shown.over:
        raise NotAllowed(lazily("You can print a whole deal once the match is over."))
    number = parts.number_in(request, "deal")
    deal = parts.deal_of(shown, 1 if number is None else number)
    sheet = shown.sheet(deal.last, lambda to: "")
    sheet["rows"] = [row for row in sheet["rows"] if row["number"] == str(deal.number)]
    context = parts.page(shown, sight) | {
        "deal": deal,
        "paper": deal_on_paper(shown, deal),
        "sheet": sheet,
        "address": parts.address(shown, sight, deal.start),
        "before": deal.number - 1,
        "after": deal.number + 1 if deal.number < len(shown.deals) else None,
    }
    return render(request, "replay/paper.html", context)


@require_safe
@limited("replay")
@unchanging
def shuffle(request, code):
    """What is promised of a match's shuffles, and once it is over all that is needed to check them."""
    match = opened_match(request, code)
    seats = [(seat, SeatSnapshot.of(seat)) for seat in match.seats.select_related("user").order_by("place")]
    context = {
        "match": match,
        "game": game_name(match.game),
        "over": match.status == Match.Status.OVER,
        "seats": seats,
        "added": any(seat.entropy or seat.entropy_hash for seat, _ in seats),
        "scheme": SCHEME,
    }
    try:
        data = verification.published(match)
        packs = [deal["pack"] for deal in data["deals"]]
        context |= {"data": data, "one_pack": packs[0] if packs and all(pack == packs[0] for pack in packs) else None}
    except Refused as reason:
        context["reason"] = str(reason)
    return render(request, "replay/shuffle.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@limited("replay")
def odd(request, code):
    """A page that asks what was odd about a bot's move, and notes it for the host: ?move=147, and as for the replay."""
    shown, sight, _ = parts.asked(request, code)
    match, move = shown.match, parts.number_in(request, "move")
    odd_plays.demand_bot_move(match, move)
    address = parts.address(shown, sight, move)
    form = OddForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        odd_plays.note_odd_play(request.user, match, move, form.cleaned_data["note"])
        messages.success(request, said("Thank you. We have passed the move on to the people who look after the bots."))
        return redirect(f"{reverse('replay', args=[code])}{address}")
    context = {"match": match, "address": address, "where": shown.label(move), "words": shown.words(move), "form": form}
    return render(request, "replay/odd.html", context, status=400 if form.errors else 200)
