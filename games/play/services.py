"""Every write, one transaction each. Nothing else in the project changes a match.

A write that players can see raises the match's revision and, once it is committed, is told to `live`. Moves are stored
on condition that the match still has the revision they were checked against, so that of many processes, tabs or clicks
one wins; the other acts lock the match's row.
"""

import logging
import random
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from games.catalog import CHANCE, IllegalMove, InvalidOptions, Meaning, UnknownGame, all_games, get_bot, get_rules
from games.kit import shuffle
from games.live import hub as live
from games.models import Match, Move, Seat, new_code
from games.play import snapshot as snapshots
from games.play import store as storage
from games.play.pace import (
    BOT_PAUSE,
    DEAL_PAUSE,
    DEFAULT_SPEED,
    GONE_LIMIT,
    IDLE_LIMIT,
    OPEN_LIMIT,
    SPEEDS,
    TRICK_PAUSE,
)
from games.play.snapshot import stands_in

log = logging.getLogger("valat.services")

OUTDATED = "This table was opened under an earlier version of the rules, and can't go on."
BOT_NAMES = ("Ada", "Basil", "Cleo", "Dorian", "Edda", "Felix", "Greta", "Hugo")


class Refused(Exception):
    """An act that is not allowed. Its text is shown to the player as it is; it has changed nothing."""

    status = 400


class NotAllowed(Refused):
    """The act is not this player's."""

    status = 403


class StaleMove(Refused):
    """The player had not seen the latest move."""

    status = 409


class AlreadyPlayed(StaleMove):
    """The same has come twice: the first was done."""


# Opening a table, and who sits at it


@transaction.atomic
def open_table(
    user,
    game,
    *,
    seats=None,
    options=None,
    speed=DEFAULT_SPEED,
    listed=True,
    bots=0,
    teams=None,
    entropy="",
    seed=None,
    shuffle_code=None,
):
    """Open a table with its host and `bots` bots sitting at it; a table that is then full starts.

    user: the host, or None for a match among bots. options: as rules.clean_options takes them. teams: the sides of the
    host and of the bots, in this order; without them both sides fill up equally. seed (hex) and shuffle_code, from
    which the decks follow, are given only where a match is to be played again just so.
    Returns the Snapshot. Raises Refused.
    """
    try:
        rules = get_rules(game)
        seats = rules.default_seats if seats is None else seats
        options = rules.clean_options(seats, {} if options is None else options)
    except UnknownGame:
        raise Refused("We don't have that game.") from None
    except InvalidOptions as refusal:
        raise Refused(str(refusal)) from None
    if speed not in SPEEDS:
        raise Refused("We don't have that speed.")
    if not 0 <= bots <= seats - (user is not None):
        raise Refused(f"At a table of {seats} there is room for 0 to {seats - 1} bots.")
    seed = seed or shuffle.new_seed()
    code = new_code()
    match = _create_match(
        code=code,
        game=game,
        rules_version=rules.version,
        seat_count=seats,
        options=options,
        speed=speed,
        listed=listed,
        host=user,
        seed=seed,
        seed_hash=shuffle.commitment(seed),
        shuffle_code=shuffle_code or code,
        wake_at=timezone.now() + timedelta(seconds=OPEN_LIMIT),
    )
    teams = iter(teams or ())
    if user:
        _take_place(match, user=user, entropy=entropy, team=next(teams, None))
    for _ in range(bots):
        _take_place(match, bot=get_bot(game).name, team=next(teams, None))
    return _start_if_full(match)


def _create_match(**fields):
    try:
        with transaction.atomic():
            return Match.objects.create(**fields)
    except IntegrityError:
        raise StaleMove("That table is open already: you find it among your matches.") from None


