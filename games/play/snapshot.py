"""Snapshots: a match with its seats at one revision, immutable, with everything that decides what may happen next.

A snapshot may be out of date. So writers store their changes only if the match still has the revision of the snapshot.
"""

from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils import timezone

from accounts.avatars import avatar_of
from games.catalog import CHANCE, LEVELS, Rules
from games.kit.contract import Event, LevelWords, Options, State
from games.kit.drawing import Clock, Player
from games.kit.language import lazy
from games.kit.shuffle import Shuffles
from games.models import Match, Seat, Terms
from games.play.bot_names import BOT_NAMES
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

LATEST_LIMIT = 20  # A snapshot has the events of this many moves, some 300 bytes each.


class MoveEvents(NamedTuple):
    """The public events of one move."""

    seat: int | None  # None for a shuffle
    events: tuple[Event, ...]


class AcceptedClaim(NamedTuple):
    """A claim that ended the latest deal."""

    seat: int
    kind: str  # of games.kit.claims.KINDS
    tricks: int  # how many were left


class Reservation(NamedTuple):
    """A free seat that the host keeps for a user."""

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
    """One seat of a snapshot. All of it may be shown to everybody, except network and browser."""

    pk: int
    place: int
    number: int | None
    team: int | None  # the side, where partners play
    user_id: int | None
    name: str
    kind: str  # "user", "guest", "program" (somebody's bot, run elsewhere), "bot" or "deleted"
    profile: str
    owner: str  # the name of a program's owner, else ""
    bot: str  # the bot that plays this seat for good, or ""
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
    network: str = field(default="", repr=False)  # network and browser: see games.play.origins
    browser: int | None = None
    asks_at: int | None = None

    @classmethod
    def from_seat(cls, seat: Seat) -> "SeatSnapshot":
        """Return the snapshot of a stored seat, with the name and the kind of its present player.

        The kind is "user", "guest", "program" (a bot that a user runs elsewhere), "bot" or "deleted". If the user of
        a seat deletes their account, the match keeps the seat without a user.
        """
        if seat.user_id:
            user, name = seat.user, seat.user.username
            kind = "guest" if user.is_guest else "program" if user.is_program else "user"
        elif seat.bot and not seat.left_at:
            kind, name = "bot", BOT_NAMES.get(seat.name, seat.name)  # Imported matches have bots of other names.
        else:  # Here, too, a bot may play on: for somebody who left before they deleted their account.
            kind, name = "deleted", seat.name or lazy("deleted player")
        return cls(
            name=name,
            kind=kind,
            profile=reverse("profile", args=[name]) if kind in ("user", "program") else "",
            owner=user.program.owner.username if kind == "program" else "",  # A query, but programs are rare.
            left=seat.left_at is not None,
            avatar=avatar_of(user) if kind in ("user", "guest") else None,
            **{field: getattr(seat, field) for field in SEAT_COLUMNS},
        )

    @property
    def is_person(self) -> bool:
        """Whether a person took the seat, not a bot or a program. They may have left since."""
        return self.kind not in ("bot", "program")

    @property
    def is_present(self) -> bool:
        """Whether a person sits here who has a page of the match open."""
        return self.is_person and self.user_id is not None and self.connected and not self.left

    @property
    def level(self) -> LevelWords | None:
        """The level of a bot. None for people, and in games without levels."""
        return LEVELS.get(self.bot) if self.kind == "bot" else None


# The fields of a SeatSnapshot that are columns of Seat.
SEAT_COLUMNS = {field.name for field in fields(SeatSnapshot)} - {"name", "kind", "profile", "owner", "left", "avatar"}


