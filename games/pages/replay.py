"""HTTP: the replay of a match, and the check of its shuffles."""

from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from accounts.limits import limited
from games.analysis import reading
from games.analysis.asking import objection
from games.catalog import game_name, get_game
from games.fragments import felt_html
from games.history import lists, verification
from games.history.replay import Replay
from games.history.whys import explained_moves
from games.kit.shuffle import scheme_name
from games.models import Match
from games.pages.finished import unchanging
from games.pages.forms import OddForm
from games.pages.looking import seen_match
from games.pages.refusals import NotHere, refusing
from games.play import odd_plays
from games.play.errors import Refused
from games.play.snapshot import SeatSnapshot
from games.talk.reading import said_by_move


@require_safe
@limited("replay")
@unchanging
@refusing
def replay(request, code):
    """The page of a match at one of its moves, all of it in the address: ?move=147&seat=2&open=1.

    `move` is the index of the last move applied, shuffles included: 0 shows the first deal. It may be left out, and
    then `deal` may say which deal’s start to show, and `at` a moment of it; `open` alone shows the start of the deal
    that was scored last, while the match runs. Beyond the end it shows the end.
    """
    shown, sight = _asked(request, code)
    deal = _number(request, "deal")
    move = _number(request, "move")
    if move is None and deal is not None:
        start = _deal(shown, deal).start
        at = request.GET.get("at", "")
        move = (shown.moment(deal, at) if at else None) or start
    if move is None and sight.open and not shown.over:
        move = shown.last_opened
    move = move or 0
    move = min(move, shown.last)
    marks = _marks(shown, request, shown.steps[move].deal)
    frame = _frame(shown, sight, move, marks)
    frame["sheet"] = _sheet(shown, sight, move)
    here = shown.steps[move]
    context = _page(shown, sight) | {
        "frame": frame,
        "moves": _moves(shown, sight, here.deal),
        "controls": _controls(shown, sight, move),
        "timeline": _timeline(shown, here.deal),
        "data": {
            "move": move,
            "last": shown.last,
            "seat": sight.seat,
            "open": sight.open,
            "over": shown.over,
            "can_open": shown.can_open,
            "deal_word": shown.deal_word,
            "deals": [deal._asdict() for deal in shown.deals],
            "mistakes": reading.mistakes(shown.match) if shown.analysed else [],
        },
    }
    return render(request, "replay/replay.html", context)


@require_safe
@limited("replay")
@unchanging
@refusing
def frames(request, code):
    """Every position of one deal for a script to step through: ?deal=3&seat=2&open=0.

    A <template data-move> for each, and one with the list of the deal's moves. The score sheet comes once, and then
    where it changes a table of the rows that are other than in the first one, or new.
    """
    shown, sight = _asked(request, code)
    number = _number(request, "deal")
    deal = _deal(shown, 1 if number is None else number)
    drawn, last, marks = [], None, _marks(shown, request, deal.number)
    for move in range(deal.first, deal.last + 1):
        frame = _frame(shown, sight, move, marks)
        sheet = _sheet(shown, sight, move)
        if move == deal.first:
            frame["sheet"] = first = sheet
        elif sheet != last:
            frame["sheet"] = sheet | {"rows": [row for row in sheet["rows"] if row not in first["rows"]]}
        last = sheet
        drawn.append(frame)
    context = _page(shown, sight) | {"frames": drawn, "moves": _moves(shown, sight, deal.number)}
    return render(request, "replay/replay.html#frames", context)


