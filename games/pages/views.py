"""HTTP: reads by queries and `rules.view`, writes by services, answers by template."""

from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.guests import guest_for
from accounts.limits import allow, too_many
from accounts.models import User
from accounts.names import fold
from games.catalog import IllegalMove, UnknownGame, all_games, get_drawing, get_game, get_rules
from games.fragments import TableDrawer
from games.history import lists as queries
from games.history.replay import Replay
from games.models import Match
from games.pages.forms import HistoryForm, OpenTableForm, clean_move
from games.play import services
from games.play import snapshot as snapshots
from games.play.promises import new_promise, promised_seed

OPENING_RATE = "60/h"


def refusing(view):
    """The view, with an act that is refused answered by a page that says why, with a 4xx."""

    @wraps(view)
    def wrapped(request, *args, **kwargs):
        try:
            return view(request, *args, **kwargs)
        except services.Refused as refusal:
            context = {"sentence": str(refusal), "code": kwargs.get("code")}
            return render(request, "site/refused.html", context, status=refusal.status)

    return wrapped


@require_safe
def lobby(request):
    running = queries.running_matches(request.user) if request.user.is_authenticated else []
    context = queries.lobby() | {
        "games": all_games(),
        "running": running,
        "sample": queries.last_finished(),
        "promise": new_promise(),
    }
    return render(request, "lobby/lobby.html", context)


@refusing
def open_table(request):
    try:
        rules = get_rules(request.GET.get("game", all_games()[0].slug))
    except UnknownGame as error:
        raise Http404(str(error)) from None
    preset = next((preset for preset in rules.presets if preset.slug == request.GET.get("preset")), None)
    form = OpenTableForm(request.POST or None, rules=rules, preset=preset)
    if request.method == "POST" and form.is_valid():
        if not allow(request, "open_table", OPENING_RATE):
            return too_many(request)
        chosen = form.cleaned_data
        opened = services.open_table(
            guest_for(request),
            rules.slug,
            seats=chosen["seats"],
            options=form.options,
            speed=chosen["speed"],
            listed=chosen["listed"],
            bots=chosen["bots"],
            entropy=chosen["entropy"],
            seed=promised_seed(request.POST.get("promise")),
        )
        return redirect("match", opened.code)
    context = {
        "form": form,
        "rules": rules,
        "preset": preset or next(iter(rules.presets), None),
        "games": all_games(),
        "promise": new_promise(),
    }
    return render(request, "lobby/open_table.html", context, status=400 if form.errors else 200)


@require_POST
@refusing
def quick_play(request, game):
    if not allow(request, "open_table", OPENING_RATE):
        return too_many(request)
    seated = services.quick_play(
        guest_for(request),
        game,
        entropy=request.POST.get("entropy", ""),
        seed=promised_seed(request.POST.get("promise")),
    )
    return redirect("match", seated.code)


@require_safe
def match(request, code):
    return _match_page(request, _snapshot(code))


@require_POST
@refusing
def sit(request, code):
    _snapshot(code)
    team = _chosen_team(request)
    services.sit_down(guest_for(request), code, entropy=request.POST.get("entropy", ""), team=team)
    return redirect("match", code)


@require_POST
@login_required
@refusing
def bot(request, code):
    services.seat_bot(request.user, code, team=_chosen_team(request))
    return redirect("match", code)


def _chosen_team(request):
    """The side that a form asks for, 0 or 1, or None."""
    team = request.POST.get("team", "")
    if team not in ("", "0", "1"):
        raise services.Refused("There are two sides: choose one of them.")
    return int(team) if team else None


def _act(service, *, then="match"):
    """The view that lets the user do `service(user, code)` by POST, and goes on to the match or the lobby."""

    @require_POST
    @login_required
    @refusing
    def view(request, code):
        service(request.user, code)
        return redirect(then, code) if then == "match" else redirect(then)

    return view


stand = _act(services.stand_up, then="lobby")
start = _act(services.start_match)
leave = _act(services.leave_match)
ready = _act(lambda user, code: services.set_ready(user.pk, code))
resume = _act(lambda user, code: services.resume(user.pk, code))


@require_POST
@login_required
@refusing
def rematch(request, code):
    opened = services.rematch(
        request.user,
        code,
        entropy=request.POST.get("entropy", ""),
        seed=promised_seed(request.POST.get("promise")),
    )
    return redirect("match", opened.code)