def quick_play(user, game, *, entropy="", seed=None):
    """A seat for `user` at once: where somebody waits, else at a new table against bots. Returns the Snapshot."""
    waiting = (
        Match.objects.filter(status=Match.Status.OPEN, listed=True, game=game, seats__connected=True)
        .exclude(seats__user=user)
        .order_by("id")
        .values_list("code", flat=True)
        .distinct()
    )
    for code in waiting[:5]:
        try:
            return sit_down(user, code, entropy=entropy)
        except Refused:
            continue  # it filled up while we looked
    try:
        seats = get_rules(game).default_seats
    except UnknownGame:
        raise Refused("We don't have that game.") from None
    return open_table(user, game, speed="untimed", listed=False, bots=seats - 1, entropy=entropy, seed=seed)


def sit_down(user, code, *, entropy="", team=None):
    """Give `user` a free seat at an open table; a full table starts.

    team: the side to be on where partners play, 0 or 1; None for either. Sitting down twice changes nothing but that.
    """
    with _locked(code) as match:
        seat = match.seats.filter(user=user).first()
        if seat and (team in (None, seat.team) or match.status != Match.Status.OPEN):
            return snapshots.read(code, lock=True)
        _demand_open(match)
        if seat:
            seat.team = _free_team(match, match.seats.exclude(pk=seat.pk), team)
            seat.save(update_fields=["team"])
            return _changed(match)
        _demand_free_seat(match)
        _take_place(match, user=user, entropy=entropy, team=team)
        return _start_if_full(match)


def stand_up(user, code):
    """Free the user's seat at a table that has not started. The next person becomes its host; without one it closes."""
    with _locked(code) as match:
        _demand_open(match)
        if not match.seats.filter(user=user).delete()[0]:
            raise NotAllowed("You have no seat at this table.")
        people = match.seats.filter(user__isnull=False).order_by("place")
        if not people:
            return _close(match)
        if match.host_id == user.pk:
            match.host = people[0].user
        return _changed(match)


def seat_bot(user, code, *, team=None):
    """The host gives a free seat to a bot; a full table starts. team: as for `sit_down`."""
    with _locked(code) as match:
        _demand_open(match)
        _demand_host(match, user)
        _demand_free_seat(match)
        _take_place(match, bot=get_bot(match.game).name, team=team)
        return _start_if_full(match)


def start_match(user, code):
    """The host starts: free seats are given to bots, seats are drawn, the first deal is made."""
    with _locked(code) as match:
        _demand_open(match)
        _demand_host(match, user)
        while match.seats.count() < match.seat_count:
            _take_place(match, bot=get_bot(match.game).name)
        return _start_if_full(match)


def rematch(user, code, *, entropy="", seed=None):
    """The table of the rematch of a finished match: same rules and bots, its people invited. Returns its Snapshot.

    The first to ask opens it, the others sit down at it; one that was closed is opened anew.
    """
    with _locked(code) as match:
        mine = match.seats.filter(user=user).first()
        if not mine:
            raise NotAllowed("Only its players can ask for a rematch.")
        if match.status != Match.Status.OVER:
            raise Refused("The match is not over yet.")
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
                teams=[mine.team, *(seat.team for seat in bots)],
                entropy=entropy,
                seed=seed,
            )
            Match.objects.filter(code=opened.code).update(rematch_of=match)
            _changed(match)
            return opened
    if not again.seats.filter(user=user).exists():
        with suppress(Refused):  # the partner's seat may be taken
            return sit_down(user, again.code, entropy=entropy, team=mine.team)
    return sit_down(user, again.code, entropy=entropy)


def leave_match(user, code):
    """Leave for good: at an open table the seat becomes free, in a running match a bot takes it over."""
    with _locked(code) as match:
        if match.status == Match.Status.OPEN:
            return stand_up(user, code)
        if match.status != Match.Status.PLAYING:
            raise Refused("The match is over: there is nothing to leave.")
        left = match.seats.filter(user=user, left_at=None).update(
            left_at=timezone.now(), bot=get_bot(match.game).name, connected=False, ready=False
        )
        if not left:
            raise NotAllowed("You have no seat at this table.")
        return _changed(match, reschedule=True)


