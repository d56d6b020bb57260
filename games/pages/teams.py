"""HTTP: team matches, two teams of four with the same cards at two tables."""

from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.limits import limited
from games.catalog import get_game
from games.challenges import teams
from games.challenges.models import ChallengePlay, TeamMatch
from games.kit.language import lazily, said
from games.pages.challenges import found_challenge
from games.pages.refusals import NotHere
from games.pages.seats import seat_for
from games.play.requests import clean_count
from games.play.versions import rules_of

NAMES = (lazily("Team A"), lazily("Team B"))
KNEW = {
    ChallengePlay.Knew.SAT: "{name} sat in that match.",
    ChallengePlay.Knew.PLAYED: "{name} had played these cards before.",
    ChallengePlay.Knew.WATCHED: "{name} watched that match.",
    ChallengePlay.Knew.REPLAYED: "{name} had opened a replay of these cards.",
    ChallengePlay.Knew.LATE: "{name} played when the seed of the day had been told.",
}


@require_POST
@login_required
@limited("act")
def make(request, code):
    """Set up a team match with the cards of a challenge."""
    return redirect(teams.make(request.user, found_challenge(code)))


@require_safe
@limited("replay")
def team_match(request, code):
    """Who plays in a team match; while it is played the way to one's table, and in the end what it came to."""
    asked = TeamMatch.objects.filter(code=code).select_related("challenge").first()
    if asked is None:
        raise NotHere(lazily("There is no such team match. Check the link."))
    rules_of(asked.challenge)
    lines = teams.results(asked)
    taken = list(asked.seats.select_related("user"))
    mine = next((seat for seat in taken if seat.user_id == request.user.pk), None)
    begun = {table.number: table.match for table in asked.tables.select_related("match")}
    context = {
        "team_match": asked,
        "game": get_game(asked.challenge.game),
        "tables": [_table(table, taken, begun.get(table)) for table in range(teams.TABLES)],
        "mine": mine,
        "my_table": begun.get(mine.table) if mine else None,
        "begun": bool(begun),
        "lines": lines,
        "names": NAMES,
        "totals": [sum(line.points[team] for line in lines) for team in (0, 1)] if lines else None,
        "knew": [said(KNEW[seat.knew], name=seat.user) for seat in taken if seat.knew],
        "link": request.build_absolute_uri(asked.get_absolute_url()),
    }
    return render(request, "challenges/team_match.html", context)


@require_POST
def join(request, code):
    team, table = clean_count(request.POST.get("team")), clean_count(request.POST.get("table"))
    with seat_for(request, "sit") as user:
        asked = teams.join(user, code, team=team, table=table)
    return redirect(asked)


@require_POST
@login_required
@limited("act")
def leave(request, code):
    return redirect(teams.leave(request.user, code))


@require_POST
@login_required
@limited("act")
def start(request, code):
    teams.start(request.user, code)
    return redirect("team_match", code)


def _table(table, taken, match):
    """A table for the template: its pairs, each with its seats, None where a bot plays or will."""
    by_number = {seat.number: seat for seat in taken if seat.table == table}
    return {
        "number": table,
        "name": said("Table {number}", number=table + 1),
        "match": match,
        "pairs": [
            {"team": team, "name": name, "seats": [by_number.get(number) for number in teams.seats_of(team, table)]}
            for team, name in enumerate(NAMES)
        ],
    }
