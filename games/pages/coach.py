"""What bots think of moves: hints at the table, why a bot moved as it did, the analysis of a finished match."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import retarget

from accounts.limits import address_of, allow, too_many
from accounts.models import User
from games.analysis import asking, reading
from games.analysis.models import Analysis
from games.catalog import game_name, get_game
from games.deal_index.luck import luck_of
from games.history.explanations import find_bot_move
from games.history.replay import Replay
from games.kit import coach
from games.kit.coach import Thought
from games.kit.language import lazy
from games.kit.words import tenths
from games.models import Match
from games.pages import replay_parts as parts
from games.pages.looking import opened_match, visible_match, visible_snapshot
from games.pages.refusals import NotHere, act, page
from games.play import thinkers
from games.play.coach import note_hint, question_for_hint
from games.play.errors import Refused
from games.play.requests import clean_count


@act("coach")
def hint(request: HttpRequest, code: str) -> HttpResponse:
    """What the coach would do in the place of the player who asks, and why: for the table, or a page of its own."""
    snapshot = visible_snapshot(request, code)
    context = {"snapshot": snapshot}
    status = 200
    try:
        question = question_for_hint(snapshot, request.user.pk, clean_count(request.POST.get("seen")))
        answer = thinkers.ask(question, owner=snapshot.host_id)
        note_hint(code, snapshot.move_count, snapshot.to_act)
    except Refused as refusal:
        if not request.htmx:
            raise
        context["refusal"], status = str(refusal), refusal.status
    else:
        move, options = question.moves[answer.choice], answer.options(question)
        game = get_game(snapshot.game)
        context["hint"] = coach.hint(game.coach, Thought(question.table, question.moves, move, options))
        context["unit"] = game.coach.unit
    return render(request, "coach/hint.html#hint" if request.htmx else "coach/hint.html", context, status=status)


@page("coach")
def why(request: HttpRequest, code: str) -> HttpResponse:
    """Why a bot made a move, ?move=147: what it knew, what it compared, by how much."""
    match = opened_match(request, code)
    replay = parts.replay_of(request, match)
    move = clean_count(request.GET.get("move"))
    bot_move = find_bot_move(replay, move)
    answer = thinkers.ask(bot_move.question, owner=request.user.pk or address_of(request))
    context = parts.place(replay, move) | {
        "game": get_game(match.game),
        "level": bot_move.level_name,
        "why": bot_move.explain(answer),
        "over": replay.over,
    }
    return render(request, "coach/why.html#why" if request.htmx else "coach/why.html", context)


CHART_HEIGHT = 40  # of a seat's lane


@page("replay", posts=True)
def analysis(request: HttpRequest, code: str) -> HttpResponse:
    """The page of an analysis: how far it has come, then what it says. By POST it is asked for."""
    match = opened_match(request, code)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect(f"{reverse('account_login')}?next={request.path}")
        if not allow(request, "analysis"):
            return too_many(request)
        asking.ask(request.user, match)
        return redirect("analysis", code)
    found = reading.analysis_of(match)
    context = {
        "match": match,
        "game": game_name(match.game),
        "analysis": found,
        "objection": "" if found else asking.objection(match),
        "may_cancel": found and (request.user.is_staff or found.asked_by_id == request.user.pk),
    }
    if found and found.status == Analysis.Status.DONE:
        context |= _result(match, request.user)
    if not request.htmx:
        return render(request, "analysis/analysis.html", context)
    if found and found.is_unfinished:
        return render(request, "analysis/progress.html#figures", context)
    return retarget(render(request, "analysis/analysis.html#analysis", context), "#analysis")


@act("analysis")
def cancel(request: HttpRequest, code: str) -> HttpResponse:
    """Call an analysis off."""
    asking.cancel(request.user, visible_match(request, code))
    return redirect("analysis", code)


@page("replay")
def verdict(request: HttpRequest, code: str, move: int) -> HttpResponse:
    """What there is to say of one decision: a page, or the inside of the replay's dialog."""
    match = opened_match(request, code)
    row = reading.verdict_on(match, move)
    if row is None:
        raise NotHere(lazy("There is no verdict on this move. Choose another one in the replay."))
    game = get_game(match.game)
    context = parts.place(Replay(match, request.user.pk), move) | {
        "seat": row.seat,
        "verdict": reading.describe(match, row),
        "unit": game.coach.unit,
        "meaning": game.analyst.meaning,
    }
    return render(request, "analysis/verdict.html#verdict" if request.htmx else "analysis/verdict.html", context)


def _result(match: Match, user: User) -> dict[str, Any]:
    """What the page of a finished analysis shows."""
    replay = Replay(match, user.pk)
    found = list(reading.moments(match).values())
    names = [player["name"] for player in replay.players]
    lines = reading.by_seat(found, match.seat_count)
    analyst = get_game(match.game).analyst
    luck = luck_of(match)
    worth = {seat: line["worth"] for line in (luck["lines"] if luck else ()) for seat in line["seats"]}
    for seat, line in enumerate(lines):
        line |= {"name": names[seat], "marks": list(line["marks"].values()), "lost": tenths(line["lost"])}
        line |= {"worth": worth.get(seat, "")}
    return {
        "names": names,
        "deal_word": replay.deal_word,
        "meaning": analyst.meaning,
        "unit": analyst.unit,
        "lost": analyst.lost,
        "heading": analyst.lost_and_luck if luck else analyst.lost,
        "lost_by_deal": analyst.lost_by(replay.deal_word),
        "signs": reading.legend(match.game),
        "lines": lines,
        "luck": luck,
        "costliest": [_moment(replay, moment) for moment in reading.costliest(found)],
        "chart": _chart(replay, found, names),
        "deals": [
            deal | {"lost": [tenths(lost) for lost in deal["lost"]]}
            for deal in reading.by_deal(found, replay.deals, match.seat_count)
        ],
    }


def _moment(replay: Replay, moment) -> dict[str, Any]:
    return moment._asdict() | {
        "lost": tenths(moment.lost),
        "made": replay.words(moment.move),
        "where": replay.label(moment.move),
    }


def _chart(replay: Replay, found, names: str) -> dict[str, Any]:
    """A lane for each seat, the reader's first, along the moves: a bar for each decision that lost points."""
    most = max((moment.lost for moment in found), default=0.0) or 1.0
    width = max(len(replay.steps) / 240, 1)  # of a bar, so that it can be seen in a long match
    lanes = [
        {
            "name": name,
            "bars": [
                {
                    "mark": moment.mark or "small",
                    "x": f"{moment.move - width / 2:.1f}",
                    "y": f"{CHART_HEIGHT * (1 - moment.lost / most):.1f}",
                    "height": f"{CHART_HEIGHT * moment.lost / most:.1f}",
                }
                for moment in found
                if moment.seat == seat and moment.lost
            ],
        }
        for seat, name in sorted(enumerate(names), key=lambda lane: lane[0] != replay.viewer)
    ]
    return {
        "lanes": lanes,
        "length": max(replay.last, 1),
        "height": CHART_HEIGHT,
        "width": f"{width:.1f}",
        "most": tenths(most),
        "deals": [
            {"x": str(deal.first), "width": str(deal.last - deal.first + 1), "odd": deal.number % 2}
            for deal in replay.deals
        ],
    }
