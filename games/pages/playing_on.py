"""HTTP: playing on from a position of a finished match, and seeing both lines."""

from django.shortcuts import redirect, render
from django.urls import reverse

from games.catalog import deal_words, levels_of
from games.challenges import lists, playing_on
from games.challenges.comparing import both_lines
from games.challenges.models import Variation
from games.history.replay import Replay
from games.kit.language import lazily
from games.models import Match
from games.pages import replay_parts as parts
from games.pages.choices import LEVELS, last_level, remember
from games.pages.decorators import page
from games.pages.looking import opened_match
from games.pages.refusals import NotHere
from games.pages.seats import remember_seat, seat_for, seat_request
from games.play.errors import Refused
from games.play.opening import once
from games.play.requests import clean_count


@page("replay", posts=True)
def play_on(request, code):
    """What can be done with a position of a finished match, ?move=147&seat=2; by POST a variation of it is begun."""
    match = opened_match(request, code)
    playing_on.demand_over(match)
    if request.method == "POST":
        return _begun(request, match)
    replay = Replay(match, request.user.pk)
    move = min(parts.number_in(request, "move") or 0, replay.last)
    seat = replay.sight(request.user.pk, parts.number_in(request, "seat")).seat
    context = {
        "match": match,
        "replay": replay,
        "move": move,
        "seat": seat,
        "where": replay.label(move),
        "words": replay.words(move),
        "ends": move == replay.last,
        "deal": replay.steps[move].deal,
        "levels": levels_of(match.game),
        "deals_word": deal_words(match.game).many,
        "level": last_level(request, match.game),
        "back": f"{reverse('replay', args=[code])}?move={move}&seat={seat}",
        "variations": lists.variations_of(request.user, match) if request.user.is_authenticated else [],
    }
    return render(request, "challenges/play_on.html", context)


def _begun(request, match):
    level = request.POST.get("level", "")
    choice = playing_on.Choice(
        _number(request, "move"),
        _number(request, "seat"),
        level,
        one_deal=_choice(request, "to", ("deal", "match")) == "deal",
        anew=_choice(request, "cards", ("same", "anew")) == "anew",
    )
    with seat_for(request, "open_table") as user:
        begun = once(user, playing_on.play_on, seat_request(request), match=match, choice=choice)
    remember(request, LEVELS, match.game, level)
    return remember_seat(request, redirect("match", begun.code), code=begun.code)


@page("replay")
def beside(request, code):
    """A variation that has been played, and the match that it was made of."""
    match = opened_match(request, code)
    made = Variation.objects.filter(match=match).select_related("match", "original").first()
    if made is None:
        raise NotHere(lazily("This match is no variation of another one."))
    shown = both_lines(made, request.user.pk)
    return render(request, "challenges/beside.html", shown | {"match": match, "made": made})


@page("history", known=True)
def own_lines(request):
    """Somebody's own variations and plays of challenges."""
    context = {
        "owner": request.user,
        "variations": lists.variations_of(request.user),
        "plays": lists.plays_of(request.user),
        "challenges": request.user.challenges.select_related("original").order_by("-pk")[: lists.SHOWN],
        "over": Match.Status.OVER,
    }
    return render(request, "challenges/own.html", context)


def _number(request, name):
    """A number from a form. Raises Refused where it is none, or missing."""
    number = clean_count(request.POST.get(name))
    if number is None:
        raise Refused(lazily("The {name} must be a number.", name=name))
    return number


def _choice(request, name, choices):
    chosen = request.POST.get(name, choices[0])
    if chosen not in choices:
        raise Refused(lazily("Choose one of the ways that are offered."))
    return chosen
