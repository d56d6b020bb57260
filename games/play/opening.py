"""Opening tables: by the form, against bots, for friends, for guides and for rematches."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache
from typing import NamedTuple

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
from games.play.access import is_member
from games.play.changes import locked, save_change
from games.play.completion import rates_to_ask
from games.play.errors import NotAllowed, Refused, StaleMove
from games.play.hosting import invite
from games.play.origins import ANY_SEAT, SeatRequest
from games.play.pace import OPEN_LIMIT, SLOW_OPEN_LIMIT, SPEEDS
from games.play.rated import demand_rateable, demand_standard
from games.play.seating import bot_of, bots_of, leave_match, seat_program, sit_down, take_place
from games.play.snapshot import Snapshot
from games.play.starting import start_if_full
from games.play.tables import TooManyTables

USUAL = Terms()
AMONG_FRIENDS = Terms(speed="untimed", listed=False, chat="invited")
GUIDED = "guide"  # the shuffle_code of matches that share a seed


@dataclass(frozen=True)
class Setup:
    """The game of a new table, and the bots that sit there from the start."""

    game: str
    seats: int | None = None  # None for the default of the rules.
    options: Options = field(default_factory=dict)  # As rules.clean_options takes them.
    rules_version: int | None = None  # None for the newest.
    bots: int = 0
    levels: Sequence[str] = ()  # Of the bots, in order. "" or a missing one is the usual level.
    teams: Sequence[int | None] = ()  # The sides of the bots, in order. Without them, both sides fill up equally.
    guide: bool = False


class Source(NamedTuple):
    """The source of the decks of a match with prescribed cards."""

    seed: str  # hex
    shuffle_code: str | None = None  # The code of the match that used the seed first, or GUIDED.


@transaction.atomic
def open_table(
    user: User | None, setup: Setup, terms: Terms = USUAL, host: SeatRequest = ANY_SEAT, source: Source | None = None
) -> Snapshot:
    """Open a table, and seat its host and bots. It starts if that makes it full. Raise Refused.

    user: the host, or None for a match among bots. host: the request for the host's seat.
    """
    rules, seats, options = check_setup(setup)
    if terms.listed and terms.chat == Match.Chat.INVITED:
        terms = replace(terms, chat=str(Match.Chat.FRIENDS))  # Anyone may come, and a rematch keeps the terms.
    _demand_terms(user, terms)
    if not 0 <= setup.bots <= seats - (user is not None):
        raise Refused(lazy("Choose from 0 to {bots} bots for a table of {seats}.", seats=seats, bots=seats - 1))
    if terms.rated:
        demand_rateable(user, SPEEDS[terms.speed], setup.bots)
        demand_standard(rules, seats, options)
    if host.promise:
        code, seed = promises.redeem(host.promise)
    else:
        code, seed = new_code(), source.seed if source else shuffle.new_seed()
    open_limit = SLOW_OPEN_LIMIT if SPEEDS[terms.speed].is_slow else OPEN_LIMIT
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
        if host.promise:  # The promise has been used before, perhaps by a double click.
            raise StaleMove(promises.STALE) from None
        raise
    if user:
        take_place(match, host, user=user)
    teams = _teams_of_bots(setup, rules, seats)
    for number in range(setup.bots):
        bot = YARDSTICK if setup.guide else bot_of(setup.game, _nth(setup.levels, number) or "")
        take_place(match, SeatRequest(teams[number]), bot=bot)
    if host.promise:
        promises.accept_share(match, host.promise)
    return start_if_full(match)


def check_setup(setup: Setup) -> tuple[Rules, int, Options]:
    """Return the rules of a new table, the number of its seats and all its options. Raise Refused if they don't fit.

    The setup may leave all three to the defaults of the game.
    """
    try:
        rules = get_rules(setup.game, setup.rules_version)
        seats = rules.default_seats if setup.seats is None else setup.seats
        return rules, seats, rules.clean_options(seats, setup.options)
    except UnknownGame:
        raise Refused(lazy("This site doesn’t have that game. Choose one in the lobby.")) from None
    except InvalidOptions as refusal:
        raise Refused(*refusal.args) from None


def _teams_of_bots(setup: Setup, rules: Rules, seats: int) -> list[int | None]:
    """Return the side of each bot. The host's partner, on side 0, is no bot if people are still to come.

    With bots alone, the sides fill up in turn, as the page that opens such a table has promised.
    """
    if setup.teams or setup.bots >= seats - 1 or seats not in rules.partners_at:
        return [_nth(setup.teams, number) for number in range(setup.bots)]
    return [1 if number < seats // 2 else None for number in range(setup.bots)]


def _nth[T](values: Sequence[T], number: int) -> T | None:
    return values[number] if number < len(values) else None


def _demand_terms(user: User | None, terms: Terms) -> None:
    """Raise Refused if a user may not open a table with these terms: its speed, and who may watch, chat or sit there.

    user: None for a table of bots only.
    """
    if terms.speed not in SPEEDS:
        raise Refused(lazy("This site doesn’t have that speed. Choose one of those offered."))
    if terms.watching not in Match.Watching.values or terms.chat not in Match.Chat.values:
        raise Refused(lazy("Choose who may watch and who may write among those offered."))
    rate = terms.completion_asked
    if rate is not None and (user is None or rate not in rates_to_ask(user)):
        raise Refused(lazy("You can ask others for no higher completion rate than your own. Choose a lower one."))
    if terms.club_id is None:
        return
    if user is None or terms.listed or not is_member(user.pk, terms.club_id):
        raise NotAllowed(lazy("Only members of a club can open its tables. Open another kind of table."))


def open_once(user: User, opener: Callable[..., Snapshot], seat: SeatRequest, **arguments: object) -> Snapshot:
    """Open a table with the function `opener`. If the same form was sent before, return the table that it opened.

    So a double click opens one table. opener: called with the user, the request for the host's seat, and the arguments.
    seat.form_key: a random text in the form, stored with the seat. If the earlier table is over, or the user has left
    it, a new one is opened.
    """
    seats = Seat.objects.filter(user=user, form_key=seat.form_key).exclude(form_key="").select_related("match")
    earlier = seats.first()
    if earlier is None:
        try:
            return opener(user, seat, **arguments)
        except Refused:  # Perhaps because the same form was sent by another click.
            earlier = seats.first()
            if earlier is None:
                raise
    if earlier.match.status in Match.RUNNING and earlier.left_at is None:
        return store.read(earlier.match.code)
    return opener(user, replace(seat, form_key=""), **arguments)  # The key stays with the earlier seat.


@transaction.atomic
def open_by_form(user: User, seat: SeatRequest, *, setup: Setup, terms: Terms, invited: User | None = None) -> Snapshot:
    """Open a table, with the arguments in the order that `open_once` needs. invited: a user to keep a seat for."""
    snapshot = open_table(user, setup, terms, seat)
    return invite(user, snapshot.code, invited) if invited else snapshot


def quick_play(user: User, seat: SeatRequest = ANY_SEAT, *, game: str, length: str = "", level: str = "") -> Snapshot:
    """Start a match of one user against bots of one level, with the usual options. Return its snapshot.

    game: its slug. length: the slug of a length of match; "" for the default of the rules. level: "" for the usual one.
    """
    setup = usual_setup(game, length)
    bots = (setup.seats or 0) - 1  # All seats but the user's.
    return open_table(user, replace(setup, bots=bots, levels=[level] * bots), AMONG_FRIENDS, seat)


@cache
def promised_tables(game: str) -> dict[str, dict[str, object]]:
    """Return what browsers must know of a game's tables against bots before they open, by length: {"teams", "dealing"}.

    The page that opens such a table has a promise: the hash of the seed that will decide all shuffles. The browser
    notes the promise and these data, so that it can verify the shuffles after the match.
    "teams": of the seats, in the order of sitting down. "dealing": how the rules deal out a deck. game: its slug.
    """
    rules = get_rules(game)
    tables: dict[str, dict[str, object]] = {}
    for length in [length.slug for length in rules.formats] or [""]:  # Some games offer no choice of lengths.
        seats, options = rules.default_seats, usual_setup(game, length).options
        teams = [rules.team_of(place, seats) for place in range(seats)]  # Players sit down on each side in turn.
        tables[length] = {"teams": teams, "dealing": rules.dealing(rules.new_match(seats, options))}
    return tables


def open_for_friends(user: User, seat: SeatRequest = ANY_SEAT, *, game: str, length: str = "") -> Snapshot:
    """Open a table with the usual options that only people with its link can find. length: as in `quick_play`."""
    return open_table(user, usual_setup(game, length), AMONG_FRIENDS, seat)


def usual_setup(game: str, length: str) -> Setup:
    """Return the setup of a game that most people play: the number of seats and the options.

    length: the slug of a length of match; "" for the default. Raise Refused if there is no such game or length.
    """
    try:
        rules = get_rules(game)
    except UnknownGame:
        raise Refused(lazy("This site doesn’t have that game. Choose one in the lobby.")) from None
    match_format = rules.find_format(length)
    if length and match_format is None:
        raise Refused(lazy("{game} has no match of that length. Choose one of those offered.", game=rules.name))
    return Setup(game, rules.default_seats, rules.usual_options(rules.default_seats, match_format))


@transaction.atomic
def open_guide(user: User, seat: SeatRequest = ANY_SEAT, *, game: str) -> Snapshot:
    """Start the guide to a game, a prepared deal for newcomers. Leave any other guide. Return the snapshot.

    All guides to a game have the same seed, and so the same cards. They are no secret, so the match counts for nothing.
    The bots play by a rule of thumb, which never changes, so that the deal goes much the same for everybody.
    """
    try:
        guide, rules = get_game(game).guide, get_rules(game)
    except UnknownGame:
        raise Refused(lazy("This site doesn’t have that game. Choose one in the lobby.")) from None
    if guide is None:
        raise Refused(lazy("There is no guide for this game yet. Play against bots instead."))
    # A user has one guide at a time, as no list shows them.
    others = user.seats.filter(match__guide=True, match__status__in=Match.RUNNING)
    for code in others.values_list("match__code", flat=True):
        with suppress(Refused):  # It has just ended.
            leave_match(user, code)
    options = rules.usual_options(guide.seats, rules.formats[0])
    setup = Setup(game, guide.seats, options, bots=guide.seats - 1, guide=True)
    return open_table(user, setup, AMONG_FRIENDS, SeatRequest(form_key=seat.form_key), Source(guide.seed, GUIDED))


def rematch(user: User, code: str, seat: SeatRequest = ANY_SEAT) -> Snapshot:
    """Open the rematch of a finished match, or sit down at it if another player has opened it. Return its snapshot.

    It has the same rules and bots. Programs sit down too, if their owner opens it and they are not at too many tables.
    If the rematch was closed, open a new one.
    """
    with locked(code) as match:
        own_seat = match.seats.filter(user=user).first()
        if not own_seat:
            raise NotAllowed(lazy("Only the players of this match can ask for a rematch. Open a new table instead."))
        if match.status != Match.Status.OVER:
            raise Refused(lazy("This match isn’t over yet. Play it to its end first."))
        if match.aside:
            raise Refused(lazy("There is no rematch of a challenge or a variation. Open a new table instead."))
        next_match = Match.objects.filter(rematch_of=match).first()
        if next_match and next_match.status == Match.Status.CLOSED:
            Match.objects.filter(pk=next_match.pk).update(rematch_of=None)
            next_match = None
        if next_match is None:
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
            opened = open_table(user, setup, terms, replace(seat, team=own_seat.team))
            Match.objects.filter(code=opened.code).update(rematch_of=match)
            save_change(match)
            for program in usable_programs().filter(owner=user, user__seats__match=match):
                team = match.seats.get(user=program.user).team
                with suppress(TooManyTables):  # Its seat stays free.
                    opened = seat_program(program, opened.code, team=team)
            return opened
    if not next_match.seats.filter(user=user).exists():
        with suppress(Refused):  # The seat on the same side may be taken.
            return sit_down(user, next_match.code, replace(seat, team=own_seat.team))
    return sit_down(user, next_match.code, seat)
