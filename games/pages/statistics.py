"""Statistics and best deals of a player, comparisons of players or pairs, and ratings."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.models import User
from accounts.suspension import open_to_suspended
from accounts.time_zones import site_month
from games.catalog import all_games
from games.kit.facts import Condition, answers_for
from games.kit.game import Game
from games.kit.language import language, lazy, lazy_in, say, say_in
from games.models import Match
from games.pages.filters import DEAL_PREFIX
from games.pages.history import member_of
from games.pages.looking import visible_match
from games.pages.refusals import NotHere, act, game_at, page
from games.play.errors import Refused
from games.ratings import boards, graph
from games.ratings.models import Pace
from games.ratings.strength import PROVISIONAL
from games.statistics import bests, counting, privacy, tables, together
from games.statistics.figures import AT_TABLE, ONLINE, figures_of
from games.statistics.privacy import PrivacyForm
from games.tallies.lists import games_at_tables

WHERE = {ONLINE: lazy_in("where a match was played", "Online"), AT_TABLE: lazy("At the table"), "both": lazy("Both")}
CHANGES = 30  # Rows of the table of a rating's latest changes.
FRESH = 60  # Seconds. Pages of statistics are cached for this long.


@page("history")
def statistics(request: HttpRequest, name: str, game: str = "") -> HttpResponse:
    """Show a player's statistics at a game. The default is the game of most of their matches."""
    return _player_page(request, name, game, "statistics", _statistics_context)


@page("history")
def best_deals(request: HttpRequest, name: str, game: str = "") -> HttpResponse:
    """Show a player's best deals at a game."""
    return _player_page(request, name, game, "bests", _best_deals_context)


@open_to_suspended
@act()
def show(request: HttpRequest) -> HttpResponse:
    """Save who may see each part of the user's statistics."""
    if request.user.is_guest:
        raise Refused(lazy("Guests have no page of statistics. Sign up first."))
    form = PrivacyForm.of(request.user, request.POST)
    if not form.is_valid():
        raise Refused(lazy("Choose who sees each part."))
    form.save()
    messages.success(request, say("That is who sees your statistics now."))
    return redirect("statistics", request.user.username)


@page("history")
def compare(request: HttpRequest, names: str) -> HttpResponse:
    """Compare the results of two players, or of two pairs, against each other and as partners.

    names: two or four names with "/" between them, from the address. If one of the people hides this part of their
    statistics from the reader, show only who does.
    """
    usernames = names.split("/")
    people = [member_of(name)[0] for name in usernames[:4]]
    if len(usernames) not in (2, 4) or len({person.pk for person in people}) < len(people):
        raise NotHere(lazy("Name two players, or two pairs: four players, partners next to each other."))
    hidden = [person for person in people if "people" not in privacy.visible_parts(request.user, person)]
    context: dict[str, object] = {"people": people, "hidden": hidden, "searches": _searches_for(people)}
    if not hidden:
        context["lines"] = (
            together.results_of_two(*people) if len(people) == 2 else together.results_of_pairs(people[:2], people[2:])
        )
    return render(request, "statistics/compare.html", context)


def _searches_for(people: list[User]) -> dict[str, dict[str, str]]:
    """Return the addresses of the matches behind the figures of a comparison, without the game.

    people: two, or two pairs.
    """
    first, *others = people

    def search(user: User, **fields: str) -> str:
        return f"{user.get_absolute_url()}?{urlencode(fields)}"

    names = [user.username for user in others]
    if len(others) == 1:
        (other,), (name,) = others, names
        return {
            "opponents": {
                "played": search(first, against=name, result="over"),
                "ahead": search(first, against=name, ahead=name),
                "behind": search(other, against=first.username, ahead=first.username),
            },
            "partners": {
                "played": search(first, partner=name, result="over"),
                "won": search(first, partner=name, result="won"),
            },
        }
    pair = dict(zip(("partner", "against", "player"), names, strict=True))
    results = {"played": "over", "ahead": "won", "behind": "lost"}
    return {"pairs": {figure: search(first, **pair, result=result) for figure, result in results.items()}}


