"""The front page, and opening a table."""

from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from games.catalog import UnknownGame, all_games, get_rules
from games.history import lists
from games.pages.forms import OpenTableForm, seat_fields
from games.pages.refusals import NotHere, refusing
from games.pages.seats import seat_for
from games.play import seating


@require_safe
def lobby(request):
    running = lists.running_matches(request.user) if request.user.is_authenticated else []
    context = lists.lobby() | {
        "games": all_games(),
        "running": running,
        "sample": lists.last_finished(),
    }
    return render(request, "lobby/lobby.html", context)


@refusing
def open_table(request):
    try:
        rules = get_rules(request.GET.get("game", all_games()[0].slug))
    except UnknownGame as error:
        raise NotHere(str(error)) from None
    preset = next((preset for preset in rules.presets if preset.slug == request.GET.get("preset")), None)
    form = OpenTableForm(request.POST or None, rules=rules, preset=preset)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        with seat_for(request, "open_table") as user:
            opened = seating.once(
                user,
                act=seating.open_table,
                game=rules.slug,
                seats=chosen["seats"],
                options=form.options,
                speed=chosen["speed"],
                listed=chosen["listed"],
                bots=chosen["bots"],
                **seat_fields(request.POST),
            )
        return redirect("match", opened.code)
    context = {
        "form": form,
        "rules": rules,
        "preset": preset or next(iter(rules.presets), None),
        "games": all_games(),
    }
    return render(request, "lobby/open_table.html", context, status=400 if form.errors else 200)


@require_POST
@refusing
def quick_play(request, game):
    with seat_for(request, "open_table") as user:
        seated = seating.once(user, act=seating.quick_play, game=game, **seat_fields(request.POST))
    return redirect("match", seated.code)


@require_POST
@refusing
def learn(request, game):
    """A first deal with a guide: always the same one, begun anew."""
    form_key = seat_fields(request.POST)["form_key"]
    with seat_for(request, "open_table") as user:
        opened = seating.once(user, act=seating.open_guide, game=game, form_key=form_key)
    return redirect("match", opened.code)
