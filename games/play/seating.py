"""Who sits at a table: sitting down and standing up, bots, leaving for good."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import Program, User
from accounts.names import skeleton
from accounts.programs import usable_programs
from accounts.sanctions import why_suspended
from games.catalog import YARDSTICK, levels_of, usual_bot
from games.kit import shuffle
from games.kit.language import lazy
from games.models import Match, Move, Seat
from games.play import completion, memory, store, tables
from games.play.changes import close, locked, save_change
from games.play.company import FULL, demand_company
from games.play.errors import NotAllowed, Refused
from games.play.origins import ANY_SEAT, FORGOTTEN, SeatRequest, fields_of
from games.play.pace import SPEEDS
from games.play.rated import demand_rated_player
from games.play.snapshot import Snapshot
from games.play.starting import start_if_full
from games.play.vacations import vacation_of
from games.play.versions import demand_playable, rules_of

BOT_NAMES = ("Ada", "Basil", "Cleo", "Dorian", "Edda", "Felix", "Greta", "Hugo")


def sit_down(user: User, code: str, wanted: SeatRequest = ANY_SEAT) -> Snapshot:
    """Give `user` a free seat at an open table; a full table starts. Sitting down twice changes only the side."""
    team = wanted.team
    with locked(code) as match:
        seat = match.seats.filter(user=user).first()
        if seat and (team in (None, seat.team) or match.status != Match.Status.OPEN or match.full_at):
            return store.read(code, lock=True)
        _demand_open(match)
        if seat:
            seat.team = free_team(match, match.seats.exclude(pk=seat.pk), team, user=user)
            seat.moved_by_host = False
            seat.save(update_fields=["team", "moved_by_host"])
            return save_change(match)
        if user.pk in match.removed:
            raise Refused(lazy("The host has removed you from this table. Choose another one."))
        demand_company(match, user)
        demand_free_seat(match, user)
        if not match.invitations.filter(user=user, declined_at=None).exists():
            completion.demand_completion(match, user)
        take_place(match, wanted, user=user)
        match.invitations.filter(user=user).delete()
        return start_if_full(match)


def stand_up(user: User, code: str) -> Snapshot:
    """Free the user's seat, and those of their programs, at a table that has not started.

    The next person becomes its host; without one it closes.
    """
    with locked(code) as match:
        demand_waiting(match)
        if not match.seats.filter(user=user).delete()[0]:
            raise NotAllowed(lazy("You have no seat at this table, so you can only watch."))
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
        demand_waiting(match)
        demand_host(match, user)
        freed = match.seats.filter(pk=seat).first()
        if freed is None:
            raise Refused(lazy("That seat is already free. Choose another one."))
        if freed.user_id == user.pk:
            raise Refused(lazy("That is your own seat. To free it, leave the table."))
        if freed.user_id and not freed.user.is_program:
            match.removed = [*match.removed, freed.user_id]
            match.save(update_fields=["removed"])
        freed.delete()
        return save_change(match)


def seat_bot(user: User, code: str, *, level: str = "", team: int | None = None) -> Snapshot:
    """The host gives a free seat to a bot; a full table starts. level: "" for the usual. team: as for `sit_down`."""
    with locked(code) as match:
        _demand_open(match)
        demand_host(match, user)
        demand_free_seat(match)
        take_place(match, SeatRequest(team), bot=bot_of(match.game, level))
        return start_if_full(match)


def seat_program(program: Program, code: str, *, team: int | None = None) -> Snapshot:
    """Give a free seat to a program, whose owner hosts the table; a full table starts. team: as for `sit_down`.

    Not where strangers may sit: the owner sees the program's hand, too. Raises TooManyTables, as for people.
    """
    with tables.room_for(program.user, code), locked(code) as match:
        _demand_open(match)
        demand_host(match, program.owner)
        if not usable_programs().filter(pk=program.pk).exists():
            raise NotAllowed(lazy("{name} can’t play any more. Choose somebody else.", name=program.user))
        if match.club_id:
            raise Refused(lazy("Your bots can’t play at a club’s tables. Seat them at a table for friends."))
        if match.listed:
            raise Refused(lazy("Bots you run can only play at tables for friends, which aren’t shown in the lobby."))
        if match.seats.filter(user=program.user).exists():
            raise Refused(lazy("{name} is already at this table. Choose somebody else.", name=program.user))
        demand_free_seat(match)
        take_place(match, SeatRequest(team), user=program.user)
        return start_if_full(match)


def start_match(user: User, code: str, *, level: str = "") -> Snapshot:
    """The host starts: free seats are given to bots, seats are drawn, the first deal is made.

    level: of those bots, "" for the usual.
    """
    with locked(code) as match:
        _demand_open(match)
        demand_host(match, user)
        match.starts_at = None
        fill_with_bots(match, level)
        return start_if_full(match)


def fill_with_bots(match: Match, level: str = "") -> None:
    """Give all free seats to bots of a level, "" for the usual, kept ones too. Call it within `locked`."""
    match.invitations.all().delete()
    while match.seats.count() < match.seat_count:
        take_place(match, bot=bot_of(match.game, level))


def leave_match(user: User, code: str) -> Snapshot:
    """Leave for good: at an open table the seat becomes free, in a running match a bot takes it over.

    A match that nobody has played in, and that nobody is left to play, is closed.
    """
    with locked(code) as match:
        if match.status == Match.Status.OPEN and not match.full_at:
            return stand_up(user, code)
        if match.status not in Match.RUNNING:
            raise Refused(lazy("This match is over. You can just close the page."))
        people = match.seats.filter(user__isnull=False, left_at=None)
        if not match.counts and {seat.user_id for seat in people} == {user.pk}:
            return close(match)  # only who learned, or tried something, there would have gone on with it
        before = store.snapshot_of(match, match.seats.select_related("user"))
        left = match.seats.filter(user=user, left_at=None).update(
            left_at=timezone.now(), bot=usual_bot(match.game), connected=False, ready=False, **FORGOTTEN
        )
        if not left:
            raise NotAllowed(lazy("You have no seat at this table, so you can only watch."))
        if leaving := before.seat_of(user.pk):
            completion.note_abandoned(before, leaving)
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


def withdraw(user: User, **_: Any) -> None:
    """A receiver of `barred`: who is suspended or banned leaves every table for good, and so do their programs.

    Bots play on at once: to wait for the clock, or for people to vote, would cost the others more.
    """
    barred = [user.pk, *user.programs.values_list("user", flat=True)]
    seats = Seat.objects.filter(user__in=barred, match__status__in=Match.RUNNING, left_at=None).select_related("user")
    # In the order of codes, as whoever plays many moves at once: neither waits for the other’s rows.
    for seat in seats.order_by("match__code").select_related("match"):
        with suppress(Refused):  # it has ended meanwhile
            leave_match(seat.user, seat.match.code)
    for invitation in user.invitations.filter(match__status=Match.Status.OPEN).select_related("match"):
        with suppress(Refused):
            keep_no_longer(invitation.match.code, user)


def part(user: User, other: User, **_: Any) -> None:
    """A receiver of `parted`: who has blocked somebody waits at no table with them.

    A host frees the other's seat, anybody else leaves. Matches that have begun go on.
    """
    for one, another in ((user, other), (other, user)):
        for match in Match.objects.filter(status=Match.Status.OPEN, host=one, invitations__user=another):
            with suppress(Refused):  # it has begun meanwhile
                keep_no_longer(match.code, another)
    waiting = Match.objects.filter(status=Match.Status.OPEN, seats__user=user).filter(seats__user=other)
    for match in waiting:
        with suppress(Refused):  # it has begun meanwhile
            if match.host_id == user.pk:
                free_seat(user, match.code, match.seats.get(user=other).pk)
            else:
                stand_up(user, match.code)


def keep_no_longer(code: str, invited: User) -> None:
    """The seat that is kept for somebody is for anybody again."""
    with locked(code) as match:
        match.invitations.filter(user=invited).delete()
        save_change(match)


def redraw_name(user: User, **_: Any) -> None:
    """A receiver of `renamed`: tables where the user's name stands show the new one."""
    codes = _shown_at(user)
    for code in codes:
        with locked(code) as match:
            _rename_bots_like(user, list(match.seats.select_related("user")))
    _redraw(codes)


