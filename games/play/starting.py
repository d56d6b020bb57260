"""The start of a full table: browsers send their shares in the shuffles, then seats are drawn and cards dealt.

games.kit.shuffle explains the shares.
"""

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from games.catalog import CHANCE
from games.kit import shuffle
from games.kit.language import lazy
from games.models import Match, Move, Seat
from games.play import store
from games.play.changes import announce_on_commit, locked, save_change
from games.play.errors import NO_SEAT, AlreadyPlayed, NotAllowed, Refused, StaleMove
from games.play.pace import ENTROPY_LIMIT, speed_at
from games.play.requests import MoveRequest
from games.play.snapshot import Snapshot
from games.play.transition import advance
from games.play.versions import demand_playable, rules_of


def start_if_full(match: Match) -> Snapshot:
    """Start a match if all seats are taken and all browsers have sent their shares. Return the new snapshot.

    A share ("entropy") is a random text that a player's browser adds to the shuffles, so that the site alone can't
    choose them. The browser sends its hash when the player sits down, and the share itself once the table is full. A
    table for which a time is set starts at that time. Call it within `locked`.
    """
    seats = list(match.seats.all())
    if len(seats) < match.seat_count or match.starts_at:  # It has to wait.
        return save_change(match)
    match.invitations.all().delete()
    is_share_missing = any(seat.entropy_hash and not seat.entropy and not seat.left_at for seat in seats)
    if not is_share_missing:
        return _start(match)
    if not match.full_at:  # The last seat was taken just now: pages see it, and send their shares.
        match.full_at = timezone.now()
        match.wake_at = match.full_at + timedelta(seconds=ENTROPY_LIMIT)
    return save_change(match)


def give_entropy(user: User, code: str, entropy: str) -> Snapshot:
    """Store the random text that a user's browser adds to the shuffles of a full table. The last one starts the match.

    entropy: that text. It must have the hash that the browser sent when its user sat down, so that nobody can choose it
    by the texts of others. Return the new snapshot. Raise Refused.
    """
    with locked(code) as match:
        seat = match.seats.filter(user=user).first()
        if not seat:
            raise NotAllowed(NO_SEAT)
        if seat.entropy and seat.entropy == entropy:
            return store.read(code, lock=True)  # The page has sent it before, and was perhaps reloaded.
        if match.status != Match.Status.OPEN or seat.entropy:
            raise AlreadyPlayed(lazy("The cards have already been shuffled. Play on."))
        if not match.full_at:
            raise Refused(lazy("Wait until all seats are taken."))
        if not shuffle.SEED.fullmatch(entropy) or shuffle.commitment(entropy) != seat.entropy_hash:
            raise Refused(lazy("That isn’t the share that your browser promised, so the match starts without it."))
        seat.entropy = entropy
        seat.save(update_fields=["entropy"])
        return start_if_full(match)


def start_without_awaited(code: str) -> Snapshot:
    """Start a full table that has waited long enough for the random texts that browsers add to the shuffles."""
    with locked(code) as match:
        if match.status != Match.Status.OPEN or not match.full_at:
            raise StaleMove(lazy("This match has already started. Load the page again."))
        return _start(match)


def _start(match: Match) -> Snapshot:
    """Start a match: draw the seats at random and make the first deal. Return the new snapshot.

    The numbers of the seats follow from the seed of the match and the shares of the browsers, as the decks do, so that
    players can verify them. Partners get opposite seats.
    """
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
        seat.reserve = speed.reserve or 0  # Seconds for the whole match, beyond the time for each move.
    Seat.objects.bulk_update(seats, ["number", "team", "reserve"])
    match.status = Match.Status.PLAYING
    match.started_at = now
    match.full_at = match.full_at or now
    match.position = rules.dump(rules.new_match(match.seat_count, match.options))
    match.save()
    before = store.snapshot_of(match, seats)
    first_deal = MoveRequest(match.code, CHANCE, move=None, seen_count=0, actor=Move.Actor.CHANCE)
    after, moves = advance(before, first_deal, now)
    store.store(before, after, now)
    store.store_moves(moves)
    announce_on_commit(after)
    return after