def set_connected(user_id, code, connected):
    """Note that a player's page is open, or that none is any more. Being back ends the stand-in's play."""
    with _locked(code) as match:
        seat = match.seats.filter(user_id=user_id, left_at=None).first()
        if not seat or seat.connected == connected:
            return None
        back = connected and seat.missed_turns > 0
        seat.connected = connected
        seat.seen_at = timezone.now()
        if back:
            seat.missed_turns = 0
        seat.save(update_fields=["connected", "seen_at", "missed_turns"])
        return _changed(match, reschedule=True, returned=seat.number if back else None)


def keep_connected(seats):
    """Say again that pages of these seats, by their keys, are open: whoever is not heard of for long is away."""
    Seat.objects.filter(pk__in=seats, connected=True).update(seen_at=timezone.now())


def miss_players(limit=200):
    """Note as away whom no process has said to be connected for long: theirs has been stopped or killed."""
    gone = Seat.objects.filter(
        connected=True, seen_at__lt=timezone.now() - timedelta(seconds=GONE_LIMIT), user__isnull=False
    )
    for user_id, code in gone.values_list("user_id", "match__code")[:limit]:
        set_connected(user_id, code, False)


def resume(user_id, code):
    """A player whose seat the stand-in plays takes over again."""
    with _locked(code) as match:
        seat = match.seats.filter(user_id=user_id, left_at=None, missed_turns__gt=0).first()
        if not seat:
            return None
        seat.missed_turns = 0
        seat.save(update_fields=["missed_turns"])
        return _changed(match, reschedule=True, returned=seat.number)


def forget_player(user):
    """Before an account is deleted: its running seats go to bots, its open tables lose it."""
    seats = Seat.objects.filter(user=user, match__status__in=[Match.Status.OPEN, Match.Status.PLAYING], left_at=None)
    for code in seats.values_list("match__code", flat=True):
        with suppress(Refused):  # it has ended meanwhile
            leave_match(user, code)


def refresh_names(codes):
    """Have these matches' tables show who sits there now: a name has changed, or gone."""
    for code in codes:
        with _locked(code) as match:
            if match.status in (Match.Status.OPEN, Match.Status.PLAYING):
                _changed(match)
            else:
                transaction.on_commit(partial(snapshots.forget, code))


# Moves


class MoveRequest(NamedTuple):
    """A move that somebody wants to make."""

    code: str
    seat: int | None  # CHANCE for the next shuffle; None for somebody without a seat
    move: dict | None  # None for a shuffle: it follows from the seed
    seen: int  # how many moves they had seen
    actor: str = Move.Actor.PLAYER
    wake_at: datetime | None = None  # of the clock's requests: they hold only while the match waits for that moment


class ReadyRequest(NamedTuple):
    """A player has seen the result of the deal and waits for the next."""

    code: str
    user_id: int | None


def set_ready(user_id, code):
    """Note that a player has seen the result of the deal. When everybody who is there has, the next deal is made.

    Returns the Snapshot. Raises Refused.
    """
    return _alone(ReadyRequest(code, user_id))


def play_move(code, seat, move, *, seen, actor=Move.Actor.PLAYER):
    """Play `move` for `seat`, then every shuffle that follows at once. Returns the Snapshot after it.

    seen: how many moves the player had seen, so that a late or double click changes nothing.
    Raises Refused or IllegalMove; their text is written for the player.
    """
    return _alone(MoveRequest(code, seat, move, seen, actor))


def _alone(request):
    (outcome,) = play_moves([request])
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def play_moves(requests):
    """Play many MoveRequests, or ReadyRequests, in one transaction, each of which may fail alone.

    Returns for each request the Snapshot after it, or the Refused or IllegalMove that says why not.
    """
    outcomes = {}
    latest = {}
    rows = []
    now = timezone.now()
    # In the order of codes, so that two processes never wait for each other's rows.
    order = sorted(range(len(requests)), key=lambda number: requests[number].code)
    try:
        with transaction.atomic():
            for number in order:
                try:
                    outcomes[number] = _play(requests[number], latest, rows, now)
                except (Refused, IllegalMove) as refusal:
                    outcomes[number] = refusal
            storage.store_moves(rows)
            for snapshot in latest.values():
                transaction.on_commit(partial(_tell, snapshot), robust=True)
    except Exception:
        for request in requests:
            snapshots.forget(request.code)
        raise
    return [outcomes[number] for number in range(len(requests))]


