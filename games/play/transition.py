"""What a request makes of a match: a snapshot in, a snapshot and the moves to be stored out.

Pure: nothing here reads the clock, the database or anything else but its arguments.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from games.catalog import CHANCE, Meaning, Rules
from games.kit.language import lazy
from games.models import Match, Move
from games.play.errors import AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.pace import (
    BOT_PAUSE,
    COME_BACK_LIMIT,
    IDLE_LIMIT,
    PROGRAM_LIMIT,
    SLOWNESS,
    STAND_IN_AFTER,
    TRICK_PAUSE,
    result_pause,
)
from games.play.requests import ClaimRequest, MoveRequest, ReadyRequest, Request
from games.play.snapshot import LATEST, Claimed, MoveEvents, SeatSnapshot, Snapshot, TimeAway, stands_in
from games.play.versions import Unreadable

STANDS_STILL = {  # why nothing can be done at a match of this status
    Match.Status.OPEN: lazy("This match hasn’t started yet. Come back when it has."),
    Match.Status.OVER: lazy("This match is over."),
    Match.Status.CLOSED: lazy("This table is closed."),
}


class PlayedMove(NamedTuple):
    """A move as it is to be stored: the fields of games.models.Move."""

    match_id: int
    index: int  # type: ignore[assignment]  # the field's name, which tuples have a method by
    seat: int | None
    move: dict[str, Any]
    actor: str
    played_at: datetime


Transition = tuple[Snapshot, list[PlayedMove]]


def advance(before: Snapshot, request: Request, now: datetime) -> Transition:
    """The Snapshot after `request` and every shuffle that follows at once, and the moves that lead there.

    Raises Refused or IllegalMove; StaleMove where the request was made on another position than this one.
    """
    if before.status != Match.Status.PLAYING:
        raise Refused(STANDS_STILL[Match.Status(before.status)])
    rules = before.rules
    if rules is None or before.obstacle:
        raise Unreadable(before.obstacle)
    if before.paused_until and not before.is_deserted:
        raise Refused(lazy("The table is paused. Press “Resume now” to end the pause."))
    if isinstance(request, ReadyRequest):
        return _readied(before, request, now)
    if isinstance(request, ClaimRequest):
        return _claimed(before, request, now)
    seat = _demand_turn(before, request)
    if seat == CHANCE:  # a claim is told of until then
        return _dealt(before, (before.but(claimed=None), [], []), now, pause=False)
    after, moves, events = before, [], []
    for wanted in request.moves:
        if rules.to_act(after.state) != seat:
            raise NotAllowed(lazy("Only the first of these moves is yours. Send one at a time."))
        after, move, happened = _applied(after, seat, wanted, request.actor, now)
        moves.append(move)
        events += happened
    after = _with_time_spent(before, after, seat, request.actor, now)
    pause = _has(rules, events, Meaning.DEAL_SCORED)
    return _dealt(before, (after, moves, events), now, pause=pause)


def fold(rules: Rules, state: Any, moves: Iterable[dict]) -> Iterator[tuple[Any, dict, Any]]:
    """Yield (before, move, after) for each of `moves`, played from `state` on. Raises IllegalMove."""
    for move in moves:
        after = rules.apply(state, move)
        yield state, move, after
        state = after


def scheduled(snapshot: Snapshot, now: datetime, *, held: bool = False, started_at: datetime | None = None) -> Snapshot:
    """The snapshot with the time at which something must happen by itself.

    held: a finished trick is looked at first. started_at: when the turn began, where it is not a new one.
    """
    to_act = snapshot.to_act
    assert to_act is not None
    if snapshot.paused_until and not snapshot.is_deserted:
        return snapshot.but(wake_at=snapshot.paused_until)
    new_turn = started_at is None
    waiting_since = None if new_turn else snapshot.away_since
    slowness = SLOWNESS if snapshot.guide or snapshot.terms.slow_bots else 1
    started_at = started_at or now + timedelta(seconds=slowness * TRICK_PAUSE if held else 0)
    if new_turn and to_act != CHANCE and snapshot.speed.slow and (until := snapshot.seats[to_act].vacation_until):
        started_at = max(started_at, until)  # their time begins when they are back
    if snapshot.is_deserted:  # it is played to its end for the history of those who left
        wake_at = now
    elif to_act == CHANCE:
        wake_at = _next_deal_at(snapshot, started_at, now)
    elif snapshot.bot_plays(snapshot.seats[to_act]):
        wake_at = started_at + timedelta(seconds=slowness * BOT_PAUSE)
    elif snapshot.speed.timed:
        wake_at = started_at + timedelta(seconds=snapshot.speed.time_left(snapshot.seats[to_act].reserve))
    else:
        limit = IDLE_LIMIT if snapshot.seats[to_act].is_person else PROGRAM_LIMIT
        wake_at = started_at + timedelta(seconds=limit)
    snapshot = snapshot.but(turn_started_at=started_at, wake_at=wake_at, away_since=None)
    if not (snapshot.away() or snapshot.asked_until()):
        return snapshot
    snapshot = snapshot.but(away_since=waiting_since or max(now, started_at))
    stand_in_at = snapshot.stand_in_at()
    return snapshot.but(wake_at=min(wake_at, stand_in_at)) if stand_in_at else snapshot


def with_time_back(before: Snapshot, gap: TimeAway) -> Snapshot:
    """Return a running match with the time back that it lost in an outage of the site.

    Turns and waits end that much later. What waits for people ends COME_BACK_LIMIT seconds after the gap or later. No
    time is given back twice, even if gaps overlap.
    """
    lost = gap._replace(began_at=max(gap.began_at, before.gap.ended_at)) if before.gap else gap
    soonest = gap.ended_at + timedelta(seconds=COME_BACK_LIMIT)
    after = before.but(gap=gap)
    if before.starts_at:
        starts_at = max(before.starts_at, soonest)
        return after.but(starts_at=starts_at, wake_at=starts_at)
    if before.to_act is None:  # an open table, or one that can't be read
        return after.but(wake_at=before.wake_at and max(before.wake_at + _span(lost), soonest))
    running = lost  # The part of it without a pause.
    if before.paused_at and before.paused_until:
        running = lost._replace(ended_at=min(lost.ended_at, before.paused_at))
        pause = lost._replace(began_at=max(lost.began_at, before.paused_at))
        after = after.but(paused_until=max(before.paused_until + _span(pause), soonest))
    after = after.but(
        turn_started_at=_later(before.turn_started_at, running),
        away_since=_later(before.away_since, running),
        asked_at=_later(before.asked_at, running),
        here_at=_later(before.here_at, running),
    )
    after = scheduled(after, gap.ended_at, started_at=after.turn_started_at)
    if not after.waits_for_person() or after.paused_until or after.wake_at is None or after.wake_at >= soonest:
        return after
    assert after.turn_started_at is not None
    return scheduled(after, gap.ended_at, started_at=after.turn_started_at + (soonest - after.wake_at))


def _span(time: TimeAway) -> timedelta:
    return max(timedelta(), time.ended_at - time.began_at)


def _later(moment: datetime | None, lost: TimeAway) -> datetime | None:
    """Move the start of a turn or wait by as much of it as was lost."""
    return moment and moment + _span(lost._replace(began_at=max(moment, lost.began_at)))


def _next_deal_at(snapshot: Snapshot, scored_at: datetime, now: datetime) -> datetime:
    """When the next deal is made by itself. scored_at: since when the result of the last one is looked at."""
    if snapshot.waits_for_go_ahead():
        return scored_at + timedelta(seconds=IDLE_LIMIT)
    readers = snapshot.readers()
    if not readers:
        return scored_at + timedelta(seconds=BOT_PAUSE)
    if all(seat.ready for seat in readers):
        return now
    return scored_at + timedelta(seconds=result_pause(snapshot.game))


def _demand_turn(before: Snapshot, request: MoveRequest) -> int:
    """The seat that moves, or CHANCE. Raises what speaks against the request before its move is looked at."""
    if request.seat is None:
        raise NotAllowed(lazy("You have no seat at this table, so you can only watch."))
    _demand_seen(before, request)
    to_act = before.to_act
    assert to_act is not None
    if to_act != request.seat:
        if to_act == CHANCE:
            raise StaleMove(lazy("Wait a moment: the next cards are about to be dealt."))
        raise NotAllowed(lazy("It’s {name}’s turn. Wait for yours.", name=before.seats[to_act].name))
    if request.actor == Move.Actor.PLAYER and before.seats[to_act].bot:
        raise NotAllowed(lazy("You have left this match, and a bot plays in your seat."))
    return to_act


def _demand_seen(before: Snapshot, request: MoveRequest | ClaimRequest) -> None:
    """Raises StaleMove where the request was made on another position."""
    if request.seen != before.move_count:
        raise StaleMove(lazy("The table has moved on. Look again."))
    if request.wake_at is not None and request.wake_at != before.wake_at:
        raise StaleMove(lazy("The player is back, so no vote is needed."))


def _claimed(before: Snapshot, request: ClaimRequest, now: datetime) -> Transition:
    """A proven claim: the deal is played out by its moves, all at once, which takes nobody's time but the claimer's."""
    _demand_seen(before, request)
    if request.actor == Move.Actor.PLAYER and before.seats[request.seat].bot:
        raise NotAllowed(lazy("You have left this match, and a bot plays in your seat."))
    rules, after, moves, events = before.rules, before, [], []
    assert rules is not None
    for seat, wanted in request.moves:
        assert rules.to_act(after.state) == seat
        after, move, happened = _applied(after, seat, wanted, Move.Actor.CLAIMED, now)
        moves.append(move)
        events += happened
    assert _has(rules, events, Meaning.DEAL_SCORED)
    if before.to_act == request.seat:
        after = _with_time_spent(before, after, request.seat, request.actor, now)
    after = after.but(claimed=Claimed(request.seat, request.kind, request.tricks))
    return _dealt(before, (after, moves, events), now, pause=True)


def _readied(before: Snapshot, request: ReadyRequest, now: datetime) -> Transition:
    """A player is ready for the next deal; it is made if they were the last."""
    number = before.player_number(request.user_id)
    if number is None:
        raise NotAllowed(lazy("You have no seat at this table, so you can only watch."))
    if before.to_act != CHANCE:
        raise AlreadyPlayed(lazy("The match has gone on. Look at the table again."))
    if before.seats[number].ready:
        raise AlreadyPlayed(lazy("You’re ready. Wait for the others."))
    after = before.with_seat(number, ready=True).but(revision=before.revision + 1)
    after = scheduled(after, now, started_at=before.turn_started_at)
    if after.wake_at is None or after.wake_at > now:
        return after, []
    return advance(after, MoveRequest(after.code, CHANCE, None, after.move_count, Move.Actor.CHANCE), now)


type Made = tuple[Snapshot, list[PlayedMove], list[dict]]  # the snapshot after moves, they, and their events


def _dealt(before: Snapshot, made: Made, now: datetime, *, pause: bool) -> Transition:
    """The transition that ends with every shuffle that is due at once. pause: the result of a deal is looked at first.

    made: what the request itself has made of `before`.
    """
    after, moves, events = made
    rules = after.rules
    assert rules is not None
    fresh = pause or not moves
    ended = after.one_deal and (pause or _has(rules, events, Meaning.DEAL_DROPPED))
    while rules.to_act(after.state) == CHANCE and not (pause or ended):
        after, move, more = _applied(after, CHANCE, _next_deal(after), Move.Actor.CHANCE, now)
        moves = [*moves, move]
        events = [*events, *more]
    if fresh:
        after = after.but(seats=tuple(replace(seat, ready=False, wants_pause=False) for seat in after.seats))
    after = after.but(revision=before.revision + 1)
    over = ended or rules.to_act(after.state) is None
    if over or (after.guide and pause):  # a guide ends with its one deal, and is no match that was finished
        status = Match.Status.CLOSED if after.guide else Match.Status.OVER
        return after.but(status=str(status), wake_at=None, turn_started_at=None, away_since=None), moves
    return scheduled(after, now, held=_has(rules, events, Meaning.TRICK_FINISHED)), moves


def _has(rules: Rules, events: list[dict], meaning: Meaning) -> bool:
    """Whether one of the events means this."""
    return any(rules.meaning(event) is meaning for event in events)


def _applied(
    snapshot: Snapshot, seat: int, move: Any, actor: str, now: datetime
) -> tuple[Snapshot, PlayedMove, list[dict]]:
    """One move: (the snapshot with it, the PlayedMove, its events). Raises IllegalMove."""
    played = PlayedMove(snapshot.pk, snapshot.move_count, None if seat == CHANCE else seat, move, actor, now)
    rules = snapshot.rules
    assert rules is not None
    state = rules.apply(snapshot.state, move)
    chance = seat == CHANCE
    events = rules.events(snapshot.state, move, state)
    after = snapshot.but(
        state=state,
        move_count=snapshot.move_count + 1,
        deal_count=snapshot.deal_count + chance,
        latest=(*snapshot.latest, MoveEvents(None if chance else seat, tuple(events)))[-LATEST:],
    )
    return after, played, events


def _next_deal(snapshot: Snapshot) -> dict[str, Any]:
    """The shuffle that comes next in a match, as its seed says."""
    assert snapshot.rules is not None
    pack = snapshot.rules.deck(snapshot.state)
    return {"type": "deal", "deck": snapshot.shuffles.deck(pack, snapshot.deal_count + 1)}


def _with_time_spent(before: Snapshot, after: Snapshot, number: int, actor: str, now: datetime) -> Snapshot:
    """The snapshot with what the move cost its seat: of its reserve, or of the table's patience."""
    seat = before.seats[number]
    changes: dict[str, Any] = {}
    if actor == Move.Actor.STAND_IN:
        # Of whom others have waited for in vain, the bot plays on until they are back.
        missed = max(seat.missed_turns + 1, STAND_IN_AFTER if before.away_since else 0)
        changes["missed_turns"] = min(missed, 1000)
    elif actor == Move.Actor.PLAYER and seat.missed_turns:
        changes["missed_turns"] = 0
    if _runs_down(before, seat, actor):
        assert before.turn_started_at is not None
        left = before.speed.time_left(seat.reserve, (now - before.turn_started_at).total_seconds())
        changes["reserve"] = max(0.0, min(seat.reserve, left))
    return after.with_seat(number, **changes) if changes else after


def _runs_down(before: Snapshot, seat: SeatSnapshot, actor: str) -> bool:
    """Whether the move takes its time from the seat's clock."""
    by_person = actor in (Move.Actor.PLAYER, Move.Actor.STAND_IN)
    return before.speed.timed and by_person and not stands_in(seat)