@dataclass(frozen=True)
class Snapshot:
    """A match at one revision."""

    pk: int
    code: str
    game: str
    rules_version: int
    rules: Rules | None  # None if this process does not have them. Then there is an obstacle.
    options: Options
    seat_count: int
    terms: Terms
    status: str
    host_id: int | None
    full_at: datetime | None  # when the last seat was taken
    rematch_code: str
    revision: int
    move_count: int
    deal_count: int
    state: State  # None before the start, and if it can't be read
    seats: tuple[SeatSnapshot, ...]  # by number; by place before the seats are drawn
    turn_started_at: datetime | None
    wake_at: datetime | None
    seed: str = field(repr=False)
    seed_hash: str
    shuffle_code: str
    latest_moves: tuple[MoveEvents, ...] = ()  # at most LATEST_LIMIT; fewer if this process does not have them
    removed: tuple[int, ...] = ()  # the users whom the host has removed from the table
    obstacle: str = ""  # why it can't be played here, as a sentence
    reservations: tuple[Reservation, ...] = ()  # before the start, in the order of inviting
    guide: bool = False  # a prepared deal for newcomers to the game
    aside: str = ""  # of Match.Aside: why the match counts for nothing
    one_deal: bool = False  # the match ends with the first deal that is played here
    club: TableOfClub | None = None  # only members of this club may sit here
    starts_at: datetime | None = None  # the start that the host has set; None once it has come
    fills_with_bots: bool = False  # at starts_at, bots take the free seats
    away_since: datetime | None = None  # since when the others wait for an absent player to act
    paused_at: datetime | None = None
    paused_until: datetime | None = None
    asked_at: datetime | None = None  # when the others asked the player to act whether they still play
    here_at: datetime | None = None  # when that player last answered
    accepted_claim: AcceptedClaim | None = None  # the claim that ended the latest deal, if one did
    gap: TimeAway | None = None  # the latest outage whose time was given back

    @cached_property
    def speed(self) -> Speed:
        return speed_at(self.terms.speed, self.rules, self.seat_count, self.options)

    @property
    def shuffles(self) -> Shuffles:
        """The source of this match's decks: its secret seed, and the random text (entropy) of each player's browser."""
        entropies = tuple(seat.entropy for seat in self.seats_by_place())
        return Shuffles(self.seed, entropies)

    def seats_by_place(self) -> list[SeatSnapshot]:
        """Return the seats in the order of sitting down."""
        return sorted(self.seats, key=lambda seat: seat.place)

    @property
    def awaited_seats(self) -> list[SeatSnapshot]:
        """The seats of a full table whose browsers have still to send their entropy. The match waits for them.

        The entropy is a random text that a player's browser adds to the shuffles. The browser has sent its hash before,
        with the request for the seat. Browsers without scripts have not, so nobody waits for them.
        """
        is_full = self.status == Match.Status.OPEN and self.full_at is not None
        return [seat for seat in self.seats if is_full and seat.entropy_hash and not seat.entropy and not seat.left]

    @property
    def counts(self) -> bool:
        """Whether the match counts for records, as in `games.models.counting`."""
        return not (self.guide or self.aside)

    @property
    def to_act(self) -> int | None:
        """The number of the seat whose turn it is; CHANCE if a deal is next; None if nobody can act."""
        if self.status != Match.Status.PLAYING or self.rules is None or self.obstacle:
            return None
        return self.rules.to_act(self.state)

    @property
    def is_guided_to_end(self) -> bool:
        """Whether this match is a guide, a prepared deal for newcomers, and the deal has been played to the end."""
        if not self.guide or self.rules is None or self.state is None or self.status in Match.RUNNING:
            return False
        # If it was closed before, a seat is still to act.
        return self.rules.to_act(self.state) in (CHANCE, None)

    def seat_of(self, user_id: int | None) -> SeatSnapshot | None:
        """Return the seat of a user, even if they have left for good; None if they have no seat."""
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)

    def player_number(self, user_id: int | None) -> int | None:
        """Return the number of the seat that a user plays now, or None."""
        seat = self.seat_of(user_id)
        return seat.number if seat and not seat.left else None

    def moves_since(self, seen_count: int) -> tuple[MoveEvents, ...] | None:
        """Return the moves after the first `seen_count`, with their events; None if the snapshot lacks some of them."""
        missing = max(0, self.move_count - seen_count)
        return self.latest_moves[len(self.latest_moves) - missing :] if missing <= len(self.latest_moves) else None

    @property
    def is_deserted(self) -> bool:
        """Whether all people have left, so that bots play on alone. False for a match that never had any people."""
        people = [seat for seat in self.seats if seat.is_person]
        return bool(people) and all(seat.left or seat.user_id is None for seat in people)

    def waits_for_person(self) -> bool:
        """Return whether a person or a program is to act and no bot plays for them now."""
        number = self.to_act
        return number is not None and number != CHANCE and not self.bot_plays(self.seats[number])

    def waits_forever(self) -> bool:
        """Return whether the match stops here: a person without a clock is to act, and nobody waits for them.

        If others waited (`away_since`), a bot would play for that person after a while.
        """
        if self.speed.is_timed or not self.waits_for_person() or self.away_since:
            return False
        return self.seats[self.to_act].is_person  # type: ignore[index]  # a player's seat, so a number

    def away_seat(self) -> SeatSnapshot | None:
        """Return the seat to act if its player has no page open and other people are there to wait; else None."""
        if self.guide or self.speed.is_slow or not self.waits_for_person():  # At slow tables nobody need be present.
            return None
        seat = self.seats[self.to_act]  # type: ignore[index]  # a player's seat, so a number
        return seat if seat.is_person and not seat.connected and self.waiting_for(seat) else None

    def waiting_for(self, seat: SeatSnapshot) -> list[SeatSnapshot]:
        """Return the seats of the people who are present and wait for this one."""
        return [other for other in self.seats if other.is_present and other.number != seat.number]

    def votes(self, away_seat: SeatSnapshot) -> tuple[int, int]:
        """Return how many present players have voted for a stand-in, and how many votes it takes: over half."""
        voters = self.waiting_for(away_seat)
        return sum(seat.voted_at == self.move_count for seat in voters), len(voters) // 2 + 1

    def idle_seat(self) -> SeatSnapshot | None:
        """Return the seat to act if its player is present but has no clock, and two or more people wait; else None.

        The others may then ask that player to go on. A single opponent is no fair judge of the other's pace, and can
        leave.
        """
        if self.guide or self.speed.is_timed or self.paused_until or not self.waits_for_person():
            return None
        seat = self.seats[self.to_act]  # type: ignore[index]  # a player's seat, so a number
        return seat if seat.is_present and len(self.waiting_for(seat)) > 1 else None

    def may_be_asked_at(self, idle_seat: SeatSnapshot | None) -> datetime | None:
        """Return when the others may ask whether the idle player still plays. None if they may not, or have asked.

        idle_seat: from `idle_seat()`; None if nobody is idle. The question comes IDLE_ASK_AFTER seconds after the start
        of the turn at the earliest.
        """
        if idle_seat is None or self.asked_until() or self.turn_started_at is None:
            return None
        earliest = self.turn_started_at + timedelta(seconds=IDLE_ASK_AFTER)
        if self.here_at:  # The player has answered such a question before, so leave them in peace for a while.
            earliest = max(earliest, self.here_at + timedelta(seconds=ASKED_AGAIN_AFTER))
        return earliest

    def asked_until(self) -> datetime | None:
        """Return when the player to act must have answered that they still play; None if nobody has asked."""
        if self.asked_at is None or self.turn_started_at is None or not self.waits_for_person():
            return None
        if self.asked_at < self.turn_started_at:  # The question was about an earlier turn.
            return None
        return self.asked_at + timedelta(seconds=ANSWER_LIMIT)

    def may_pause(self) -> bool:
        """Return whether a pause makes sense here: other people wait, or a clock runs."""
        people = [seat for seat in self.seats if seat.is_person and seat.user_id is not None and not seat.left]
        return not (self.guide or self.speed.is_slow) and (self.speed.is_timed or len(people) > 1)

    def stand_in_at(self) -> datetime | None:
        """Return when a bot plays for the player to act, who is away or was asked whether they still play; or None.

        This is never right after a gap, an outage of the site: browsers need COME_BACK_LIMIT seconds to reconnect.
        """
        due = self._stand_in_without_gap()
        if due is None or self.gap is None:
            return due
        return max(due, self.gap.ended_at + timedelta(seconds=COME_BACK_LIMIT))

    def _stand_in_without_gap(self) -> datetime | None:
        """Return when a bot would play for the player to act if the site had never been away; None if never.

        That is some time after the player has gone, less if the others have voted for it. A player who was asked
        whether they still play has until the end of the time to answer.
        """
        away_seat, asked_until = self.away_seat(), self.asked_until()
        if away_seat is None or self.away_since is None:
            return asked_until
        votes, needed = self.votes(away_seat)
        due = self.away_since + timedelta(seconds=VOTE_LIMIT if votes >= needed else AWAY_LIMIT)
        return max(due, asked_until) if asked_until else due  # The question promised the player that much time.

    def readers(self) -> list[SeatSnapshot]:
        """Return the seats of the people who look at the result of a deal. The next deal waits for them.

        These are the players who are present; all players if none has a page open, as without scripts; and if bots play
        for all of them, those who watch their bots play.
        """
        playing = self._people_playing()
        present = [seat for seat in playing if seat.connected]
        watching = [seat for seat in self.seats if seat.connected and not seat.bot and seat.is_person]
        return present or playing or watching

    def waits_for_go_ahead(self) -> bool:
        """Return whether the next deal waits for the only person who plays here."""
        playing = self._people_playing()
        return self.to_act == CHANCE and len(playing) == 1 and not playing[0].ready

    def _people_playing(self) -> list[SeatSnapshot]:
        return [seat for seat in self.seats if not self.bot_plays(seat) and seat.is_person]

    def next_deal_in(self, now: datetime | None = None) -> float | None:
        """Return the seconds until the next deal; None if it has no set time, or nobody looks at the latest result.

        now: the present time by default. The time is set unless a player must ask for the deal, or a pause goes on.
        """
        has_set_time = self.to_act == CHANCE and not self.waits_for_go_ahead() and not self.paused_until
        if self.wake_at is None or not has_set_time or not self.readers():
            return None
        return max(0.0, (self.wake_at - (now or timezone.now())).total_seconds())

    @staticmethod
    def bot_plays(seat: SeatSnapshot) -> bool:
        """Return whether a bot plays this seat now, without waiting for the player's time to run out."""
        return bool(seat.bot) or seat.user_id is None or has_stand_in(seat)

    def with_seat(self, number: int, **changes: Any) -> "Snapshot":
        """Return a copy with changed fields of one seat, given by its number."""
        seats = tuple(replace(seat, **changes) if seat.number == number else seat for seat in self.seats)
        return self.replace(seats=seats)

    def replace(self, **changes: object) -> "Snapshot":
        """Return a copy with changed fields. The copy keeps the cached speed, so terms and options must not change.

        `dataclasses.replace` calls the constructor. With so many fields, that takes longer than the rules of the game.
        """
        copy: Snapshot = object.__new__(Snapshot)  # Without a call of the constructor.
        values = vars(copy)
        values.update(vars(self))
        assert changes.keys() <= values.keys()  # No misspelt names.
        values.update(changes)
        return copy

    def clock(self, seat: SeatSnapshot, now: datetime | None = None) -> Clock | None:
        """Return a seat's clock in seconds: {"move", "reserve", "running", "remaining"}.

        "move": the time for each move. "reserve": further time for the whole match. "remaining": what is left of both
        in this turn. None without a clock, and for clocks that count days. now: the present time by default.
        """
        move = self.speed.move
        if move is None or self.speed.is_slow or seat.bot:
            return None
        is_to_act = self.to_act == seat.number and self.waits_for_person()
        running = is_to_act and not self.paused_until
        elapsed = 0.0
        if is_to_act and self.turn_started_at:
            until = self.paused_at or now or timezone.now()  # A pause stops the clock.
            elapsed = max(0.0, (until - self.turn_started_at).total_seconds())
        remaining = self.speed.time_left(seat.reserve, elapsed)
        return {
            "move": move,
            "reserve": round(seat.reserve, 1),
            "running": running,
            "remaining": round(max(0.0, remaining), 1),
        }

    def players(self, now: datetime | None = None) -> list[Player]:
        """Return the players by seat number, as dicts from which the pages of all games draw them."""
        return [
            {
                "seat": seat.number,
                "name": str(seat.name),  # Drawings need a real string, not a lazy one.
                "kind": seat.kind,
                "level": seat.level,
                "owner": seat.owner,
                "avatar": seat.avatar,
                "profile": seat.profile,
                "connected": seat.connected or self.status == Match.Status.OVER or self.is_guided_to_end,
                "stand_in": has_stand_in(seat),
                "left": seat.left,
                "ready": seat.ready,
                "clock": self.clock(seat, now),
            }
            for seat in self.seats
        ]


# The fields of a Snapshot that are columns of Match.
MATCH_COLUMNS = {field.name for field in fields(Snapshot)} - {
    *("rules", "rematch_code", "state", "seats", "latest_moves", "removed", "obstacle", "reservations", "club"),
    *("accepted_claim", "gap"),
}


def has_stand_in(seat: SeatSnapshot) -> bool:
    """Return whether a bot plays for the seat's absent player. They may take over again at any time."""
    return not seat.bot and seat.missed_turns >= STAND_IN_AFTER