def _player_page(
    request: HttpRequest, name: str, slug: str, page: str, contents: Callable[[User, Game, str], dict[str, object]]
) -> HttpResponse:
    """Render a page of a player at a game.

    slug: of the game, or "" for the one that they play most. page: the name of the URL and of the template. contents:
    returns the context that is the same for all readers, which is cached.
    """
    owner, present = member_of(name)
    if not present:
        return redirect(request.resolver_match.url_name, owner.username, *([slug] if slug else []))
    played = counting.games_played(owner)
    games = {game.slug: game for game in all_games() if game.statistics}
    if slug and slug not in games:
        raise NotHere(lazy("This site doesn’t have that game. Choose one in the lobby."))
    own = owner.pk == request.user.pk
    where = request.GET.get("where", "") if own else ""
    where = where if where in WHERE else ONLINE
    at_tables = games_at_tables(owner) if own else {}  # Only its players see a tally, so only they see it counted.
    counts = {ONLINE: played, AT_TABLE: at_tables, "both": dict(Counter(played) + Counter(at_tables))}
    played = counts[where]
    slug = slug or next((slug for slug in played if slug in games), "")
    visible_parts = privacy.visible_parts(request.user, owner)
    context = {
        "owner": owner,
        "own": own,
        "page": page,
        "where": where,
        "places": [{"value": value, "words": words} for value, words in WHERE.items()] if at_tables else [],
        "game": games.get(slug),
        "tabs": [
            {"name": games[other].name, "played": count, "here": other == slug}
            | {"url": reverse(page, args=[owner.username, other]) + (f"?where={where}" if where != ONLINE else "")}
            for other, count in played.items()
            if other in games
        ],
        "visible_parts": visible_parts,
        "history": f"{owner.get_absolute_url()}?" + (f"where={where}&" if at_tables and where != "both" else ""),
    }
    if slug in games:
        context["deals_heading"] = games[slug].deal_words.heading
    if slug in played:
        key = f"{page}-{owner.pk}-{slug}-{played[slug]}-{where}-{language()}"  # The context has words of this language.
        cached = cache.get(key)
        if cached is None:
            cached = contents(owner, games[slug], where)
            if any(cached.values()):  # Else the clock has not counted their first match yet.
                cache.set(key, cached, FRESH)
        context |= cached | {"is_counting": not any(cached.values())}
    if context["own"]:
        context["form"] = PrivacyForm.of(owner)
    return render(request, f"statistics/{page}.html", context)


def _statistics_context(owner: User, game: Game, where: str) -> dict[str, object]:
    """Return the template context of a player's statistics at a game: tables of results, partners and opponents.

    A breakdown is a table that the game defines, such as the mean of points by contract. Names in the tables link to a
    comparison of that person with the owner of the page.
    """
    assert game.statistics is not None
    totals = figures_of(owner, game, where)  # All numbers, as they stand after the latest match.
    partners, opponents = (
        [{"name": name} | counts for name, counts in counting.with_names(totals.people(together))]
        for together in (True, False)
    )
    address_of = partial(_comparison_url, owner.username)
    breakdowns = [
        tables.breakdown_table(breakdown, totals.tallies, partial(_deals_query, game, ""))
        for breakdown in game.statistics.breakdowns
    ]
    rows = [
        tables.Row(name, values, partial(_deals_query, game, name))
        for name, values in counting.with_names(totals.partners)  # The figures of the deals with each partner.
    ]
    title, head, figures = say("With each partner"), say_in("heading of names", "With"), game.statistics.with_partner
    return {
        "results": tables.results_tables(totals.results),
        "breakdowns": [table for table in breakdowns if table],  # Some have no deals yet.
        "partners": tables.people_table(partners, address_of),
        "opponents": tables.people_table(opponents, address_of),
        "with_partners": tables.figures_table(title, head, figures, rows, drawn=1) if rows else None,
    }


def _deals_query(game: Game, partner: str, *conditions: Condition) -> str:
    """Return the fields of a search for a player's deals with these conditions, "" if it can't ask for exactly these.

    partner: the name of a partner in all these deals, or "".
    """
    slugs = answers_for(game.questions, *conditions)
    if slugs is None:
        return ""
    fields = {"game": game.slug, "partner": partner} | {f"{DEAL_PREFIX}{name}": slug for name, slug in slugs.items()}
    return urlencode({name: value for name, value in fields.items() if value})


def _comparison_url(*names: str) -> str:
    """Return the address of a comparison of these people."""
    return reverse("compare", args=["/".join(names)])


def _best_deals_context(owner: User, game: Game, where: str) -> dict[str, object]:
    return {"bests": bests.bests(figures_of(owner, game, where), game)}