def redraw_without(instance: User, **_: Any) -> None:
    """A receiver of `pre_delete` of users: tables where the name stands show that it is gone, once it is."""
    transaction.on_commit(partial(_redraw, _shown_at(instance)))


def _shown_at(user: User) -> list[str]:
    """The codes of the matches at which a user's name is shown and that are not over."""
    seated = Seat.objects.filter(Q(user=user) | Q(user__program__owner=user), match__status__in=Match.RUNNING)
    invited = user.invitations.filter(match__status__in=Match.RUNNING)
    return list({code for rows in (seated, invited) for code in rows.values_list("match__code", flat=True)})


def _redraw(codes: Iterable[str]) -> None:
    for code in codes:
        with locked(code) as match:
            if match.status in Match.RUNNING:
                save_change(match)
            else:
                transaction.on_commit(partial(memory.forget, code))


def bots_of(game: str) -> list[str]:
    """The names of the bots that may be seated."""
    return [*levels_of(game), YARDSTICK]


def bot_of(game: str, level: str) -> str:
    """The name of the bot of a level, or of the usual one for "". Raises Refused."""
    if level and level not in bots_of(game):
        raise Refused(lazy("This game has no bots of that level. Choose one of those offered."))
    return level or usual_bot(game)


def _demand_open(match: Match) -> None:
    if match.status != Match.Status.OPEN:
        raise Refused(
            lazy(
                "This match has already started. Load the page again."
                if match.status != Match.Status.CLOSED
                else "This table is closed."
            )
        )