@require_POST
@login_required
def move(request, code):
    """The way to move without a socket. A refused move is answered by the table and what was wrong."""
    snapshot = _snapshot(code)
    try:
        wanted, seen = clean_move(request.POST)
        services.play_move(code, snapshot.player_number(request.user.pk), wanted, seen=seen)
    except IllegalMove as refusal:
        return _match_page(request, _snapshot(code), str(refusal), status=400)
    except services.Refused as refusal:
        return _match_page(request, _snapshot(code), str(refusal), status=refusal.status)
    return redirect("match", code)


@require_safe
def sheet(request, code):
    """The score sheet so far: the inside of the table's sheet panel, or a page of its own."""
    snapshot = _snapshot(code)
    if snapshot.state is None:
        raise Http404("The match has not started yet.")
    table = get_drawing(snapshot.game)
    viewer = snapshot.player_number(request.user.pk)
    tricks = Replay(Match.objects.get(pk=snapshot.pk)).tricks if table.tells_tricks else ()
    drawn = table.sheet(snapshot.rules.score_sheet(snapshot.state), snapshot.players(), viewer, tricks)
    context = {"sheet": drawn, "snapshot": snapshot, "sheet_template": f"{get_game(snapshot.game).room}/sheet.html"}
    if request.htmx:
        context["within"] = "dialog-"  # the page may hold a sheet already, with the same ids
    return render(request, "match/sheet.html#sheet" if request.htmx else "match/sheet.html", context)


@require_safe
@login_required
def my_matches(request):
    return _history_page(request, request.user)


@require_safe
def profile(request, name):
    if "\0" in name:
        raise Http404("There is no such player.")  # PostgreSQL would refuse the question
    user = get_object_or_404(User, folded_name=fold(name), is_guest=False)
    return _history_page(request, user)


@require_safe
def rules_index(request):
    return render(request, "site/rules.html", {"games": all_games()})


@require_safe
def rules(request, game):
    try:
        chosen = get_rules(game)
    except UnknownGame as error:
        raise Http404(str(error)) from None
    return render(request, f"{get_game(chosen.slug).room}/rules.html", {"rules": chosen, "games": all_games()})


@require_safe
def credits(request):
    return render(request, "site/credits.html")


def _snapshot(code):
    try:
        return snapshots.read(code)
    except Match.DoesNotExist:
        raise Http404("There is no such match.") from None


def _match_page(request, snapshot, error="", status=200):
    user_id = request.user.pk
    number = snapshot.player_number(user_id)
    stored = Match.objects.get(pk=snapshot.pk)
    context = {
        "snapshot": snapshot,
        "rules": snapshot.rules,
        "options": queries.option_words(stored),
        "unusual": queries.unusual_options(stored),
        "unlike_usual": queries.unlike_usual(request.user, stored)
        if user_id and snapshot.status in ("open", "playing")
        else None,
        "me": snapshot.seat_of(user_id),
        "number": number,
        "table": TableDrawer(snapshot).table(user_id),
        "error": error,
    }
    if snapshot.status == Match.Status.OVER:
        drawn = _final_sheet(snapshot, stored, number)
        context |= {
            "promise": new_promise(),
            "sheet": drawn,
            "sheet_template": f"{get_game(snapshot.game).room}/sheet.html",
        }
    return render(request, "match/match.html", context, status=status)


def _final_sheet(snapshot, stored, viewer):
    """The score sheet of a finished match for a seat (None: a spectator), linked to its replay."""
    table, replay = get_drawing(snapshot.game), reverse("replay", args=[snapshot.code])
    # Of a match by other rules than ours only the sheet is left.
    tricks = Replay(stored).tricks if table.tells_tricks and snapshot.state is not None else ()
    sheet = table.sheet(stored.score_sheet, snapshot.players(), viewer, tricks)
    for row in sheet["rows"]:
        row["url"] = f"{replay}?deal={row['deal']}"
        row["moments"] = {at: f"{row['url']}&at={at}" for at in table.moments}
    for link in sheet.get("links", ()):
        link["url"] = f"{replay}?move={link['move']}"
    return sheet


def _history_page(request, user):
    form = HistoryForm(request.GET)
    if not form.is_valid():
        return render(request, "history/history.html", {"form": form, "owner": user}, status=400)
    page = queries.history(user, form, own=user == request.user)
    filters = request.GET.copy()
    filters.pop("before", None)
    older = filters.copy()
    older["before"] = page["older"]
    context = page | {
        "form": form,
        "owner": user,
        "tally": queries.tally(user),
        "partners": queries.partners(user),
        "filtered": any(value for value in filters.values()),
        "older_query": older.urlencode() if page["older"] else "",
    }
    return render(request, "history/history.html", context)
