"""A match at one revision, with its seats: immutable, and all that need be known to say what may happen next.

A snapshot is right at its revision and may be out of date; whoever writes does it on condition of that revision.
"""

from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils import timezone

from accounts.avatars import avatar_of
from games.catalog import CHANCE, LEVELS, Rules
from games.kit.contract import Event, LevelWords
from games.kit.drawing import Clock, Player
from games.kit.language import lazy
from games.kit.shuffle import Shuffles
from games.models import Match, Seat, Terms
from games.play.pace import (
    ANSWER_LIMIT,
    ASKED_AGAIN_AFTER,
    AWAY_LIMIT,
    COME_BACK_LIMIT,
    IDLE_ASK_AFTER,
    STAND_IN_AFTER,
    VOTE_LIMIT,
    Speed,
    speed_at,
)

LATEST = 20  # moves of which a snapshot knows what was seen; some 300 bytes each


class MoveEvents(NamedTuple):
    """What everybody saw of one move."""

    seat: int | None  # None for a shuffle
    events: tuple[Event, ...]


class Claimed(NamedTuple):
    """An accepted claim, by which the deal just ended was played out."""

    seat: int
    kind: str  # of games.kit.claims.KINDS
    tricks: int  # that were left


class Reserved(NamedTuple):
    """A free seat that is kept for somebody."""

    user_id: int
    name: str
    team: int | None = None  # the side of that seat; None for either


class TimeAway(NamedTuple):
    """An outage of the site."""

    began_at: datetime
    ended_at: datetime


class TableOfClub(NamedTuple):
    """The club that a table belongs to."""

    pk: int
    code: str
    name: str


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
    owner: str  # of a program, the name; else ""
    bot: str  # the bot that plays it for good, or ""
    entropy_hash: str
    entropy: str
    reserve: float
    missed_turns: int
    connected: bool
    ready: bool
    left: bool
    voted_at: int | None = None
    wants_pause: bool = False
    pause_asked_at: int | None = None  # the number of the deal
    moved_by_host: bool = False
    avatar: tuple[str, str] | None = None  # pattern and colour
    vacation_until: datetime | None = None
    network: str = field(default="", repr=False)  # see games.play.origins, as of the next
    browser: int | None = None
    asks_at: int | None = None

    @classmethod
    def of(cls, seat: Seat) -> "SeatSnapshot":
        if seat.user_id:
            user, name = seat.user, seat.user.username
            kind = "guest" if user.is_guest else "program" if user.is_program else "user"
        elif seat.bot and not seat.left_at:
            kind, name = "bot", seat.name
        else:
            kind, name = "deleted", seat.name or lazy("deleted player")
        return cls(
            name=name,
            kind=kind,
            profile=reverse("profile", args=[name]) if kind in ("user", "program") else "",
            owner=user.program.owner.username if kind == "program" else "",  # a query, but few tables have any
            left=seat.left_at is not None,
            avatar=avatar_of(user) if kind in ("user", "guest") else None,
            **{field: getattr(seat, field) for field in SEAT_COLUMNS},
        )

    @property
    def is_person(self) -> bool:
        """Whether somebody took the seat who reads, and neither a bot nor a program; they may have gone since."""
        return self.kind not in ("bot", "program")

    @property
    def is_there(self) -> bool:
        """Whether a person sits here who has a page of the match open."""
        return self.is_person and self.user_id is not None and self.connected and not self.left

    @property
    def level(self) -> LevelWords | None:
        """The level of a bot; None for people, and for bots of games without levels."""
        return LEVELS.get(self.bot) if self.kind == "bot" else None


# What a snapshot takes from the row of a seat as it is.
SEAT_COLUMNS = {field.name for field in fields(SeatSnapshot)} - {"name", "kind", "profile", "owner", "left", "avatar"}


