"""HTTP: challenges by a link, their travellers, and the deals of the day."""

from datetime import timedelta

from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import limited
from games.catalog import game_name, get_game, levels_of
from games.challenges import challenges, days, teams
from games.challenges.models import Challenge, TeamMatch
from games.kit.language import lazily, said
from games.kit.words import joined
from games.pages.looking import seen_match
from games.pages.refusals import NotHere
from games.pages.seats import remember_seat, seat_for, seat_request
from games.play.errors import Refused
from games.play.opening import once
from games.play.requests import clean_count
from games.play.versions import rules_of


@require_POST
@login_required
@limited("act")
def make(request, code):
    """Make a challenge of a finished match: of one "deal", or of all of it without one, from a "seat"."""
    match = seen_match(request, code)
    seat, deal = clean_count(request.POST.get("seat")), None
    if request.POST.get("what", "deal") == "deal":
        deal = clean_count(request.POST.get("deal"))
        if deal is None:
            raise Refused(lazily("Say which deal it is."))
    if seat is None:
        raise Refused(lazily("Choose one of the seats of this match."))
    return redirect(challenges.make(request.user, match, seat, deal))


@require_safe
@limited("replay")
def challenge(request, code):
    """What a challenge is, the way to play it, and for who has played it all its results."""
    return render(request, "challenges/challenge.html", _context(request, found_challenge(code)))


@require_safe
@limited("replay")
def results(request, code):
    """Lead from a match that the user may see to the challenge that it is a play of."""
    seen_match(request, code)
    found = Challenge.objects.filter(plays__match__code=code).first()
    found = found or TeamMatch.objects.filter(tables__match__code=code).first()
    if found is None:
        raise NotHere(lazily("This match is no play of a challenge."))
    return redirect(found)


@require_POST
def play(request, code):
    asked = found_challenge(code)
    with seat_for(request, "open_table") as user:
        begun = once(user, challenges.play, seat_request(request), challenge=asked)
    return remember_seat(request, redirect("match", begun.code), code=begun.code)


@require_POST
@login_required
@limited("act")
def give_up(request, code):
    asked = found_challenge(code)
    challenges.give_up(request.user, asked)
    return redirect(asked)


@require_safe
@limited("replay")
def days_page(request):
    """The deals of today, what is promised of tomorrow's, and the seeds of days that are over."""
    days.keep_promised()
    today = days.today()
    context = {
        "next_deal_at": days.next_deal_at(),
        "today": days.promise(today),
        "tomorrow": days.promise(today + timedelta(days=1)),
        "past": list(filter(None, (days.promise(today - timedelta(days=ago)) for ago in range(1, 8)))),
        "deals": [(game_name(each.game), each) for each in days.deals_of(today)],
        "yesterday": [(game_name(each.game), each) for each in days.deals_of(today - timedelta(days=1))],
    }
    return render(request, "challenges/days.html", context)


def found_challenge(code):
    """The Challenge of a link. Raises NotHere, or Refused where its game is not here."""
    found = Challenge.objects.filter(code=code).select_related("original").first()
    if found is None:
        raise NotHere(lazily("There is no such challenge. Check the link."))
    rules_of(found)
    return found


def _context(request, asked):
    game, user = get_game(asked.game), request.user
    shown = challenges.has_played(user, asked)
    mine = challenges.plays_of(user, asked) if user.is_authenticated else []
    return {
        "challenge": asked,
        "game": game,
        "deal_word": game.deal_word,
        "bots": joined(_bots(asked)),
        "playing": next((each.match for each in mine if each.match and each.match.status in each.match.RUNNING), None),
        "played": bool(mine),
        "knew": challenges.how_known(user, asked) if user.is_authenticated and not mine else "",
        "traveller": challenges.traveller(asked, user) if shown else None,
        "results": asked.plays.filter(points__isnull=False).count(),
        "teams": teams.may_be_played(asked),
        "next_deal_at": days.next_deal_at() if asked.day == days.today() else None,
        "link": request.build_absolute_uri(asked.get_absolute_url()),
    }


def _bots(asked):
    """What the bots in the other seats are called, each level once."""
    levels = levels_of(asked.game)
    others = [bot for number, bot in enumerate(asked.bots) if number != asked.seat]
    return list(dict.fromkeys(str(levels[bot].bots) if bot in levels else said("bots") for bot in others))
