"""HTTP: hints at the table, and why a bot moved as it did."""

from django.shortcuts import render

from accounts.limits import address_of
from games.catalog import get_game
from games.history.replay import Replay
from games.history.whys import why_of
from games.kit import coach
from games.kit.coach import Thought
from games.kit.language import lazily
from games.pages.decorators import act, page
from games.pages.looking import opened_match, seen_snapshot
from games.pages.refusals import NotHere
from games.play import thinkers
from games.play.coach import note_hint, question_for_hint
from games.play.errors import Refused
from games.play.requests import clean_count


@act("coach")
def hint(request, code):
    """What the coach would do in the place of the player who asks, and why: for the table, or a page of its own."""
    snapshot = seen_snapshot(request, code)
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
        move, options = question.moves[answer.place], answer.options(question)
        game = get_game(snapshot.game)
        context["hint"] = coach.hint(game.coach, Thought(question.table, question.moves, move, options))
        context["unit"] = game.coach.unit
    return render(request, "coach/hint.html#hint" if request.htmx else "coach/hint.html", context, status=status)


@page("coach")
def why(request, code):
    """Why a bot made a move, ?move=147: what it knew, what it compared, by how much."""
    match = opened_match(request, code)
    if not match.move_count:
        raise NotHere(lazily("This match hasn’t started yet."))
    replay = Replay(match, request.user.pk)
    move = clean_count(request.GET.get("move"))
    asked = why_of(replay, move)
    answer = thinkers.ask(asked.question, owner=request.user.pk or address_of(request))
    context = {
        "match": match,
        "game": get_game(match.game),
        "move": move,
        "where": replay.label(move),
        "words": replay.words(move),
        "level": asked.level_name,
        "why": asked.told(answer),
        "over": replay.over,
    }
    return render(request, "coach/why.html#why" if request.htmx else "coach/why.html", context)
