"""Hints at the table, explanations of the moves of bots, and the analysis of a finished match."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import retarget

from accounts.limits import address_of, allow, too_many
from accounts.models import User
from games.analysis import asking, reading
from games.analysis.learning import mistakes_in
from games.analysis.models import Analysis
from games.analysis.reading import Moment
from games.catalog import game_name, get_game
from games.deal_index.luck import luck_of
from games.history.explanations import find_bot_move
from games.history.replay import Replay
from games.kit import coach
from games.kit.analysis import ACCURACIES, PERFECT
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
    """Show the coach's advice for the user's move, with reasons: at the table, or on a page of its own.

    A bot answers what it would play in the user's seat, and the coach puts the answer into words. The match records
    that the user had a hint. The field "seen" is the number of moves that the user's page has shown.
    """
    snapshot = visible_snapshot(request, code)
    context: dict[str, object] = {"snapshot": snapshot}
    status = 200
    try:
        question = question_for_hint(snapshot, request.user.pk, clean_count(request.POST.get("seen")))
        answer = thinkers.ask(question, owner=snapshot.host_id)  # Each owner of questions has a queue.
        assert snapshot.to_act is not None
        note_hint(code, snapshot.move_count, seat=snapshot.to_act)
    except Refused as refusal:
        if not request.htmx:
            raise  # The site's page for errors shows the reason. At the table, the panel of the hint shows it.
        context["refusal"], status = str(refusal), refusal.status
    else:
        game_coach = get_game(snapshot.game).coach
        assert answer.choice is not None
        assert game_coach is not None
        best_move, figures = question.moves[answer.choice], answer.options(question)
        context["hint"] = coach.hint(game_coach, Thought(question.table, question.moves, best_move, figures))
        context["unit"] = game_coach.unit  # Of the figures, such as points.
    return render(request, "coach/hint.html#hint" if request.htmx else "coach/hint.html", context, status=status)


@page("coach")
def why(request: HttpRequest, code: str) -> HttpResponse:
    """Explain a bot's move, ?move=147, by the information that the bot had and the options that it compared.

    For this the bot answers the question of that moment again, with the same information as then.
    """
    match = opened_match(request, code)
    replay = parts.replay_of(request, match)
    move = clean_count(request.GET.get("move"))
    bot_move = find_bot_move(replay, move)  # Raises Refused without a move.
    assert move is not None
    answer = thinkers.ask(bot_move.question, owner=request.user.pk or address_of(request))  # The owner of a queue.
    context = parts.move_context(replay, move) | {
        "game": get_game(match.game),
        "level": bot_move.level_name,
        "why": bot_move.explain(answer),
        "over": replay.over,
    }
    return render(request, "coach/why.html#why" if request.htmx else "coach/why.html", context)


CHART_HEIGHT = 40  # The height of a seat's lane.
MAX_BARS = 240  # So many bars fit side by side into a lane.


@page("replay", posts=True)
def analysis(request: HttpRequest, code: str) -> HttpResponse:
    """Show the progress of an analysis, or its results once it is done. By POST, request it.

    In the analysis of a finished match, a bot judges every move. Until it is done, the page asks for its progress every
    few seconds by htmx, and gets only the figures.
    """
    match = opened_match(request, code)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect(f"{reverse('account_login')}?next={request.path}")
        if not allow(request, "analysis"):
            return too_many(request)
        asking.ask(request.user, match)
        return redirect("analysis", code)
    stored = reading.analysis_of(match)
    context = {
        "match": match,
        "game": game_name(match.game),
        "analysis": stored,
        "objection": "" if stored else asking.objection(match),
        "may_cancel": stored and (request.user.is_staff or stored.asked_by_id == request.user.pk),
    }
    if stored and stored.status == Analysis.Status.DONE:
        context |= _analysis_context(match, request.user)
    elif stored and stored.is_unfinished:
        context |= _progress_context(stored, request.user)
    if not request.htmx:
        return render(request, "analysis/analysis.html", context)
    if stored and stored.is_unfinished:
        return render(request, "analysis/progress.html#figures", context)
    # It is done, or cancelled: replace all of the analysis on the page, not only the figures.
    return retarget(render(request, "analysis/analysis.html#analysis", context), "#analysis")


@act("analysis")
def cancel(request: HttpRequest, code: str) -> HttpResponse:
    """Cancel an analysis."""
    asking.cancel(request.user, visible_match(request, code))
    return redirect("analysis", code)


@page("replay")
def verdict(request: HttpRequest, code: str, move: int) -> HttpResponse:
    """Show the verdict on a move, how many points it lost: on a page of its own, or in the replay's dialog.

    Verdicts come from the analysis of a finished match, in which a bot judges every move. move: its index.
    """
    match = opened_match(request, code)
    stored = reading.verdict_on(match, move)
    if stored is None:
        raise NotHere(lazy("There is no verdict on this move. Choose another one in the replay."))
    game = get_game(match.game)
    assert game.coach is not None  # Every game with an analysis has both.
    assert game.analyst is not None
    replay = Replay(match, request.user.pk)
    context = parts.move_context(replay, move) | {
        "words": replay.words_for_viewer(move),
        "seat": stored.seat,
        "verdict": reading.describe(replay, stored),
        "unit": game.coach.unit,
        "meaning": game.analyst.meaning,
    }
    return render(request, "analysis/verdict.html#verdict" if request.htmx else "analysis/verdict.html", context)


def _analysis_context(match: Match, user: User) -> dict[str, object]:
    """Return the template context of a finished analysis, in which a bot has judged every move of a match.

    It has the points that each player lost by their moves, in all and by deal, and the costliest moves. If it is known,
    it also has how many points each player's cards were worth: that part of a result is luck.
    """
    replay = Replay(match, user.pk)
    moments = list(reading.moments(match).values())  # The judged moves.
    names = [player["name"] for player in replay.players]
    analyst = get_game(match.game).analyst  # The words of this game for an analysis.
    assert analyst is not None
    luck = luck_of(match)
    worth_by_seat = {seat: side["worth"] for side in (luck["lines"] if luck else ()) for seat in side["seats"]}
    signs, lines = reading.legend(match.game), reading.losses_by_seat(moments, match.seat_count)
    for seat, line in enumerate(lines):
        line |= {"name": names[seat], "marks": list(line["marks"].values()), "lost": tenths(line["lost"])}
        line |= {"worth": worth_by_seat.get(seat, ""), "own": seat == replay.viewer}
        line["signs"] = [sign | {"count": count} for sign, count in zip(signs, line["marks"], strict=True) if count]
    lines.sort(key=lambda line: not line["own"])  # The reader comes first.
    return {
        "mistakes": mistakes_in(user, match) if user.is_authenticated else [],
        "names": names,
        "deal_word": replay.deal_word,
        "meaning": analyst.meaning,
        "unit": analyst.unit,
        "lost": analyst.lost,
        "lost_by_deal": analyst.lost_by(replay.deal_word),
        "signs": signs,
        "accuracies": {"perfect": PERFECT, **ACCURACIES},
        "lines": lines,
        "luck": luck,
        "costliest": _costliest(replay, moments),
        "chart": _chart(replay, moments, names),
        "deals": [
            {**deal, "lost": [tenths(lost) for lost in deal["lost"]]}
            for deal in reading.losses_by_deal(moments, replay.deals, match.seat_count)
        ],
    }


def _progress_context(analysis: Analysis, user: User) -> dict[str, object]:
    """Return the template context of an unfinished analysis: how far it is, and the costliest mistakes so far."""
    context: dict[str, object] = {"progress": reading.progress_of(analysis)}
    if mistakes := reading.mistakes_so_far(analysis):
        replay = Replay(analysis.match, user.pk)
        context["names"] = [player["name"] for player in replay.players]
        context["costliest"] = [_moment_row(replay, moment) for moment in mistakes]
    return context


def _moment_row(replay: Replay, moment: Moment) -> dict[str, object]:
    """Return a move that lost many points for the template, with its place in the match in words."""
    return moment._asdict() | {
        "lost": tenths(moment.lost),
        "move_words": replay.words_for_viewer(moment.move),
        "where": replay.label(moment.move),
    }


def _costliest(replay: Replay, moments: list[Moment]) -> list[dict[str, object]]:
    """Return the moves that lost most for the template: the reader's own and those of the others, each with a heading.

    moments: the judged moves.
    """
    own = reading.costliest(moment for moment in moments if moment.seat == replay.viewer)
    others = reading.costliest(moment for moment in moments if moment.seat != replay.viewer)
    rows = reading.verdicts_on(replay.match, [moment.move for moment in own + others])
    groups = [(lazy("Your costliest moments"), own), (lazy("The costliest moments of the others"), others)]
    if replay.viewer is None:
        groups = [(lazy("The costliest moments"), others)]
    return [
        {
            "heading": heading,
            "moments": [
                _moment_row(replay, moment) | {"scene": reading.scene_of(replay, rows[moment.move])}
                for moment in moments_of_group
            ],
        }
        for heading, moments_of_group in groups
    ]


def _chart(replay: Replay, moments: list[Moment], names: list[str]) -> dict[str, object]:
    """Draw a chart of the points that moves lost: a lane for each seat, with a bar at each such move.

    Return numbers for an SVG. One unit in x is one move. The height of a bar shows how much the move lost.

    moments: the judged moves. names: of the players, by seat.
    """
    most = max((moment.lost for moment in moments), default=0.0) or 1.0  # The largest loss has a bar of full height.
    width = max(len(replay.steps) / MAX_BARS, 1)  # In a long match, a bar as wide as one move would be invisible.
    reader_first = sorted(enumerate(names), key=lambda seat_and_name: seat_and_name[0] != replay.viewer)
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
                for moment in moments
                if moment.seat == seat and moment.lost
            ],
        }
        for seat, name in reader_first
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
