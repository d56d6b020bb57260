"""Completion rates: who plays matches with other people to the end. The result is stored with each seat."""

from typing import NamedTuple

from accounts.models import User
from games.kit.language import lazy
from games.models import Match, Seat
from games.play.errors import Refused
from games.play.snapshot import SeatSnapshot, Snapshot, has_stand_in

LATEST_MATCHES = 50  # Only this many of a user's matches count.
RATES = (50, 70, 80, 90, 95)  # The percentages that a host may ask of players.


class Completion(NamedTuple):
    """How many of a user's latest matches with other people they have played to the end."""

    completed: int
    counted: int

    @property
    def percent(self) -> int | None:
        """The rate in whole percent, rounded down; None without any matches."""
        return 100 * self.completed // self.counted if self.counted else None


def rates_to_ask(user: User) -> list[int]:
    """Return the completion rates, in percent, that a host may ask of players: none above their own."""
    percent = completion_of(user).percent
    return [rate for rate in RATES if percent is not None and rate <= percent]


def completion_of(user: User) -> Completion:
    """Return how many of their latest matches a user or guest has played to the end."""
    latest = Seat.objects.filter(user=user, completed__isnull=False).order_by("-match_id")
    completed = list(latest.values_list("completed", flat=True)[:LATEST_MATCHES])
    return Completion(sum(completed), len(completed))


def demand_completion(match: Match, user: User) -> None:
    """Raise Refused if the host wants players who finish more of their matches than `user` does."""
    minimum = match.terms.completion_asked
    if minimum is None or user.is_program:
        return
    percent = completion_of(user).percent
    if percent is None:
        sentence = (
            "This table is for players who finish {asked}% of their matches or more, and you haven’t played any with "
            "others yet. You can sit down once the host has invited you."
        )
        raise Refused(lazy(sentence, asked=minimum))
    if percent < minimum:
        sentence = (
            "This table is for players who finish {asked}% of their matches or more. You have finished {percent}%. "
            "Ask the host to invite you."
        )
        raise Refused(lazy(sentence, asked=minimum, percent=percent))


def record_end(snapshot: Snapshot) -> None:
    """Record who has played a match to its end: everybody who has not left and needs no bot to play for them.

    This gives the completion rate, which tells others how reliable a player is.
    """
    people = [seat for seat in snapshot.seats if seat.is_person]
    # Who leaves a match against bots, or one that counts for nothing, lets nobody down.
    if len(people) < 2 or not snapshot.counts:
        return
    for seat in people:
        if seat.user_id and not seat.left:
            Seat.objects.filter(pk=seat.pk).update(completed=not has_stand_in(seat))


def record_abandoned(snapshot: Snapshot, seat: SeatSnapshot) -> None:
    """Record that the player of this seat gives up a match, if other people were still playing it.

    It then counts against the player's completion rate, unless the match counts for nothing (`snapshot.counts`).
    """
    others = [other for other in snapshot.seats if other.number != seat.number and other.is_person]
    others_play = any(other.user_id and not other.left and not has_stand_in(other) for other in others)
    if snapshot.status == Match.Status.PLAYING and others_play and snapshot.counts:
        Seat.objects.filter(pk=seat.pk).update(completed=False)
