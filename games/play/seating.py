"""Seats at tables: sitting down, standing up, seating bots and leaving for good."""

from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import Program, User
from accounts.names import skeleton
from accounts.people.blocks import apart_from
from accounts.programs import usable_programs
from accounts.sanctions import why_suspended
from games.catalog import YARDSTICK, levels_of, usual_bot
from games.kit import shuffle
from games.kit.language import lazy
from games.models import Match, Move, Seat
from games.play import completion, memory, store, tables
from games.play.access import FULL, demand_access
from games.play.bot_names import skeletons_of, unused_bot_names
from games.play.changes import close, locked, save_change
from games.play.errors import NO_SEAT, NotAllowed, Refused
from games.play.origins import ANY_SEAT, FORGOTTEN, SeatRequest, seat_fields
from games.play.pace import SPEEDS
from games.play.rated import demand_rated_player
from games.play.snapshot import Snapshot
from games.play.starting import start_if_full
from games.play.vacations import vacation_of
from games.play.versions import demand_playable, rules_of


def sit_down(user: User, code: str, request: SeatRequest = ANY_SEAT) -> Snapshot:
    """Give `user` a free seat at an open table; a full table starts. Return the new snapshot. Raise Refused.

    request.team: the side to sit on, 0 or 1; None for either, and in games without partners. A user who has a seat
    already changes to that side, or stays where they are.
    """
    team = request.team
    with locked(code) as match:
        seat = match.seats.filter(user=user).first()
        can_change_side = match.status == Match.Status.OPEN and not match.full_at  # Before the table is full.
        if seat and (team in (None, seat.team) or not can_change_side):
            return store.read(code, lock=True)
        _demand_open(match)
        move_bot_away(match, team, user)
        if seat:
            seat.team = free_team(match, match.seats.exclude(pk=seat.pk), team, user=user)
            seat.moved_by_host = False
            seat.save(update_fields=["team", "moved_by_host"])
            return save_change(match)
        if user.pk in match.removed:
            raise Refused(lazy("The host has removed you from this table. Choose another one."))
        demand_access(match, user)
        demand_free_seat(match, user)
        is_invited = match.invitations.filter(user=user, declined_at=None).exists()
        if not is_invited:  # The host may want players who finish their matches.
            completion.demand_completion(match, user)
        take_place(match, request, user=user)
        match.invitations.filter(user=user).delete()
        return start_if_full(match)


def stand_up(user: User, code: str) -> Snapshot:
    """Free the seats of a user, and of programs (bots) that they run themselves, at a table that has not started.

    If the user is its host, the first of the other people becomes the host. Without people, the table is closed. Raise
    Refused.
    """
    with locked(code) as match:
        demand_waiting(match)
        if not match.seats.filter(user=user).delete()[0]:
            raise NotAllowed(NO_SEAT)
        match.seats.filter(user__program__owner=user).delete()
        people = match.seats.filter(user__is_program=False).order_by("place")
        if not people:
            return close(match)
        if match.host_id == user.pk:
            match.host = people[0].user
        return save_change(match)


def free_seat(user: User, code: str, seat_key: int) -> Snapshot:
    """Free a seat before the match starts, as its host may. The player sees it, and can't sit down here again.

    seat_key: the primary key, so that this never removes somebody who has sat down since.
    """
    with locked(code) as match:
        demand_waiting(match)
        demand_host(match, user)
        seat = match.seats.filter(pk=seat_key).first()
        if seat is None:
            raise Refused(lazy("That seat is already free. Choose another one."))
        if seat.user_id == user.pk:
            raise Refused(lazy("That is your own seat. To free it, leave the table."))
        if seat.user_id and not seat.user.is_program:
            match.removed = [*match.removed, seat.user_id]
            match.save(update_fields=["removed"])
        seat.delete()
        return save_change(match)


def seat_bot(user: User, code: str, *, level: str = "", team: int | None = None) -> Snapshot:
    """Give a free seat to a bot, as the host may; a full table starts. Raise Refused.

    level: of the bot; "" for the usual one. team: the side, 0 or 1; None for either.
    """
    with locked(code) as match:
        _demand_open(match)
        demand_host(match, user)
        demand_free_seat(match)
        take_place(match, SeatRequest(team), bot=bot_of(match.game, level))
        return start_if_full(match)


