"""Nobody waits in vain: those who are there vote that a bot plays for who is away, or agree to a pause.

Each act holds the match's row, so that of two processes the second sees what the first has done.
"""

from datetime import timedelta

from django.utils import timezone

from games.kit.language import Lazy, lazy
from games.kit.words import span
from games.models import Match
from games.play.changes import locked, save_change
from games.play.errors import AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.pace import PAUSE_LIMIT
from games.play.snapshot import SeatSnapshot, Snapshot, stands_in
from games.play.store import snapshot_of
from games.play.transition import STANDS_STILL
from games.play.versions import demand_playable


def vote_for_stand_in(user_id: int | None, code: str, seen: int | None) -> Snapshot:
    """Vote that a bot plays at once for who is away and whose turn it is. Over half of those who are there decide.

    seen: how many moves the voter has seen, so that a vote counts for no other turn. Returns the Snapshot. Raises
    Refused.
    """
    with locked(code) as match:
        snapshot, voter = _table(match, user_id)
        if seen != snapshot.move_count:
            raise StaleMove(lazy("The table has moved on. Look again."))
        if snapshot.paused_until:
            raise Refused(lazy("The table is paused. Press “Resume now” to end the pause."))
        away = snapshot.away()
        if away is None:
            raise Refused(lazy("The player to move isn’t away, so no vote is needed."))
        if voter not in snapshot.voters(away):
            raise NotAllowed(lazy("Only players at the table can vote."))
        if voter.voted_at == seen:
            raise AlreadyPlayed(lazy("You have already voted. Wait for the others."))
        match.seats.filter(pk=voter.pk).update(voted_at=seen)
        return save_change(match, reschedule=True)


def ask_whether_there(user_id: int | None, code: str, seen: int | None) -> Snapshot:
    """Ask whether who is to act, has no clock and is there still plays. Returns the Snapshot. Raises Refused.

    Once all others who are there have asked, two or more of them, the player is told so and has a minute to answer or
    to move; else a bot plays for them until they take over. seen: as for a vote.
    """
    with locked(code) as match:
        snapshot, asking = _table(match, user_id)
        if seen != snapshot.move_count:
            raise StaleMove(lazy("The table has moved on. Look again."))
        if snapshot.asked_until():
            raise AlreadyPlayed(lazy("They have been asked already. Give them a moment."))
        idle = snapshot.idle()
        moment = snapshot.may_be_asked_at(idle)
        if idle is None or moment is None:
            raise Refused(lazy("You can ask this at a table without a clock, when at least two of you are waiting."))
        others = snapshot.voters(idle)
        if asking not in others:
            raise NotAllowed(lazy("Only players who wait at the table can ask."))
        if (left := (moment - timezone.now()).total_seconds()) > 0:
            raise Refused(
                lazy("{name} may think for a while. You can ask in {span}.", name=idle.name, span=Lazy(span, left))
            )
        if asking.asks_at == seen:
            raise AlreadyPlayed(lazy("You have asked already. Wait until the others ask, too."))
        match.seats.filter(pk=asking.pk).update(asks_at=seen)
        if all(seat.asks_at == seen or seat == asking for seat in others):
            match.asked_at = timezone.now()
        return save_change(match, reschedule=True)


def say_here(user_id: int | None, code: str) -> Snapshot:
    """Who was asked whether they still play does: nobody asks again for a while. Returns the Snapshot."""
    with locked(code) as match:
        snapshot, player = _table(match, user_id)
        if not snapshot.asked_until() or player.number != snapshot.to_act:
            raise AlreadyPlayed(lazy("Nobody asks you any more. Play on."))
        match.seats.update(asks_at=None)
        match.asked_at, match.here_at = None, timezone.now()
        return save_change(match, reschedule=True)


def ask_for_pause(user_id: int | None, code: str) -> Snapshot:
    """Ask for a pause, or agree to one: it begins when everybody who is there wants it. Returns the Snapshot.

    Nobody is the first to ask twice in one deal, so a table is neither asked again and again, nor held up for long by
    those who are there while others are away. Raises Refused.
    """
    with locked(code) as match:
        snapshot, asking = _table(match, user_id)
        if snapshot.paused_until:
            raise AlreadyPlayed(lazy("The table is already paused. Press “Resume now” to go on."))
        if not snapshot.may_pause():
            raise Refused(lazy("There is no clock here, so you don’t need a pause."))
        if stands_in(asking):
            raise Refused(lazy("A bot is playing for you. Take over first."))
        if not asking.is_there:
            raise NotAllowed(lazy("Only players at the table can ask for a pause."))
        if asking.wants_pause:
            raise AlreadyPlayed(lazy("You have asked for a pause. Wait for the others to agree."))
        if not any(seat.wants_pause for seat in snapshot.seats):  # they are the first, and nobody agrees
            if asking.pause_asked_at == snapshot.deal_count:
                raise Refused(lazy("You have asked for a pause already. Ask again after the next cards are dealt."))
            match.seats.filter(pk=asking.pk).update(pause_asked_at=snapshot.deal_count)
        match.seats.filter(pk=asking.pk).update(wants_pause=True)
        begin_pause_if_agreed(match)
        return save_change(match, reschedule=True)


def begin_pause_if_agreed(match: Match) -> None:
    """Begin a pause if there are people at the table and all of them want it. Call it within `locked`, then save."""
    seats = snapshot_of(match, match.seats.select_related("user")).seats
    wishes = [seat.wants_pause for seat in seats if seat.is_there]
    if wishes and all(wishes) and not match.paused_until and match.status == Match.Status.PLAYING:
        match.seats.update(wants_pause=False)
        match.paused_at = timezone.now()
        match.paused_until = match.paused_at + timedelta(seconds=PAUSE_LIMIT)


def go_on(user_id: int | None, code: str) -> Snapshot:
    """End the pause, as any player may; before it has begun, no longer ask for it. Returns the Snapshot."""
    with locked(code) as match:
        snapshot, player = _table(match, user_id)
        if snapshot.paused_until:
            return _end_pause(match)
        if not player.wants_pause:
            raise AlreadyPlayed(lazy("The table isn’t paused. Play on."))
        match.seats.filter(pk=player.pk).update(wants_pause=False)
        return save_change(match)


def end_pause_if_due(snapshot: Snapshot) -> None:
    """End a pause whose time is up, unless the match has changed since this snapshot of it."""
    with locked(snapshot.code) as match:
        if match.revision == snapshot.revision and match.paused_until:
            _end_pause(match)


def _end_pause(match: Match) -> Snapshot:
    """Go on where the match stood: clocks have stood still."""
    assert match.paused_at is not None
    lasted = timezone.now() - match.paused_at
    for name in ("turn_started_at", "away_since"):
        if began := getattr(match, name):
            setattr(match, name, began + lasted)
    match.paused_at = match.paused_until = None
    match.save(update_fields=["turn_started_at", "away_since"])
    return save_change(match, reschedule=True)


def _table(match: Match, user_id: int | None) -> tuple[Snapshot, SeatSnapshot]:
    """The match as it is now, and the seat of who acts at it. Raises Refused where there is nothing to act at."""
    demand_playable(match)
    snapshot = snapshot_of(match, match.seats.select_related("user"))
    if snapshot.player_number(user_id) is None:
        raise NotAllowed(lazy("You have no seat at this table, so you can only watch."))
    if snapshot.status != Match.Status.PLAYING:
        raise Refused(STANDS_STILL[Match.Status(snapshot.status)])
    seat = snapshot.seat_of(user_id)
    assert seat is not None
    return snapshot, seat