def _play(request, latest, rows, now):
    """Check one request, store its match, add its Move rows. `latest`: snapshots that this transaction has made."""
    before = latest.get(request.code) or snapshots.recent(request.code)
    if before is not None:
        try:
            return _try(before, request, latest, rows, now)
        except (Refused, IllegalMove):
            pass  # perhaps only because we know an old position: look again, and let nobody write meanwhile
    try:
        before = snapshots.read(request.code, lock=True)
    except Match.DoesNotExist:
        raise Refused("There is no such match.") from None
    return _try(before, request, latest, rows, now)


def _try(before, request, latest, rows, now):
    after, moves = _advance(before, request, now, unstored=rows)
    _store(before, after, now)
    rows += moves
    latest[request.code] = after
    return after


def _advance(before, request, now, unstored=()):
    """The Snapshot after `request`, and its Move rows. Raises Refused or IllegalMove; writes nothing.

    unstored: Move rows that this transaction has still to store.
    """
    if before.status != Match.Status.PLAYING:
        texts = {
            "open": "The match has not started yet.",
            "over": "The match is over.",
            "closed": "The table is closed.",
        }
        raise Refused(texts[before.status])
    if before.state is None:
        raise Refused(OUTDATED)
    if isinstance(request, ReadyRequest):
        return _readied(before, request, now)
    if request.seat is None:
        raise NotAllowed("You have no seat at this table.")
    if request.seen != before.move_count:
        _refuse_stale(before, request, unstored)
    if request.wake_at is not None and request.wake_at != before.wake_at:
        raise StaleMove("The player has come back meanwhile.")
    to_act = before.to_act
    if to_act != request.seat:
        if to_act == CHANCE:
            raise StaleMove("The next deal comes in a moment.")
        raise NotAllowed(f"It is not your turn: {before.seats[to_act].name} is to play.")

    if request.actor == Move.Actor.PLAYER and before.seats[request.seat].bot:
        raise NotAllowed("You have left this match: a bot has your seat.")

    if request.seat == CHANCE:
        after, moves, events = before, [], []
    else:
        after, moves, events = _apply(before, request.seat, request.move, request.actor, now)
        after = _spend_time(before, after, request, now)
    rules = before.rules
    pause = any(rules.meaning(event) is Meaning.DEAL_SCORED for event in events)
    while rules.to_act(after.state) == CHANCE and not pause:
        after, dealt, more = _apply(after, CHANCE, _next_deal(after), Move.Actor.CHANCE, now)
        moves += dealt
        events += more
    if pause or request.seat == CHANCE:
        after = replace(after, seats=tuple(replace(seat, ready=False) for seat in after.seats))
    after = replace(after, revision=before.revision + 1, events=tuple(events))
    if rules.to_act(after.state) is None:
        return replace(after, status=Match.Status.OVER, wake_at=None, turn_started_at=None), moves
    return _scheduled(after, now, held=any(rules.meaning(event) is Meaning.TRICK_FINISHED for event in events)), moves


def _readied(before, request, now):
    """The Snapshot with a player ready for the next deal; with the deal if that was the last one."""
    number = before.player_number(request.user_id)
    if number is None:
        raise NotAllowed("You have no seat at this table.")
    if before.to_act != CHANCE:
        raise AlreadyPlayed("The next deal has been made.")
    if before.seats[number].ready:
        raise AlreadyPlayed("You are ready. The others are not yet.")
    after = replace(before.with_seat(number, ready=True), revision=before.revision + 1, events=())
    after = _scheduled(after, now, started_at=before.turn_started_at)
    if after.wake_at > now:
        return after, []
    return _advance(after, MoveRequest(after.code, CHANCE, None, after.move_count, Move.Actor.CHANCE), now)