def seat_program(program: Program, code: str, *, team: int | None = None) -> Snapshot:
    """Give a free seat to a program, a bot that its owner runs, at a table of that owner; a full table starts.

    Tables where strangers may sit are refused, because the owner sees the program's hand too. team: the side, 0 or 1;
    None for either. Raise Refused or TooManyTables.
    """
    with tables.room_for(program.user, code), locked(code) as match:
        _demand_open(match)
        demand_host(match, program.owner)
        if not usable_programs().filter(pk=program.pk).exists():
            raise NotAllowed(lazy("{name} can’t play any more. Choose somebody else.", name=program.user))
        if match.club_id:
            raise Refused(lazy("Your bots can’t play at a club’s tables. Seat them at a table for friends."))
        if match.listed:
            sentences = (
                "Bots you run can only play at tables for friends, which aren’t shown in the lobby. Open one for them."
            )
            raise Refused(lazy(sentences))
        if match.seats.filter(user=program.user).exists():
            raise Refused(lazy("{name} is already at this table. Choose somebody else.", name=program.user))
        demand_free_seat(match)
        take_place(match, SeatRequest(team), user=program.user)
        return start_if_full(match)


def start_match(user: User, code: str, *, level: str = "") -> Snapshot:
    """Give all free seats to bots and start the match, as the host may. level: of these bots, "" for the usual."""
    with locked(code) as match:
        _demand_open(match)
        demand_host(match, user)
        match.starts_at = None
        fill_with_bots(match, level)
        return start_if_full(match)


def fill_with_bots(match: Match, level: str = "") -> None:
    """Give all free seats to bots, reserved ones too. level: "" for the usual one. Call it within `locked`."""
    match.invitations.all().delete()
    while match.seats.count() < match.seat_count:
        take_place(match, bot=bot_of(match.game, level))


def leave_match(user: User, code: str) -> Snapshot:
    """Leave a table for good. Before the match the seat becomes free; in a running match a bot takes it over.

    The match is closed if all people have left it and none of them has made a move. Return the new snapshot. Raise
    Refused.
    """
    with locked(code) as match:
        if match.status == Match.Status.OPEN and not match.full_at:  # A full table is about to start: a bot is needed.
            return stand_up(user, code)
        if match.status not in Match.RUNNING:
            raise Refused(lazy("This match is over. You can just close the page."))
        people = match.seats.filter(user__isnull=False, left_at=None)
        if not match.counts and {seat.user_id for seat in people} == {user.pk}:
            return close(match)  # Nobody else has a use for a guide or a variation.
        before = store.snapshot_of(match, match.seats.select_related("user"))
        has_left = match.seats.filter(user=user, left_at=None).update(
            left_at=timezone.now(), bot=usual_bot(match.game), connected=False, ready=False, **FORGOTTEN
        )
        if not has_left:
            raise NotAllowed(NO_SEAT)
        if seat := before.seat_of(user.pk):
            completion.record_abandoned(before, seat)
        if _is_useless(match):
            return close(match)
        return save_change(match, reschedule=True) if match.status == Match.Status.PLAYING else start_if_full(match)


def _is_useless(match: Match) -> bool:
    """Return whether all people have left a match and none of them has made a move, so that nobody needs its result."""
    if match.seats.filter(user__is_program=False, left_at=None).exists():
        return False
    programs = match.seats.filter(user__is_program=True).values("number")
    return not match.moves.filter(actor=Move.Actor.PLAYER).exclude(seat__in=programs).exists()


def leave_all(user: User, **_: object) -> None:
    """Let a user who closes their account leave all their tables. A receiver of the signal `account_closing`."""
    seats = Seat.objects.filter(user=user, match__status__in=Match.RUNNING, left_at=None)
    for code in seats.values_list("match__code", flat=True):
        with suppress(Refused):  # It has just ended.
            leave_match(user, code)
    _decline_all(user)


def _decline_all(user: User) -> None:
    """Remove the invitations of a user to open tables."""
    for invitation in user.invitations.filter(match__status=Match.Status.OPEN).select_related("match"):
        with suppress(Refused):  # It has just begun.
            remove_invitation(invitation.match.code, user)


def lock_tables(guest: User, user: User, **_: object) -> None:
    """Lock the tables of a guest and of the account that adopts them. A receiver of `guest_moving`.

    They are locked before their seats and in the order of codes, as moves lock them, so nobody deadlocks.
    """
    seated = Seat.objects.filter(user__in=[guest, user]).values("match")
    matches = Match.objects.filter(status__in=Match.RUNNING, pk__in=seated)
    list(matches.select_for_update(of=("self",)).order_by("code"))


def settle_in(user: User, **_: object) -> None:
    """Put the tables in order that a user has adopted from a guest. A receiver of `guest_adopted`.

    They need no invitation to where they sit, and keep no seat at an open table with somebody whom they may not meet.
    """
    user.invitations.filter(match__seats__user=user).delete()
    seats = Seat.objects.filter(user__in=apart_from(user), match__status=Match.Status.OPEN)
    for code in seats.filter(match__seats__user=user).values_list("match__code", flat=True).distinct():
        with suppress(Refused):  # It has just begun.
            stand_up(user, code)
    redraw_name(user)


