"""Transitions of a match: from a snapshot and a request to the next snapshot and the moves to store.

All functions are pure: they read no clock and no database.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from games.catalog import CHANCE, Meaning, Rules
from games.kit import contract
from games.kit.contract import Event, State
from games.kit.language import lazy
from games.models import Match, Move
from games.play.errors import NO_SEAT, AlreadyPlayed, NotAllowed, Refused, StaleMove
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
from games.play.snapshot import (
    LATEST_LIMIT,
    AcceptedClaim,
    MoveEvents,
    SeatSnapshot,
    Snapshot,
    TimeAway,
    has_stand_in,
)
from games.play.versions import Unreadable

NOT_PLAYING = {  # Refusals of moves, by the status of the match.
    Match.Status.OPEN: lazy("This match hasn’t started yet. Come back when it has."),
    Match.Status.OVER: lazy("This match is over. Look at it in the replay."),
    Match.Status.CLOSED: lazy("This table is closed. Choose another one in the lobby."),
}


class PlayedMove(NamedTuple):
    """A move to store, with the fields of games.models.Move."""

    match_id: int
    index: int  # type: ignore[assignment]  # named like the column, though tuples have a method `index`
    seat: int | None
    move: contract.Move
    actor: str
    played_at: datetime


Transition = tuple[Snapshot, list[PlayedMove]]


def advance(before: Snapshot, request: Request, now: datetime) -> Transition:
    """Carry out a request and every deal that is due right after it. Return the new snapshot and the moves to store.

    before: the match as the request finds it, which stays unchanged. request: to play moves, to claim the tricks that
    are left, or to say that a player is ready for the next deal. Raise Refused or IllegalMove; StaleMove if the request
    was made on another position.
    """
    if before.status != Match.Status.PLAYING:
        raise Refused(NOT_PLAYING[Match.Status(before.status)])
    rules = before.rules
    if rules is None or before.obstacle:
        raise Unreadable(before.obstacle)
    if before.paused_until and not before.is_deserted:
        raise Refused(lazy("The table is paused. Press “Resume now” to end the pause."))
    if isinstance(request, ReadyRequest):
        return _mark_ready(before, request, now)
    if isinstance(request, ClaimRequest):
        return _end_deal_by_claim(before, request, now)
    seat = _demand_turn(before, request)
    if seat == CHANCE:  # `_complete` makes the next deal. A claim that ended the latest one is shown no longer.
        no_moves_yet = Progress(before.replace(accepted_claim=None), moves=[], events=[])
        return _complete(before, no_moves_yet, now, show_result=False)
    after, moves, events = _play_moves(before, [(seat, move) for move in request.moves], request.actor, now)
    after = _charge_time(before, after, seat, request.actor, now)
    show_result = _has_meaning(rules, events, Meaning.DEAL_SCORED)
    return _complete(before, Progress(after, moves, events), now, show_result=show_result)


def _play_moves(before: Snapshot, moves: Iterable[tuple[int, contract.Move]], actor: str, now: datetime) -> "Progress":
    """Play moves one after the other. Return the snapshot after them, the moves to store, and their events.

    moves: pairs of a seat and its move. Most requests have one move. More are, say, something to declare together with
    a card, or all moves that are left after a claim. Raise NotAllowed if a seat has a move when it is not its turn.
    """
    after, played_moves, events = before, [], []
    for seat, move in moves:
        if after.to_act != seat:
            raise NotAllowed(lazy("Only the first of these moves is yours. Send one at a time."))
        after, played_move, move_events = _apply(after, seat, move, actor, now)
        played_moves.append(played_move)
        events += move_events
    return Progress(after, played_moves, events)


def fold(rules: Rules, state: State, moves: Iterable[contract.Move]) -> Iterator[tuple[State, contract.Move, State]]:
    """Play moves one after the other, from a state of a match. Yield (state before, move, state after) for each.

    States are immutable: `rules.apply` returns a new one. Raise IllegalMove.
    """
    for move in moves:
        after = rules.apply(state, move)
        yield state, move, after
        state = after


def schedule(
    snapshot: Snapshot, now: datetime, *, show_trick: bool = False, started_at: datetime | None = None
) -> Snapshot:
    """Set `wake_at`, the time when the clock must act at a match. Return the new snapshot.

    The clock is the process that then makes a deal, moves for a bot or for a player whose time is up, or closes a match
    that nobody continues. It acts earlier if the others at the table wait for a player who is away or idle.
    show_trick: begin the turn after a short pause, in which players see the finished trick.
    started_at: when the current turn began; None for a new turn.
    """
    to_act = snapshot.to_act
    assert to_act is not None
    if snapshot.paused_until and not snapshot.is_deserted:  # Nothing happens before the end of the pause.
        return snapshot.replace(wake_at=snapshot.paused_until)
    waiting_since = None if started_at is None else snapshot.away_since
    started_at = started_at or _new_turn_starts_at(snapshot, to_act, now, show_trick=show_trick)
    wake_at = _turn_ends_at(snapshot, to_act, started_at, now)
    snapshot = snapshot.replace(turn_started_at=started_at, wake_at=wake_at, away_since=None)
    others_wait = snapshot.away_seat() or snapshot.asked_until()  # The player is absent, or was asked: "Still here?"
    if not others_wait:
        return snapshot
    snapshot = snapshot.replace(away_since=waiting_since or max(now, started_at))
    stand_in_at = snapshot.stand_in_at()  # When a bot plays for them, perhaps before their own time is up.
    return snapshot.replace(wake_at=min(wake_at, stand_in_at)) if stand_in_at else snapshot


def _new_turn_starts_at(snapshot: Snapshot, to_act: int, now: datetime, *, show_trick: bool) -> datetime:
    """Return when a new turn begins: now, or after a pause that shows the finished trick, or after a vacation."""
    trick_pause = _slowness(snapshot) * TRICK_PAUSE if show_trick else 0
    started_at = now + timedelta(seconds=trick_pause)
    if to_act == CHANCE or not snapshot.speed.is_slow:  # Only at slow tables do vacations stop the clock.
        return started_at
    vacation_until = snapshot.seats[to_act].vacation_until
    return max(started_at, vacation_until) if vacation_until else started_at


def _turn_ends_at(snapshot: Snapshot, to_act: int, started_at: datetime, now: datetime) -> datetime:
    """Return when the clock must act if the seat to act has done nothing since `started_at`.

    to_act: the number of that seat, or CHANCE if the next deal is due. The clock then makes the deal, or a bot plays
    the move.
    """
    if snapshot.is_deserted:  # Bots finish the match without pauses, for the history of the players who left.
        return now
    if to_act == CHANCE:
        return _next_deal_at(snapshot, started_at, now)
    seat = snapshot.seats[to_act]
    if snapshot.bot_plays(seat):
        return started_at + timedelta(seconds=_slowness(snapshot) * BOT_PAUSE)
    if snapshot.speed.is_timed:
        return started_at + timedelta(seconds=snapshot.speed.time_left(seat.reserve))
    # Without a clock, a match that waits for a person for days is closed. For a program, a bot plays soon.
    return started_at + timedelta(seconds=IDLE_LIMIT if seat.is_person else PROGRAM_LIMIT)


def _slowness(snapshot: Snapshot) -> int:
    return SLOWNESS if snapshot.guide or snapshot.terms.slow_bots else 1


def give_time_back(before: Snapshot, gap: TimeAway) -> Snapshot:
    """Give a running match the time back that it lost in an outage of the site. Return the new snapshot.

    gap: the outage. Turns, waits and pauses end that much later. If a person is to act, they have at least
    COME_BACK_LIMIT seconds after it, because browsers need time to reconnect. No time is given back twice, even if
    outages overlap.
    """
    # before.gap is the latest outage whose time this match got back. Only the time after it was lost now.
    lost = gap._replace(began_at=max(gap.began_at, before.gap.ended_at)) if before.gap else gap
    soonest = gap.ended_at + timedelta(seconds=COME_BACK_LIMIT)  # Nobody's time may end before this.
    after = before.replace(gap=gap)
    if before.starts_at:  # An open table with a set start.
        starts_at = max(before.starts_at, soonest)
        return after.replace(starts_at=starts_at, wake_at=starts_at)
    if before.to_act is None:  # An open table, or a match that can't be read.
        return after.replace(wake_at=before.wake_at and max(before.wake_at + _length(lost), soonest))
    lost_by_turn = lost
    if before.paused_at and before.paused_until:  # A pause stops the turn, so the time after its start is the pause's.
        lost_by_turn = lost._replace(ended_at=min(lost.ended_at, before.paused_at))
        lost_by_pause = lost._replace(began_at=max(lost.began_at, before.paused_at))
        after = after.replace(paused_until=max(before.paused_until + _length(lost_by_pause), soonest))
    after = after.replace(
        turn_started_at=_move_by_lost_time(before.turn_started_at, lost_by_turn),
        away_since=_move_by_lost_time(before.away_since, lost_by_turn),
        asked_at=_move_by_lost_time(before.asked_at, lost_by_turn),
        here_at=_move_by_lost_time(before.here_at, lost_by_turn),
    )
    after = schedule(after, gap.ended_at, started_at=after.turn_started_at)
    # Bots and deals need no time to reconnect, and a pause was extended above.
    if not after.waits_for_person() or after.paused_until or after.wake_at is None or after.wake_at >= soonest:
        return after
    assert after.turn_started_at is not None
    missing = soonest - after.wake_at  # The turn would end too soon: let it begin that much later.
    return schedule(after, gap.ended_at, started_at=after.turn_started_at + missing)


def _length(time: TimeAway) -> timedelta:
    return max(timedelta(), time.ended_at - time.began_at)


def _move_by_lost_time(moment: datetime | None, lost: TimeAway) -> datetime | None:
    """Return the start of a turn or wait, moved by the lost time that falls into it."""
    return moment and moment + _length(lost._replace(began_at=max(moment, lost.began_at)))


def _next_deal_at(snapshot: Snapshot, scored_at: datetime, now: datetime) -> datetime:
    """Return when the next deal is made: once all people who look at the latest result have gone on, or after a pause.

    scored_at: since when that result has been shown.
    """
    if snapshot.waits_for_go_ahead():  # The only player asks for the next deal. If they don't, the match is closed.
        return scored_at + timedelta(seconds=IDLE_LIMIT)
    readers = snapshot.readers()  # The people who look at the result.
    if not readers:  # Only bots play, and nobody watches.
        return scored_at + timedelta(seconds=BOT_PAUSE)
    if all(seat.ready for seat in readers):
        return now
    return scored_at + timedelta(seconds=result_pause(snapshot.game))


def _demand_turn(before: Snapshot, request: MoveRequest) -> int:
    """Return the seat to act, or CHANCE for a deal. Raise NotAllowed or StaleMove if the request is not from there."""
    if request.seat is None:  # The user has no seat at this table.
        raise NotAllowed(NO_SEAT)
    _demand_current(before, request)
    to_act = before.to_act
    assert to_act is not None
    if to_act != request.seat:
        if to_act == CHANCE:  # Nobody can play before the next deal.
            raise StaleMove(lazy("Wait a moment: the next cards are about to be dealt."))
        raise NotAllowed(lazy("It’s {name}’s turn. Wait for yours.", name=before.seats[to_act].name))
    _demand_still_playing(before, to_act, request.actor)
    return to_act


def _demand_still_playing(before: Snapshot, number: int, actor: str) -> None:
    """Raise NotAllowed if a player acts who has left the match for good, so that a bot plays in their seat."""
    if actor == Move.Actor.PLAYER and before.seats[number].bot:
        sentences = "You have left this match, and a bot plays in your seat. Choose another table in the lobby."
        raise NotAllowed(lazy(sentences))


def _demand_current(before: Snapshot, request: MoveRequest | ClaimRequest) -> None:
    """Raise StaleMove if the match has changed since the request was made.

    request.seen_count: how many moves the player's page had shown. request.wake_at: only requests of the clock have it.
    """
    if request.seen_count != before.move_count:
        raise StaleMove(lazy("The table has moved on. Look again."))
    # The clock acts because the time `wake_at` has come. If an absent player comes back first, that time changes.
    if request.wake_at is not None and request.wake_at != before.wake_at:
        raise StaleMove(lazy("The player is back, so no vote is needed. Wait for the move."))


def _end_deal_by_claim(before: Snapshot, request: ClaimRequest, now: datetime) -> Transition:
    """Play the rest of a deal at once, because a seat is sure to take all tricks that are left, or none of them.

    request: that claim. It was proven before, so it already has the moves of all seats up to the end of the deal.
    Return the new snapshot and the moves to store.
    """
    _demand_current(before, request)
    _demand_still_playing(before, request.seat, request.actor)
    after, moves, events = _play_moves(before, request.moves, Move.Actor.CLAIMED, now)
    assert before.rules is not None
    assert _has_meaning(before.rules, events, Meaning.DEAL_SCORED)
    if before.to_act == request.seat:  # Otherwise no clock has run for the seat that claims.
        after = _charge_time(before, after, request.seat, request.actor, now)
    after = after.replace(accepted_claim=AcceptedClaim(request.seat, request.kind, request.tricks))
    return _complete(before, Progress(after, moves, events), now, show_result=True)


def _mark_ready(before: Snapshot, request: ReadyRequest, now: datetime) -> Transition:
    """Mark a player as ready for the next deal, while the result of the latest one is shown. The last one starts it.

    Return the new snapshot and the moves to store: the deal, or none while others still look at the result.
    """
    number = before.player_number(request.user_id)
    if number is None:
        raise NotAllowed(NO_SEAT)
    if before.to_act != CHANCE:  # The next deal has been made.
        raise AlreadyPlayed(lazy("The match has gone on. Look at the table again."))
    if before.seats[number].ready:
        raise AlreadyPlayed(lazy("You’re ready. Wait for the others."))
    after = before.with_seat(number, ready=True).replace(revision=before.revision + 1)
    after = schedule(after, now, started_at=before.turn_started_at)  # The deal is due now if all are ready.
    if after.wake_at is None or after.wake_at > now:
        return after, []
    return advance(after, MoveRequest(after.code, CHANCE, None, after.move_count, Move.Actor.CHANCE), now)


class Progress(NamedTuple):
    """The snapshot after some moves, the moves to store, and their events: what each has done, for the pages."""

    snapshot: Snapshot
    moves: list[PlayedMove]
    events: list[Event]


def _complete(before: Snapshot, progress: Progress, now: datetime, *, show_result: bool) -> Transition:
    """Complete a request whose moves have been played: make the deals that are due, then end the match or go on.

    before: the match before the request. progress: the snapshot after these moves, the moves, and their events.
    show_result: a deal was scored, so the next one waits until players have seen the result. Return the new snapshot
    and the moves to store.
    """
    rules = before.rules
    assert rules is not None
    is_between_deals = show_result or not progress.moves  # Without moves, the request is for the next deal.
    # A match of one deal ends with it, also if it is dropped: nobody wanted to play it.
    has_had_its_deal = before.one_deal and (show_result or _has_meaning(rules, progress.events, Meaning.DEAL_DROPPED))
    after, moves, events = progress if show_result or has_had_its_deal else _make_due_deals(progress, now)
    if is_between_deals:  # For each deal, players say again that they are ready, or want a pause.
        after = after.replace(seats=tuple(replace(seat, ready=False, wants_pause=False) for seat in after.seats))
    after = after.replace(revision=before.revision + 1)
    is_over = has_had_its_deal or after.to_act is None
    if is_over or (after.guide and show_result):  # A guide ends with its only deal, and is no finished match.
        status = Match.Status.CLOSED if after.guide else Match.Status.OVER
        return after.replace(status=str(status), wake_at=None, turn_started_at=None, away_since=None), moves
    return schedule(after, now, show_trick=_has_meaning(rules, events, Meaning.TRICK_FINISHED)), moves


def _make_due_deals(progress: Progress, now: datetime) -> Progress:
    """Make deals as long as a deal is next in the match, usually one or none. Return the progress with them."""
    after, moves, events = progress
    while after.to_act == CHANCE:
        after, deal, deal_events = _apply(after, CHANCE, _next_deal(after), Move.Actor.CHANCE, now)
        moves = [*moves, deal]
        events = [*events, *deal_events]
    return Progress(after, moves, events)


def _has_meaning(rules: Rules, events: list[Event], meaning: Meaning) -> bool:
    """Return whether any of the events has a meaning that all games share, such as a finished trick."""
    return any(rules.meaning(event) is meaning for event in events)


def _apply(
    snapshot: Snapshot, seat: int, move: contract.Move, actor: str, now: datetime
) -> tuple[Snapshot, PlayedMove, list[Event]]:
    """Play one move of a match. Return the snapshot after it, the move to store, and its events. Raise IllegalMove.

    seat: CHANCE for a deal. actor: who plays for the seat, such as the player or a bot that stands in. The events say
    what the move has done, such as finishing a trick, so that pages can show it.
    """
    is_deal = seat == CHANCE
    stored_seat = None if is_deal else seat
    played_move = PlayedMove(snapshot.pk, snapshot.move_count, stored_seat, move, actor, now)
    rules = snapshot.rules
    assert rules is not None
    state = rules.apply(snapshot.state, move)
    events = list(rules.events(snapshot.state, move, state))
    latest_moves = (*snapshot.latest_moves, MoveEvents(stored_seat, tuple(events)))
    after = snapshot.replace(
        state=state,
        move_count=snapshot.move_count + 1,
        deal_count=snapshot.deal_count + is_deal,
        latest_moves=latest_moves[-LATEST_LIMIT:],
    )
    return after, played_move, events


def _next_deal(snapshot: Snapshot) -> contract.Move:
    """Return the match's next deal as a move, with the cards shuffled by the seed of the match."""
    assert snapshot.rules is not None
    pack = snapshot.rules.deck(snapshot.state)  # All cards, in a fixed order.
    return {"type": "deal", "deck": snapshot.shuffles.deck(pack, snapshot.deal_count + 1)}


