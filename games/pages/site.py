"""The rules of the games, and who made what is used here."""

from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.catalog import UnknownGame, all_games, get_game
from games.pages.refusals import NotHere


@require_safe
def rules_index(request):
    return render(request, "site/rules.html", {"games": all_games()})


@require_safe
def rules(request, game):
    try:
        chosen = get_game(game)
    except UnknownGame as error:
        raise NotHere(str(error)) from None
    return render(request, f"{chosen.room}/rules.html", {"rules": chosen.newest, "games": all_games()})


@require_safe
def credits(request):
    return render(request, "site/credits.html")
