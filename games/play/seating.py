"""Who sits at a table: opening one, sitting down and standing up, bots, rematches, leaving for good."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Program, User
from accounts.names import skeleton
from accounts.programs import usable_programs
from games.catalog import (
    SENSIBLE,
    YARDSTICK,
    InvalidOptions,
    UnknownGame,
    get_game,
    get_rules,
    levels_of,
    usual_bot,
)
from games.kit import shuffle
from games.models import Match, Move, Seat, new_code
from games.play import memory, store
from games.play.changes import close, locked, save_change
from games.play.errors import NotAllowed, Refused
from games.play.pace import DEFAULT_SPEED, OPEN_LIMIT, SPEEDS
from games.play.snapshot import Snapshot
from games.play.starting import start_if_full
from games.play.versions import demand_playable, rules_of

GUIDED = "guide"  # the shuffle_code of matches that share a seed
BOT_NAMES = ("Ada", "Basil", "Cleo", "Dorian", "Edda", "Felix", "Greta", "Hugo")


@transaction.atomic
def open_table(
    user: User | None,
    game: str,
    *,
    seats: int | None = None,
    options: dict[str, Any] | None = None,
    speed: str = DEFAULT_SPEED,
    listed: bool = True,
    bots: int = 0,
    levels: Sequence[str] = (),
    teams: Iterable[int | None] = (),
    entropy_hash: str = "",
    form_key: str = "",
    seed: str | None = None,
    shuffle_code: str | None = None,
    rules_version: int | None = None,
    guide: bool = False,
) -> Snapshot:
    """Open a table with its host and `bots` bots sitting at it; a table that is then full starts.

    user: the host, or None for a match among bots. options: as rules.clean_options takes them. levels: of the bots, in
    this order, "" for the usual one; those for whom none is named are of that too. teams: the sides of the
    host and of the bots, in this order; without them both sides fill up equally. entropy_hash: the commitment of the
    host's browser, see games.kit.shuffle. form_key: of the form that was sent, see `once`. seed (hex), from which the
    decks follow, is given only where a match is to be played again just so; shuffle_code where that seed may have been
    used here. rules_version: of the rules to play by, the newest without it. guide: as for `open_guide`.
    Returns the Snapshot. Raises Refused.
    """
    try:
        rules = get_rules(game, rules_version)
        seats = rules.default_seats if seats is None else seats
        options = rules.clean_options(seats, {} if options is None else options)
    except UnknownGame:
        raise Refused("This site doesn't have that game.") from None
    except InvalidOptions as refusal:
        raise Refused(str(refusal)) from None
    if speed not in SPEEDS:
        raise Refused("This site doesn't have that speed.")
    if not 0 <= bots <= seats - (user is not None):
        raise Refused(f"A table for {seats} has room for 0 to {seats - 1} bots.")
    seed = seed or shuffle.new_seed()
    code = new_code()
    match = Match.objects.create(
        code=code,
        game=game,
        rules_version=rules.version,
        seat_count=seats,
        options=options,
        speed=speed,
        listed=listed,
        guide=guide,
        host=user,
        seed=seed,
        seed_hash=shuffle.commitment(seed),
        shuffle_code=shuffle_code or code,
        wake_at=timezone.now() + timedelta(seconds=OPEN_LIMIT),
    )
    sides = iter(teams)
    if user:
        _take_place(match, user=user, entropy_hash=entropy_hash, form_key=form_key, team=next(sides, None))
    for number in range(bots):
        bot = YARDSTICK if guide else _bot(game, levels[number] if number < len(levels) else "")
        _take_place(match, bot=bot, team=next(sides, None))
    return start_if_full(match)


def once(user: User, *, act: Callable[..., Snapshot], form_key: str, **arguments: Any) -> Snapshot:
    """What `act`, which opens a table, makes of a form; of a form that comes again, the table that it led to.

    Where that table is no more, or the user has left it, the form is as good as a new one.
    """
    taken = Seat.objects.filter(user=user, form_key=form_key).exclude(form_key="").select_related("match")
    seat = taken.first()
    if seat is None:
        try:
            return act(user, form_key=form_key, **arguments)
        except Refused:  # perhaps because the same form was quicker by another click
            seat = taken.first()
            if seat is None:
                raise
    if seat.match.status in Match.RUNNING and seat.left_at is None:
        return store.read(seat.match.code)
    return act(user, **arguments)


def quick_play(
    user: User, game: str, *, length: str = "", level: str = "", entropy_hash: str = "", form_key: str = ""
) -> Snapshot:
    """A match against bots of one level at once, at the usual table. Returns the Snapshot.

    length: the slug of a format; "" for the length that the rules have by themselves. level: "" for the usual one.
    """
    table = _usual_table(game, length)
    bots = table["seats"] - 1
    return open_table(
        user, game, **table, bots=bots, levels=[level] * bots, entropy_hash=entropy_hash, form_key=form_key
    )


def await_friends(user: User, game: str, *, length: str = "", entropy_hash: str = "", form_key: str = "") -> Snapshot:
    """The usual table, waiting for those whom the host sends its link to. length: as for `quick_play`."""
    return open_table(user, game, **_usual_table(game, length), entropy_hash=entropy_hash, form_key=form_key)


def _usual_table(game: str, length: str) -> dict[str, Any]:
    """What `open_table` takes for a table as most people play, without a clock and by link only."""
    try:
        rules = get_rules(game)
    except UnknownGame:
        raise Refused("This site doesn't have that game.") from None
    chosen = rules.find_format(length)
    if length and chosen is None:
        raise Refused(f"{rules.name} has no match of that length. Choose one of those offered.")
    options = rules.usual_options(rules.default_seats, chosen)
    return {"seats": rules.default_seats, "options": options, "speed": "untimed", "listed": False}


@transaction.atomic
def open_guide(user: User, game: str, *, form_key: str = "") -> Snapshot:
    """A prepared deal for somebody new to a game; any other that they were at is closed. Returns the Snapshot.

    Its seed is that of the game's guide, the same for all, so its cards are no secret: nothing of it is counted. So
    that the deal comes out much the same for all, it is played by the bot that never changes.
    """
    try:
        guide, rules = get_game(game).guide, get_rules(game)
    except UnknownGame:
        raise Refused("This site doesn't have that game.") from None
    if guide is None:
        raise Refused("Nobody has prepared a first deal of this game yet.")
    others = user.seats.filter(match__guide=True, match__status__in=Match.RUNNING)
    for code in others.values_list("match__code", flat=True):
        with suppress(Refused):  # it has ended meanwhile
            leave_match(user, code)
    return open_table(
        user,
        game,
        seats=guide.seats,
        options=rules.usual_options(guide.seats, rules.formats[0]),
        speed="untimed",
        listed=False,
        bots=guide.seats - 1,
        form_key=form_key,
        seed=guide.seed,
        shuffle_code=GUIDED,
        guide=True,
    )


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
        _take_place(match, user=user, entropy_hash=entropy_hash, form_key=form_key, team=team)
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
        _take_place(match, bot=_bot(match.game, level), team=team)
        return start_if_full(match)


def seat_program(program: Program, code: str, *, team: int | None = None) -> Snapshot:
    """Give a free seat to a program, whose owner hosts the table; a full table starts. team: as for `sit_down`."""
    with locked(code) as match:
        _demand_open(match)
        _demand_host(match, program.owner)
        if not usable_programs().filter(pk=program.pk).exists():
            raise NotAllowed(f"{program.user} can't play any more.")
        if match.seats.filter(user=program.user).exists():
            raise Refused(f"{program.user} is already at this table.")
        _demand_free_seat(match)
        _take_place(match, user=program.user, team=team)
        return start_if_full(match)


def start_match(user: User, code: str) -> Snapshot:
    """The host starts: free seats are given to bots, seats are drawn, the first deal is made."""
    with locked(code) as match:
        _demand_open(match)
        _demand_host(match, user)
        while match.seats.count() < match.seat_count:
            _take_place(match, bot=usual_bot(match.game))
        return start_if_full(match)


def rematch(user: User, code: str, *, entropy_hash: str = "") -> Snapshot:
    """The table of the rematch of a finished match: same rules and bots, its people invited. Returns its Snapshot.

    Programs sit down at it too, if their owner opens it.

    The first to ask opens it, the others sit down at it; one that was closed is opened anew.
    """
    with locked(code) as match:
        mine = match.seats.filter(user=user).first()
        if not mine:
            raise NotAllowed("Only the players of this match can ask for a rematch.")
        if match.status != Match.Status.OVER:
            raise Refused("This match isn't over yet.")
        again = Match.objects.filter(rematch_of=match).first()
        if again and again.status == Match.Status.CLOSED:
            Match.objects.filter(pk=again.pk).update(rematch_of=None)
            again = None
        if again is None:
            bots = match.seats.filter(user__isnull=True)
            opened = open_table(
                user,
                match.game,
                seats=match.seat_count,
                options=match.options,
                speed=match.speed,
                listed=False,
                bots=len(bots),
                levels=[seat.bot if seat.bot in _bots(match.game) else "" for seat in bots],
                teams=[mine.team, *(seat.team for seat in bots)],
                entropy_hash=entropy_hash,
                rules_version=match.rules_version,
            )
            Match.objects.filter(code=opened.code).update(rematch_of=match)
            save_change(match)
            for program in usable_programs().filter(owner=user, user__seats__match=match):
                team = match.seats.get(user=program.user).team
                opened = seat_program(program, opened.code, team=team)
            return opened
    if not again.seats.filter(user=user).exists():
        with suppress(Refused):  # the partner's seat may be taken
            return sit_down(user, again.code, entropy_hash=entropy_hash, team=mine.team)
    return sit_down(user, again.code, entropy_hash=entropy_hash)


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


def _bots(game: str) -> list[str]:
    """The names of the bots that may be seated."""
    return [*levels_of(game), SENSIBLE]


def _bot(game: str, level: str) -> str:
    """The name of the bot of a level, or of the usual one for "". Raises Refused."""
    if level and level not in _bots(game):
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


def _take_place(
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
