"""A match at one revision, with its seats: immutable, and all that need be known to say what may happen next.

A snapshot is right at its revision and may be out of date; whoever writes does it on condition of that revision.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils import timezone

from games.catalog import CHANCE, LEVELS, LevelWords, Rules
from games.kit.shuffle import Shuffles
from games.models import Match, Seat
from games.play.pace import STAND_IN_AFTER, Speed, find_speed

LATEST = 20  # moves of which a snapshot knows what was seen; some 300 bytes each


class MoveEvents(NamedTuple):
    """What everybody saw of one move."""

    seat: int | None  # None for a shuffle
    events: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class SeatSnapshot:
    """One seat, as everybody may know it."""

    pk: int
    place: int
    number: int | None
    team: int | None  # the side, where partners play
    user_id: int | None
    name: str
    kind: str  # "user", "guest", "program" (somebody's bot, run elsewhere), "bot" or "deleted"
    profile: str
    bot: str  # the bot that plays it for good, or ""
    entropy_hash: str
    entropy: str
    reserve: float
    missed_turns: int
    connected: bool
    ready: bool
    left: bool

    @classmethod
    def of(cls, seat: Seat) -> "SeatSnapshot":
        if seat.user_id:
            user, name = seat.user, seat.user.username
            kind = "guest" if user.is_guest else "program" if user.is_program else "user"
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
            profile=reverse("profile", args=[name]) if kind in ("user", "program") else "",
            bot=seat.bot,
            entropy_hash=seat.entropy_hash,
            entropy=seat.entropy,
            reserve=seat.reserve,
            missed_turns=seat.missed_turns,
            connected=seat.connected,
            ready=seat.ready,
            left=seat.left_at is not None,
        )

    @property
    def is_person(self) -> bool:
        """Whether somebody took the seat who reads, and neither a bot nor a program; they may have gone since."""
        return self.kind not in ("bot", "program")

    @property
    def level(self) -> LevelWords | None:
        """Of a bot, where it has been chosen; None for one of before, and for people."""
        return LEVELS.get(self.bot) if self.kind == "bot" else None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A match at one revision."""

    pk: int
    code: str
    game: str
    rules_version: int
    rules: Rules | None  # by which it is played; None where they are not here, and then there is an obstacle
    options: dict[str, Any]
    seat_count: int
    speed_slug: str
    listed: bool
    status: str
    host_id: int | None
    full_at: datetime | None  # when the last seat was taken, until then None
    rematch_code: str
    revision: int
    move_count: int
    deal_count: int
    state: Any  # of the rules; None before the start, and where it can't be known
    seats: tuple[SeatSnapshot, ...]  # by number once there are numbers, by place before
    turn_started_at: datetime | None
    wake_at: datetime | None
    seed: str = field(repr=False)
    seed_hash: str
    shuffle_scheme: int
    shuffle_code: str
    latest: tuple[MoveEvents, ...] = ()  # of its last moves, as far as they are known here
    removed: tuple[int, ...] = ()  # the users whom the host has removed from the table
    obstacle: str = ""  # why it can't be played here, as a sentence
    guide: bool = False  # one prepared deal for somebody new to the game

    @property
    def speed(self) -> Speed:
        return find_speed(self.speed_slug)

    @property
    def shuffles(self) -> Shuffles:
        """What the decks of this match follow from, once it has begun."""
        entropies = tuple(seat.entropy for seat in self.seats_by_place())
        return Shuffles(self.shuffle_scheme, self.seed, entropies, self.shuffle_code)

    def seats_by_place(self) -> list[SeatSnapshot]:
        """The seats in the order of sitting down."""
        return sorted(self.seats, key=lambda seat: seat.place)

    @property
    def awaited(self) -> list[SeatSnapshot]:
        """Whose browsers have still to give their entropy before a full table starts."""
        full = self.status == Match.Status.OPEN and self.full_at is not None
        return [seat for seat in self.seats if full and seat.entropy_hash and not seat.entropy and not seat.left]

    @property
    def to_act(self) -> int | None:
        """The seat to act, CHANCE, or None when nobody is, or can."""
        if self.status != Match.Status.PLAYING or self.rules is None or self.obstacle:
            return None
        return self.rules.to_act(self.state)

    @property
    def is_guided_to_end(self) -> bool:
        """Whether this is a guide's match whose deal has been played, and is over by that."""
        if not self.guide or self.rules is None or self.state is None or self.status in Match.RUNNING:
            return False
        return self.rules.to_act(self.state) in (CHANCE, None)

    def seat_of(self, user_id: int | None) -> SeatSnapshot | None:
        """The SeatSnapshot of a user, or None; also of one who has left for good."""
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)

    def player_number(self, user_id: int | None) -> int | None:
        """The number of the seat that a user plays now, or None."""
        seat = self.seat_of(user_id)
        return seat.number if seat and not seat.left else None

    def latest_since(self, seen: int) -> tuple[MoveEvents, ...] | None:
        """What was seen of the moves after the first `seen`; None where that is not known here."""
        missing = max(0, self.move_count - seen)
        return self.latest[len(self.latest) - missing :] if missing <= len(self.latest) else None

    @property
    def is_deserted(self) -> bool:
        """Whether people sat here, of whom none is left: not a match among bots from the start."""
        people = [seat for seat in self.seats if seat.is_person]
        return bool(people) and all(seat.left or seat.user_id is None for seat in people)

    def waits_for_person(self) -> bool:
        """Whether the seat to act is a person's, or a program's, who is given their time."""
        number = self.to_act
        return number is not None and number != CHANCE and not self.bot_plays(self.seats[number])

    def waits_for_ever(self) -> bool:
        """Whether nothing happens by itself: a person is to act who has no clock."""
        if self.speed.timed or not self.waits_for_person():
            return False
        return self.seats[self.to_act].is_person  # type: ignore[index]  # a player's seat, so a number

    def readers(self) -> list[SeatSnapshot]:
        """For whom the result of a deal stays: the players who are there.

        All of them where no page is open, as without scripts; those whom a bot stands in for where nobody else plays.
        """
        playing = self._people_playing()
        watching = [seat for seat in self.seats if seat.connected and not seat.bot and seat.is_person]
        return [seat for seat in playing if seat.connected] or playing or watching

    def waits_for_go_ahead(self) -> bool:
        """Whether the next deal is made only when the one person who plays here asks for it."""
        playing = self._people_playing()
        return self.to_act == CHANCE and len(playing) == 1 and not playing[0].ready

    def _people_playing(self) -> list[SeatSnapshot]:
        return [seat for seat in self.seats if not self.bot_plays(seat) and seat.is_person]

    def next_deal_in(self, now: datetime | None = None) -> float | None:
        """Seconds until the next deal is made by itself; None where it is not, or nobody looks at a result."""
        if self.to_act != CHANCE or self.wake_at is None or self.waits_for_go_ahead() or not self.readers():
            return None
        return max(0.0, (self.wake_at - (now or timezone.now())).total_seconds())

    @staticmethod
    def bot_plays(seat: SeatSnapshot) -> bool:
        """Whether a bot plays this seat now without waiting for the clock."""
        return bool(seat.bot) or seat.user_id is None or stands_in(seat)

    def with_seat(self, number: int, **changes: Any) -> "Snapshot":
        """This snapshot with one seat, by number, changed."""
        seats = tuple(replace(seat, **changes) if seat.number == number else seat for seat in self.seats)
        return replace(self, seats=seats)

    def clock(self, seat: SeatSnapshot, now: datetime | None = None) -> dict[str, Any] | None:
        """What a seat's clock shows: {"move", "reserve", "running", "remaining"} in seconds; None on an untimed table.

        "remaining" counts down through the time of the move first and the reserve after it.
        """
        if not self.speed.timed or seat.bot:
            return None
        running = self.to_act == seat.number and self.waits_for_person()
        elapsed = 0.0
        if running and self.turn_started_at:
            elapsed = max(0.0, ((now or timezone.now()) - self.turn_started_at).total_seconds())
        remaining = self.speed.time_left(seat.reserve, elapsed)
        return {
            "move": self.speed.move,
            "reserve": round(seat.reserve, 1),
            "running": running,
            "remaining": round(max(0.0, remaining), 1),
        }

    def players(self, now: datetime | None = None) -> list[dict[str, Any]]:
        """Who sits where, by seat number, as drawings take them."""
        return [
            {
                "seat": seat.number,
                "name": seat.name,
                "kind": seat.kind,
                "level": seat.level,
                "profile": seat.profile,
                "connected": seat.connected or self.status == Match.Status.OVER,
                "stand_in": stands_in(seat),
                "left": seat.left,
                "ready": seat.ready,
                "clock": self.clock(seat, now),
            }
            for seat in self.seats
        ]


def stands_in(seat: SeatSnapshot) -> bool:
    """Whether a bot plays for the seat's absent player, who may take over again at any time."""
    return not seat.bot and seat.missed_turns >= STAND_IN_AFTER
