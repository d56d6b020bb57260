"""The front page, and the views that open tables."""

from collections.abc import Callable
from dataclasses import replace

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import View
from accounts.people.blocks import apart_from
from games.catalog import all_games, levels_of
from games.challenges import days
from games.challenges.models import Challenge
from games.history import lengths, lists
from games.kit.contract import Rules
from games.kit.game import Game
from games.kit.language import say_count
from games.models import Match
from games.pages.forms import Host, OpenTableForm, requested_rules
from games.pages.match import match_page
from games.pages.moments import moment_of
from games.pages.outage import going_without
from games.pages.seats import (
    LENGTHS,
    LEVELS,
    last_length,
    last_level,
    read_promise_reply,
    remember,
    remember_seat,
    seat_for,
    seat_request,
)
from games.pages.templatetags.seats import new_promise
from games.play import opening, presence
from games.play.completion import rates_to_ask
from games.play.snapshot import Snapshot


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    lengths.refresh()
    todays: dict[str, Challenge] = {}
    user, has_account = request.user, request.user.is_authenticated
    running = lists.running_matches(user) if has_account else []
    invitations = lists.invitations([user.pk]).get(user.pk, []) if has_account else []
    of_clubs = lists.tables_of_clubs([user.pk]).get(user.pk, []) if has_account else []
    own = {"invitations": invitations, "of_clubs": of_clubs}
    tables = lists.for_user(lists.lobby() | own, user.pk, apart_from(user))
    with going_without():
        todays |= {each.game: each for each in days.deals_of(days.today())}
    context = tables | {
        "game_names": ", ".join(game.newest.name for game in all_games()),
        "cards": [_game_card(game, request, todays.get(game.slug)) for game in all_games()],
        "running": running,
        "is_new": not running and not tables["invitations"] and (not has_account or user.is_guest),
        "sample": lists.last_finished(),
    }
    return render(request, "lobby/lobby.html", context)


def _game_card(game: Game, request: HttpRequest, deal_of_the_day: Challenge | None) -> dict[str, object]:
    """Return the context for the card of a game on the front page, with a form that opens a table in one click.

    The form begins with the length of the match and the level of the bots that the visitor chose last.
    """
    rules = game.newest
    seats, latest_length = rules.default_seats, last_length(request, rules)  # "" if there is none.
    return {
        "game": game,
        "deal_of_the_day": deal_of_the_day,
        "rules": rules,
        "moment": moment_of(rules.slug),  # A picture of a position.
        "players": _players_words(rules),
        "levels": levels_of(rules.slug),
        "level": last_level(request, rules.slug),
        "last": latest_length,
        "lengths": [
            {
                "slug": length.slug,
                "name": length.name,
                "help": length.help,
                "minutes": lengths.minutes_of(rules, seats, length),
                "chosen": length.slug == (latest_length or rules.formats[0].slug),
            }
            for length in rules.formats
        ],
    }


def _players_words(rules: Rules) -> str:
    """Return the numbers of players in words: "2 or 4 players", "3 to 7 players"."""
    counts = rules.seat_counts
    has_no_gap = counts[-1] - counts[0] == len(counts) - 1
    if len(counts) > 2 and has_no_gap:
        one, many = "{least} to {most} player", "{least} to {most} players"
        return say_count(counts[-1], one, many, least=counts[0], most=counts[-1])
    *others, most = map(str, counts)
    if not others:
        return say_count(counts[-1], "{number} player", "{number} players")
    one, many = "{others} or {most} player", "{others} or {most} players"
    return say_count(counts[-1], one, many, others=", ".join(others), most=most)


def open_table(request: HttpRequest) -> HttpResponse:
    rules, is_submitted = requested_rules(request)
    is_member = request.user.is_authenticated and not request.user.is_guest
    host = Host(
        last_length(request, rules),
        last_level(request, rules.slug),
        rates_to_ask(request.user) if request.user.is_authenticated else (),
        request.user if is_member else None,
    )
    form = OpenTableForm(request.POST or request.GET, rules=rules, is_submitted=is_submitted, host=host)
    if is_submitted and form.is_valid():
        chosen = form.cleaned_data
        with seat_for(request, "open_table") as user:
            setup = opening.Setup(rules.slug, chosen["seats"], form.options, bots=chosen["bots"], levels=form.levels)
            seat = seat_request(request)
            opened = opening.open_once(user, opening.open_by_form, seat, setup=setup, terms=form.terms)
        remember(request, LEVELS, rules.slug, form.levels[-1] if form.levels else "")
        return remember_seat(request, redirect("match", opened.code), code=opened.code)
    template = "lobby/table_redrawn.html" if request.htmx and not is_submitted else "lobby/open_table.html"
    context = {"form": form, "rules": rules, "games": all_games()}
    return render(request, template, context, status=400 if form.errors else 200)


def _opening_view(opener: Callable[..., Snapshot], *, against_bots: bool = False) -> View:
    """Return a view that opens a table of a game by POST. The form has the "length" of the match, by its slug.

    opener: a function of games.play.opening that opens the table. against_bots: whether the user plays against bots
    only. Then the form also has their "level" (strength), by default that of the last table.
    """

    @require_POST
    def view(request: HttpRequest, game: str) -> HttpResponse:
        length = request.POST.get("length", "")
        level_argument = {"level": request.POST.get("level") or last_level(request, game)} if against_bots else {}
        # A page with this form has promised the shuffles: it showed the hash of their seed. The browser's reply has a
        # random text, which takes part in the shuffles.
        reply = read_promise_reply(request.POST) if against_bots else None
        seat = replace(seat_request(request), promise=reply)
        with seat_for(request, "open_table") as user:  # A visitor becomes a guest.
            snapshot = opening.open_once(user, opener, seat, game=game, length=length, **level_argument)
        remember(request, LENGTHS, game, length)
        remember(request, LEVELS, game, level_argument.get("level"))
        if reply and snapshot.status == Match.Status.PLAYING:  # Show the table without another request.
            return match_page(request, presence.note_visit(user.pk, snapshot))
        return remember_seat(request, redirect("match", snapshot.code), code=snapshot.code)

    return view


@require_safe
@never_cache
def promise(request: HttpRequest) -> HttpResponse:
    """Send a new promise of shuffles, the hash of a seed, to a page whose own promise is used or too old."""
    return JsonResponse(new_promise())


quick_play = _opening_view(opening.quick_play, against_bots=True)
await_friends = _opening_view(opening.open_for_friends)


@require_POST
def learn(request: HttpRequest, game: str) -> HttpResponse:
    """Open a table with the guide to a game: a prepared deal for newcomers, with explanations."""
    with seat_for(request, "open_table") as user:
        opened = opening.open_once(user, opening.open_guide, seat_request(request), game=game)
    return redirect("match", opened.code)
