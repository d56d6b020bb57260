"""Ratings: the boards of the games, what a match did, and whether others see one's own."""

from django.contrib import messages
from django.shortcuts import redirect, render

from accounts.suspension import open_to_suspended
from accounts.time_zones import site_month
from games.catalog import UnknownGame, all_games, get_game
from games.kit.language import lazily, said
from games.models import Match
from games.pages.decorators import act, page
from games.pages.looking import seen_match
from games.pages.refusals import NotHere
from games.play.errors import Refused
from games.ratings import boards
from games.ratings.models import Pace
from games.ratings.strength import PROVISIONAL


@page("history")
def board(request, game=None):
    """Who is strongest at a game: of all time, or ?month=2026-11&seats=4; ?pace=slow for days a move."""
    try:
        chosen = get_game(game or all_games()[0].slug)
    except UnknownGame as error:
        raise NotHere(str(error)) from None
    pace = request.GET.get("pace") or Pace.LIVE
    if pace not in Pace:
        raise Refused(lazily("Choose one of the two paces."))
    month, seats = _month(request), _seats(request, chosen)
    context = {
        "game": chosen,
        "games": all_games(),
        "pace": Pace(pace),
        "paces": list(Pace),
        "month": month,
        "month_bounds": site_month(month) if month else None,
        "months": boards.months(chosen.slug, pace),
        "seats": seats,
        "provisional_until": PROVISIONAL,
        "own": boards.ratings_of(request.user) if request.user.is_authenticated else [],
        "hides": boards.hides_ratings(request.user),
    }
    if month or seats:
        context["gains"] = boards.gains(chosen.slug, pace, month, seats, request.user)
    else:
        context["lines"] = boards.board(chosen.slug, pace, request.user)
    return render(request, "ratings/board.html", context)


def _month(request):
    text = request.GET.get("month", "")
    month = boards.first_of(text)
    if text and month is None:
        raise Refused(lazily("Choose one of the months."))
    return month


def _seats(request, game):
    text = request.GET.get("seats", "")
    if text and text not in map(str, game.newest.seat_counts):
        raise Refused(lazily("Choose how many play {game}.", game=game.name))
    return int(text) if text else None


@page("replay")
def changes(request, code):
    """What a rated match did to the ratings: the part of its page that is asked for until it is known."""
    match = seen_match(request, code)
    if not match.rated or match.status != Match.Status.OVER:
        raise NotHere(lazily("This match changes no ratings."))
    lines = boards.changes_of(match, request.user)
    context = {"code": code, "changes": lines}
    return render(request, "ratings/changes.html" if request.htmx else "ratings/changes_page.html", context)


@open_to_suspended
@act()
def hide(request):
    """Show others one's ratings, or don't."""
    hides = request.POST.get("hides", "")
    if hides not in ("yes", "no"):
        raise Refused(lazily("Choose whether others see your ratings."))
    boards.set_hides_ratings(request.user, hides == "yes")
    messages.success(
        request, said("Only you can see your ratings now." if hides == "yes" else "Everybody can see your ratings now.")
    )
    return redirect("ratings")
