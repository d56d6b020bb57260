"""Waiting at the table: votes for a stand-in, questions to idle players, and pauses.

Every function locks the match's row, so that concurrent votes are all counted.
"""

from datetime import timedelta

from django.utils import timezone

from games.kit.language import Lazy, lazy
from games.kit.words import span
from games.models import Match
from games.play.changes import locked, save_change
from games.play.errors import NO_SEAT, AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.pace import PAUSE_LIMIT
from games.play.snapshot import SeatSnapshot, Snapshot, has_stand_in
from games.play.store import snapshot_of
from games.play.transition import NOT_PLAYING
from games.play.versions import demand_playable


def vote_for_stand_in(user_id: int | None, code: str, seen_count: int | None) -> Snapshot:
    """Vote for a bot to play soon for the player to act, who is away. Over half of the players who wait decide.

    user_id: of the voter. seen_count: how many moves the voter's page has shown, so that the vote counts only for that
    turn. Return the new snapshot. Raise Refused.
    """
    with locked(code) as match:
        snapshot, voter = _read_table(match, user_id)
        if seen_count != snapshot.move_count:
            raise StaleMove(lazy("The table has moved on. Look again."))
        if snapshot.paused_until:
            raise Refused(lazy("The table is paused. Press “Resume now” to end the pause."))
        away_seat = snapshot.away_seat()
        if away_seat is None:
            raise Refused(lazy("The player to move isn’t away, so no vote is needed. Wait for the move."))
        if voter not in snapshot.waiting_for(away_seat):
            raise NotAllowed(lazy("Only players at the table can vote. Open the table first."))
        if voter.voted_at == seen_count:  # Votes are stored with the number of moves, so old ones do not count.
            raise AlreadyPlayed(lazy("You have already voted. Wait for the others."))
        match.seats.filter(pk=voter.pk).update(voted_at=seen_count)
        return save_change(match, reschedule=True)


def ask_if_present(user_id: int | None, code: str, seen_count: int | None) -> Snapshot:
    """Ask whether the player to act still plays, who is present but idle. Return the new snapshot. Raise Refused.

    Once all other players present have asked, at least two, the table shows the question to the player. If they neither
    answer nor move within ANSWER_LIMIT seconds, a bot plays for them until they take over. seen_count: how many moves
    the page of the user who asks has shown, so that they ask only about this turn.
    """
    with locked(code) as match:
        snapshot, asking = _read_table(match, user_id)
        if seen_count != snapshot.move_count:
            raise StaleMove(lazy("The table has moved on. Look again."))
        if snapshot.asked_until():
            raise AlreadyPlayed(lazy("They have been asked already. Give them a moment."))
        idle_seat = snapshot.idle_seat()
        allowed_at = snapshot.may_be_asked_at(idle_seat)
        if idle_seat is None or allowed_at is None:
            raise Refused(lazy("You can ask this at a table without a clock, when at least two of you are waiting."))
        waiting = snapshot.waiting_for(idle_seat)
        if asking not in waiting:
            raise NotAllowed(lazy("Only players who wait at the table can ask. Open the table first."))
        if (left := (allowed_at - timezone.now()).total_seconds()) > 0:
            sentences = "{name} may think for a while. You can ask in {span}."
            raise Refused(lazy(sentences, name=idle_seat.name, span=Lazy(span, left)))
        if asking.asks_at == seen_count:
            raise AlreadyPlayed(lazy("You have asked already. Wait until the others ask, too."))
        match.seats.filter(pk=asking.pk).update(asks_at=seen_count)
        if all(seat.asks_at == seen_count or seat == asking for seat in waiting):  # Now all of them have asked.
            match.asked_at = timezone.now()
        return save_change(match, reschedule=True)


def confirm_presence(user_id: int | None, code: str) -> Snapshot:
    """Answer that the idle player still plays, so that nobody asks again for a while. Return the new snapshot."""
    with locked(code) as match:
        snapshot, player = _read_table(match, user_id)
        if not snapshot.asked_until() or player.number != snapshot.to_act:
            raise AlreadyPlayed(lazy("Nobody asks you any more. Play on."))
        match.seats.update(asks_at=None)
        match.asked_at, match.here_at = None, timezone.now()
        return save_change(match, reschedule=True)