def leave_all_when_barred(user: User, **_: object) -> None:
    """Let a suspended or banned user, and the programs that they run, leave all tables. A receiver of `barred`.

    Bots play on at once: waiting for the user's time to run out, or for a vote, would cost the other players more.
    """
    users = [user.pk, *user.programs.values_list("user", flat=True)]
    seats = Seat.objects.filter(user__in=users, match__status__in=Match.RUNNING, left_at=None).select_related("user")
    # In the order of codes, as in games.play.moves, so that two processes never deadlock.
    for seat in seats.order_by("match__code").select_related("match"):
        with suppress(Refused):  # It has just ended.
            leave_match(seat.user, seat.match.code)
    _decline_all(user)


def separate(user: User, other: User, **_: object) -> None:
    """Make sure that a user and somebody they have just blocked sit at no open table together. A receiver of `parted`.

    If the user is the host, the other's seat is freed; otherwise the user leaves. Invitations of one by the other are
    removed. Matches that have begun go on.
    """
    for host, invited in ((user, other), (other, user)):
        for match in Match.objects.filter(status=Match.Status.OPEN, host=host, invitations__user=invited):
            with suppress(Refused):  # It has just begun.
                remove_invitation(match.code, invited)
    shared = Match.objects.filter(status=Match.Status.OPEN, seats__user=user).filter(seats__user=other)
    for match in shared:
        with suppress(Refused):  # It has just begun.
            if match.host_id == user.pk:
                free_seat(user, match.code, match.seats.get(user=other).pk)
            else:
                stand_up(user, match.code)


def remove_invitation(code: str, invited: User) -> None:
    with locked(code) as match:
        match.invitations.filter(user=invited).delete()
        save_change(match)


def redraw_name(user: User, **_: object) -> None:
    """Redraw the open pages of all tables that show the name of a renamed user. A receiver of the signal `renamed`."""
    codes = sorted(_codes_with_name(user))
    for code in codes:
        with locked(code) as match:  # A bot whose name looks like the new one gets another.
            _rename_bots_like(user, list(match.seats.select_related("user")))
    _redraw_tables(codes)


def redraw_without(instance: User, **_: object) -> None:
    """Redraw all tables that show the name of a user, once the user is deleted. A receiver of `pre_delete`."""
    transaction.on_commit(partial(_redraw_tables, _codes_with_name(instance)))


def _codes_with_name(user: User) -> list[str]:
    """Return the codes of the open and running matches that show a user's name: as player, bot's owner, or invited."""
    seated = Seat.objects.filter(Q(user=user) | Q(user__program__owner=user), match__status__in=Match.RUNNING)
    invited = user.invitations.filter(match__status__in=Match.RUNNING)
    return list({code for rows in (seated, invited) for code in rows.values_list("match__code", flat=True)})


def _redraw_tables(codes: Iterable[str]) -> None:
    """Redraw the open pages of some matches, because a name at their tables has changed. codes: of these matches."""
    for code in codes:
        with locked(code) as match:
            if match.status in Match.RUNNING:
                save_change(match)  # This announces the match, so its pages are drawn again.
            else:  # It has ended since. The cached snapshot still has the old name.
                transaction.on_commit(partial(memory.forget, code))


def bots_of(game: str) -> list[str]:
    """Return the names of the bots of a game that can be seated."""
    return [*levels_of(game), YARDSTICK]


def bot_of(game: str, level: str) -> str:
    """Return the name of the bot of a level, or of the usual one for "". Raise Refused if there is none."""
    if level and level not in bots_of(game):
        raise Refused(lazy("This game has no bots of that level. Choose one of those offered."))
    return level or usual_bot(game)


def _demand_open(match: Match) -> None:
    """Raise Refused, with the reason, unless a table is open: its match has not started, and it is not closed."""
    if match.status == Match.Status.CLOSED:
        raise Refused(lazy("This table is closed. Choose another one in the lobby."))
    if match.status != Match.Status.OPEN:
        raise Refused(lazy("This match has already started. Load the page again."))


def demand_waiting(match: Match) -> None:
    """Raise Refused unless a table is open and has free seats, so that it can still be arranged."""
    _demand_open(match)
    if match.full_at:
        raise Refused(lazy("All seats are taken, and the match is about to start. Choose another table."))