def _charge_time(before: Snapshot, after: Snapshot, number: int, actor: str, now: datetime) -> Snapshot:
    """Charge a move to its seat: take the time over its limit from the reserve, or count a turn that a bot had to play.

    before, after: the match before and after the move. number: of the seat. actor: who played for it. reserve: seconds
    that a player may use in the whole match, besides those for each move. Return `after` with these changes.
    """
    seat = before.seats[number]
    changes: dict[str, float] = {}
    if actor == Move.Actor.STAND_IN:
        # From STAND_IN_AFTER missed turns on, the stand-in keeps the seat until the player is back. If others have
        # waited in vain for that player, one turn is enough.
        missed = max(seat.missed_turns + 1, STAND_IN_AFTER if before.away_since else 0)
        changes["missed_turns"] = min(missed, 1000)  # It is stored as a small integer.
    elif actor == Move.Actor.PLAYER and seat.missed_turns:
        changes["missed_turns"] = 0
    if _uses_clock(before, seat, actor):
        assert before.turn_started_at is not None
        # A quick move saves no time for later ones: the reserve never grows.
        left = before.speed.time_left(seat.reserve, (now - before.turn_started_at).total_seconds())
        changes["reserve"] = max(0.0, min(seat.reserve, left))
    return after.with_seat(number, **changes) if changes else after


def _uses_clock(before: Snapshot, seat: SeatSnapshot, actor: str) -> bool:
    """Return whether a move is charged to the seat's clock."""
    by_person = actor in (Move.Actor.PLAYER, Move.Actor.STAND_IN)  # A stand-in moves when the player's time is up.
    return before.speed.is_timed and by_person and not has_stand_in(seat)
