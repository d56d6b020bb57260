"""Check that the stored data of a match follows from its moves, and repair it. Moves are never rewritten."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from games.catalog import CHANCE, IllegalMove, InvalidOptions, Rules
from games.kit import contract
from games.kit.contract import Position, Score, Sheet, Standing, State
from games.models import Match, Move, Seat
from games.play.changes import locked, save_change
from games.play.versions import demand_playable, rules_of


class BadMoves(ValueError):
    """The stored moves are no valid match, or not this one. Its text says why."""


class Replayed(NamedTuple):
    """The data of a match, as it follows from its moves."""

    position: Position
    to_act: int | None
    over: bool
    move_count: int
    deal_count: int
    score_sheet: Sheet | None
    standings: list[Standing] | None
    results: dict[int, tuple[Score | None, int | None]]  # by seat: (score, place), both None before the end
    last_move_at: datetime | None


type MoveRow = tuple[int, int | None, contract.Move, datetime]  # index, seat (None for a deal), move, played_at
type Watch = Callable[[int | None, tuple[State, contract.Move, State]], None]  # seat, (before, move, after)


def differences(match: Match, watch: Watch | None = None) -> list[str]:
    """Return what is stored with a match but does not follow from its moves, as phrases; empty if all is well.

    For example: ["score sheet differs"]. All moves are played again for this. watch: called for each of them with the
    seat and (state before, move, state after), for callers that need them too. match: with its seats fetched. Raise
    Unreadable if its rules are not available.
    """
    # Since it was read, a running match may have got more moves, which its other data do not know of.
    limit = match.move_count if match.status == Match.Status.PLAYING else None
    try:
        return _compare(match, _replay(match, limit, watch))
    except BadMoves as reason:
        return [str(reason)]


def repair(code: str) -> list[str]:
    """Replace the stored data of a match by what follows from its moves. Return what differed, as phrases.

    The player to act gets the full time for a move from now. Raise BadMoves if the moves themselves are damaged, and
    Refused if there is no such match or its rules are not available. Then nothing changes.
    """
    with locked(code) as match:
        demand_playable(match)
        replayed = _replay(match)
        if {seat.number for seat in match.seats.all()} != replayed.results.keys():
            raise BadMoves("it lacks a seat, or the number of one")
        if match.status == Match.Status.OVER and not replayed.over:
            raise BadMoves("it is stored as finished, but its moves do not reach the end")
        # If only the number is too high, the position still fits all moves there are.
        if replayed.move_count < match.move_count and replayed.position != match.position:
            raise BadMoves(f"move {replayed.move_count} is missing")
        phrases = _compare(match, replayed)
        is_set_aside = match.status == Match.Status.PLAYING and match.wake_at is None  # The clock ignores it.
        if phrases or is_set_aside:
            _store_replayed(match, replayed)
        return phrases


@transaction.atomic
def _store_replayed(match: Match, replayed: Replayed) -> None:
    """Replace the stored data of a match and its seats by the data of a replay. End the match if its moves do."""
    match.position, match.move_count, match.deal_count = replayed.position, replayed.move_count, replayed.deal_count
    match.score_sheet, match.standings = replayed.score_sheet, replayed.standings
    if replayed.over and match.status == Match.Status.PLAYING:
        match.status, match.ended_at, match.wake_at = Match.Status.OVER, replayed.last_move_at, None
    match.save()
    for number, (score, finish) in replayed.results.items():
        Seat.objects.filter(match=match, number=number).update(score=score, finish=finish)
    save_change(match, reschedule=True, returned=replayed.to_act)


def _play_again(match: Match, rules: Rules, moves: list[MoveRow], watch: Watch | None) -> State:
    """Play the moves of a match again. Return the state after them. Raise BadMoves if one is missing or not legal.

    moves: tuples (index, seat, move, time); the seat of a deal is None. watch: see `_replay`.
    """
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
    return state


def _replay(match: Match, limit: int | None = None, watch: Watch | None = None) -> Replayed:
    """Play the moves of a match again. Return all that follows from them. Raise BadMoves or Unreadable.

    limit: the number of moves to play; None for all. watch: called for every move with the seat and (state before,
    move, state after).
    """
    rules = rules_of(match)
    rows = Move.objects.filter(match=match).order_by("index").values_list("index", "seat", "move", "played_at")
    moves = list(rows[:limit])
    state = _play_again(match, rules, moves, watch)
    standings = rules.standings(state)
    # After its only deal, a match of one deal is over, although the rules would go on with another one.
    over = rules.to_act(state) is None or (match.one_deal and rules.to_act(state) == CHANCE)
    places = {line["seat"]: (line["score"], line["place"]) for line in standings}
    return Replayed(
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


def _compare(match: Match, replayed: Replayed) -> list[str]:
    """Return a phrase for each stored value that differs from the replayed one."""
    pairs = {
        "status": (match.status == Match.Status.OVER, replayed.over),
        "position": (match.position, replayed.position),
        "number of moves": (match.move_count, replayed.move_count),
        "number of deals": (match.deal_count, replayed.deal_count),
        "score sheet": (match.score_sheet, replayed.score_sheet),
        "standings": (match.standings, replayed.standings),
        "result of a seat": ({seat.number: (seat.score, seat.finish) for seat in match.seats.all()}, replayed.results),
    }
    return [f"{name} differs" for name, (stored, expected) in pairs.items() if stored != expected]
