"""Before the start: the host puts players on the other side, or lets two change sides, and they are told."""

from accounts.models import User
from games.kit.language import lazily
from games.models import Match, Seat
from games.play.changes import locked, save_change
from games.play.errors import Refused
from games.play.seating import demand_host, demand_waiting, free_team
from games.play.snapshot import Snapshot
from games.play.versions import rules_of


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
            raise Refused(lazily("They are on the same side already."))
        for moved in (one, another):
            _put(match, moved, _other_side(moved))
        return save_change(match)


def _to_arrange(match: Match, user: User, *keys: int) -> list[Seat]:
    """The seats of these keys, in their order. Raises Refused unless the host may arrange them now."""
    demand_waiting(match)
    demand_host(match, user)
    if match.seat_count not in rules_of(match).partners_at:
        raise Refused(lazily("Nobody has a partner at this table, and who sits where is drawn at random."))
    seats = {seat.pk: seat for seat in match.seats.select_related("user").filter(pk__in=keys)}
    if len(seats) < len(keys):
        raise Refused(lazily("Somebody has left. See who is still at the table."))
    return [seats[key] for key in keys]


def _other_side(seat: Seat) -> int:
    assert seat.team is not None
    return 1 - seat.team


def _put(match: Match, seat: Seat, team: int | None) -> None:
    seat.team = team
    seat.moved_by_host = seat.user_id is not None and seat.user_id != match.host_id
    seat.save(update_fields=["team", "moved_by_host"])
