"""Who plays on to the end: noted on each seat, of matches at which others relied on it."""

from typing import NamedTuple

from accounts.models import User
from games.kit.language import lazy
from games.models import Match, Seat
from games.play.errors import Refused
from games.play.snapshot import SeatSnapshot, Snapshot, stands_in

COUNTED = 50  # the latest matches say how reliable somebody is
ASKED = (50, 70, 80, 90, 95)  # in percent: what a host may ask for, as far as they have it themselves


class Completion(NamedTuple):
    """How many of somebody's latest matches with other people they have played on to the end."""

    completed: int
    counted: int

    @property
    def percent(self) -> int | None:
        """In whole percent, rounded down; None where there is nothing to go by."""
        return 100 * self.completed // self.counted if self.counted else None


def may_ask_for(user: User) -> list[int]:
    """The completion rates, in percent, that a host may ask for: none above their own."""
    percent = completion_of(user).percent
    return [asked for asked in ASKED if percent is not None and asked <= percent]


def completion_of(user: User) -> Completion:
    """The completion rate of a user, of a guest too."""
    latest = Seat.objects.filter(user=user, completed__isnull=False).order_by("-match_id")
    noted = list(latest.values_list("completed", flat=True)[:COUNTED])
    return Completion(sum(noted), len(noted))


def demand_completion(match: Match, user: User) -> None:
    """Raises Refused if a table asks for a completion rate that `user` doesn't have, or can't show yet."""
    asked = match.terms.completion_asked
    if asked is None or user.is_program:
        return
    percent = completion_of(user).percent
    if percent is None:
        sentences = (
            "This table is for players who finish {asked}% of their matches or more, and you haven’t played any with "
            "others yet. You can sit down once the host has invited you."
        )
        raise Refused(lazy(sentences, asked=asked))
    if percent < asked:
        sentences = (
            "This table is for players who finish {asked}% of their matches or more. You have finished {percent}%."
        )
        raise Refused(lazy(sentences, asked=asked, percent=percent))


def note_end(after: Snapshot) -> None:
    """Note who has played a match to its end: not those for whom a bot did, nor those who had left."""
    people = [seat for seat in after.seats if seat.is_person]
    if len(people) < 2 or not after.counts:
        return
    for seat in people:
        if seat.user_id and not seat.left:
            Seat.objects.filter(pk=seat.pk).update(completed=not stands_in(seat))


def note_abandoned(snapshot: Snapshot, seat: SeatSnapshot) -> None:
    """Note that the player of this seat gives a match up, if anybody else was still playing it."""
    others = [other for other in snapshot.seats if other.number != seat.number and other.is_person]
    left_behind = any(other.user_id and not other.left and not stands_in(other) for other in others)
    if snapshot.status == Match.Status.PLAYING and left_behind and snapshot.counts:
        Seat.objects.filter(pk=seat.pk).update(completed=False)
