"""The front page, and opening a table."""

from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from games.catalog import UnknownGame, all_games, get_rules
from games.history import lengths, lists
from games.pages.forms import OpenTableForm, seat_fields
from games.pages.moments import moment_of
from games.pages.refusals import NotHere, refusing
from games.pages.seats import seat_for
from games.play import seating

LENGTHS = "lengths"  # in the session: which format of each game was played last


@require_safe
def lobby(request):
    lengths.refresh()
    running = lists.running_matches(request.user) if request.user.is_authenticated else []
    context = lists.lobby() | {
        "cards": [_game_card(game, request) for game in all_games()],
        "running": running,
        "is_new": not running and (not request.user.is_authenticated or request.user.is_guest),
        "sample": lists.last_finished(),
    }
    return render(request, "lobby/lobby.html", context)


def _game_card(game, request):
    """A game as the front page puts it to people: what it is, and how long, and whom for."""
    rules = game.newest
    seats, last = rules.default_seats, _last_length(request, rules)
    return {
        "game": game,
        "rules": rules,
        "moment": moment_of(rules.slug),
        "players": _players_words(rules),
        "last": last,
        "lengths": [
            {
                "slug": chosen.slug,
                "name": chosen.name,
                "help": chosen.help,
                "minutes": lengths.minutes_of(rules, seats, chosen),
                "chosen": chosen.slug == (last or rules.formats[0].slug),
            }
            for chosen in rules.formats
        ],
    }


def _players_words(rules):
    """How many play: "2 or 4 players", "3 to 7 players"."""
    counts = rules.seat_counts
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]} players"
    return f"{' or '.join(map(str, counts))} players"


def _last_length(request, rules):
    """The slug of the format of this game that was played last in this session, or ""."""
    return request.session.get(LENGTHS, {}).get(rules.slug, "")


@refusing
def open_table(request):
    try:
        rules = get_rules(request.GET.get("game", all_games()[0].slug))
    except UnknownGame as error:
        raise NotHere(str(error)) from None
    lengths.refresh()
    sent = request.method == "POST" and "redraw" not in request.POST
    form = OpenTableForm(request.POST or request.GET, rules=rules, sent=sent, length=_last_length(request, rules))
    if sent and form.is_valid():
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
    template = "lobby/table_redrawn.html" if request.htmx and not sent else "lobby/open_table.html"
    context = {"form": form, "rules": rules, "games": all_games()}
    return render(request, template, context, status=400 if form.errors else 200)


def _opens(act):
    """The view that opens a table of a game by POST, in the length that was chosen, as `act` of seating does."""

    @require_POST
    @refusing
    def view(request, game):
        length = request.POST.get("length", "")
        with seat_for(request, "open_table") as user:
            seated = seating.once(user, act=act, game=game, length=length, **seat_fields(request.POST))
        if length and request.session.get(LENGTHS, {}).get(game) != length:
            request.session[LENGTHS] = request.session.get(LENGTHS, {}) | {game: length}
        return redirect("match", seated.code)

    return view


quick_play = _opens(seating.quick_play)
await_friends = _opens(seating.await_friends)


@require_POST
@refusing
def learn(request, game):
    """A first deal with a guide: always the same one, begun anew."""
    form_key = seat_fields(request.POST)["form_key"]
    with seat_for(request, "open_table") as user:
        opened = seating.once(user, act=seating.open_guide, game=game, form_key=form_key)
    return redirect("match", opened.code)
