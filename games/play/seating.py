"""Who sits at a table: sitting down and standing up, bots, leaving for good."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Program, User
from accounts.names import skeleton
from accounts.programs import usable_programs
from games.catalog import (
    SENSIBLE,
    levels_of,
    usual_bot,
)
from games.kit import shuffle
from games.models import Match, Move, Seat
from games.play import memory, store
from games.play.changes import close, locked, save_change
from games.play.errors import NotAllowed, Refused
from games.play.snapshot import Snapshot
from games.play.starting import start_if_full
from games.play.versions import demand_playable, rules_of

BOT_NAMES = ("Ada", "Basil", "Cleo", "Dorian", "Edda", "Felix", "Greta", "Hugo")


def sit_down(user: User, code: str, *, entropy_hash: str = "", form_key: str = "", team: int | None = None) -> Snapshot:
    """Give `user` a free seat at an open table; a full table starts.

    team: the side to be on where partners play, 0 or 1; None for either. Sitting down twice changes nothing but that.
    entropy_hash, form_key: as for `open_table`.
    """
    with locked(code) as match:
        seat = match.seats.filter(user=user).first()
        if seat and (team in (None, seat.team) or match.status != Match.Status.OPEN or match.full_at):
            return store.read(code, lock=True)
        _demand_open(match)
        if seat:
            seat.team = _free_team(match, match.seats.exclude(pk=seat.pk), team)
            seat.save(update_fields=["team"])
            return save_change(match)
        if user.pk in match.removed:
            raise Refused("The host has removed you from this table.")
        _demand_free_seat(match)
        take_place(match, user=user, entropy_hash=entropy_hash, form_key=form_key, team=team)
        return start_if_full(match)


def stand_up(user: User, code: str) -> Snapshot:
    """Free the user's seat, and those of their programs, at a table that has not started.

    The next person becomes its host; without one it closes.
    """
    with locked(code) as match:
        _demand_open(match)
        if match.full_at:
            raise Refused("All seats are taken, and the match is about to start.")
        if not match.seats.filter(user=user).delete()[0]:
            raise NotAllowed("You have no seat at this table.")
        match.seats.filter(user__program__owner=user).delete()
        people = match.seats.filter(user__is_program=False).order_by("place")
        if not people:
            return close(match)
        if match.host_id == user.pk:
            match.host = people[0].user
        return save_change(match)


def free_seat(user: User, code: str, seat: int) -> Snapshot:
    """The host frees a seat before the match starts. Whoever sat there is told so, and can't sit down here again.

    seat: its primary key, so that nobody is met who has sat down there since.
    """
    with locked(code) as match:
        _demand_open(match)
        _demand_host(match, user)
        if match.full_at:
            raise Refused("All seats are taken, and the match is about to start.")
        freed = match.seats.filter(pk=seat).first()
        if freed is None:
            raise Refused("That seat is already free.")
        if freed.user_id == user.pk:
            raise Refused("That is your own seat. To free it, leave the table.")
        if freed.user_id and not freed.user.is_program:
            match.removed = [*match.removed, freed.user_id]
            match.save(update_fields=["removed"])
        freed.delete()
        return save_change(match)


def seat_bot(user: User, code: str, *, level: str = "", team: int | None = None) -> Snapshot:
    """The host gives a free seat to a bot; a full table starts. level: "" for the usual. team: as for `sit_down`."""
    with locked(code) as match:
        _demand_open(match)
        _demand_host(match, user)
        _demand_free_seat(match)
        take_place(match, bot=bot_of(match.game, level), team=team)
        return start_if_full(match)


def seat_program(program: Program, code: str, *, team: int | None = None) -> Snapshot:
    """Give a free seat to a program, whose owner hosts the table; a full table starts. team: as for `sit_down`.

    Not where strangers may sit: the owner sees the program's hand, too.
    """
    with locked(code) as match:
        _demand_open(match)
        _demand_host(match, program.owner)
        if not usable_programs().filter(pk=program.pk).exists():
            raise NotAllowed(f"{program.user} can't play any more.")
        if match.listed:
            raise Refused("Bots that you run play at tables for friends only, which aren't shown in the lobby.")
        if match.seats.filter(user=program.user).exists():
            raise Refused(f"{program.user} is already at this table.")
        _demand_free_seat(match)
        take_place(match, user=program.user, team=team)
        return start_if_full(match)


def start_match(user: User, code: str) -> Snapshot:
    """The host starts: free seats are given to bots, seats are drawn, the first deal is made."""
    with locked(code) as match:
        _demand_open(match)
        _demand_host(match, user)
        while match.seats.count() < match.seat_count:
            take_place(match, bot=usual_bot(match.game))
        return start_if_full(match)


def leave_match(user: User, code: str) -> Snapshot:
    """Leave for good: at an open table the seat becomes free, in a running match a bot takes it over.

    A match that nobody has played in, and that nobody is left to play, is closed.
    """
    with locked(code) as match:
        if match.status == Match.Status.OPEN and not match.full_at:
            return stand_up(user, code)
        if match.status not in Match.RUNNING:
            raise Refused("This match is over, so there is nothing to leave.")
        if match.guide and match.seats.filter(user=user).exists():
            return close(match)  # only who learned there would have gone on with it
        left = match.seats.filter(user=user, left_at=None).update(
            left_at=timezone.now(), bot=usual_bot(match.game), connected=False, ready=False
        )
        if not left:
            raise NotAllowed("You have no seat at this table.")
        deserted = not match.seats.filter(user__is_program=False, left_at=None).exists()
        programs = match.seats.filter(user__is_program=True).values("number")
        if deserted and not match.moves.filter(actor=Move.Actor.PLAYER).exclude(seat__in=programs).exists():
            return close(match)
        return save_change(match, reschedule=True) if match.status == Match.Status.PLAYING else start_if_full(match)


def leave_all(user: User, **_: Any) -> None:
    """A receiver of `account_closing`: the user's running seats go to bots, their open tables lose them."""
    seats = Seat.objects.filter(user=user, match__status__in=Match.RUNNING, left_at=None)
    for code in seats.values_list("match__code", flat=True):
        with suppress(Refused):  # it has ended meanwhile
            leave_match(user, code)


