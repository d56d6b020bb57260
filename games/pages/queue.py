"""Play with people now: the page of the queue, and what pages of users who wait there ask."""

from collections import Counter
from collections.abc import Mapping

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from accounts.adoption import guest_in_question
from accounts.models import User
from accounts.next_page import next_url
from games.catalog import all_games, get_rules
from games.history import lengths
from games.kit.language import lazy, lazy_count, say, say_count
from games.kit.markup import countdown
from games.pages.refusals import act, page
from games.pages.seats import LENGTHS, last_length, remember, seat_for, seat_request
from games.queue import entering
from games.queue.models import Kind, QueueEntry

FILLS = {
    "30": lazy_count(30, "After {number} second", "After {number} seconds"),
    **{str(60 * n): lazy_count(n, "After {number} minute", "After {number} minutes") for n in (1, 2, 5)},
    "": lazy("Never: I play with people only"),
}
USUAL_FILL = "60"


class QueueForm(forms.Form):
    """What to wait for: a game with a length, when bots may help out, and whether it is rated."""

    kind = forms.ChoiceField(label=lazy("Game and length"))
    fill = forms.TypedChoiceField(
        choices=FILLS.items(),
        initial=USUAL_FILL,
        required=False,
        coerce=int,
        empty_value=None,
        label=lazy("When may bots take the free seats?"),
        help_text=lazy("Sooner, if somebody else who waits for the same is ready to start."),
    )
    rated = forms.BooleanField(
        required=False,
        label=lazy("Rated"),
        help_text=lazy("For members only. It waits for people, never for bots."),
    )

    def __init__(self, request: HttpRequest, data: Mapping[str, str] | None) -> None:
        super().__init__(data, label_suffix="", initial={"kind": _first_choice(request)})
        self.fields["kind"].choices = _kind_choices()
        self.fields["kind"].error_messages["invalid_choice"] = lazy("Choose a game and a length among those offered.")
        self.fields["fill"].error_messages["invalid_choice"] = lazy("Choose a time among those offered.")
        if not request.user.is_authenticated or request.user.is_guest:
            del self.fields["rated"]

    def clean_kind(self) -> Kind:
        game, _, length = self.cleaned_data["kind"].partition(":")
        return Kind(game, length)


def _kind_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the games with their lengths, as groups of choices such as "oh-hell:short"."""
    return [
        (
            game.newest.name,
            [
                (f"{game.slug}:{length}", _kind_words(Kind(game.slug, length)))
                for length in [length.slug for length in game.newest.formats] or [""]
            ],
        )
        for game in all_games()
    ]


def _kind_words(kind: Kind) -> str:
    """Describe a game with a length: "Belot: short, about 10 minutes"."""
    rules = get_rules(kind.game)
    match_format = rules.find_format(kind.length)
    if match_format is None:
        return rules.name
    minutes = lengths.minutes_of(rules, rules.default_seats, match_format)
    words = {"game": rules.name, "length": match_format.name}
    if minutes is None:
        return say("{game}: {length}", **words)
    one, many = "{game}: {length}, about {number} minute", "{game}: {length}, about {number} minutes"
    return say_count(minutes, one, many, **words)


def _first_choice(request: HttpRequest) -> str:
    """Return the choice of the form before the user has chosen: the address's game, at the latest length."""
    slugs = [game.slug for game in all_games()]
    slug = request.GET.get("game", "")
    rules = get_rules(slug if slug in slugs else slugs[0])
    return f"{rules.slug}:{last_length(request, rules) or (rules.formats[0].slug if rules.formats else '')}"


@page("queue_look", posts=True)
@never_cache
def queue(request: HttpRequest) -> HttpResponse:
    """Show the form of the queue, or how the user's waiting goes. By POST, enter the queue; a visitor becomes a guest.

    A user who is called is sent to the table.
    """
    lengths.refresh()
    form = QueueForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        chosen = form.cleaned_data
        kind = chosen["kind"]._replace(rated=chosen.get("rated", False))
        with seat_for(request, "queue") as user:
            entering.enter(user, kind, chosen["fill"], seat_request(request))
        remember(request, LENGTHS, kind.game, kind.length)
        request.session[entering.SESSION_KEY] = True
        return redirect("queue")
    entry = own_entry(request)
    if entry and entry.match and entry.user_id == request.user.pk:
        return redirect(entry.match)
    counts = entering.present_counts()
    context = {
        "form": form,
        "others": [] if entry else _waiting_lines(request, counts),
        "state": state_of(entry, counts, request.user),
        "reload_every": entering.RELOAD_EVERY,
    }
    return render(request, "queue/queue.html", context, status=400 if form.errors else 200)


def _waiting_lines(request: HttpRequest, counts: Counter[Kind]) -> list[dict[str, object]]:
    """Return what others wait for, as lines with buttons that join them."""
    may_play_rated = request.user.is_authenticated and not request.user.is_guest
    return [
        {"kind": kind, "value": f"{kind.game}:{kind.length}", "words": _kind_words(kind), "count": count}
        for kind, count in sorted(counts.items())
        if may_play_rated or not kind.rated
    ]


def waiting_by_game() -> Counter[str]:
    """Return how many users wait for players, by game. One query."""
    waiting: Counter[str] = Counter()
    for kind, count in entering.present_counts().items():
        waiting[kind.game] += count
    return waiting


@page("queue_look")
@never_cache
def look(request: HttpRequest) -> HttpResponse:
    """Show how the user's waiting goes: the part of a page that asks again and again."""
    entry = own_entry(request)
    counts = entering.present_counts() if entry and not entry.match else Counter()
    return render(request, "queue/state.html", {"state": state_of(entry, counts, request.user)})


def own_entry(request: HttpRequest) -> QueueEntry | None:
    """Return the entry of the user, who has a page open, if they have entered the queue in this browser.

    It may be that of a guest, who was called to a table before the user has logged in. Only its user takes the seat.
    """
    if not request.user.is_authenticated or not request.session.get(entering.SESSION_KEY):
        return None
    entry = entering.look(request.user)
    if entry is None and (guest := guest_in_question(request)):
        entry = entering.call_of_guest(guest)
    if entry is None:
        del request.session[entering.SESSION_KEY]
    return entry


def state_of(entry: QueueEntry | None, counts: Counter[Kind], user: User | AnonymousUser) -> dict[str, object] | None:
    """Return the context of queue/state.html: how the waiting of a user goes. None if they don't wait.

    "guest" is whom the entry calls, if that was before the user has logged in.
    """
    if entry is None:
        return None
    rules = get_rules(entry.game)
    match_format = rules.find_format(entry.length)
    seats = rules.default_seats
    left = (entry.fill_after or 0) - entering.waited(entry)
    return {
        "entry": entry,
        "guest": entry.user.username if entry.user_id != user.pk else "",
        "game": rules.name,
        "length": match_format and match_format.name,
        "here": min(max(counts[entry.kind], 1), seats - 1),  # Some may be kept apart, which nobody should notice.
        "seats": seats,
        "left": left > 0 and countdown(left),
    }


@act("queue_look")
def step_away(request: HttpRequest) -> HttpResponse:
    """Note that a page was left: another one may say otherwise at once."""
    entering.step_away(request.user)
    return HttpResponse(status=204)


@act()
def leave(request: HttpRequest) -> HttpResponse:
    entering.leave(request.user)
    request.session.pop(entering.SESSION_KEY, None)
    return redirect(next_url(request) or "queue")
