"""The start of a full table: its browsers give their shares in the shuffles, then seats are drawn and cards dealt.

How the shares are given, and why so, says games.kit.shuffle.
"""

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from games.catalog import CHANCE
from games.kit import shuffle
from games.kit.language import lazy
from games.models import Match, Move, Seat
from games.play import store
from games.play.changes import locked, save_change, tell_on_commit
from games.play.errors import AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.pace import ENTROPY_LIMIT, speed_at
from games.play.requests import MoveRequest
from games.play.snapshot import Snapshot
from games.play.transition import advance
from games.play.versions import demand_playable, rules_of


def start_if_full(match: Match) -> Snapshot:
    """Start if nobody is missing, and no browser that has its share in the shuffles still to give.

    Where the host has set a time, a full table waits for it.
    """
    seats = list(match.seats.all())
    if len(seats) < match.seat_count or match.starts_at:
        return save_change(match)
    match.invitations.all().delete()
    if not any(seat.entropy_hash and not seat.entropy and not seat.left_at for seat in seats):
        return _start(match)
    if not match.full_at:
        match.full_at = timezone.now()
        match.wake_at = match.full_at + timedelta(seconds=ENTROPY_LIMIT)
    return save_change(match)


def give_entropy(user: User, code: str, entropy: str) -> Snapshot:
    """A browser's share in the shuffles of a full table, as committed to. The last one that was awaited starts it.

    Returns the Snapshot. Raises Refused.
    """
    with locked(code) as match:
        seat = match.seats.filter(user=user).first()
        if not seat:
            raise NotAllowed(lazy("You have no seat at this table, so you can only watch."))
        if seat.entropy and seat.entropy == entropy:
            return store.read(code, lock=True)  # a page asks twice: once more after a reload, say
        if match.status != Match.Status.OPEN or seat.entropy:
            raise AlreadyPlayed(lazy("The cards have already been shuffled."))
        if not match.full_at:
            raise Refused(lazy("Wait until all seats are taken."))
        if not shuffle.SEED.fullmatch(entropy) or shuffle.commitment(entropy) != seat.entropy_hash:
            raise Refused(lazy("That isn’t the share that your browser promised, so the match starts without it."))
        seat.entropy = entropy
        seat.save(update_fields=["entropy"])
        return start_if_full(match)


def start_without_awaited(code: str) -> Snapshot:
    """Start a full table that has waited long enough for the browsers of its players."""
    with locked(code) as match:
        if match.status != Match.Status.OPEN or not match.full_at:
            raise StaleMove(lazy("This match has already started. Load the page again."))
        return _start(match)


def _start(match: Match) -> Snapshot:
    """Allot the seats by lot and make the first deal. Returns the Snapshot."""
    seats = list(match.seats.select_related("user"))
    now = timezone.now()
    demand_playable(match)
    rules = rules_of(match)
    shuffles = store.snapshot_of(match, seats).shuffles
    numbers = shuffles.seats([seat.team for seat in seats])
    speed = speed_at(match.speed, rules, match.seat_count, match.options)
    for seat, number in zip(seats, numbers, strict=True):
        seat.number = number
        seat.team = rules.team_of(number, match.seat_count)
        seat.reserve = speed.reserve or 0
    Seat.objects.bulk_update(seats, ["number", "team", "reserve"])
    match.status = Match.Status.PLAYING
    match.started_at = now
    match.full_at = match.full_at or now
    match.position = rules.dump(rules.new_match(match.seat_count, match.options))
    match.save()
    before = store.snapshot_of(match, seats)
    after, moves = advance(before, MoveRequest(match.code, CHANCE, None, 0, Move.Actor.CHANCE), now)
    store.store(before, after, now)
    store.store_moves(moves)
    tell_on_commit(after)
    return after