@page("history")
def player_ratings(request: HttpRequest, name: str, game: str) -> HttpResponse:
    """Show the course of a player's rating at a game, as a graph and a table. ?pace=slow is for slow matches."""
    owner, present = member_of(name)
    if not present:
        return redirect("player_ratings", owner.username, game)
    chosen = game_at(game)
    pace = _requested_pace(request)
    context: dict[str, object] = {"owner": owner, "game": chosen, "pace": Pace(pace)}
    if owner != request.user and boards.hides_ratings(owner):
        return render(request, "ratings/player.html", context | {"hidden": True})
    course = graph.rating_course(owner, chosen.slug, pace)
    context |= {
        "ratings": boards.ratings_of(owner),
        "graph": graph.rating_graph(course) if course else None,
        "lines": course[: -CHANGES - 1 : -1],
        "rated_matches": len(course),
    }
    return render(request, "ratings/player.html", context)


@page("history")
def board(request: HttpRequest, game: str | None = None) -> HttpResponse:
    """Show the ratings at a game: a list of the strongest players. Without a game in the address, take the first.

    Slow matches (with days for each move) have ratings of their own: ?pace=slow. With ?month=2026-11 or ?seats=4, show
    who gained most points in that month, or in matches of that size.
    """
    chosen = game_at(game or all_games()[0].slug)
    pace = _requested_pace(request)
    month, seats = _requested_month(request), _requested_seats(request, chosen)
    context = {
        "game": chosen,
        "games": all_games(),
        "pace": Pace(pace),
        "paces": list(map(Pace, Pace.values)),
        "month": month,
        "month_bounds": site_month(month) if month else None,
        "months": boards.months(chosen.slug, pace),
        "seats": seats,
        "search": "?" + urlencode(_rated_search(chosen, pace, month, seats)),
        "provisional_until": PROVISIONAL,
        "own": boards.ratings_of(request.user) if request.user.is_authenticated else [],
        "hides": boards.hides_ratings(request.user),
    }
    if month or seats:
        context["gains"] = boards.gains(chosen.slug, pace, month, seats, request.user)
    else:
        context["lines"] = boards.board(chosen.slug, pace, request.user)
    return render(request, "ratings/board.html", context)


def _rated_search(game: Game, pace: str, month: date | None, seats: int | None) -> dict[str, object]:
    """Return the fields of a search for the rated matches that a list counts, without a result."""
    fields = {"game": game.slug, "rated": "yes", "speed": pace}
    return fields | ({"ended": f"{month:%Y-%m}"} if month else {}) | ({"seats": seats} if seats else {})


def _requested_pace(request: HttpRequest) -> str:
    pace = str(request.GET.get("pace") or Pace.LIVE)
    if pace not in Pace.values:
        raise Refused(lazy("Choose one of the two paces."))
    return pace


def _requested_month(request: HttpRequest) -> date | None:
    """Return the first day of ?month=2026-11, or None. Raises Refused."""
    text = request.GET.get("month", "")
    month = boards.parse_month(text)
    if text and month is None:
        raise Refused(lazy("Choose one of the months."))
    return month


def _requested_seats(request: HttpRequest, game: Game) -> int | None:
    """Return the number of seats of ?seats=4, or None. Raises Refused if the game has no such number."""
    text = request.GET.get("seats", "")
    if text and text not in map(str, game.newest.seat_counts):
        raise Refused(lazy("Choose how many play {game}.", game=game.name))
    return int(text) if text else None


@page("replay")
def changes(request: HttpRequest, code: str) -> HttpResponse:
    """Show how a match has changed the players' ratings. The page of the match asks for this until it is stored."""
    match = visible_match(request, code)
    if not match.rated or match.status != Match.Status.OVER:
        raise NotHere(lazy("This match changes no ratings. Choose a rated one that is over."))
    lines = boards.changes_of(match, request.user)
    context = {"code": code, "changes": lines}
    return render(request, "ratings/changes.html" if request.htmx else "ratings/changes_page.html", context)


@open_to_suspended
@act()
def hide(request: HttpRequest) -> HttpResponse:
    """Hide the user's ratings from others, or show them again."""
    hides = request.POST.get("hides", "")
    if hides not in ("yes", "no"):
        raise Refused(lazy("Choose whether others see your ratings."))
    boards.set_hides_ratings(request.user, hides == "yes")
    messages.success(
        request, say("Only you can see your ratings now." if hides == "yes" else "Everybody can see your ratings now.")
    )
    return redirect("ratings")
