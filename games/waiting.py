"""The notice of waiting at a table: the missing player, the time left, and what players may do."""

from datetime import datetime
from functools import cached_property
from typing import NamedTuple, TypedDict

from django.utils import timezone

from games import templating
from games.kit.language import language, say_count, say_in
from games.kit.markup import NOTHING, Markup, countdown
from games.kit.words import join_words, span
from games.play.pace import GAP_TO_SHOW, SHOW_GAP_FOR
from games.play.snapshot import SeatSnapshot, Snapshot


class _Vacation(TypedDict):
    name: str
    until: datetime | None


class Notice(TypedDict, total=False):
    """The context of match/waiting_for.html. Times that count down are markup."""

    about: str  # a key that changes whenever the notice is about something else
    seated: bool  # whether the reader has a seat
    paused: bool
    left: Markup  # until the end of the pause, or until a bot plays for the player who is away
    gap: str  # the length of an outage
    away: str  # the name of the player who is away
    seat: Markup  # the number of their seat
    votes: int
    needed: int
    may_vote: bool
    asked: bool  # whether the reader has asked for a pause
    asking: str  # the names of the players who have
    asked_of: str  # the name of the player whom the others asked whether they still play
    asks_me: bool
    answer_left: Markup
    idle: str  # the name of the idle player
    appears: Markup  # the seconds until the reader may ask them
    is_due: bool
    asks: bool  # whether the reader has asked
    have_asked: int
    must_ask: int
    vacations: list[_Vacation]
    days_left: str
    mine: bool  # whether the reader is to act
    to_act: str  # the name of the player to act


class _IdlePlayer(NamedTuple):
    """A player who is connected but does not move, so that the others may ask whether they still play."""

    name: str
    may_be_asked_at: datetime
    may_ask: set[int]  # the numbers of the seats of the others