def redraw_name(user: User, **_: Any) -> None:
    """A receiver of `renamed`: tables where the user's name stands show the new one."""
    _redraw(_shown_at(user))


def redraw_without(instance: User, **_: Any) -> None:
    """A receiver of `pre_delete` of users: tables where the name stands show that it is gone, once it is."""
    transaction.on_commit(partial(_redraw, _shown_at(instance)))


def _shown_at(user: User) -> list[str]:
    """The codes of the matches at which a user's name is shown and that are not over."""
    return list(user.seats.filter(match__status__in=Match.RUNNING).values_list("match__code", flat=True))


def _redraw(codes: Iterable[str]) -> None:
    for code in codes:
        with locked(code) as match:
            if match.status in Match.RUNNING:
                save_change(match)
            else:
                transaction.on_commit(partial(memory.forget, code))


def bots_of(game: str) -> list[str]:
    """The names of the bots that may be seated."""
    return [*levels_of(game), SENSIBLE]


def bot_of(game: str, level: str) -> str:
    """The name of the bot of a level, or of the usual one for "". Raises Refused."""
    if level and level not in bots_of(game):
        raise Refused("This game has no bots of that level. Choose one of those offered.")
    return level or usual_bot(game)


def _demand_open(match: Match) -> None:
    if match.status != Match.Status.OPEN:
        raise Refused(
            "This match has already started." if match.status != Match.Status.CLOSED else "This table is closed."
        )


def _demand_free_seat(match: Match) -> None:
    if match.seats.count() >= match.seat_count:
        raise Refused("All seats at this table are taken.")


def _demand_host(match: Match, user: User) -> None:
    if match.host_id != user.pk:
        raise NotAllowed("Only the host of this table can do that.")


def take_place(
    match: Match,
    user: User | None = None,
    bot: str = "",
    entropy_hash: str = "",
    form_key: str = "",
    team: int | None = None,
) -> None:
    """Put a user or a bot on the first free place, on the side of `team` where partners play, None for either."""
    demand_playable(match)
    seats = list(match.seats.select_related("user"))
    entropy_hash = shuffle.clean_commitment(entropy_hash)
    if entropy_hash in {seat.entropy_hash for seat in seats}:
        entropy_hash = ""  # copied from the table's page: who has not drawn a share can't give it
    team = _free_team(match, seats, team)
    taken = {seat.place for seat in seats}
    looks = {seat.user.skeleton if seat.user else skeleton(seat.name) for seat in seats}
    place = next(place for place in range(match.seat_count) if place not in taken)
    try:
        with transaction.atomic():
            Seat.objects.create(
                match=match,
                place=place,
                user=user,
                bot=bot,
                name=next(name for name in BOT_NAMES if skeleton(name) not in looks) if bot else "",
                team=team,
                entropy_hash=entropy_hash,
                form_key=form_key,
            )
    except IntegrityError:
        raise Refused("Somebody took that seat first. See which seats are still free.") from None


def _free_team(match: Match, seats: Iterable[Seat], wanted: int | None) -> int | None:
    """The side of a new seat: the one wanted, else the one with fewer; None where nobody has a partner."""
    if rules_of(match).team_of(0, match.seat_count) is None:
        return None
    taken = [seat.team for seat in seats]
    room = [team for team in (0, 1) if taken.count(team) < match.seat_count // 2]
    if wanted is None:
        return min(room, key=taken.count)
    if wanted not in room:
        raise Refused("Both seats on that side are taken.")
    return wanted
