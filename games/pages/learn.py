"""The mistakes of a player to try again: in one match, or in their latest analysed matches."""

from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.analysis import learning
from games.analysis.learning import GONE, Gone, Mistake, Puzzle, Trial
from games.catalog import game_name, get_game
from games.fragments import felt_html, mine_html
from games.kit.drawing import mark_names
from games.kit.language import lazy, say
from games.kit.markup import NOTHING, Markup
from games.kit.words import capital
from games.pages.looking import opened_match
from games.pages.refusals import page
from games.play.errors import NotAllowed, Refused
from games.play.requests import clean_count, clean_move

type Context = dict[str, object]


@page("replay", needs_login=True, posts=True)
def learn_match(request: HttpRequest, code: str) -> HttpResponse:
    """Show the user's mistakes in a match, one after the other, to try again."""
    match = opened_match(request, code)
    if not match.seats.filter(user=request.user).exists():
        raise NotAllowed(lazy("Here players go through their own mistakes, and you did not play in this match."))
    return _learn(request, learning.mistakes_in(request.user, match), {"match": match, "game": game_name(match.game)})


@page("replay", needs_login=True, posts=True)
def learn(request: HttpRequest) -> HttpResponse:
    """Show the user's mistakes in their latest analysed matches, one after the other, to try again."""
    return _learn(request, learning.recent_mistakes(request.user), {"match": None, "last": learning.LAST_MATCHES})


def _learn(request: HttpRequest, mistakes: list[Mistake], context: Context) -> HttpResponse:
    """Show one of these mistakes: the one at the move "at" of the match "of", or the costliest that is not solved.

    By POST, judge the move of the form. The field "show" asks for a "hint" or for the "answer".
    """
    is_trial, status = request.method == "POST", 200
    fields = request.POST if is_trial else request.GET
    try:
        names_one = is_trial or "at" in fields
        if mistake := _named_mistake(mistakes, fields) if names_one else _first_unsolved(mistakes):
            puzzle = learning.open_puzzle(request.user, mistake)
            trial, error = None, ""
            if is_trial:
                try:
                    trial = puzzle.try_move(clean_move(fields)[0])
                except Refused as refusal:
                    error, status = str(refusal), refusal.status
            if trial and trial.is_right:
                mistakes = learning.solve(request.user, mistakes, mistake)
            context |= _position_context(puzzle, trial, error, fields.get("show", ""))
            context["next"] = _query_of(_next_unsolved(mistakes, mistake))
    except Gone as gone:
        context["gone"], status = str(gone), gone.status
    context |= {"total": len(mistakes), "solved": sum(mistake.is_solved for mistake in mistakes)}
    template = "analysis/learn.html#learn" if request.htmx else "analysis/learn.html"
    return render(request, template, context, status=status)


def _named_mistake(mistakes: list[Mistake], fields: Mapping[str, str]) -> Mistake:
    """Return the mistake that the fields of an address or a form name. Raises Gone."""
    place = fields.get("of"), clean_count(fields.get("at"))
    for mistake in mistakes:
        if (mistake.code, mistake.move) == place:
            return mistake
    raise Gone(GONE)


def _first_unsolved(mistakes: Iterable[Mistake]) -> Mistake | None:
    return next((mistake for mistake in mistakes if not mistake.is_solved), None)


def _next_unsolved(mistakes: list[Mistake], present: Mistake) -> Mistake | None:
    """Return the next mistake that is not solved, after this one and then from the beginning, or None."""
    verdicts = [mistake.verdict for mistake in mistakes]
    after = verdicts.index(present.verdict) + 1
    return _first_unsolved([*mistakes[after:], *mistakes[: after - 1]])


def _query_of(mistake: Mistake | None) -> str:
    return f"?{urlencode({'of': mistake.code, 'at': mistake.move})}" if mistake else ""


def _position_context(puzzle: Puzzle, trial: Trial | None, error: str, show: str) -> Context:
    """Return the template context of a position: the table, and what is said about the latest try.

    trial: the move that the player has tried, if any. error: why it was refused. show: "hint", "answer" or "".
    """
    row, coach = puzzle.row, puzzle.coach
    match, played = row.analysis.match, puzzle.verdict.known[0].move
    is_right = trial is not None and trial.is_right
    is_done = is_right or show == "answer"
    message = error or (_trial_words(puzzle, trial) if trial else "")
    lost = coach.amount(row.lost)
    return {
        "of": match,
        "of_game": get_game(match.game),
        "at": row.move,
        "seat": row.seat,
        "where": puzzle.replay.label(row.move),
        "task": say("Played in the match: {move}. That lost {points}.", move=coach.name(played), points=lost),
        "table": _table_html(puzzle, is_done, message),
        "message": message,
        "is_done": is_done,
        "is_right": is_right,
        "reasons": puzzle.reasons(trial.move if trial and is_right else puzzle.best_move) if is_done else [],
        "advice": puzzle.advice(puzzle.best_move) if show else None,
        "show": show,
    }


def _trial_words(puzzle: Puzzle, trial: Trial) -> str:
    """Return a sentence about a move that the player has tried."""
    if trial.lost is None:
        return say("That is not among the best moves. Try again.")
    move = puzzle.coach.name(trial.move)
    if trial.is_right:
        return say("Right: {move} is among the best moves.", move=move)
    points = puzzle.coach.amount(trial.lost)
    return capital(say("{move} would lose {points}. Try again.", move=move, points=points))


def _table_html(puzzle: Puzzle, is_done: bool, message: str) -> str:
    """Draw the table as the player saw it. Its buttons are those of the match.

    is_done: whether nothing is to be chosen any more. message: the sentence above the hand, or "" for the usual one.
    """
    match, seat, players = puzzle.row.analysis.match, puzzle.row.seat, puzzle.replay.players
    game = get_game(match.game)
    felt = {**game.drawing.felt(puzzle.public_table, players), "moves": Markup(puzzle.row.move)}
    mine = {
        **game.drawing.mine(puzzle.table, [] if is_done else puzzle.moves, players),
        "seen": Markup(puzzle.row.move),
        "viewer": Markup(seat),
        "say": message,
        "waits": NOTHING,
    }
    if message or is_done:
        mine["sentence"] = message
    if is_done:
        mine["box"] = None  # Its words would be about who else is to call.
    values = {"code": match.code, "status": Markup("over"), "has_hints": not is_done}
    return felt_html(game, felt, values) + mine_html(game, mark_names(mine, players), values)