def _apply(snapshot, seat, move, actor, now):
    """One move: (the snapshot with it, [its Move], its events)."""
    rules = snapshot.rules
    state = rules.apply(snapshot.state, move)
    chance = seat == CHANCE
    row = Move(
        match_id=snapshot.pk,
        index=snapshot.move_count,
        seat=None if chance else seat,
        move=move,
        actor=actor,
        played_at=now,
    )
    events = rules.events(snapshot.state, move, state)
    after = replace(snapshot, state=state, move_count=snapshot.move_count + 1, deal_count=snapshot.deal_count + chance)
    return after, [row], events


def _next_deal(snapshot):
    deck = shuffle.shuffled(
        snapshot.rules.deck(snapshot.state),
        snapshot.seed,
        snapshot.shuffle_code,
        snapshot.deal_count + 1,
        snapshot.entropies,
    )
    return {"type": "deal", "deck": deck}


def _spend_time(before, after, request, now):
    """The snapshot with what the move cost its seat: of its reserve, or of our patience."""
    seat = before.seats[request.seat]
    changes = {}
    if request.actor == Move.Actor.STAND_IN:
        changes["missed_turns"] = min(seat.missed_turns + 1, 1000)
    elif request.actor == Move.Actor.PLAYER and seat.missed_turns:
        changes["missed_turns"] = 0
    if before.speed.timed and request.actor in (Move.Actor.PLAYER, Move.Actor.STAND_IN) and not stands_in(seat):
        overtime = (now - before.turn_started_at).total_seconds() - before.speed.move
        if overtime > 0:
            changes["reserve"] = max(0.0, seat.reserve - overtime)
    return after.with_seat(request.seat, **changes) if changes else after


def _scheduled(snapshot, now, *, held=False, started_at=None):
    """The snapshot with the time at which something must happen by itself.

    held: a finished trick is looked at first. started_at: when the turn began, where it is not a new one.
    """
    to_act = snapshot.to_act
    started_at = started_at or now + timedelta(seconds=TRICK_PAUSE if held else 0)
    if to_act == CHANCE:
        people = [seat for seat in snapshot.seats if seat.connected and not seat.bot]
        waiting = any(not seat.ready for seat in people)
        wake_at = started_at + timedelta(seconds=DEAL_PAUSE if people else BOT_PAUSE) if waiting or not people else now
    elif snapshot.bot_plays(snapshot.seats[to_act]):
        wake_at = started_at + timedelta(seconds=BOT_PAUSE)
    elif snapshot.speed.timed:
        wake_at = started_at + timedelta(seconds=snapshot.speed.move + snapshot.seats[to_act].reserve)
    else:
        wake_at = started_at + timedelta(seconds=IDLE_LIMIT)
    return replace(snapshot, turn_started_at=started_at, wake_at=wake_at)


def _store(before, after, now):
    """Write the match and what changed of its seats, if the match still has the revision of `before`."""
    rules = after.rules
    if not storage.store_position(after, rules.dump(after.state), expected_revision=before.revision):
        snapshots.forget(before.code)
        raise StaleMove("The table has moved on. Look again.")
    for old, new in zip(before.seats, after.seats, strict=True):
        if old is not new and old != new:
            Seat.objects.filter(pk=new.pk).update(reserve=new.reserve, missed_turns=new.missed_turns, ready=new.ready)
    if after.status == Match.Status.OVER:
        standings = rules.standings(after.state)
        Match.objects.filter(pk=after.pk).update(
            status=after.status, score_sheet=rules.score_sheet(after.state), standings=standings, ended_at=now
        )
        for result in standings:
            Seat.objects.filter(match_id=after.pk, number=result["seat"]).update(
                score=result["score"], finish=result["place"]
            )


