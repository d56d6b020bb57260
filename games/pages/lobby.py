"""The front page, and the views that open tables."""

from collections.abc import Callable
from dataclasses import replace

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import View, allow, too_many
from accounts.models import User
from accounts.names import casefold
from accounts.people.blocks import apart_from
from games.catalog import all_games, levels_of
from games.challenges import days
from games.challenges.lists import day_lines
from games.challenges.models import Challenge
from games.clubs.models import Club
from games.history import lengths, lists, people
from games.kit.contract import Rules
from games.kit.game import Game
from games.kit.language import say, say_count
from games.models import Match
from games.pages.arranging import STRANGER
from games.pages.forms import Host, OpenTableForm, requested_rules
from games.pages.match import match_page
from games.pages.moments import moment_of
from games.pages.outage import going_without
from games.pages.queue import waiting_by_game
from games.pages.refusals import NO_SUCH_PLAYER, first_of
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
from games.play import newcomers, opening, presence
from games.play.completion import rates_to_ask
from games.play.errors import NotAllowed
from games.play.snapshot import Snapshot
from games.statistics.counting import games_played


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    lengths.refresh()
    todays: dict[str, Challenge] = {}
    user, has_account = request.user, request.user.is_authenticated
    running = lists.running_matches(user) if has_account else []
    invitations = lists.invitations([user.pk]).get(user.pk, []) if has_account else []
    of_clubs = lists.tables_of_clubs([user.pk]).get(user.pk, []) if has_account else []
    lobby, to_watch = lists.lobby(), lists.private_tables([user.pk] if has_account else []).get(user.pk, [])
    own = {"invitations": invitations, "of_clubs": of_clubs, "playing": lobby["playing"] + to_watch}
    tables = lists.for_user(lobby | own, user.pk, apart_from(user))
    with going_without():
        todays |= {each.game: each for each in days.deals_of(days.today())}
    waiting = waiting_by_game()
    played = games_played(user) if has_account else {}
    context = tables | {
        "game_names": ", ".join(game.newest.name for game in all_games()),
        "cards": [
            _game_card(game, request, todays.get(game.slug))
            | {"waiting": waiting[game.slug], "has_history": game.slug in played}
            for game in all_games()
        ],
        "day_lines": day_lines(todays.values(), user) if todays else [],
        "running": running,
        "online": people.online_now(user) if has_account and not user.is_guest else [],
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
        "keeps_score": game.scorer is not None,  # A template would call the class.
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


def open_table(request: HttpRequest, club: Club | None = None) -> HttpResponse:
    """Show the form of a new table. By POST, open it. club: the club whose table it is. The user is a member of it.

    A form that is posted with "redraw" is only drawn again, after a choice that changes its fields.
    """
    rules, is_submitted = requested_rules(request)
    is_member = request.user.is_authenticated and not request.user.is_guest
    host = Host(
        last_length(request, rules),
        last_level(request, rules.slug),
        rates_to_ask(request.user) if request.user.is_authenticated and not club else (),
        request.user if is_member else None,
        club,
    )
    form = OpenTableForm(request.POST or request.GET, rules=rules, is_submitted=is_submitted, host=host)
    invited = _invited(request)
    if is_submitted and invited and form.is_valid() and form.cleaned_data["bots"] == form.cleaned_data["seats"] - 1:
        form.add_error("bots", say("Leave a seat free for {name}.", name=invited))
    if is_submitted and form.is_valid():
        if invited:
            if not allow(request, "invite"):
                return too_many(request)
            newcomers.demand_pace(request.user, "invite")
        chosen = form.cleaned_data
        with seat_for(request, "open_table") as user:
            setup = opening.Setup(rules.slug, chosen["seats"], form.options, bots=chosen["bots"], levels=form.levels)
            seat = seat_request(request)
            table = {"setup": setup, "terms": form.terms, "invited": invited}
            opened = opening.open_once(user, opening.open_by_form, seat, **table)
        remember(request, LEVELS, rules.slug, form.levels[-1] if form.levels else "")
        return remember_seat(request, redirect("match", opened.code), code=opened.code)
    template = "lobby/table_redrawn.html" if request.htmx and not is_submitted else "lobby/open_table.html"
    context = {"form": form, "rules": rules, "games": all_games(), "invited": invited, "club": club}
    return render(request, template, context, status=400 if form.errors else 200)


def _invited(request: HttpRequest) -> User | None:
    """Return the person named by ?invite=NAME. A new table keeps a seat for them. Raises NotHere, NotAllowed."""
    name = request.GET.get("invite", "")
    if not name or not request.user.is_authenticated:
        return None
    users = User.objects.filter(casefolded_name=casefold(name.replace("\0", "")), is_active=True)
    invited = first_of(users, NO_SUCH_PLAYER)
    if not people.may_invite(request.user, invited):
        raise NotAllowed(STRANGER)
    return invited


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
