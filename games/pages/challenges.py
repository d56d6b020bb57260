"""Challenges by a link, the deals of the day, team matches, and variations of finished matches."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.people.ties import friends_of
from games.catalog import deal_words, get_game, levels_of
from games.challenges import challenges, days, lists, playing_on, teams
from games.challenges.comparing import both_lines
from games.challenges.models import Challenge, ChallengePlay, TeamMatch, TeamSeat, Variation
from games.chat import posting
from games.history.replay import Replay
from games.kit.language import lazy, say
from games.kit.words import join_words
from games.models import Match
from games.pages import replay_parts as parts
from games.pages.looking import opened_match, visible_match
from games.pages.refusals import NotHere, act, first_of, page
from games.pages.seats import LEVELS, last_level, remember, remember_seat, seat_for, seat_request
from games.play.errors import Refused
from games.play.opening import open_once
from games.play.requests import clean_count
from games.play.versions import rules_of


@act()
def make(request: HttpRequest, code: str) -> HttpResponse:
    """Make a challenge from a finished match: a link for others to play the same cards in the same seat.

    The form has the number of the "seat". If its field "what" is "deal", the default, they play only the deal with the
    number in "deal". Otherwise they play all deals.
    """
    match = visible_match(request, code)
    seat = clean_count(request.POST.get("seat"))  # None if it is not a number.
    deal = None  # All deals.
    if request.POST.get("what", "deal") == "deal":
        deal = clean_count(request.POST.get("deal"))
        if deal is None:
            raise Refused(lazy("Say which deal it is."))
    if seat is None:
        raise Refused(lazy("Choose one of the seats of this match."))
    return redirect(challenges.make(request.user, match, seat, deal))


@page("replay")
def challenge(request: HttpRequest, code: str) -> HttpResponse:
    """Show a challenge, how to play it, and, to users who have played it, all its results."""
    return render(request, "challenges/challenge.html", _challenge_context(request, challenge_of(code)))


@page("replay")
def results(request: HttpRequest, code: str) -> HttpResponse:
    """Redirect from a match to the results of the challenge or the team match that it was played for."""
    visible_match(request, code)
    played_for = Challenge.objects.filter(plays__match__code=code).first()
    played_for = played_for or TeamMatch.objects.filter(tables__match__code=code).first()
    if played_for is None:
        raise NotHere(lazy("This match isn’t part of a challenge. Open its replay instead."))
    return redirect(played_for)


@require_POST
def play(request: HttpRequest, code: str) -> HttpResponse:
    challenge = challenge_of(code)
    with seat_for(request, "open_table") as user:
        snapshot = open_once(user, challenges.play, seat_request(request), challenge=challenge)
    return remember_seat(request, redirect("match", snapshot.code), code=snapshot.code)


@act()
def send(request: HttpRequest, code: str) -> HttpResponse:
    """Send the link of a challenge to a "friend" as a message."""
    challenge = challenge_of(code)
    friends = friends_of(request.user).filter(username=request.POST.get("friend", "").replace("\0", ""))
    friend = first_of(friends, lazy("Choose one of your friends."))
    link = request.build_absolute_uri(challenge.get_absolute_url())
    posting.write(request.user, friend, say("A challenge for you: {link}", link=link))
    messages.success(request, say("Sent to {name}.", name=friend.username))
    return redirect(challenge)


@act()
def give_up(request: HttpRequest, code: str) -> HttpResponse:
    challenge = challenge_of(code)
    challenges.give_up(request.user, challenge)
    return redirect(challenge)


@page("replay")
def days_page(request: HttpRequest) -> HttpResponse:
    """Show the deals of the day, which everybody can play, and how to verify that they were fixed in advance.

    The cards follow from a secret seed, a random text. A day before, the site promises it: it shows the hash of the
    seed. After the day it shows the seed, so that everybody can check that it has this hash.
    """
    days.create_missing_seeds()
    today = days.today()
    last_week = [days.promise(today - timedelta(days=ago)) for ago in range(1, 8)]
    context = {
        "next_deal_at": days.next_deal_at(),
        "today": days.promise(today),
        "tomorrow": days.promise(today + timedelta(days=1)),
        "past": [promise for promise in last_week if promise],  # A new site has made none for some days.
        "deals": lists.day_results(days.deals_of(today), request.user),
        "yesterday": lists.day_results(days.deals_of(today - timedelta(days=1)), request.user),
        "streak": lists.streak_of(request.user),
    }
    return render(request, "challenges/days.html", context)


def challenge_of(code: str) -> Challenge:
    """Return a challenge by the code of its link. Raises NotHere, or Refused if this site does not have its game."""
    rows = Challenge.objects.filter(code=code).select_related("original", "made_by")
    challenge = first_of(rows, lazy("There is no such challenge. Check the link."))
    rules_of(challenge)  # Raises Refused without the rules of the game.
    return challenge


def _challenge_context(request: HttpRequest, challenge: Challenge) -> dict[str, object]:
    game, user = get_game(challenge.game), request.user
    sees_results = challenges.has_played(user, challenge)
    mine = challenges.plays_of(user, challenge) if user.is_authenticated else []
    return {
        "challenge": challenge,
        "game": game,
        "deal_word": game.deal_word,
        "bots": join_words(_bot_names(challenge)),
        "playing": next((each.match for each in mine if each.match and each.match.status in each.match.RUNNING), None),
        "played": bool(mine),
        "knew": challenges.how_known(user, challenge) if user.is_authenticated and not mine else "",
        "traveller": challenges.traveller(challenge, user) if sees_results else None,
        "results": challenge.plays.filter(points__isnull=False).count(),
        "teams": teams.may_be_played(challenge),
        "next_deal_at": days.next_deal_at() if challenge.day == days.today() else None,
        "challenger": challenge.made_by if challenge.made_by != user else None,
        "friends": friends_of(user) if user.is_authenticated and settings.TALK == "free" else [],
        "link": request.build_absolute_uri(challenge.get_absolute_url()),
    }


def _bot_names(challenge: Challenge) -> list[str]:
    """Return the words for the bots in the other seats, such as "strong bots". Each level comes once.

    challenge.bots: the level of the bot for each seat, also for the seat of the person.
    """
    levels = levels_of(challenge.game)
    others = [bot for number, bot in enumerate(challenge.bots) if number != challenge.seat]
    words = [str(levels[bot].bots) if bot in levels else say("bots") for bot in others]
    return list(dict.fromkeys(words))  # Without duplicates, in the same order.


TEAM_NAMES = (lazy("Team A"), lazy("Team B"))
KNOWLEDGE_SENTENCES = {
    ChallengePlay.Knew.SAT: "{name} sat in that match.",
    ChallengePlay.Knew.PLAYED: "{name} had played these cards before.",
    ChallengePlay.Knew.WATCHED: "{name} watched that match.",
    ChallengePlay.Knew.REPLAYED: "{name} had opened a replay of these cards.",
    ChallengePlay.Knew.LATE: "{name} played after the seed of the day was published.",
}


@act()
def make_team_match(request: HttpRequest, code: str) -> HttpResponse:
    """Set up a team match with the cards of a challenge."""
    return redirect(teams.make(request.user, challenge_of(code)))


@page("replay")
def team_match(request: HttpRequest, code: str) -> HttpResponse:
    """Show the players of a team match, a link to the user's table while it runs, and the result at the end.

    Two teams play the same cards at two tables. What one pair holds at one table, the other team holds at the other.
    """
    rows = TeamMatch.objects.filter(code=code).select_related("challenge")
    contest = first_of(rows, lazy("There is no such team match. Check the link."))
    rules_of(contest.challenge)  # Raises Refused without the rules of the game.
    lines = teams.results(contest)  # The points of both teams at each table; None before the end.
    seats = list(contest.seats.select_related("user"))
    mine = next((seat for seat in seats if seat.user_id == request.user.pk), None)
    # The matches at the two tables, by number. There are none before the start.
    matches = {table.number: table.match for table in contest.tables.select_related("match")}
    context = {
        "team_match": contest,
        "game": get_game(contest.challenge.game),
        "tables": [_team_table(number, seats, matches.get(number)) for number in range(teams.TABLES)],
        "mine": mine,
        "my_table": matches.get(mine.table) if mine else None,
        "begun": bool(matches),
        "lines": lines,
        "names": TEAM_NAMES,
        "totals": [sum(line.points[team] for line in lines) for team in (0, 1)] if lines else None,
        # Players who knew the cards before, for example because they watched them.
        "knew": [say(KNOWLEDGE_SENTENCES[seat.knew], name=seat.user) for seat in seats if seat.knew],
        "link": request.build_absolute_uri(contest.get_absolute_url()),
    }
    return render(request, "challenges/team_match.html", context)


@require_POST
def join_team(request: HttpRequest, code: str) -> HttpResponse:
    team, table = clean_count(request.POST.get("team")), clean_count(request.POST.get("table"))
    with seat_for(request, "sit") as user:
        contest = teams.join(user, code, team=team, table=table)
    return redirect(contest)


@act()
def leave_team(request: HttpRequest, code: str) -> HttpResponse:
    return redirect(teams.leave(request.user, code))


@act()
def start_team_match(request: HttpRequest, code: str) -> HttpResponse:
    teams.start(request.user, code)
    return redirect("team_match", code)


def _team_table(table: int, seats: Iterable[TeamSeat], match: Match | None) -> dict[str, object]:
    """Return a table of a team match for the template: its two pairs of players, one of each team.

    table: its number, 0 or 1. seats: the seats that people have taken at both tables. A seat that is free or has a bot
    is None in the result. match: the match at this table, None before the start.
    """
    seat_by_number = {seat.number: seat for seat in seats if seat.table == table}
    pairs = [
        {"team": team, "name": name, "seats": [seat_by_number.get(number) for number in teams.seats_of(team, table)]}
        for team, name in enumerate(TEAM_NAMES)
    ]
    return {"number": table, "name": say("Table {number}", number=table + 1), "match": match, "pairs": pairs}


@page("replay", posts=True)
def play_on(request: HttpRequest, code: str) -> HttpResponse:
    """Offer to play on from a position of a finished match, ?move=147&seat=2. By POST, begin the variation.

    A variation is a new match against bots, which begins with the position after this move.
    """
    match = opened_match(request, code)
    playing_on.demand_over(match)  # While a match runs, its cards are secret.
    if request.method == "POST":
        return _begin_variation(request, match)
    replay = Replay(match, request.user.pk)
    move = min(parts.number_in(request, "move") or 0, replay.last)
    seat = replay.viewpoint(request.user.pk, parts.number_in(request, "seat")).seat
    context = parts.move_context(replay, move) | {
        "replay": replay,
        "seat": seat,
        "ends": move == replay.last,  # Then nothing is left to play.
        "deal": replay.steps[move].deal,
        "levels": levels_of(match.game),  # The strengths of bots to choose from.
        "deals_word": deal_words(match.game).many,
        "level": last_level(request, match.game),
        "back": f"{reverse('replay', args=[code])}?move={move}&seat={seat}",
        "variations": lists.variations_of(request.user, match) if request.user.is_authenticated else [],
    }
    return render(request, "challenges/play_on.html", context)


def _begin_variation(request: HttpRequest, match: Match) -> HttpResponse:
    """Let the user play on from a position of a finished match, as the form says. Redirect to the new table.

    Fields: "move" and "seat" for the position; "level" of the bots; "to", which is "deal" to end with this deal; and
    "cards", which is "anew" to deal the hidden cards anew.
    """
    level = request.POST.get("level", "")
    choice = playing_on.Choice(
        move=_posted_number(request, "move"),
        seat=_posted_number(request, "seat"),
        level=level,
        one_deal=_posted_choice(request, "to", ("deal", "match")) == "deal",
        anew=_posted_choice(request, "cards", ("same", "anew")) == "anew",
    )
    with seat_for(request, "open_table") as user:  # A visitor becomes a guest.
        snapshot = open_once(user, playing_on.play_on, seat_request(request), match=match, choice=choice)
    remember(request, LEVELS, match.game, level)  # The next form begins with this level.
    return remember_seat(request, redirect("match", snapshot.code), code=snapshot.code)


@page("replay")
def beside(request: HttpRequest, code: str) -> HttpResponse:
    """Compare a finished variation, which played on from a position of another match, with that match."""
    match = opened_match(request, code)
    rows = Variation.objects.filter(match=match).select_related("match", "original")
    variation = first_of(rows, lazy("This match is no variation of another one. Open its replay instead."))
    comparison = both_lines(variation, request.user.pk)  # A template context.
    return render(request, "challenges/beside.html", comparison | {"match": match, "variation": variation})


@page("history", needs_login=True)
def own_lines(request: HttpRequest) -> HttpResponse:
    """List the user's matches with the cards of other matches, and the challenges that they have made for others.

    A variation plays on from a position of another match. In a challenge, everybody plays the same cards.
    """
    context = {
        "owner": request.user,
        "variations": lists.variations_of(request.user),
        "plays": lists.plays_of(request.user),
        "challenges": request.user.challenges.select_related("original").order_by("-pk")[: lists.SHOWN],
        "over": Match.Status.OVER,
    }
    return render(request, "challenges/own.html", context)


def _posted_number(request: HttpRequest, name: str) -> int:
    """Return a number from a form. Raises Refused if it is missing or not a number."""
    number = clean_count(request.POST.get(name))
    if number is None:
        raise Refused(lazy("The {name} must be a number. Go back and choose one.", name=name))
    return number


def _posted_choice(request: HttpRequest, name: str, choices: Sequence[str]) -> str:
    """Return a field of a form, by default the first of its choices. Raises Refused for any other text."""
    value = request.POST.get(name, choices[0])
    if value not in choices:
        raise Refused(lazy("Choose one of the ways that are offered."))
    return value
