"""Opening a table: by its form, at once against bots, for friends, for a guide, for a rematch."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.programs import usable_programs
from games.catalog import YARDSTICK, InvalidOptions, Rules, UnknownGame, get_game, get_rules
from games.kit import shuffle
from games.kit.contract import Options
from games.kit.language import lazy
from games.models import Match, Seat, Terms, new_code
from games.play import promises, store
from games.play.changes import locked, save_change
from games.play.company import is_member
from games.play.completion import may_ask_for
from games.play.errors import NotAllowed, Refused, StaleMove
from games.play.origins import ANY_SEAT, SeatRequest
from games.play.pace import OPEN_LIMIT, SLOW_OPEN_LIMIT, SPEEDS
from games.play.rated import demand_rateable, demand_standard
from games.play.seating import bot_of, bots_of, leave_match, seat_program, sit_down, take_place
from games.play.snapshot import Snapshot
from games.play.starting import start_if_full
from games.play.tables import TooManyTables

USUAL = Terms()
AMONG_FRIENDS = Terms(speed="untimed", listed=False)
GUIDED = "guide"  # the shuffle_code of matches that share a seed


@dataclass(frozen=True)
class Setup:
    """What is played at a new table, and which bots sit there from the start."""

    game: str
    seats: int | None = None  # None for the default of the rules.
    options: dict[str, Any] = field(default_factory=dict)  # As rules.clean_options takes them.
    rules_version: int | None = None  # None for the newest.
    bots: int = 0
    levels: Sequence[str] = ()  # Of the bots, in this order; "", as where none is named, for the usual one.
    teams: Sequence[int | None] = ()  # The sides of the bots, in this order; without them both fill up equally.
    guide: bool = False  # As for `open_guide`.


class Source(NamedTuple):
    """What the decks follow from, where a match is to be played again just so."""

    seed: str  # hex
    shuffle_code: str | None = None  # Where that seed may have been used here.


@transaction.atomic
def open_table(
    user: User | None, setup: Setup, terms: Terms = USUAL, host: SeatRequest = ANY_SEAT, source: Source | None = None
) -> Snapshot:
    """Open a table with its host and bots sitting at it; a table that is then full starts.

    user: the host, or None for a match among bots. host: of their seat. Raises Refused.
    """
    rules, seats, options = _rules_of(setup)
    _demand_terms(user, terms)
    if not 0 <= setup.bots <= seats - (user is not None):
        raise Refused(lazy("A table for {seats} has room for 0 to {bots} bots.", seats=seats, bots=seats - 1))
    if terms.rated:
        demand_rateable(user, SPEEDS[terms.speed], setup.bots)
        demand_standard(rules, seats, options)
    if host.told:
        code, seed = promises.kept_promise(host.told)
    else:
        code, seed = new_code(), source.seed if source else shuffle.new_seed()
    open_limit = SLOW_OPEN_LIMIT if SPEEDS[terms.speed].slow else OPEN_LIMIT
    try:
        with transaction.atomic():
            match = Match.objects.create(
                code=code,
                game=setup.game,
                rules_version=rules.version,
                seat_count=seats,
                options=options,
                **terms.as_columns(),
                guide=setup.guide,
                host=user,
                seed=seed,
                seed_hash=shuffle.commitment(seed),
                shuffle_code=(source and source.shuffle_code) or code,
                wake_at=timezone.now() + timedelta(seconds=open_limit),
            )
    except IntegrityError:
        if host.told:  # two forms with one promise, perhaps at the same moment
            raise StaleMove(promises.STALE) from None
        raise
    if user:
        take_place(match, host, user=user)
    for number in range(setup.bots):
        bot = YARDSTICK if setup.guide else bot_of(setup.game, _nth(setup.levels, number) or "")
        take_place(match, SeatRequest(_nth(setup.teams, number)), bot=bot)
    if host.told:
        promises.take_share(match, host.told)
    return start_if_full(match)


def _rules_of(setup: Setup) -> tuple[Rules, int, Options]:
    """Return the rules of a table, the number of its seats and all its options. Raises Refused."""
    try:
        rules = get_rules(setup.game, setup.rules_version)
        seats = rules.default_seats if setup.seats is None else setup.seats
        return rules, seats, rules.clean_options(seats, setup.options)
    except UnknownGame:
        raise Refused(lazy("This site doesn’t have that game. Choose one in the lobby.")) from None
    except InvalidOptions as refusal:
        raise Refused(*refusal.args) from None


def _nth[T](values: Sequence[T], number: int) -> T | None:
    return values[number] if number < len(values) else None


def _demand_terms(user: User | None, terms: Terms) -> None:
    """Raise Refused where a user may not open a table under these terms."""
    if terms.speed not in SPEEDS:
        raise Refused(lazy("This site doesn’t have that speed. Choose one of those offered."))
    if terms.watching not in Match.Watching.values or terms.chat not in Match.Chat.values:
        raise Refused(lazy("Choose who may watch and who may write among those offered."))
    if terms.completion_asked is not None and (user is None or terms.completion_asked not in may_ask_for(user)):
        raise Refused(lazy("You can ask others for no higher completion rate than your own."))
    if terms.club_id is not None and (
        user is None or terms.listed or terms.rated or not is_member(user.pk, terms.club_id)
    ):
        raise NotAllowed(lazy("Only members of a club can open its tables, which are casual."))


def once(user: User, act: Callable[..., Snapshot], seat: SeatRequest, **arguments: Any) -> Snapshot:
    """What `act`, which opens a table, makes of a form; of a form that comes again, the table that it led to.

    act: takes the user, the request for the host's seat, and the arguments. Where that table is no more, or the user
    has left it, the form is as good as a new one.
    """
    taken = Seat.objects.filter(user=user, form_key=seat.form_key).exclude(form_key="").select_related("match")
    own = taken.first()
    if own is None:
        try:
            return act(user, seat, **arguments)
        except Refused:  # perhaps because the same form was quicker by another click
            own = taken.first()
            if own is None:
                raise
    if own.match.status in Match.RUNNING and own.left_at is None:
        return store.read(own.match.code)
    return act(user, replace(seat, form_key=""), **arguments)


def chosen_table(user: User, seat: SeatRequest, *, setup: Setup, terms: Terms) -> Snapshot:
    """`open_table` for `once`."""
    return open_table(user, setup, terms, seat)


def quick_play(user: User, seat: SeatRequest = ANY_SEAT, *, game: str, length: str = "", level: str = "") -> Snapshot:
    """A match against bots of one level at once, at the usual table. Returns the Snapshot.

    length: the slug of a format; "" for the length that the rules have by themselves. level: "" for the usual one.
    """
    setup = _usual_setup(game, length)
    bots = (setup.seats or 0) - 1
    return open_table(user, replace(setup, bots=bots, levels=[level] * bots), AMONG_FRIENDS, seat)


@cache
def promised_tables(game: str) -> dict[str, dict[str, Any]]:
    """What is known beforehand of a match that `quick_play` opens: by length {"teams", "dealing"}.

    They are those of `promises.promise_to`.
    """
    rules, tables = get_rules(game), {}
    for length in [chosen.slug for chosen in rules.formats] or [""]:
        seats, options = rules.default_seats, _usual_setup(game, length).options
        teams = [rules.team_of(place, seats) for place in range(seats)]  # each goes where there are fewer
        tables[length] = {"teams": teams, "dealing": rules.dealing(rules.new_match(seats, options))}
    return tables


def await_friends(user: User, seat: SeatRequest = ANY_SEAT, *, game: str, length: str = "") -> Snapshot:
    """The usual table, waiting for those whom the host sends its link to. length: as for `quick_play`."""
    return open_table(user, _usual_setup(game, length), AMONG_FRIENDS, seat)


def _usual_setup(game: str, length: str) -> Setup:
    """What most people play."""
    try:
        rules = get_rules(game)
    except UnknownGame:
        raise Refused(lazy("This site doesn’t have that game. Choose one in the lobby.")) from None
    chosen = rules.find_format(length)
    if length and chosen is None:
        raise Refused(lazy("{game} has no match of that length. Choose one of those offered.", game=rules.name))
    return Setup(game, rules.default_seats, rules.usual_options(rules.default_seats, chosen))


@transaction.atomic
def open_guide(user: User, seat: SeatRequest = ANY_SEAT, *, game: str) -> Snapshot:
    """A prepared deal for somebody new to a game; any other that they were at is closed. Returns the Snapshot.

    Its seed is that of the game's guide, the same for all, so its cards are no secret: nothing of it is counted. So
    that the deal comes out much the same for all, it is played by the bot that never changes.
    """
    try:
        guide, rules = get_game(game).guide, get_rules(game)
    except UnknownGame:
        raise Refused(lazy("This site doesn’t have that game. Choose one in the lobby.")) from None
    if guide is None:
        raise Refused(lazy("There is no guide for this game yet. Play against bots instead."))
    others = user.seats.filter(match__guide=True, match__status__in=Match.RUNNING)
    for code in others.values_list("match__code", flat=True):
        with suppress(Refused):  # it has ended meanwhile
            leave_match(user, code)
    options = rules.usual_options(guide.seats, rules.formats[0])
    setup = Setup(game, guide.seats, options, bots=guide.seats - 1, guide=True)
    return open_table(user, setup, AMONG_FRIENDS, SeatRequest(form_key=seat.form_key), Source(guide.seed, GUIDED))


def rematch(user: User, code: str, seat: SeatRequest = ANY_SEAT) -> Snapshot:
    """The table of the rematch of a finished match: same rules and bots, its people invited. Returns its Snapshot.

    Programs sit down at it too, if their owner opens it and they are not at too many tables.

    The first to ask opens it, the others sit down at it; one that was closed is opened anew.
    """
    with locked(code) as match:
        mine = match.seats.filter(user=user).first()
        if not mine:
            raise NotAllowed(lazy("Only the players of this match can ask for a rematch. Open a new table instead."))
        if match.status != Match.Status.OVER:
            raise Refused(lazy("This match isn’t over yet. Play it to its end first."))
        if match.aside:
            raise Refused(lazy("There is no rematch of a challenge or a variation. Open a new table instead."))
        again = Match.objects.filter(rematch_of=match).first()
        if again and again.status == Match.Status.CLOSED:
            Match.objects.filter(pk=again.pk).update(rematch_of=None)
            again = None
        if again is None:
            bots = match.seats.filter(user__isnull=True)
            setup = Setup(
                match.game,
                match.seat_count,
                match.options,
                match.rules_version,
                bots=len(bots),
                levels=[bot.bot if bot.bot in bots_of(match.game) else "" for bot in bots],
                teams=[bot.team for bot in bots],
            )
            club = match.club_id if match.club_id and is_member(user.pk, match.club_id) else None
            terms = replace(match.terms, listed=False, club_id=club, completion_asked=None)
            opened = open_table(user, setup, terms, replace(seat, team=mine.team))
            Match.objects.filter(code=opened.code).update(rematch_of=match)
            save_change(match)
            for program in usable_programs().filter(owner=user, user__seats__match=match):
                team = match.seats.get(user=program.user).team
                with suppress(TooManyTables):  # then its seat stays free
                    opened = seat_program(program, opened.code, team=team)
            return opened
    if not again.seats.filter(user=user).exists():
        with suppress(Refused):  # the partner's seat may be taken
            return sit_down(user, again.code, replace(seat, team=mine.team))
    return sit_down(user, again.code, seat)