def ask_for_pause(user_id: int | None, code: str) -> Snapshot:
    """Ask for a pause of the match, or agree to one. It begins once all players present want it. Raise Refused.

    A player may be the first to ask only once in each deal. So nobody can pester a table, and players cannot pause it
    again and again while others are away. Return the new snapshot.
    """
    with locked(code) as match:
        snapshot, asking = _read_table(match, user_id)
        if snapshot.paused_until:
            raise AlreadyPlayed(lazy("The table is already paused. Press “Resume now” to go on."))
        if not snapshot.may_pause():
            raise Refused(lazy("There is no clock here, so you don’t need a pause. Take your time."))
        if has_stand_in(asking):
            raise Refused(lazy("A bot is playing for you. Take over first."))
        if not asking.is_present:
            raise NotAllowed(lazy("Only players at the table can ask for a pause. Open the table first."))
        if asking.wants_pause:
            raise AlreadyPlayed(lazy("You have asked for a pause. Wait for the others to agree."))
        if not any(seat.wants_pause for seat in snapshot.seats):  # This player is the first to ask.
            if asking.pause_asked_at == snapshot.deal_count:
                raise Refused(lazy("You have asked for a pause already. Ask again after the next cards are dealt."))
            match.seats.filter(pk=asking.pk).update(pause_asked_at=snapshot.deal_count)
        match.seats.filter(pk=asking.pk).update(wants_pause=True)
        begin_pause_if_agreed(match)
        return save_change(match, reschedule=True)


def begin_pause_if_agreed(match: Match) -> None:
    """Begin a pause if all players present want it. Call it within `locked` and save the match afterwards."""
    seats = snapshot_of(match, match.seats.select_related("user")).seats
    wishes = [seat.wants_pause for seat in seats if seat.is_present]
    if wishes and all(wishes) and not match.paused_until and match.status == Match.Status.PLAYING:
        match.seats.update(wants_pause=False)
        match.paused_at = timezone.now()
        match.paused_until = match.paused_at + timedelta(seconds=PAUSE_LIMIT)


def end_pause(user_id: int | None, code: str) -> Snapshot:
    """End a pause, as any player may; before it has begun, take back the wish for it. Return the new snapshot."""
    with locked(code) as match:
        snapshot, player = _read_table(match, user_id)
        if snapshot.paused_until:
            return _end_pause(match)
        if not player.wants_pause:
            raise AlreadyPlayed(lazy("The table isn’t paused. Play on."))
        match.seats.filter(pk=player.pk).update(wants_pause=False)
        return save_change(match)


def end_pause_if_due(snapshot: Snapshot) -> None:
    """End a pause whose time is up, unless the match has changed since the snapshot."""
    with locked(snapshot.code) as match:
        if match.revision == snapshot.revision and match.paused_until:
            _end_pause(match)


def _end_pause(match: Match) -> Snapshot:
    """End a pause and continue the match. The turn and waits start that much later, as if clocks had stood still."""
    assert match.paused_at is not None
    lasted = timezone.now() - match.paused_at
    for name in ("turn_started_at", "away_since"):
        if began := getattr(match, name):
            setattr(match, name, began + lasted)
    match.paused_at = match.paused_until = None
    match.save(update_fields=["turn_started_at", "away_since"])
    return save_change(match, reschedule=True)


def _read_table(match: Match, user_id: int | None) -> tuple[Snapshot, SeatSnapshot]:
    """Return the snapshot of a match in progress and the user's seat there. Raise Refused if there is none."""
    demand_playable(match)
    snapshot = snapshot_of(match, match.seats.select_related("user"))
    if snapshot.player_number(user_id) is None:
        raise NotAllowed(NO_SEAT)
    if snapshot.status != Match.Status.PLAYING:
        raise Refused(NOT_PLAYING[Match.Status(snapshot.status)])
    seat = snapshot.seat_of(user_id)
    assert seat is not None
    return snapshot, seat