@dataclass(frozen=True)
class Snapshot:
    """A match at one revision."""

    pk: int
    code: str
    game: str
    rules_version: int
    rules: Rules | None  # by which it is played; None where they are not here, and then there is an obstacle
    options: dict[str, Any]
    seat_count: int
    terms: Terms
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
    shuffle_code: str
    latest: tuple[MoveEvents, ...] = ()  # of its last moves, as far as they are known here
    removed: tuple[int, ...] = ()  # the users whom the host has removed from the table
    obstacle: str = ""  # why it can't be played here, as a sentence
    reserved: tuple[Reserved, ...] = ()  # for whom seats are kept before the start, in the order of asking
    guide: bool = False  # one prepared deal for somebody new to the game
    aside: str = ""  # of Match.Aside: why it counts for nothing
    one_deal: bool = False  # it ends with its first deal that is played here
    club: TableOfClub | None = None  # whose members alone may sit here
    starts_at: datetime | None = None  # set by the host of an open table; None once it has come
    fills_with_bots: bool = False  # then bots take the seats that are still free
    away_since: datetime | None = None  # since when others wait for somebody who is away, and whose turn it is
    paused_at: datetime | None = None
    paused_until: datetime | None = None
    asked_at: datetime | None = None  # when the others asked whether who is to act, and is there, still plays
    here_at: datetime | None = None  # when that player last said so
    claimed: Claimed | None = None  # how the deal just ended was played out; None where it was by hand
    gap: TimeAway | None = None  # the latest outage whose time was given back

    @cached_property
    def speed(self) -> Speed:
        return speed_at(self.terms.speed, self.rules, self.seat_count, self.options)

    @property
    def shuffles(self) -> Shuffles:
        """What the decks of this match follow from, once it has begun."""
        entropies = tuple(seat.entropy for seat in self.seats_by_place())
        return Shuffles(self.seed, entropies)

    def seats_by_place(self) -> list[SeatSnapshot]:
        """The seats in the order of sitting down."""
        return sorted(self.seats, key=lambda seat: seat.place)

    @property
    def awaited(self) -> list[SeatSnapshot]:
        """Whose browsers have still to give their entropy before a full table starts."""
        full = self.status == Match.Status.OPEN and self.full_at is not None
        return [seat for seat in self.seats if full and seat.entropy_hash and not seat.entropy and not seat.left]

    @property
    def counts(self) -> bool:
        """As `games.models.counting` asks for it."""
        return not (self.guide or self.aside)

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
        """Whether nothing happens by itself: a person is to act who has no clock, and nobody is there to wait."""
        if self.speed.timed or not self.waits_for_person() or self.away_since:
            return False
        return self.seats[self.to_act].is_person  # type: ignore[index]  # a player's seat, so a number

    def away(self) -> SeatSnapshot | None:
        """The seat to act, where its player is away and somebody else is there and waits; else None."""
        if self.guide or self.speed.slow or not self.waits_for_person():
            return None
        seat = self.seats[self.to_act]  # type: ignore[index]  # a player's seat, so a number
        return seat if seat.is_person and not seat.connected and self.voters(seat) else None

    def voters(self, away: SeatSnapshot) -> list[SeatSnapshot]:
        """Who is there besides somebody who is away."""
        return [seat for seat in self.seats if seat.is_there and seat.number != away.number]

    def votes(self, away: SeatSnapshot) -> tuple[int, int]:
        """How many of those who are there have voted that a bot plays now, and how many votes it takes: over half."""
        voters = self.voters(away)
        return sum(seat.voted_at == self.move_count for seat in voters), len(voters) // 2 + 1

    def idle(self) -> SeatSnapshot | None:
        """The seat to act where no clock runs, its player is there and two or more others are and wait; else None.

        Never for one other alone: whoever waits for a single opponent can leave, and is no judge of them.
        """
        if self.guide or self.speed.timed or self.paused_until or not self.waits_for_person():
            return None
        seat = self.seats[self.to_act]  # type: ignore[index]  # a player's seat, so a number
        return seat if seat.is_there and len(self.voters(seat)) > 1 else None

    def may_be_asked_at(self, idle: SeatSnapshot | None) -> datetime | None:
        """From when on the others may ask whether who is `idle` still plays; None where they may not, or have."""
        if idle is None or self.asked_until() or self.turn_started_at is None:
            return None
        since = self.turn_started_at + timedelta(seconds=IDLE_ASK_AFTER)
        return max(since, self.here_at + timedelta(seconds=ASKED_AGAIN_AFTER)) if self.here_at else since

    def asked_until(self) -> datetime | None:
        """Until when the player to act may say that they are here; None where nobody has asked in this turn."""
        if self.asked_at is None or self.turn_started_at is None or self.asked_at < self.turn_started_at:
            return None
        return self.asked_at + timedelta(seconds=ANSWER_LIMIT) if self.waits_for_person() else None

    def may_pause(self) -> bool:
        """Whether a pause means anything here: others wait, or a clock runs."""
        people = [seat for seat in self.seats if seat.is_person and seat.user_id is not None and not seat.left]
        return not (self.guide or self.speed.slow) and (self.speed.timed or len(people) > 1)

    def stand_in_at(self) -> datetime | None:
        """When a bot plays for whoever is away, or was asked whether they still play; None where nobody waits so."""
        moment = self._stand_in_without_gap()
        return max(moment, self.gap.ended_at + timedelta(seconds=COME_BACK_LIMIT)) if moment and self.gap else moment

    def _stand_in_without_gap(self) -> datetime | None:
        away, asked_until = self.away(), self.asked_until()
        if away is None or self.away_since is None:
            return asked_until
        votes, needed = self.votes(away)
        due = self.away_since + timedelta(seconds=VOTE_LIMIT if votes >= needed else AWAY_LIMIT)
        return max(due, asked_until) if asked_until else due  # they were promised that long

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
        if self.paused_until:
            return None
        return max(0.0, (self.wake_at - (now or timezone.now())).total_seconds())

    @staticmethod
    def bot_plays(seat: SeatSnapshot) -> bool:
        """Whether a bot plays this seat now without waiting for the clock."""
        return bool(seat.bot) or seat.user_id is None or stands_in(seat)

    def with_seat(self, number: int, **changes: Any) -> "Snapshot":
        """This snapshot with one seat, by number, changed."""
        seats = tuple(replace(seat, **changes) if seat.number == number else seat for seat in self.seats)
        return self.but(seats=seats)

    def but(self, **changes: Any) -> "Snapshot":
        """This snapshot with other values of fields that may change while it is played; so not of those of its speed.

        For so many fields `dataclasses.replace` takes longer than the rules.
        """
        made: Snapshot = object.__new__(Snapshot)
        values = vars(made)
        values.update(vars(self))
        assert changes.keys() <= values.keys()
        values.update(changes)
        return made

    def clock(self, seat: SeatSnapshot, now: datetime | None = None) -> Clock | None:
        """What a seat's clock shows: {"move", "reserve", "running", "remaining"} in seconds, or None.

        None where there is no clock, or one that counts days.
        "remaining" counts down through the time of the move first and the reserve after it.
        """
        move = self.speed.move
        if move is None or self.speed.slow or seat.bot:
            return None
        theirs = self.to_act == seat.number and self.waits_for_person()
        running = theirs and not self.paused_until
        elapsed = 0.0
        if theirs and self.turn_started_at:
            elapsed = max(0.0, ((self.paused_at or now or timezone.now()) - self.turn_started_at).total_seconds())
        remaining = self.speed.time_left(seat.reserve, elapsed)
        return {
            "move": move,
            "reserve": round(seat.reserve, 1),
            "running": running,
            "remaining": round(max(0.0, remaining), 1),
        }

    def players(self, now: datetime | None = None) -> list[Player]:
        """Who sits where, by seat number, as drawings take them."""
        return [
            {
                "seat": seat.number,
                "name": str(seat.name),  # drawings take it apart
                "kind": seat.kind,
                "level": seat.level,
                "owner": seat.owner,
                "avatar": seat.avatar,
                "profile": seat.profile,
                "connected": seat.connected or self.status == Match.Status.OVER,
                "stand_in": stands_in(seat),
                "left": seat.left,
                "ready": seat.ready,
                "clock": self.clock(seat, now),
            }
            for seat in self.seats
        ]


# What a snapshot takes from the row of a match as it is.
MATCH_COLUMNS = {field.name for field in fields(Snapshot)} - {
    *("rules", "rematch_code", "state", "seats", "latest", "removed", "obstacle", "reserved", "club", "claimed", "gap")
}


def stands_in(seat: SeatSnapshot) -> bool:
    """Whether a bot plays for the seat's absent player, who may take over again at any time."""
    return not seat.bot and seat.missed_turns >= STAND_IN_AFTER
