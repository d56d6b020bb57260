"""Opening a table: by its form, at once against bots, for friends, for a guide, for a rematch."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import cache
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.programs import usable_programs
from games.catalog import YARDSTICK, InvalidOptions, UnknownGame, get_game, get_rules
from games.kit import shuffle
from games.kit.language import lazily
from games.models import Match, Seat, new_code
from games.play import promises, store
from games.play.changes import locked, save_change
from games.play.company import is_member
from games.play.completion import may_ask_for
from games.play.errors import NotAllowed, Refused, StaleMove
from games.play.origins import UNKNOWN, Origin
from games.play.pace import DEFAULT_SPEED, OPEN_LIMIT, SLOW_OPEN_LIMIT, SPEEDS
from games.play.rated import demand_rateable
from games.play.seating import bot_of, bots_of, leave_match, seat_program, sit_down, take_place
from games.play.snapshot import Snapshot
from games.play.starting import start_if_full
from games.play.tables import TooManyTables

GUIDED = "guide"  # the shuffle_code of matches that share a seed


@transaction.atomic
def open_table(
    user: User | None,
    game: str,
    *,
    seats: int | None = None,
    options: dict[str, Any] | None = None,
    speed: str = DEFAULT_SPEED,
    listed: bool = True,
    watching: str = "anyone",
    talk: str = "friends",
    rated: bool = False,
    bots: int = 0,
    levels: Sequence[str] = (),
    teams: Iterable[int | None] = (),
    entropy_hash: str = "",
    form_key: str = "",
    told: promises.Told | None = None,
    seed: str | None = None,
    shuffle_code: str | None = None,
    rules_version: int | None = None,
    guide: bool = False,
    completion_asked: int | None = None,
    open_deals: bool = False,
    club: int | None = None,
    origin: Origin = UNKNOWN,
) -> Snapshot:
    """Open a table with its host and `bots` bots sitting at it; a table that is then full starts.

    user: the host, or None for a match among bots. watching, talk: who may look on, and write words of their own; of
    Match.Watching and Match.Talk. options: as rules.clean_options takes them. levels: of the bots, in
    this order, "" for the usual one; those for whom none is named are of that too. teams: the sides of the
    host and of the bots, in this order; without them both sides fill up equally. entropy_hash: the commitment of the
    host's browser, see games.kit.shuffle. form_key: of the form that was sent, see `once`. told: of a table that was
    promised and that bots fill, with the share itself. seed (hex), from which the decks follow, is given only where a
    match is to be played again just so; shuffle_code where that seed may have been used here. rules_version: of the
    rules to play by, the newest without it. guide: as for `open_guide`.
    completion_asked: the completion rate, in percent, of who comes uninvited: not above the host's own; None for any.
    open_deals: after each deal whoever may look on may see all its hands. club: by its key, one that the host is a
    member of; the table is for its members then.
    origin: from where the host takes their seat. Returns the Snapshot. Raises Refused.
    """
    try:
        rules = get_rules(game, rules_version)
        seats = rules.default_seats if seats is None else seats
        options = rules.clean_options(seats, {} if options is None else options)
    except UnknownGame:
        raise Refused(lazily("This site doesn’t have that game.")) from None
    except InvalidOptions as refusal:
        raise Refused(*refusal.args) from None
    if speed not in SPEEDS:
        raise Refused(lazily("This site doesn’t have that speed."))
    if watching not in Match.Watching.values or talk not in Match.Talk.values:
        raise Refused(lazily("Choose who may watch and who may write among those offered."))
    if not 0 <= bots <= seats - (user is not None):
        raise Refused(lazily("A table for {seats} has room for 0 to {bots} bots.", seats=seats, bots=seats - 1))
    if completion_asked is not None and (user is None or completion_asked not in may_ask_for(user)):
        raise Refused(lazily("You can ask others for no higher completion rate than your own."))
    if club is not None and (user is None or listed or rated or not is_member(user.pk, club)):
        raise NotAllowed(lazily("Only members of a club can open its tables, which are casual."))
    if rated:
        demand_rateable(user, rules, seats, options, SPEEDS[speed], bots)
    if told:
        code, seed = promises.kept_promise(told)
    else:
        code, seed = new_code(), seed or shuffle.new_seed()
    try:
        with transaction.atomic():
            match = Match.objects.create(
                code=code,
                game=game,
                rules_version=rules.version,
                seat_count=seats,
                options=options,
                speed=speed,
                listed=listed,
                watching=watching,
                talk=talk,
                rated=rated,
                open_deals=open_deals,
                club_id=club,
                guide=guide,
                completion_asked=completion_asked,
                host=user,
                seed=seed,
                seed_hash=shuffle.commitment(seed),
                shuffle_code=shuffle_code or code,
                wake_at=timezone.now() + timedelta(seconds=SLOW_OPEN_LIMIT if SPEEDS[speed].slow else OPEN_LIMIT),
            )
    except IntegrityError:
        if told:  # two forms with one promise, perhaps at the same moment
            raise StaleMove(promises.STALE) from None
        raise
    sides = iter(teams)
    if user:
        side = next(sides, None)
        take_place(match, user=user, entropy_hash=entropy_hash, form_key=form_key, team=side, origin=origin)
    for number in range(bots):
        bot = YARDSTICK if guide else bot_of(game, levels[number] if number < len(levels) else "")
        take_place(match, bot=bot, team=next(sides, None))
    if told:
        promises.take_share(match, told)
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


def quick_play(user: User, game: str, *, length: str = "", level: str = "", **seat: Any) -> Snapshot:
    """A match against bots of one level at once, at the usual table. Returns the Snapshot.

    length: the slug of a format; "" for the length that the rules have by themselves. level: "" for the usual one.
    seat: "entropy_hash", "form_key", "told" and "origin" of the host's, as for `open_table`.
    """
    table = _usual_table(game, length)
    bots = table["seats"] - 1
    return open_table(user, game, **table, bots=bots, levels=[level] * bots, **seat)


@cache
def promised_tables(game: str) -> dict[str, dict[str, Any]]:
    """What is known beforehand of a match that `quick_play` opens: by length {"teams", "dealing"}.

    They are those of `promises.promise_to`.
    """
    rules, tables = get_rules(game), {}
    for length in [chosen.slug for chosen in rules.formats] or [""]:
        table = _usual_table(game, length)
        seats = table["seats"]
        teams = [rules.team_of(place, seats) for place in range(seats)]  # each goes where there are fewer
        tables[length] = {"teams": teams, "dealing": rules.dealing(rules.new_match(seats, table["options"]))}
    return tables


def await_friends(user: User, game: str, *, length: str = "", **seat: Any) -> Snapshot:
    """The usual table, waiting for those whom the host sends its link to. length, seat: as for `quick_play`."""
    return open_table(user, game, **_usual_table(game, length), **seat)


def _usual_table(game: str, length: str) -> dict[str, Any]:
    """What `open_table` takes for a table as most people play, without a clock and by link only."""
    try:
        rules = get_rules(game)
    except UnknownGame:
        raise Refused(lazily("This site doesn’t have that game.")) from None
    chosen = rules.find_format(length)
    if length and chosen is None:
        raise Refused(lazily("{game} has no match of that length. Choose one of those offered.", game=rules.name))
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
        raise Refused(lazily("This site doesn’t have that game.")) from None
    if guide is None:
        raise Refused(lazily("Nobody has prepared a first deal of this game yet."))
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


def rematch(user: User, code: str, *, entropy_hash: str = "", origin: Origin = UNKNOWN) -> Snapshot:
    """The table of the rematch of a finished match: same rules and bots, its people invited. Returns its Snapshot.

    Programs sit down at it too, if their owner opens it and they are not at too many tables.

    The first to ask opens it, the others sit down at it; one that was closed is opened anew.
    """
    with locked(code) as match:
        mine = match.seats.filter(user=user).first()
        if not mine:
            raise NotAllowed(lazily("Only the players of this match can ask for a rematch."))
        if match.status != Match.Status.OVER:
            raise Refused(lazily("This match isn’t over yet."))
        if match.aside:
            raise Refused(lazily("This was no match of its own, so there is no rematch."))
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
                watching=match.watching,
                talk=match.talk,
                rated=match.rated,
                open_deals=match.open_deals,
                club=match.club_id if match.club_id and is_member(user.pk, match.club_id) else None,
                bots=len(bots),
                levels=[seat.bot if seat.bot in bots_of(match.game) else "" for seat in bots],
                teams=[mine.team, *(seat.team for seat in bots)],
                entropy_hash=entropy_hash,
                rules_version=match.rules_version,
                origin=origin,
            )
            Match.objects.filter(code=opened.code).update(rematch_of=match)
            save_change(match)
            for program in usable_programs().filter(owner=user, user__seats__match=match):
                team = match.seats.get(user=program.user).team
                with suppress(TooManyTables):  # then its seat stays free
                    opened = seat_program(program, opened.code, team=team)
            return opened
    if not again.seats.filter(user=user).exists():
        with suppress(Refused):  # the partner's seat may be taken
            return sit_down(user, again.code, entropy_hash=entropy_hash, team=mine.team, origin=origin)
    return sit_down(user, again.code, entropy_hash=entropy_hash, origin=origin)