def _refuse_stale(snapshot, request, unstored):
    """Say what is wrong with a move made on another position than the present one."""
    here = (snapshot.pk, request.seen)
    played = next((row for row in unstored if (row.match_id, row.index) == here), None)
    played = played or Move.objects.filter(match_id=snapshot.pk, index=request.seen).first()
    if request.seen < snapshot.move_count and played and (played.seat, played.move) == (request.seat, request.move):
        raise AlreadyPlayed("That move is already played.")
    raise StaleMove("The table has moved on. Look again.")


# What happens by itself


def due(now, limit=200):
    """Codes of the matches in which something must happen by itself now, most overdue first."""
    return list(Match.objects.filter(wake_at__lte=now).order_by("wake_at").values_list("code", flat=True)[:limit])


def think(code):
    """What must happen by itself in a match that is due: a MoveRequest, or None where the thing is done here.

    A bot is asked for its move here, with its seat's view and nothing else.
    """
    now = timezone.now()
    snapshot = snapshots.read(code)
    if snapshot.wake_at is None or snapshot.wake_at > now:
        return None
    idle = snapshot.waits_for_person() and not snapshot.speed.timed
    if snapshot.state is None or idle:  # nobody has started it, gone on with it, or can
        _close_overdue(snapshot)
        return None
    to_act = snapshot.to_act
    if to_act == CHANCE:
        return MoveRequest(code, CHANCE, None, snapshot.move_count, Move.Actor.CHANCE, snapshot.wake_at)
    actor = Move.Actor.BOT if snapshot.seats[to_act].bot else Move.Actor.STAND_IN
    return MoveRequest(code, to_act, choose(snapshot), snapshot.move_count, actor, snapshot.wake_at)


def choose(snapshot):
    """The move of a bot for the seat to act."""
    rules, seat = snapshot.rules, snapshot.to_act
    moves = rules.legal_moves(snapshot.state)
    rng = random.Random(f"{snapshot.seed}:{snapshot.move_count}:{seat}")
    own_bot = snapshot.seats[seat].bot
    bot = get_bot(snapshot.game, own_bot) if own_bot else get_bot(snapshot.game)  # the latter stands in for a person
    try:
        move = bot.choose(rules.view(snapshot.state, seat), moves, rng)
    except Exception:
        log.exception("The bot of %s failed in match %s at move %s.", snapshot.game, snapshot.code, snapshot.move_count)
        move = None
    return move if move in moves else rng.choice(moves)


def _close_overdue(snapshot):
    """Close a table that nobody started, or a match that nobody went on with, unless somebody has meanwhile."""
    with _locked(snapshot.code) as match:
        if match.revision == snapshot.revision:
            _close(match)


def close_table(code):
    """Close an open table or a running match: the host of the site says so."""
    with _locked(code) as match:
        if match.status in (Match.Status.OPEN, Match.Status.PLAYING):
            _close(match)


def close_outdated():
    """After an update: close the tables that were opened under other rules than the ones we have."""
    for rules in (game.newest for game in all_games()):
        outdated = Match.objects.filter(status__in=[Match.Status.OPEN, Match.Status.PLAYING], game=rules.slug)
        for code in outdated.exclude(rules_version=rules.version).values_list("code", flat=True):
            close_table(code)


def postpone(code, seconds=60):
    """After a failure: look at this match again later."""
    running = Match.objects.filter(code=code, status__in=[Match.Status.OPEN, Match.Status.PLAYING])
    running.update(wake_at=timezone.now() + timedelta(seconds=seconds), revision=F("revision") + 1)


def forget_connections():
    """After a start of the only server process: nobody is connected yet."""
    Seat.objects.filter(connected=True).update(connected=False)


# The pieces


@contextmanager
def _locked(code):
    """A transaction that holds the match's row."""
    with transaction.atomic():
        try:
            yield Match.objects.select_for_update(of=("self",)).get(code=code)
        except Match.DoesNotExist:
            raise Refused("There is no such match.") from None


def _demand_open(match):
    if match.status != Match.Status.OPEN:
        raise Refused(
            "The match has started already." if match.status != Match.Status.CLOSED else "The table is closed."
        )