def demand_waiting(match: Match) -> None:
    """Raises Refused unless a table is open and its seats may still be arranged."""
    _demand_open(match)
    if match.full_at:
        raise Refused(lazy("All seats are taken, and the match is about to start. Choose another table."))


def demand_free_seat(match: Match, user: User | None = None, *, team: int | None = None) -> None:
    """Raises Refused unless a seat is free that is kept for nobody but `user`.

    team: the side that it has to be on, 0 or 1; None for either.
    """
    free = match.seat_count - match.seats.count()
    if free <= 0:
        raise Refused(FULL)
    kept = match.invitations.filter(declined_at=None).exclude(user=user)
    if free <= kept.count():
        raise Refused(lazy("The free seats at this table are for invited people. Ask the host to invite you."))
    if team is not None:
        room = match.seat_count // 2 - match.seats.filter(team=team).count()
        if room <= kept.filter(team=team).count():
            raise Refused(lazy("Both seats on that side are taken or reserved. Choose the other side."))


def demand_host(match: Match, user: User) -> None:
    if match.host_id != user.pk:
        raise NotAllowed(lazy("Only the host of this table can do that. Ask them."))


def take_place(match: Match, wanted: SeatRequest = ANY_SEAT, *, user: User | None = None, bot: str = "") -> None:
    """Put a user or a bot on the first free place."""
    demand_playable(match)
    demand_rated_player(match, user)
    if why := why_suspended(user and user.pk):
        raise NotAllowed(why)
    seats = list(match.seats.select_related("user"))
    entropy_hash = shuffle.clean_commitment(wanted.entropy_hash)
    if entropy_hash in {seat.entropy_hash for seat in seats}:
        entropy_hash = ""  # copied from the table's page: who has not drawn a share can't give it
    team = free_team(match, seats, wanted.team, user=user)
    taken_from: dict[str, Any] = {}
    if user:
        _rename_bots_like(user, seats)
        if not user.is_program:
            taken_from = fields_of(wanted.origin, match, user, seats)
    taken = {seat.place for seat in seats}
    place = next(place for place in range(match.seat_count) if place not in taken)
    try:
        with transaction.atomic():
            Seat.objects.create(
                match=match,
                place=place,
                user=user,
                bot=bot,
                name=_free_name(seats) if bot else "",
                team=team,
                entropy_hash=entropy_hash,
                form_key=wanted.form_key,
                vacation_until=vacation_of(user) if user and SPEEDS[match.speed].slow else None,
                **taken_from,
            )
    except IntegrityError:
        raise Refused(lazy("Somebody took that seat first. See which seats are still free.")) from None


def _free_name(seats: Iterable[Seat]) -> str:
    """A name for a bot that looks like no other at the table. seats: with their users."""
    looks = {seat.user.skeleton if seat.user else skeleton(seat.name) for seat in seats}
    return next(name for name in BOT_NAMES if skeleton(name) not in looks)


def _rename_bots_like(user: User, seats: list[Seat]) -> None:
    """A bot that bears the name of a player gives way: nobody could tell the two apart."""
    for seat in seats:
        if seat.user is None and skeleton(seat.name) == user.skeleton:
            seat.name = _free_name(seats)
            seat.save(update_fields=["name"])


def free_team(match: Match, seats: Iterable[Seat], wanted: int | None, *, user: User | None = None) -> int | None:
    """The side of a seat for `user` (None for a bot): the one wanted, else the one with fewer, as far as none is kept.

    seats: those taken by others. Who is invited gets the side that is kept for them unless they want another. None
    where nobody has a partner. Raises Refused.
    """
    if match.seat_count not in rules_of(match).partners_at:
        return None
    kept = dict(match.invitations.filter(declined_at=None).values_list("user", "team"))
    own = kept.pop(user.pk, None) if user else None
    taken = [seat.team for seat in seats]
    spoken_for = [*taken, *kept.values()]
    room = [team for team in (0, 1) if spoken_for.count(team) < match.seat_count // 2]
    if wanted is None:
        return own if own in room else min(room, key=taken.count)
    if wanted not in room:
        raise Refused(
            lazy(
                "Both seats on that side are taken."
                if taken.count(wanted) >= match.seat_count // 2
                else "The free seat on that side is kept for somebody who is invited."
            )
        )
    return wanted
