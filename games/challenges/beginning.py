"""Matches that begin in the middle: their first moves are copied from another match, and the rest is played."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.sanctions import why_suspended
from games.catalog import CHANCE, IllegalMove, Rules
from games.kit import shuffle
from games.kit.contract import Options, State
from games.kit.language import lazy
from games.models import Match, Move, Seat, Terms, new_code
from games.play import store
from games.play.bot_names import skeletons_of, unused_bot_names
from games.play.changes import announce_on_commit
from games.play.errors import NotAllowed, Refused
from games.play.pace import speed_at
from games.play.requests import MoveRequest
from games.play.snapshot import Snapshot
from games.play.store import StoredMove
from games.play.transition import advance, schedule
from games.play.versions import BROKEN, Unreadable, are_valid_options

TERMS = Terms(speed="untimed", listed=False, watching="off")  # Nobody waits.


class Place(NamedTuple):
    """The place of a seat in the order of sitting down, and what its browser gave to the shuffles."""

    place: int
    entropy_hash: str = ""
    entropy: str = ""


class Start(NamedTuple):
    """The beginning of a match, without its players.

    moves: the first moves, shuffles included, or none to begin with the first deal. places: by number of seat.
    seed, shuffle_code: for the decks that follow, as in a Match.
    """

    rules: Rules
    options: Options
    moves: Sequence[StoredMove]
    places: Sequence[Place]
    seed: str
    shuffle_code: str = ""  # "" if no other match has the seed.
    names: Sequence[str] = ()  # Of the bots, by number of seat. "" stands for any name.


class Company(NamedTuple):
    """The players of a match that begins."""

    host: User
    people: Mapping[int, User]  # By number of seat.
    bots: Sequence[str]  # One for every seat. Those where a person sits are ignored.
    form_key: str = ""  # For the host's seat, from the form that was sent.


@transaction.atomic
def begin(start: Start, company: Company, aside: Match.Aside, *, one_deal: bool) -> Snapshot:
    """Create a match that begins with moves from another match, and is played on from there. Return its state.

    start: the rules, the first moves and the seed for later shuffles. company: the host, the people and the bots.
    aside: why the match counts for nothing: its cards may be known. one_deal: whether it ends with the present deal.
    Raise Refused if it can't be played, or NotAllowed if a player is suspended.
    """
    for user in company.people.values():
        if why := why_suspended(user.pk):
            raise NotAllowed(why)
    now, code = timezone.now(), new_code()
    state = _state_after(start)
    # `to_act` returns the number of the player to move, CHANCE for a shuffle, or None after the end.
    if start.rules.to_act(state) is None:
        raise Refused(lazy("The match ends here, so there is nothing to play on. Choose an earlier move."))
    seats = len(start.places)
    match = Match(
        code=code,
        game=start.rules.slug,
        rules_version=start.rules.version,
        seat_count=seats,
        options=start.options,
        **TERMS.as_columns(),
        aside=aside,
        one_deal=one_deal,
        status=Match.Status.PLAYING,
        host=company.host,
        full_at=now,
        started_at=now,
        turn_started_at=now,
        move_count=len(start.moves),
        deal_count=sum(seat is None for seat, *_ in start.moves),  # Each shuffle: only these moves have no seat.
        position=start.rules.dump(state),
        seed=start.seed,
        seed_hash=shuffle.commitment(start.seed),
        shuffle_code=start.shuffle_code or code,
    )
    store.insert_match(match, _new_seats(match, start, company), start.moves)
    return _begin_first_turn(store.snapshot_of(match, match.seats.select_related("user")), now)


def _state_after(start: Start) -> State:
    """Return the state of the game after the copied moves of `start`. Raise Unreadable if the rules forbid them."""
    if not are_valid_options(start.rules, len(start.places), start.options):
        raise Unreadable(BROKEN)
    state = start.rules.new_match(len(start.places), start.options)
    try:
        for _, move, *_ in start.moves:
            state = start.rules.apply(state, move)
    except IllegalMove:
        raise Unreadable(BROKEN) from None
    return state


def _new_seats(match: Match, start: Start, company: Company) -> Iterator[Seat]:
    """Yield the seats of a match that begins: a person or a bot in each.

    start: a place for each seat, and perhaps names for bots. company: the people, and a bot for each seat. No bot gets
    a name that looks like a person's. To compare them, each name has a skeleton: names that look alike have the same.
    """
    skeletons = {user.skeleton for user in company.people.values()}
    bot_names = [  # By seat, the name that is wished for. "" if there is none, or if it looks like a person's.
        name if name and skeletons.isdisjoint(skeletons_of(name)) else ""
        for name in start.names or [""] * len(start.places)
    ]
    unused_names = iter(unused_bot_names(skeletons.union(*map(skeletons_of, filter(None, bot_names)))))
    speed = speed_at(TERMS.speed, start.rules, match.seat_count, match.options)
    for number, place in enumerate(start.places):
        user = company.people.get(number)
        yield Seat(
            match=match,
            number=number,
            **place._asdict(),
            team=start.rules.team_of(number, match.seat_count),
            user=user,
            bot="" if user else company.bots[number],
            name="" if user else bot_names[number] or next(unused_names),
            form_key=company.form_key if user == company.host else "",
            reserve=speed.reserve or 0,
        )


def _begin_first_turn(before: Snapshot, now: datetime) -> Snapshot:
    """Let a new match go on: deal the cards if its copied moves end before a deal, or begin the next player's turn.

    before: the state of the match after the copied moves. Store the new state, announce it to the open pages, and
    return it.
    """
    if before.obstacle:  # A reason why it can't be played here, such as missing rules.
        raise Unreadable(before.obstacle)
    if before.to_act == CHANCE:  # The next move is a shuffle.
        request = MoveRequest(before.code, CHANCE, None, before.move_count, Move.Actor.CHANCE)
        after, moves = advance(before, request, now)
    else:
        scheduled = schedule(before, now)  # With the time when a bot must move, or a player's time is up.
        after, moves = replace(scheduled, revision=before.revision + 1), []
    store.store(before, after, now)
    store.store_moves(moves)
    announce_on_commit(after)
    return after
