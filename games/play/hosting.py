"""What the host of an open table arranges before it starts: invitations, sides, and the time of the start."""

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import User
from accounts.people.blocks import has_blocked
from accounts.sanctions import why_suspended
from games.kit.language import lazy
from games.models import Invitation, Match, Seat
from games.play.changes import locked, save_change
from games.play.company import is_member
from games.play.errors import NotAllowed, Refused, StaleMove
from games.play.pace import OPEN_LIMIT, SCHEDULE_LIMIT, SLOW_OPEN_LIMIT, SPEEDS
from games.play.seating import demand_free_seat, demand_host, demand_waiting, fill_with_bots, free_team
from games.play.snapshot import Snapshot
from games.play.starting import start_if_full
from games.play.versions import rules_of

SOONEST = timedelta(minutes=1)  # from now on to a set start

# Invitations: the host keeps seats for people, who take them or decline.


def invite(user: User, code: str, invited: User, *, team: int | None = None) -> Snapshot:
    """The host keeps a free seat for `invited`, who may have been removed before. Raises Refused.

    team: the side where partners play, 0 or 1; None for either. Who has declined is not asked again. Of a block by
    `invited` nobody is told: they don't see the invitation.
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
        sent = match.invitations.filter(user=invited).first()
        if sent and sent.declined_at:
            raise Refused(lazy("{name} has declined. They can still come by the link.", name=invited))
        if match.seat_count not in rules_of(match).partners_at:
            team = None  # nobody has a partner
        if sent is None:
            demand_free_seat(match, team=team)
            Invitation.objects.create(match=match, user=invited, team=team)
        match.removed = [key for key in match.removed if key != invited.pk]
        match.save(update_fields=["removed"])
        return save_change(match)


def take_back(user: User, code: str, invited_id: int) -> Snapshot:
    """The host no longer keeps a seat for the user of this key."""
    with locked(code) as match:
        demand_waiting(match)
        demand_host(match, user)
        match.invitations.filter(user=invited_id, declined_at=None).delete()
        return save_change(match)


def decline(user: User, code: str) -> Snapshot:
    """Who is invited won't come: the seat is for anybody again."""
    with locked(code) as match:
        if not match.invitations.filter(user=user, declined_at=None).update(declined_at=timezone.now()):
            raise Refused(lazy("You aren’t invited to this table any more. Ask the host to invite you again."))
        return save_change(match)


# Sides: players are put on the other one, and told so.


def move_across(user: User, code: str, seat: int) -> Snapshot:
    """The host puts whoever has this seat, by its primary key, on the other side, where a seat is free."""
    with locked(code) as match:
        (moved,) = _to_arrange(match, user, seat)
        others = match.seats.exclude(pk=moved.pk)
        _put(match, moved, free_team(match, others, _other_side(moved), user=moved.user))
        return save_change(match)


def change_sides(user: User, code: str, seat: int, other: int) -> Snapshot:
    """The host lets two who sit on different sides, by their seats' primary keys, take each other's place."""
    with locked(code) as match:
        one, another = _to_arrange(match, user, seat, other)
        if one.team == another.team:
            raise Refused(lazy("They are partners already. Choose players of different sides."))
        for moved in (one, another):
            _put(match, moved, _other_side(moved))
        return save_change(match)


def _to_arrange(match: Match, user: User, *keys: int) -> list[Seat]:
    """The seats of these keys, in their order. Raises Refused unless the host may arrange them now."""
    demand_waiting(match)
    demand_host(match, user)
    if match.seat_count not in rules_of(match).partners_at:
        raise Refused(lazy("Seats at this table are drawn at random, so there is nothing to arrange."))
    seats = {seat.pk: seat for seat in match.seats.select_related("user").filter(pk__in=keys)}
    if len(seats) < len(keys):
        raise Refused(lazy("Somebody has left. See who is still at the table."))
    return [seats[key] for key in keys]


def _other_side(seat: Seat) -> int:
    assert seat.team is not None
    return 1 - seat.team


def _put(match: Match, seat: Seat, team: int | None) -> None:
    seat.team = team
    seat.moved_by_host = seat.user_id is not None and seat.user_id != match.host_id
    seat.save(update_fields=["team", "moved_by_host"])


# A set start: bots may then take the seats that are free.


def set_start(user: User, code: str, starts_at: datetime | None, *, fills_with_bots: bool = False) -> Snapshot:
    """The host sets the time at which a table starts; None for none, and then a full one starts at once.

    fills_with_bots: bots take the seats that are free at that time. Raises Refused.
    """
    with locked(code) as match:
        demand_waiting(match)
        demand_host(match, user)
        now = timezone.now()
        if starts_at is not None and not now + SOONEST <= starts_at <= now + timedelta(seconds=SCHEDULE_LIMIT):
            days = SCHEDULE_LIMIT // (24 * 3600)
            raise Refused(lazy("Choose a time that is still to come, and within the next {days} days.", days=days))
        match.starts_at = starts_at
        match.fills_with_bots = fills_with_bots and not match.rated  # there only people play
        match.wake_at = starts_at or _closed_at(match, now)
        match.save(update_fields=["fills_with_bots"])
        return start_if_full(match)


def start_on_time(code: str) -> Snapshot:
    """The time has come: a full table starts, and one that bots may fill if somebody is there.

    Any other waits as if no time had been set. Raises StaleMove where nothing is to be started.
    """
    with locked(code) as match:
        now = timezone.now()
        if match.status != Match.Status.OPEN or match.starts_at is None or match.starts_at > now:
            raise StaleMove(lazy("This match has already started, or starts later."))
        match.starts_at = None
        match.wake_at = _closed_at(match, now)
        somebody = match.seats.filter(connected=True, user__is_program=False).exists()
        if match.fills_with_bots and (somebody or SPEEDS[match.speed].slow):
            fill_with_bots(match)
        return start_if_full(match)


def _closed_at(match: Match, now: datetime) -> datetime:
    """When a table that nobody starts is closed."""
    return now + timedelta(seconds=SLOW_OPEN_LIMIT if SPEEDS[match.speed].slow else OPEN_LIMIT)
