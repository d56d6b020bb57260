"""Rules pages, the credits, and files that browsers look for at the root of the site."""

import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.site import current
from games.catalog import all_games
from games.kit.contract import Choice, Rules
from games.kit.drawing import ANY_READER, TemplateData
from games.kit.game import Game
from games.kit.language import language, say
from games.pages.moments import ROOMS, example_players
from games.pages.refusals import game_at
from games.play.pace import AWAY_LIMIT


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    return render(request, "site/rules.html", {"games": all_games()})


@require_safe
def rules(request: HttpRequest, game: str) -> HttpResponse:
    chosen = game_at(game)
    context = {
        "game": chosen,
        "rules": chosen.newest,
        "usual": _usual_choices(chosen.newest),
        "games": all_games(),
        "sheet": _example_sheet(chosen),
        "away_minutes": AWAY_LIMIT // 60,
        "neighbour": _neighbour_template(chosen),
    }
    return render(request, f"{chosen.room}/rules.html", context)


def _neighbour_template(game: Game) -> str:
    """Return the template with the differences from a game that readers of this language know, or "".

    Its text is in one language only, so it is in the template and not among the messages.
    """
    path = f"{game.room}/neighbour.{language()}.html"
    try:
        get_template(path)
    except TemplateDoesNotExist:
        return ""
    return path


def _usual_choices(rules: Rules) -> list[Choice]:
    """Return the usual choice of each option of a game: the rules that most people play."""
    usual = rules.usual_options(rules.default_seats)
    return [
        choice for option in rules.option_fields() for choice in option.choices if choice.value == usual[option.name]
    ]


def _example_sheet(game: Game) -> TemplateData | None:
    """Draw the score sheet of the example deals on a rules page. Return None if the page has none."""
    path = ROOMS / game.room / "example.json"
    if not path.exists():
        return None
    example = json.loads(path.read_text())
    players = example_players(example["seats"])  # With names and without real accounts.
    return game.drawing.sheet(example["score_sheet"], players, ANY_READER)


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect browsers that look for an icon at the usual address."""
    return redirect(static("img/favicon.svg"))


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """Send the manifest that devices need to install the site. On iOS, push messages need an installed site."""
    icons = [
        {"src": static(f"img/{name}-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for name, purpose in (("icon", "any"), ("icon-maskable", "maskable"))
        for size in (192, 512)
    ]
    name, colour = current.settings().name, current.settings().colour or "#0f3b2e"
    fields = {
        "name": name,
        "short_name": name,
        "description": say("Bidding and trick-taking card games, with people and with bots."),
        "lang": language(),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": colour,
        "theme_color": colour,
        "icons": icons,
        "shortcuts": [
            {"name": words, "url": reverse(view)}
            for words, view in (
                (say("Keep score"), "tallies"),
                (say("Play"), "lobby"),
                (say("My matches"), "my_matches"),
            )
        ],
    }
    headers = {"Cache-Control": "max-age=3600", "Vary": "Accept-Language, Cookie"}
    return JsonResponse(fields, content_type="application/manifest+json", headers=headers)


@require_safe
def credits(request: HttpRequest) -> HttpResponse:
    return render(request, "site/credits.html")
