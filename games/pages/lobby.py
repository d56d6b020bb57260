"""The front page, and opening a table."""

from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from games.catalog import UnknownGame, all_games, get_rules
from games.history import lists
from games.pages.forms import OpenTableForm
from games.pages.refusals import refusing
from games.pages.seats import seat_for
from games.play import seating
from games.play.promises import new_promise, promised_seed


@require_safe
def lobby(request):
    running = lists.running_matches(request.user) if request.user.is_authenticated else []
    context = lists.lobby() | {
        "games": all_games(),
        "running": running,
        "sample": lists.last_finished(),
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
        chosen = form.cleaned_data
        with seat_for(request, "open_table") as user:
            opened = seating.open_table(
                user,
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
    with seat_for(request, "open_table") as user:
        seated = seating.quick_play(
            user,
            game,
            entropy=request.POST.get("entropy", ""),
            seed=promised_seed(request.POST.get("promise")),
        )
    return redirect("match", seated.code)
