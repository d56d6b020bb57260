"""What the host of an open table may arrange: invitations, sides, and the time of the start."""

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import User
from accounts.people.blocks import has_blocked
from accounts.sanctions import why_suspended
from games.kit.language import lazy
from games.models import Invitation, Match, Seat
from games.play.access import is_member
from games.play.changes import locked, save_change
from games.play.errors import NotAllowed, Refused, StaleMove
from games.play.pace import OPEN_LIMIT, SCHEDULE_LIMIT, SLOW_OPEN_LIMIT, SPEEDS
from games.play.seating import demand_free_seat, demand_host, demand_waiting, fill_with_bots, free_team, move_bot_away
from games.play.snapshot import Snapshot
from games.play.starting import start_if_full
from games.play.versions import rules_of

SOONEST = timedelta(minutes=1)  # A start must be set at least this far ahead.

# Invitations: the host keeps seats for people, who take them or decline.


def invite(user: User, code: str, invited: User, *, team: int | None = None) -> Snapshot:
    """Invite a user to a table, as its host `user` may: keep a free seat for them. Raise Refused.

    team: the side to keep a seat on, 0 or 1; None for either. Users who have declined can't be invited again, but those
    whom the host has removed from the table can. If `invited` has blocked the host, they don't see the invitation, and
    the host does not learn of it.
    """
    with locked(code) as match:
        demand_waiting(match)
        demand_host(match, user)
        if why := why_suspended(user.pk):
            raise NotAllowed(why)
        if invited.is_program or not invited.is_active:
            raise Refused(lazy("Bots can’t be invited. Choose a person."))
        if match.club_id and not is_member(invited.pk, match.club_id):
            raise Refused(lazy("{name} isn’t a member of the club. Invite them to the club first.", name=invited))
        if match.seats.filter(user=invited).exists():
            raise Refused(lazy("{name} is already at this table. Choose somebody else.", name=invited))
        if has_blocked(user.pk, [invited.pk]):
            raise Refused(lazy("You have blocked {name}. Unblock them first.", name=invited))
        invitation = match.invitations.filter(user=invited).first()
        if invitation and invitation.declined_at:
            raise Refused(lazy("{name} has declined. They can still come by the link.", name=invited))
        if match.seat_count not in rules_of(match).partners_at:
            team = None  # There are no partners.
        if invitation is None:
            move_bot_away(match, team, invited)
            demand_free_seat(match, team=team)
            Invitation.objects.create(match=match, user=invited, team=team)
        match.removed = [key for key in match.removed if key != invited.pk]  # They may sit down again.
        match.save(update_fields=["removed"])
        return save_change(match)


def cancel_invitation(user: User, code: str, invited_id: int) -> Snapshot:
    """Stop keeping a seat for an invited user, given by primary key."""
    with locked(code) as match:
        demand_waiting(match)
        demand_host(match, user)
        match.invitations.filter(user=invited_id, declined_at=None).delete()
        return save_change(match)


def decline(user: User, code: str) -> Snapshot:
    """Decline an invitation, which frees the seat for anybody."""
    with locked(code) as match:
        if not match.invitations.filter(user=user, declined_at=None).update(declined_at=timezone.now()):
            raise Refused(lazy("You aren’t invited to this table any more. Ask the host to invite you again."))
        return save_change(match)


# Sides: the host moves players to the other side. Their tables show them that it was the host.


def move_across(user: User, code: str, seat_key: int) -> Snapshot:
    """Move the player of a seat to a free seat on the other side, as the host may. Raise Refused if none is free there.

    seat_key: the primary key of the seat. There are two sides in games with partners.
    """
    with locked(code) as match:
        (seat,) = _seats_to_arrange(match, user, seat_key)
        others = match.seats.exclude(pk=seat.pk)
        _set_side(match, seat, free_team(match, others, _other_side(seat), user=seat.user))
        return save_change(match)


def swap_sides(user: User, code: str, seat_key: int, other_key: int) -> Snapshot:
    """Swap two players on different sides, given by the primary keys of their seats."""
    with locked(code) as match:
        seat, other = _seats_to_arrange(match, user, seat_key, other_key)
        if seat.team == other.team:
            raise Refused(lazy("They are partners already. Choose players of different sides."))
        for swapped in (seat, other):
            _set_side(match, swapped, _other_side(swapped))
        return save_change(match)


def _seats_to_arrange(match: Match, user: User, *keys: int) -> list[Seat]:
    """Return the seats with these primary keys, in this order. Raise Refused unless the host may arrange them now."""
    demand_waiting(match)
    demand_host(match, user)
    if match.seat_count not in rules_of(match).partners_at:
        sentence = "Seats at this table are drawn at random, so there is nothing to arrange. Wait for the start."
        raise Refused(lazy(sentence))
    seats = {seat.pk: seat for seat in match.seats.select_related("user").filter(pk__in=keys)}
    if len(seats) < len(keys):
        raise Refused(lazy("Somebody has left. See who is still at the table."))
    return [seats[key] for key in keys]


def _other_side(seat: Seat) -> int:
    assert seat.team is not None
    return 1 - seat.team


def _set_side(match: Match, seat: Seat, team: int | None) -> None:
    """Store the new side of a seat, and that the host has moved its player."""
    seat.team = team
    seat.moved_by_host = seat.user_id is not None and seat.user_id != match.host_id
    seat.save(update_fields=["team", "moved_by_host"])


# A set start, at which bots may take the free seats.


def set_start(user: User, code: str, starts_at: datetime | None, *, fills_with_bots: bool = False) -> Snapshot:
    """Set the time when a table starts, as its host may. Without one (None), a table starts as soon as it is full.

    fills_with_bots: bots take the seats that are free at that time. Raise Refused.
    """
    with locked(code) as match:
        demand_waiting(match)
        demand_host(match, user)
        now = timezone.now()
        latest = now + timedelta(seconds=SCHEDULE_LIMIT)
        if starts_at is not None and not now + SOONEST <= starts_at <= latest:
            days = SCHEDULE_LIMIT // (24 * 3600)
            raise Refused(lazy("Choose a time that is still to come, and within the next {days} days.", days=days))
        match.starts_at = starts_at
        match.fills_with_bots = fills_with_bots and not match.rated  # Only people play rated matches.
        match.wake_at = starts_at or _closes_at(match, now)  # When the clock must act at this table.
        match.save(update_fields=["fills_with_bots"])
        return start_if_full(match)


def start_on_time(code: str) -> Snapshot:
    """Start a table whose set time has come, if it is full, or if bots may fill it and somebody is present.

    Otherwise it waits on as if no time had been set. Raise StaleMove if it has started, or its time has not come.
    """
    with locked(code) as match:
        now = timezone.now()
        if match.status != Match.Status.OPEN or match.starts_at is None or match.starts_at > now:
            raise StaleMove(lazy("This match has already started, or starts later."))
        match.starts_at = None
        match.wake_at = _closes_at(match, now)
        is_attended = match.seats.filter(connected=True, user__is_program=False).exists()
        # At slow tables, players have days for each move. So they need not be there.
        if match.fills_with_bots and (is_attended or SPEEDS[match.speed].is_slow):
            fill_with_bots(match)
        return start_if_full(match)


def _closes_at(match: Match, now: datetime) -> datetime:
    """Return when the table is closed if nobody starts it."""
    return now + timedelta(seconds=SLOW_OPEN_LIMIT if SPEEDS[match.speed].is_slow else OPEN_LIMIT)
