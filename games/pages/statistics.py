"""Somebody's statistics and bests, by game; how two people, or two pairs, have played; and the ratings."""

from functools import partial

from django.contrib import messages
from django.core.cache import cache
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.suspension import open_to_suspended
from accounts.time_zones import site_month
from games.catalog import UnknownGame, all_games, get_game
from games.kit.language import language, lazy, say, say_in
from games.models import Match
from games.pages.history import member_of
from games.pages.looking import visible_match
from games.pages.refusals import NotHere, act, page
from games.play.errors import Refused
from games.ratings import boards
from games.ratings.models import Pace
from games.ratings.strength import PROVISIONAL
from games.statistics import bests, counting, privacy, tables, together
from games.statistics.figures import figures_of
from games.statistics.privacy import ShownForm

FRESH = 60  # seconds for which what has been counted is shown again


@page("history")
def statistics(request, name, game=""):
    """The tables and drawings of somebody's matches at a game: at that of most of their matches if none is given."""
    return _page(request, name, game, "statistics", _tables)


@page("history")
def best_deals(request, name, game=""):
    """The bests of somebody at a game."""
    return _page(request, name, game, "bests", _bests)


@open_to_suspended
@act()
def show(request):
    """Choose who sees one's statistics."""
    if request.user.is_guest:
        raise Refused(lazy("Guests have no page of statistics. Sign up first."))
    form = ShownForm.of(request.user, request.POST)
    if not form.is_valid():
        raise Refused(lazy("Choose who sees each part."))
    form.save()
    messages.success(request, say("That is who sees your statistics now."))
    return redirect("statistics", request.user.username)


@page("history")
def compare(request, names):
    """How two people have played, or one pair against another: the address is the list of their names."""
    names = names.split("/")
    people = [member_of(name)[0] for name in names[:4]]
    if len(names) not in (2, 4) or len({person.pk for person in people}) < len(people):
        raise NotHere(lazy("Name two players, or two pairs: four players, partners next to each other."))
    hidden = [person for person in people if "people" not in privacy.seen_by(request.user, person)]
    context = {"people": people, "hidden": hidden}
    if not hidden:
        context["lines"] = together.of_two(*people) if len(people) == 2 else together.of_pairs(people[:2], people[2:])
    return render(request, "statistics/compare.html", context)


def _page(request, name, slug, page, found):
    """page: its name in addresses. found: what it shows of a user at a Game, whoever reads it, as a dict."""
    owner, present = member_of(name)
    if not present:
        return redirect(request.resolver_match.url_name, owner.username, *([slug] if slug else []))
    played = counting.games_played(owner)
    games = {game.slug: game for game in all_games() if game.statistics}
    if slug and slug not in games:
        raise NotHere(lazy("This site doesn’t have that game. Choose one in the lobby."))
    slug = slug or next((slug for slug in played if slug in games), "")
    seen = privacy.seen_by(request.user, owner)
    context = {
        "owner": owner,
        "own": owner.pk == request.user.pk,
        "page": page,
        "game": games.get(slug),
        "tabs": [
            {"name": games[other].name, "played": count, "url": reverse(page, args=[owner.username, other])}
            | {"here": other == slug}
            for other, count in played.items()
            if other in games
        ],
        "seen": seen,
    }
    if slug in games:
        context["deals_heading"] = games[slug].deal_words.heading
    if slug in played:
        key = f"{page}-{owner.pk}-{slug}-{played[slug]}-{language()}"  # it holds words
        counted = cache.get(key)
        if counted is None:
            counted = found(owner, games[slug])
            cache.set(key, counted, FRESH)
        context |= counted
    if context["own"]:
        context["form"] = ShownForm.of(owner)
    return render(request, f"statistics/{page}.html", context)


def _tables(owner, game):
    """All that the page shows of a player's matches at a Game, whoever reads it."""
    running = figures_of(owner, game)
    partners, opponents = (
        [{"name": name} | counts for name, counts in counting.named(running.people(together))]
        for together in (True, False)
    )
    figures = game.statistics.with_partner
    with_partners = counting.named(running.partners)
    address_of = partial(_compared, owner.username)
    tallies = running.tallies
    made = [tables.breakdown_table(breakdown, tallies) for breakdown in game.statistics.breakdowns]
    return {
        "results": tables.results_tables(running.results),
        "breakdowns": [table for table in made if table],
        "partners": tables.people_table(partners, address_of),
        "opponents": tables.people_table(opponents, address_of),
        "with_partners": tables.figures_table(
            say("With each partner"), say_in("heading of names", "With"), figures, with_partners, drawn=1
        )
        if with_partners
        else None,
    }


def _compared(*names):
    """The address of the page of these people."""
    return reverse("compare", args=["/".join(names)])


def _bests(owner, game):
    return {"bests": bests.bests(figures_of(owner, game), game)}


@page("history")
def board(request, game=None):
    """Who is strongest at a game: of all time, or ?month=2026-11&seats=4; ?pace=slow for days a move."""
    try:
        chosen = get_game(game or all_games()[0].slug)
    except UnknownGame as error:
        raise NotHere(str(error)) from None
    pace = request.GET.get("pace") or Pace.LIVE
    if pace not in Pace:
        raise Refused(lazy("Choose one of the two paces."))
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
    month = boards.parse_month(text)
    if text and month is None:
        raise Refused(lazy("Choose one of the months."))
    return month


def _seats(request, game):
    text = request.GET.get("seats", "")
    if text and text not in map(str, game.newest.seat_counts):
        raise Refused(lazy("Choose how many play {game}.", game=game.name))
    return int(text) if text else None


@page("replay")
def changes(request, code):
    """What a rated match did to the ratings: the part of its page that is asked for until it is known."""
    match = visible_match(request, code)
    if not match.rated or match.status != Match.Status.OVER:
        raise NotHere(lazy("This match changes no ratings."))
    lines = boards.changes_of(match, request.user)
    context = {"code": code, "changes": lines}
    return render(request, "ratings/changes.html" if request.htmx else "ratings/changes_page.html", context)


@open_to_suspended
@act()
def hide(request):
    """Show others one's ratings, or don't."""
    hides = request.POST.get("hides", "")
    if hides not in ("yes", "no"):
        raise Refused(lazy("Choose whether others see your ratings."))
    boards.set_hides_ratings(request.user, hides == "yes")
    messages.success(
        request, say("Only you can see your ratings now." if hides == "yes" else "Everybody can see your ratings now.")
    )
    return redirect("ratings")
