"""What one process knows of a match: immutable snapshots, and the most recent of them by code.

A snapshot is right at its revision and may be out of date; whoever writes does it on condition of that revision.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.urls import reverse
from django.utils import timezone

from games.catalog import CHANCE, get_rules
from games.models import Match, Seat
from games.play.pace import SPEEDS, STAND_IN_AFTER

REMEMBERED = 2_000  # matches a process keeps in memory; some 10 kB each


@dataclass(frozen=True, slots=True)
class SeatSnapshot:
    """One seat, as everybody may know it."""

    pk: int
    place: int
    number: int | None
    team: int | None  # the side, where partners play
    user_id: int | None
    name: str
    kind: str  # "user", "guest", "bot" or "deleted"
    profile: str
    bot: str  # the bot that plays it for good, or ""
    entropy: str
    reserve: float
    missed_turns: int
    connected: bool
    ready: bool
    left: bool

    @classmethod
    def of(cls, seat):
        if seat.user_id:
            kind, name = ("guest" if seat.user.is_guest else "user"), seat.user.username
        elif seat.bot and not seat.left_at:
            kind, name = "bot", seat.name
        else:
            kind, name = "deleted", seat.name or "deleted player"
        return cls(
            pk=seat.pk,
            place=seat.place,
            number=seat.number,
            team=seat.team,
            user_id=seat.user_id,
            name=name,
            kind=kind,
            profile=reverse("profile", args=[name]) if kind == "user" else "",
            bot=seat.bot,
            entropy=seat.entropy,
            reserve=seat.reserve,
            missed_turns=seat.missed_turns,
            connected=seat.connected,
            ready=seat.ready,
            left=seat.left_at is not None,
        )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A match at one revision."""

    pk: int
    code: str
    game: str
    options: dict
    seat_count: int
    speed_slug: str
    listed: bool
    status: str
    host_id: int | None
    rematch_code: str
    revision: int
    move_count: int
    deal_count: int
    state: object  # of the rules; None before the start, and where it is of other rules than ours
    seats: tuple  # of SeatSnapshot: by number once they are drawn, by place before
    turn_started_at: datetime | None
    wake_at: datetime | None
    seed: str = field(repr=False)
    seed_hash: str
    shuffle_code: str
    events: tuple = ()  # of the last move

    @property
    def rules(self):
        return get_rules(self.game)

    @property
    def speed(self):
        return SPEEDS[self.speed_slug]

    @property
    def entropies(self):
        """What the seats gave, in the order of sitting down."""
        return [seat.entropy for seat in sorted(self.seats, key=lambda seat: seat.place)]

    @property
    def is_full(self):
        return len(self.seats) == self.seat_count

    @property
    def to_act(self):
        """The seat to act, CHANCE, or None when nobody is, or can."""
        return self.rules.to_act(self.state) if self.status == Match.Status.PLAYING and self.state is not None else None

    def seat_of(self, user_id):
        """The SeatSnapshot of a user, or None; also of one who has left for good."""
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)

    def player_number(self, user_id):
        """The number of the seat that a user plays now, or None."""
        seat = self.seat_of(user_id)
        return seat.number if seat and not seat.left else None

    def waits_for_person(self):
        """Whether the seat to act is a person's, who is given their time."""
        number = self.to_act
        return number is not None and number != CHANCE and not self.bot_plays(self.seats[number])

    @staticmethod
    def bot_plays(seat):
        """Whether a bot plays this seat now without waiting for the clock."""
        return bool(seat.bot) or stands_in(seat)

    def with_seat(self, number, **changes):
        """This snapshot with one seat, by number, changed."""
        seats = tuple(replace(seat, **changes) if seat.number == number else seat for seat in self.seats)
        return replace(self, seats=seats)

    def clock(self, seat, now=None):
        """What a seat's clock shows: {"move", "reserve", "running", "remaining"} in seconds; None on an untimed table.

        "remaining" counts down through the time of the move first and the reserve after it.
        """
        if not self.speed.timed or seat.bot:
            return None
        running = self.to_act == seat.number and self.waits_for_person()
        remaining = self.speed.move + seat.reserve
        if running:
            elapsed = ((now or timezone.now()) - self.turn_started_at).total_seconds()
            remaining -= max(0.0, elapsed)
        return {
            "move": self.speed.move,
            "reserve": round(seat.reserve, 1),
            "running": running,
            "remaining": round(max(0.0, remaining), 1),
        }

    def players(self, now=None):
        """Who sits where, by seat number, as drawings take them."""
        return [
            {
                "seat": seat.number,
                "name": seat.name,
                "kind": seat.kind,
                "profile": seat.profile,
                "connected": seat.connected,
                "stand_in": stands_in(seat),
                "left": seat.left,
                "ready": seat.ready,
                "clock": self.clock(seat, now),
            }
            for seat in self.seats
        ]


def stands_in(seat):
    """Whether a bot plays for the seat's absent player, who may take over again at any time."""
    return not seat.bot and seat.missed_turns >= STAND_IN_AFTER


def of(match, seats):
    """The snapshot of a Match row and its Seat rows (with their users)."""
    rules = get_rules(match.game)
    readable = match.position is not None and match.rules_version == rules.version
    seats = sorted(map(SeatSnapshot.of, seats), key=lambda seat: (seat.number is not None and seat.number, seat.place))
    rematch = Match.objects.filter(rematch_of=match).values_list("code", flat=True).first() if match.ended_at else None
    return Snapshot(
        pk=match.pk,
        code=match.code,
        game=match.game,
        options=match.options,
        seat_count=match.seat_count,
        speed_slug=match.speed,
        listed=match.listed,
        status=match.status,
        host_id=match.host_id,
        rematch_code=rematch or "",
        revision=match.revision,
        move_count=match.move_count,
        deal_count=match.deal_count,
        state=rules.load(match.position) if readable else None,
        seats=tuple(seats),
        turn_started_at=match.turn_started_at,
        wake_at=match.wake_at,
        seed=match.seed,
        seed_hash=match.seed_hash,
        shuffle_code=match.shuffle_code,
    )


def read(code, *, lock=False):
    """The snapshot of a match as the database has it. Raises Match.DoesNotExist.

    lock: keep its row from being written until the end of the transaction.
    """
    matches = Match.objects.select_for_update(of=("self",)) if lock else Match.objects
    match = matches.get(code=code)
    snapshot = of(match, Seat.objects.filter(match=match).select_related("user"))
    # In a transaction that is still writing, what is read may never be committed.
    return snapshot if lock else remember(snapshot)


_recent = OrderedDict()
_lock = threading.Lock()


def recent(code):
    """The last snapshot that this process knows of a match, or None."""
    with _lock:
        snapshot = _recent.get(code)
        if snapshot:
            _recent.move_to_end(code)
    return snapshot


def remember(snapshot):
    """Keep a snapshot that has been committed, unless a later one is known. Returns it."""
    with _lock:
        known = _recent.get(snapshot.code)
        if known is None or known.revision <= snapshot.revision:
            _recent[snapshot.code] = snapshot
            _recent.move_to_end(snapshot.code)
            if len(_recent) > REMEMBERED:
                _recent.popitem(last=False)
    return snapshot


def forget(code=None):
    """Drop what is known of a match, or of all."""
    with _lock:
        if code is None:
            _recent.clear()
        else:
            _recent.pop(code, None)
