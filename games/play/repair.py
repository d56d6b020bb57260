"""Is what is stored of a match what its moves make of it? If not, it is made so again; moves are never rewritten."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction

from games.catalog import CHANCE, IllegalMove, InvalidOptions
from games.kit.contract import Position, Sheet, Standing
from games.models import Match, Move, Seat
from games.play.changes import locked, save_change
from games.play.versions import demand_playable, rules_of


class BadMoves(ValueError):
    """The stored moves make no match, or not the one that is stored. str() says why."""


class Made(NamedTuple):
    """What the moves of a match make of it."""

    position: Position
    to_act: int | None
    over: bool
    move_count: int
    deal_count: int
    score_sheet: Sheet | None
    standings: list[Standing] | None
    results: dict[int, tuple[Any, Any]]  # by seat: the score and the place, None before the end
    last_move_at: datetime | None


type Watch = Callable[[int | None, tuple[Any, dict[str, Any], Any]], None]  # seat, (before, move, after)


def differences(match: Match, watch: Watch | None = None) -> list[str]:
    """What is stored of a match but does not follow from its moves: a list of phrases, empty if all is well.

    match: with its seats fetched. watch: is told of every move as it is played, so that nobody need play them again.
    Raises Unreadable where its rules are not here.
    """
    # More moves may have come since a running match was read.
    limit = match.move_count if match.status == Match.Status.PLAYING else None
    try:
        return _differences(match, _made(match, limit, watch))
    except BadMoves as reason:
        return [str(reason)]


def repair(code: str) -> list[str]:
    """Make what is stored of a match what its moves make of it. Returns what differed, as phrases.

    Whose turn it is has the time of a move from now on. Raises BadMoves where the moves are at fault, and Refused; then
    nothing is changed.
    """
    with locked(code) as match:
        demand_playable(match)
        made = _made(match)
        if {seat.number for seat in match.seats.all()} != made.results.keys():
            raise BadMoves("it lacks a seat, or the number of one")
        if match.status == Match.Status.OVER and not made.over:
            raise BadMoves("it is stored as finished, but its moves do not reach the end")
        if made.move_count < match.move_count and made.position != match.position:
            raise BadMoves(f"move {made.move_count} is missing")
        found = _differences(match, made)
        if found or (match.status == Match.Status.PLAYING and match.wake_at is None):
            _store(match, made)
        return found


@transaction.atomic
def _store(match: Match, made: Made) -> None:
    match.position, match.move_count, match.deal_count = made.position, made.move_count, made.deal_count
    match.score_sheet, match.standings = made.score_sheet, made.standings
    if made.over and match.status == Match.Status.PLAYING:
        match.status, match.ended_at, match.wake_at = Match.Status.OVER, made.last_move_at, None
    match.save()
    for number, (score, finish) in made.results.items():
        Seat.objects.filter(match=match, number=number).update(score=score, finish=finish)
    save_change(match, reschedule=True, returned=made.to_act)


def _made(match: Match, limit: int | None = None, watch: Watch | None = None) -> Made:
    """What the moves of a match make of it, no more than `limit` of them. Raises BadMoves, and Unreadable."""
    rules = rules_of(match)
    rows = Move.objects.filter(match=match).order_by("index").values_list("index", "seat", "move", "played_at")
    moves = list(rows[:limit])
    expected = 0
    try:
        state = rules.new_match(match.seat_count, match.options)
        for expected, (index, seat, move, _) in enumerate(moves):
            if index != expected:
                raise BadMoves(f"move {expected} is missing")
            if rules.to_act(state) != (CHANCE if seat is None else seat):
                raise BadMoves(f"move {index} is stored for a seat that was not to act")
            before, state = state, rules.apply(state, move)
            if watch:
                watch(seat, (before, move, state))
    except (IllegalMove, InvalidOptions) as refusal:
        raise BadMoves(f"move {expected} is refused: {refusal}") from None
    standings = rules.standings(state)
    over = rules.to_act(state) is None or (match.one_deal and rules.to_act(state) == CHANCE)
    places = {line["seat"]: (line["score"], line["place"]) for line in standings}
    return Made(
        position=rules.dump(state),
        to_act=rules.to_act(state),
        over=over,
        move_count=len(moves),
        deal_count=sum(seat is None for _, seat, *_ in moves),
        score_sheet=rules.score_sheet(state) if over else None,
        standings=standings if over else None,
        results={seat: places.get(seat, (None, None)) for seat in range(match.seat_count)},
        last_move_at=moves[-1][-1] if moves else None,
    )


def _differences(match: Match, made: Made) -> list[str]:
    compared = {
        "status": (match.status == Match.Status.OVER, made.over),
        "position": (match.position, made.position),
        "number of moves": (match.move_count, made.move_count),
        "number of deals": (match.deal_count, made.deal_count),
        "score sheet": (match.score_sheet, made.score_sheet),
        "standings": (match.standings, made.standings),
        "result of a seat": ({seat.number: (seat.score, seat.finish) for seat in match.seats.all()}, made.results),
    }
    return [f"{name} differs" for name, (stored, wanted) in compared.items() if stored != wanted]
