"""The rules of the games, and who made what is used here."""

import json

from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from games.catalog import UnknownGame, all_games, get_game
from games.kit.language import language, say
from games.pages.moments import NAMES, ROOMS
from games.pages.refusals import NotHere
from games.play.pace import AWAY_LIMIT


@require_safe
def rules_index(request):
    return render(request, "site/rules.html", {"games": all_games()})


@require_safe
def rules(request, game):
    try:
        chosen = get_game(game)
    except UnknownGame as error:
        raise NotHere(str(error)) from None
    context = {
        "game": chosen,
        "rules": chosen.newest,
        "usual": _usual_choices(chosen.newest),
        "games": all_games(),
        "sheet": _example_sheet(chosen),
        "away_minutes": AWAY_LIMIT // 60,
    }
    return render(request, f"{chosen.room}/rules.html", context)


def _usual_choices(rules):
    """The choices of all options by which most people play."""
    usual = rules.usual_options(rules.default_seats)
    return [
        choice for option in rules.option_fields() for choice in option.choices if choice.value == usual[option.name]
    ]


def _example_sheet(game):
    """The score sheet of the deals that a rules page tells of, as the game draws it; None where it tells of none."""
    path = ROOMS / game.room / "example.json"
    if not path.exists():
        return None
    example = json.loads(path.read_text())
    return game.drawing.sheet(example["score_sheet"], [{"name": name} for name in NAMES[: example["seats"]]])


@require_safe
def favicon(request):
    """Where browsers look that have no page of ours to tell them."""
    return redirect(static("img/favicon.svg"))


@require_safe
def manifest(request):
    """What a phone or a computer installs of the site; on iOS only an installed site gets push messages."""
    icons = [
        {"src": static(f"img/{name}-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for name, purpose in (("icon", "any"), ("icon-maskable", "maskable"))
        for size in (192, 512)
    ]
    told = {
        "name": "Valat",
        "short_name": "Valat",
        "description": say("Bidding and trick-taking card games, with people and with bots."),
        "lang": language(),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#0f3b2e",
        "theme_color": "#0f3b2e",
        "icons": icons,
    }
    kept = {"Cache-Control": "max-age=3600", "Vary": "Accept-Language, Cookie"}
    return JsonResponse(told, content_type="application/manifest+json", headers=kept)


@require_safe
def credits(request):
    return render(request, "site/credits.html")