class Waiting:
    """The notice of waiting for one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._idle_notices: dict[tuple[str, bool], str] = {}  # HTML by language and whether the reader has asked

    def html(self, number: int | None) -> str:
        """Return the notice that says for which player a table waits, as HTML. Return "" if there is nothing to say.

        number: of the reader's seat, or None for a spectator.
        """
        if not self._is_only_about_idle:
            return self._render(number)
        # This is the usual case. Only the players who wait for an idle one see the notice, and share its HTML.
        if self._idle_player is None or number is None or number not in self._idle_player.may_ask:
            return NOTHING
        key = language(), self._has_asked(number)
        if key not in self._idle_notices:
            self._idle_notices[key] = self._render(number)
        return self._idle_notices[key]

    def _render(self, number: int | None) -> str:
        notice = self.notice_for(number)
        return templating.render("match/waiting_for.html", {"waits": notice, "seen": self._seen}) if notice else NOTHING

    @cached_property
    def _seen(self) -> Markup:
        return Markup(self.snapshot.move_count)

    def _has_asked(self, number: int) -> bool:
        return self.snapshot.seats[number].asks_at == self.snapshot.move_count

    def _seconds_until(self, moment: datetime) -> float:
        return max(0.0, (moment - self._now).total_seconds())

    def notice_for(self, number: int | None) -> Notice | None:
        """Return the template context of the notice that says why a table waits, or None if there is nothing to say.

        A player may be away (without a connection), idle (connected, but without a move) or on vacation. Players may
        want a pause, or the site has just had an outage. number: of the reader's seat, or None for a spectator.
        """
        snapshot = self.snapshot
        me = None if number is None else snapshot.seats[number]
        if self._is_only_about_idle:
            idle = self._idle_entries(me)
            return {"about": ":[]:", "seated": True, **idle} if idle else None
        if snapshot.paused_until:
            left = countdown(self._seconds_until(snapshot.paused_until))
            return {"about": "pause", "paused": True, "left": left, "seated": me is not None}
        stand_in_at = snapshot.stand_in_at()  # When a bot begins to play for a player who is away.
        away = snapshot.away_seat() if stand_in_at else None
        asking = [seat for seat in snapshot.seats if seat.wants_pause]
        entries = self._slow_entries(me) | self._idle_entries(me) | self._gap_entries
        if not (away or asking or entries):
            return None
        notice: Notice = {  # "about" changes whenever the notice has another subject.
            "about": f"{away.number if away else ''}:{[seat.number for seat in asking]}:{entries.get('asked_of', '')}",
            "seated": me is not None,
        }
        if self._gap_entries and snapshot.gap:
            notice["about"] += f":{snapshot.gap.ended_at}"
        if away and stand_in_at:
            notice |= self._away_entries(away, stand_in_at, me)
        names = [seat.name for seat in asking if seat is not me]
        notice["asked"] = me in asking
        listed = [say_in("begins a list", "You"), *names] if notice["asked"] else names
        return notice | entries | {"asking": join_words(listed)}

    def _away_entries(self, away: SeatSnapshot, stand_in_at: datetime, me: SeatSnapshot | None) -> Notice:
        """Return the entries of the notice about a player who is away: the others may vote for a bot in their place.

        away: the seat of this player. stand_in_at: when a bot begins to play there without a vote. me: the reader's
        seat, or None for a spectator.
        """
        votes, needed = self.snapshot.votes(away)
        has_voted = me is not None and me.voted_at == self.snapshot.move_count
        return {
            "away": away.name,
            "left": countdown(self._seconds_until(stand_in_at)),
            "votes": votes,
            "needed": needed,
            "may_vote": me in self.snapshot.waiting_for(away) and not has_voted,
            "seat": Markup(away.number),
        }

    @cached_property
    def _now(self) -> datetime:
        return timezone.now()

    @cached_property
    def _is_only_about_idle(self) -> bool:
        """Whether the notice can only be about an idle player, who is connected but does not move.

        Then nothing else makes the table wait: nobody is away or wants a pause, and the site had no outage.
        """
        snapshot = self.snapshot
        if snapshot.speed.is_slow or snapshot.paused_until or any(seat.wants_pause for seat in snapshot.seats):
            return False
        return not (snapshot.stand_in_at() or snapshot.asked_until() or self._gap_entries)

    @cached_property
    def _gap_entries(self) -> Notice:
        """The entry "gap" of the notice: how long the site was down just now. {} if there is nothing to say.

        Only players with a clock that counts seconds need to know it: the outage has not cost them time.
        """
        snapshot = self.snapshot
        if snapshot.gap is None or not snapshot.speed.is_timed or snapshot.speed.is_slow:
            return {}
        began, ended = snapshot.gap
        seconds = round((ended - began).total_seconds())
        is_short, is_old = seconds < GAP_TO_SHOW, (self._now - ended).total_seconds() > SHOW_GAP_FOR
        if is_short or is_old:
            return {}
        return {"gap": say_count(seconds, "{number} second", "{number} seconds") if seconds < 120 else span(seconds)}

    @cached_property
    def _idle_player(self) -> _IdlePlayer | None:
        """The player to move, if the others may ask whether they still play: now, or when they have waited longer.

        Else None, for example at a table with a clock.
        """
        snapshot = self.snapshot
        idle = snapshot.idle_seat()
        moment = snapshot.may_be_asked_at(idle)
        if moment is None or idle is None:
            return None
        may_ask = {seat.number for seat in snapshot.waiting_for(idle) if seat.number is not None}
        return _IdlePlayer(idle.name, moment, may_ask)

    def _idle_entries(self, me: SeatSnapshot | None) -> Notice:
        """Return the entries of the notice about an idle player, who is connected but does not move. {} without one.

        At a table without a clock the others may ask whether such a player still plays. If all have asked, the player
        has some time to answer. me: the reader's seat, or None for a spectator.
        """
        snapshot = self.snapshot
        answer_until = snapshot.asked_until()  # None if not all have asked.
        if answer_until and snapshot.away_seat() is None and snapshot.to_act is not None:
            seat = snapshot.seats[snapshot.to_act]
            left = countdown(self._seconds_until(answer_until))
            return {"asked_of": seat.name, "asks_me": seat is me, "answer_left": left}
        if self._idle_player is None or me is None or me.number not in self._idle_player.may_ask:
            return {}
        name, may_be_asked_at, may_ask = self._idle_player
        return {
            "idle": name,
            "appears": Markup(f"{self._seconds_until(may_be_asked_at):.1f}"),
            "is_due": may_be_asked_at <= self._now,
            "asks": self._has_asked(me.number),
            "have_asked": sum(map(self._has_asked, may_ask)),
            "must_ask": len(may_ask),
        }

    def _slow_entries(self, me: SeatSnapshot | None) -> Notice:
        """Return the entries of the notice at a slow table, where each move may take days. Return {} at other tables.

        They name the players who are on vacation, and say how much time the player to move has left. me: the reader's
        seat, or None for a spectator.
        """
        snapshot = self.snapshot
        if not snapshot.speed.is_slow or snapshot.to_act is None:
            return {}
        on_vacation = [
            seat for seat in snapshot.seats if seat.vacation_until and seat.vacation_until > self._now and not seat.left
        ]
        entries: Notice = {"vacations": [{"name": seat.name, "until": seat.vacation_until} for seat in on_vacation]}
        if not snapshot.waits_for_person() or snapshot.wake_at is None:  # `wake_at`: when the player's time is up.
            return entries
        seat = snapshot.seats[snapshot.to_act]
        if seat not in on_vacation:  # The time for the move does not begin before the end of a vacation.
            left = span(self._seconds_until(snapshot.wake_at))
            entries |= {"days_left": left, "mine": seat is me, "to_act": seat.name}
        return entries