def demand_free_seat(match: Match, user: User | None = None, *, team: int | None = None) -> None:
    """Raise Refused unless a table has a free seat that is not reserved for an invited user other than `user`.

    team: the side of that seat, 0 or 1; None for either. Some reserved seats are on either side, too.
    """
    free = match.seat_count - match.seats.count()
    if free <= 0:
        raise Refused(FULL)
    reserved = match.invitations.filter(declined_at=None).exclude(user=user)
    if free <= reserved.count():
        raise Refused(lazy("The free seats at this table are for invited people. Ask the host to invite you."))
    if team is not None:
        free_on_side = match.seat_count // 2 - match.seats.filter(team=team).count()
        if free_on_side <= reserved.filter(team=team).count():
            raise Refused(lazy("Both seats on that side are taken or reserved. Choose the other side."))


def demand_host(match: Match, user: User) -> None:
    if match.host_id != user.pk:
        raise NotAllowed(lazy("Only the host of this table can do that. Ask them."))


def take_place(match: Match, request: SeatRequest = ANY_SEAT, *, user: User | None = None, bot: str = "") -> None:
    """Put a user or a bot on the first free place of a table. Call it within `locked`. Raise Refused.

    Give either a user or the name of a bot. Places are in the order of sitting down; the seats are drawn at the start.
    request.entropy_hash: the hash of a random text (the share) that the user's browser will add to the shuffles.
    """
    demand_playable(match)
    demand_rated_player(match, user)
    if why := why_suspended(user and user.pk):
        raise NotAllowed(why)
    seats = list(match.seats.select_related("user"))
    entropy_hash = shuffle.clean_commitment(request.entropy_hash)
    if entropy_hash in {seat.entropy_hash for seat in seats}:
        entropy_hash = ""  # Copied from the table's page. Its sender does not have the share.
    team = free_team(match, seats, request.team, user=user)
    origin = FORGOTTEN  # Bots and programs have no address and no browser.
    if user:
        _rename_bots_like(user, seats)
        if not user.is_program:
            origin = seat_fields(request.origin, match, user, seats)
    places = {seat.place for seat in seats}
    place = next(place for place in range(match.seat_count) if place not in places)
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
                form_key=request.form_key,
                vacation_until=vacation_of(user) if user and SPEEDS[match.speed].is_slow else None,
                **origin,
            )
    except IntegrityError:
        raise Refused(lazy("Somebody took that seat first. See which seats are still free.")) from None


def _free_name(seats: Iterable[Seat]) -> str:
    """Return a name for a bot that can't be confused with another name at the table. seats: with their users."""
    skeletons = {seat.user.skeleton if seat.user else skeleton(seat.name) for seat in seats}
    return unused_bot_names(skeletons)[0]


def _rename_bots_like(user: User, seats: list[Seat]) -> None:
    """Rename bots whose names could be confused with the name of a user. seats: of a match, with their users."""
    for seat in seats:
        if seat.user is None and user.skeleton in skeletons_of(seat.name):  # The names look alike.
            seat.name = _free_name(seats)
            seat.save(update_fields=["name"])


def move_bot_away(match: Match, team: int | None, user: User) -> None:
    """Move a bot to the other side if a person wants a seat on this one, and only bots are in the way.

    team: the side, 0 or 1; None for either. user: the person. Their own seat counts as free. Call it within `locked`.
    """
    if team is None or match.seat_count not in rules_of(match).partners_at:
        return
    teams = [*match.seats.exclude(user=user).values_list("team", flat=True)]
    teams += match.invitations.filter(declined_at=None).exclude(user=user).values_list("team", flat=True)
    half = match.seat_count // 2
    bot = match.seats.filter(user=None, team=team).last()
    if bot and teams.count(team) >= half > teams.count(1 - team):
        bot.team = 1 - team
        bot.save(update_fields=["team"])


def free_team(match: Match, seats: Iterable[Seat], team: int | None, *, user: User | None = None) -> int | None:
    """Return the side where `user` gets a seat, 0 or 1; None if the match has no partners. Raise Refused.

    seats: of all other players. team: the requested side; None for the side of the user's invitation, or the one with
    more free seats. user: None for a bot. Seats that are reserved for others don't count as free.
    """
    if match.seat_count not in rules_of(match).partners_at:
        return None
    seats_on_a_side = match.seat_count // 2
    reserved_teams = dict(match.invitations.filter(declined_at=None).values_list("user", "team"))
    own_team = reserved_teams.pop(user.pk, None) if user else None
    taken_teams = [seat.team for seat in seats]
    unavailable = [*taken_teams, *reserved_teams.values()]
    free_sides = [side for side in (0, 1) if unavailable.count(side) < seats_on_a_side]
    if team is None:
        return own_team if own_team in free_sides else min(free_sides, key=taken_teams.count)
    if team not in free_sides:
        is_full = taken_teams.count(team) >= seats_on_a_side
        full = "Both seats on that side are taken. The host can swap players."
        kept = "The free seat on that side is kept for somebody who is invited. The host can take the invitation back."
        raise Refused(lazy(full if is_full else kept))
    return team