def _demand_free_seat(match):
    if match.seats.count() >= match.seat_count:
        raise Refused("All seats at this table are taken.")


def _demand_host(match, user):
    if match.host_id != user.pk:
        raise NotAllowed("Only the host of the table can do that.")


def _take_place(match, user=None, bot="", entropy="", team=None):
    """Put a user or a bot on the first free place, on the side of `team` where partners play, None for either."""
    seats = list(match.seats.all())
    team = _free_team(match, seats, team)
    taken = {seat.place for seat in seats}
    names = {seat.name for seat in seats}
    place = next(place for place in range(match.seat_count) if place not in taken)
    try:
        with transaction.atomic():
            Seat.objects.create(
                match=match,
                place=place,
                user=user,
                bot=bot,
                name=next(name for name in BOT_NAMES if name not in names) if bot else "",
                team=team,
                entropy=shuffle.clean_entropy(entropy),
            )
    except IntegrityError:
        raise Refused("Somebody was quicker: look again which seats are free.") from None


def _free_team(match, seats, wanted):
    """The side of a new seat: the one wanted, else the one with fewer; None where nobody has a partner."""
    if get_rules(match.game).team_of(0, match.seat_count) is None:
        return None
    taken = [seat.team for seat in seats]
    room = [team for team in (0, 1) if taken.count(team) < match.seat_count // 2]
    if wanted is None:
        return min(room, key=taken.count)
    if wanted not in room:
        raise Refused("Both seats of that side are taken.")
    return wanted


def _start_if_full(match):
    """Draw the seats and make the first deal if nobody is missing. Returns the Snapshot."""
    seats = list(match.seats.select_related("user"))
    if len(seats) < match.seat_count:
        return _changed(match)
    now = timezone.now()
    rules = get_rules(match.game)
    if match.rules_version != rules.version:
        raise Refused(OUTDATED)
    entropies = [seat.entropy for seat in seats]
    lot = shuffle.shuffled(range(match.seat_count), match.seed, match.shuffle_code, shuffle.LOT, entropies)
    numbers = shuffle.drawn_numbers(lot, [seat.team for seat in seats])
    speed = SPEEDS[match.speed]
    for seat, number in zip(seats, numbers, strict=True):
        seat.number = number
        seat.team = rules.team_of(number, match.seat_count)
        seat.reserve = speed.reserve or 0
    Seat.objects.bulk_update(seats, ["number", "team", "reserve"])
    match.status = Match.Status.PLAYING
    match.started_at = now
    match.position = rules.dump(rules.new_match(match.seat_count, match.options))
    match.save()
    before = snapshots.of(match, seats)
    after, moves = _advance(before, MoveRequest(match.code, CHANCE, None, 0, Move.Actor.CHANCE), now)
    _store(before, after, now)
    storage.store_moves(moves)
    transaction.on_commit(partial(_tell, after), robust=True)
    return after


def _close(match):
    match.status = Match.Status.CLOSED
    match.ended_at = timezone.now()
    match.wake_at = None
    return _changed(match)


def _changed(match, *, reschedule=False, returned=None):
    """Save a match whose seats or status have changed; once committed, tell everybody. Returns the Snapshot.

    reschedule: who plays the seat to act may have changed. returned: the seat whose player is back, and has the time of
    a move from now on if it is their turn.
    """
    match.revision += 1
    match.save(update_fields=["revision", "status", "host", "wake_at", "ended_at"])
    snapshot = snapshots.of(match, match.seats.select_related("user"))
    if reschedule and snapshot.to_act is not None:
        now = timezone.now()
        anew = returned is not None and snapshot.to_act == returned
        snapshot = _scheduled(snapshot, now, started_at=now if anew else match.turn_started_at)
        Match.objects.filter(pk=match.pk).update(wake_at=snapshot.wake_at, turn_started_at=snapshot.turn_started_at)
    transaction.on_commit(partial(_tell, snapshot), robust=True)
    return snapshot


def _tell(snapshot):
    live.tell(snapshots.remember(snapshot))