@require_safe
@limited("replay")
@unchanging
@refusing
def shuffle(request, code):
    """What is promised of a match's shuffles, and once it is over all that is needed to check them."""
    match = seen_match(request, code)
    seats = [(seat, SeatSnapshot.of(seat)) for seat in match.seats.select_related("user").order_by("place")]
    context = {
        "match": match,
        "game": game_name(match.game),
        "over": match.status == Match.Status.OVER,
        "seats": seats,
        "added": any(seat.entropy or seat.entropy_hash for seat, _ in seats),
        "scheme": scheme_name(match.shuffle_scheme),
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
@refusing
def odd(request, code):
    """A page that asks what was odd about a bot's move, and notes it for the host: ?move=147, and as for the replay."""
    shown, sight = _asked(request, code)
    match, move = shown.match, _number(request, "move")
    odd_plays.demand_bot_move(match, move)
    address = _address(shown, sight, move)
    form = OddForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        odd_plays.note_odd_play(request.user, match, move, form.cleaned_data["note"])
        messages.success(request, "Thank you. We have passed the move on to the people who look after the bots.")
        return redirect(f"{reverse('replay', args=[code])}{address}")
    context = {"match": match, "address": address, "where": shown.label(move), "words": shown.words(move), "form": form}
    return render(request, "replay/odd.html", context, status=400 if form.errors else 200)


def _asked(request, code):
    """The Replay of a match and the Sight that the request may have of it. Raises NotHere, Refused, NotAllowed."""
    match = seen_match(request, code)
    if not match.move_count:
        raise NotHere("This match hasn’t started yet.")
    shown = Replay(match, request.user.pk)
    shown.said = {} if settings.TALK == "off" else said_by_move(shown.snapshot, request.user.pk)
    shown.analysed = shown.over and reading.is_analysed(match)
    open_cards = request.GET.get("open", "") or "0"
    if open_cards not in ("0", "1"):
        raise Refused("Cards are open (1) or not (0).")
    return shown, shown.sight(request.user.pk, _number(request, "seat"), open_cards == "1")


def _number(request, name):
    """A number from the address, or None where it is not given. Raises Refused for anything else."""
    text = request.GET.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused(f"In the address, the {name} must be a number.")
    return int(text)


def _deal(shown, number):
    if not 0 < number <= len(shown.deals):
        raise NotHere(f"There is no such {shown.deal_word}.")
    return shown.deals[number - 1]


def _address(shown, sight, move):
    """The address of a move. That of a running match names no seat: it may be sent to somebody who knows less."""
    asked = {"move": move}
    if shown.over:
        asked["seat"] = sight.seat
    if sight.open:
        asked["open"] = 1
    return f"?{urlencode(asked)}"


def _page(shown, sight):
    """What the page and its frames have in common."""
    game = shown.match.game
    return {
        "match": shown.match,
        "rules": shown.rules,
        "players": shown.players,
        "deal_word": shown.deal_word,
        "unusual": lists.unusual_options(shown.match),
        "over": shown.over,
        "can_open": shown.can_open,
        "can_analyse": shown.analysed or (shown.over and not objection(shown.match)),
        "sight": sight,
        "viewer": sight.seat or 0,
        "sheet_template": f"{get_game(game).room}/sheet.html",
    }


def _marks(shown, request, deal):
    """The moves of a deal, by its number, beside which something stands: {what: a set of indexes}.

    "odd": moves of bots that may be called odd, all of a match that is over, by whoever is known here. "why": those of
    which it may be asked why. "hint": those for which a hint was taken. "verdict": {index: Moment} of those judged.
    """
    of_deal = shown.deals[deal - 1]
    return {
        "odd": set(shown.bot_moves) if shown.over and request.user.is_authenticated else set(),
        "why": set(explained_moves(shown, deal)),
        "hint": {hint["index"] for hint in shown.match.hints},
        "verdict": reading.moments(shown.match, of_deal.first, of_deal.last) if shown.analysed else {},
    }


def _frame(shown, sight, move, marks):
    """One position for the templates, without its score sheet. marks: as `_marks` makes them."""
    sentences, verdict = shown.sentences(move), marks["verdict"].get(move)
    spoken = [*sentences, verdict.spoken] if verdict and verdict.spoken else sentences
    felt = shown.felt(move) | {"moves": move + 1, "say": " ".join(spoken)}
    frame = {
        "move": move,
        "label": shown.label(move),
        "words": shown.words(move),
        "marks": {what for what, moves in marks.items() if move in moves},
        "address": _address(shown, sight, move),
        "felt": felt_html(get_game(shown.match.game), felt, shown.match),
        "said": shown.said.get(move, ()),
        "verdict": verdict,
    }
    if shown.ends_deal(move):
        frame["sentences"] = sentences[1:]  # the first says the move itself
    elif sight.open and shown.is_open(move):
        hands, first = shown.open_hands(move), sight.seat or 0
        frame["hands"] = hands[first:] + hands[:first]
    elif sight.seat is not None:
        frame["hand"] = shown.hand(move, sight.seat)
    return frame


def _sheet(shown, sight, move):
    """The score sheet as it stood after a move, linked to the moves that it tells of."""
    return shown.sheet(move, lambda to: _address(shown, sight, to))


def _moves(shown, sight, number):
    """The moves of a deal in words, in order: a list of {"heading", "moves"}, one for each trick."""
    deal = shown.deals[number - 1]
    groups = []
    for move in range(deal.first, deal.last + 1):
        trick = shown.steps[move].trick
        heading = f"Trick {trick}" if trick else ""
        if not groups or groups[-1]["heading"] != heading:
            groups.append({"heading": heading, "moves": []})
        line = {"move": move, "url": _address(shown, sight, move), "words": shown.words(move)}
        groups[-1]["moves"].append(line)
    return groups


def _timeline(shown, number):
    """The drawing under the slider: a stretch for each deal, as wide as it has moves; a tick for each trick's end."""
    return {
        "length": max(shown.last, 1),
        "deals": [
            {
                "classes": "deal now" if deal.number == number else "deal",
                "x": str(deal.first - 0.5),  # whatever the language, SVG wants a point
                "width": str(deal.last - deal.first + 1),
            }
            for deal in shown.deals
        ],
        "ticks": "".join(f"M{last} 0v10" for deal in shown.deals for _, _, last in deal.tricks),
    }


def _controls(shown, sight, move):
    """The links that step through the match, each with its key; at an end of the match without an address."""
    starts = [deal.start for deal in shown.deals]
    steps = [
        ("deal-back", f"Previous {shown.deal_word}", "↑", "skip-back", _before(starts, move)),
        ("deal-on", f"Next {shown.deal_word}", "↓", "skip-forward", _after(starts, move, shown.last)),
        ("first", "Start of the match", "Home", "chevron-first", 0),
        ("trick-back", "Previous trick", "Shift ←", "chevrons-left", _before(shown.stops, move)),
        ("back", "Previous move", "←", "chevron-left", max(move - 1, 0)),
        ("on", "Next move", "→", "chevron-right", min(move + 1, shown.last)),
        ("trick-on", "Next trick", "Shift →", "chevrons-right", _after(shown.stops, move, shown.last)),
        ("last", "End of the match" if shown.over else "Latest move", "End", "chevron-last", shown.last),
    ]
    return {
        name.replace("-", "_"): {
            "name": name,
            "words": words,
            "key": key,
            "icon": icon,
            "url": _address(shown, sight, to) if to != move else "",
        }
        for name, words, key, icon, to in steps
    }


def _before(moves, move):
    return max((other for other in moves if other < move), default=0)


def _after(moves, move, last):
    return min((other for other in moves if other > move), default=last)
