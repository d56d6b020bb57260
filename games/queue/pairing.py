"""Seat users who wait for the same: people of similar strength first, and never those with a block between them.

Each table is one transaction. It locks the users, then their entries, both in the order of users, and then the match.
"""

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from accounts.models import User
from accounts.people.blocks import apart_by_user
from games.models import Match, Seat, Terms
from games.notifications.finding import calling_players
from games.play.errors import Refused
from games.play.opening import AMONG_FRIENDS, open_table, usual_setup
from games.play.origins import Origin, SeatRequest
from games.play.seating import sit_down
from games.play.tables import room_for
from games.queue.entering import KEPT, PRESENT, SPEED, abandoned
from games.queue.models import Kind, QueueEntry
from games.ratings.models import Pace, Rating
from games.ratings.strength import UNKNOWN, Strength

log = logging.getLogger("valat.queue")

NEAR = 200  # Points of rating. Two users may be this far apart at once,
WIDER = 20  # and this much farther with each second that the one who has waited longer waits.


@dataclass(frozen=True)
class Facts:
    """What decides who may sit together.

    points: strengths by user and game. apart: the users that each must not meet. playing: users with a table open.
    without_room: users who are at as many tables as we allow.
    """

    now: datetime
    points: Mapping[tuple[int, str], int]
    apart: Mapping[int, frozenset[int]]
    playing: frozenset[int] = frozenset()
    without_room: frozenset[int] = frozenset()

    def company_of(self, entry: QueueEntry, others: Sequence[QueueEntry], seats: int) -> list[QueueEntry]:
        """Return a user who waits and those to seat with them, the nearest in strength first."""
        widest = NEAR + WIDER * (self.now - entry.since).total_seconds()
        group, members = [entry], {entry.user_id}
        for other in sorted(others, key=lambda each: self._distance(entry, each)):
            is_near = self._distance(entry, other) <= widest
            if len(group) < seats and other is not entry and is_near and not self._blocks_of(other) & members:
                group.append(other)
                members.add(other.user_id)
        return group

    def _distance(self, one: QueueEntry, other: QueueEntry) -> int:
        middle = UNKNOWN.points
        points = [self.points.get((entry.user_id, entry.game), middle) for entry in (one, other)]
        return abs(points[0] - points[1])

    def _blocks_of(self, entry: QueueEntry) -> frozenset[int]:
        return self.apart.get(entry.user_id, frozenset())

    def is_due(self, entry: QueueEntry) -> bool:
        """Return whether a user has waited as long as they want to wait for people alone."""
        return entry.fill_after is not None and self.now - entry.since >= timedelta(seconds=entry.fill_after)


def pair() -> int:
    """Open a table where enough users wait for one. Return the number of tables. A job of the clock."""
    now = timezone.now()
    entries = list(QueueEntry.objects.order_by("since", "pk"))
    if any(entry.seen_at < now - KEPT for entry in entries):
        abandoned(now).delete()
    waiting = [entry for entry in entries if entry.match_id is None and entry.seen_at > now - PRESENT]
    if not waiting:
        return 0
    facts, by_kind = _read_facts(waiting, now), defaultdict(list)
    for entry in waiting:
        if entry.user_id not in facts.without_room:
            by_kind[entry.kind].append(entry)
    return sum(_seat_or_log(kind, group) for kind, same in by_kind.items() for group in groups_of(kind, same, facts))


def _read_facts(waiting: Sequence[QueueEntry], now: datetime) -> Facts:
    users = [entry.user_id for entry in waiting]
    ratings = Rating.objects.filter(player__user__in=users, board__pace=Pace.LIVE)
    rows = ratings.values_list("player__user", "board__game", "mu", "sigma")
    points = {(user, game): Strength(mu, sigma).points for user, game, mu, sigma in rows}
    seats = Seat.objects.filter(user__in=users, left_at=None, match__status__in=Match.RUNNING, match__guide=False)
    tables = seats.values("user").annotate(all=Count("pk"), open=Count("pk", filter=Q(connected=True)))
    playing = frozenset(row["user"] for row in tables if row["open"])
    without_room = frozenset(row["user"] for row in tables if row["all"] >= settings.TABLES_A_USER)
    return Facts(now, points, apart_by_user(users), playing, without_room)


def groups_of(kind: Kind, waiting: Sequence[QueueEntry], facts: Facts) -> Iterator[list[QueueEntry]]:
    """Yield the groups of users to seat at a table. waiting: for this kind of match, the longest first.

    A group is smaller than the table if one of its users no longer wants to wait without bots, and the others accept
    bots at all. Nobody is called away from a table to play with bots alone.
    """
    try:
        seats = usual_setup(kind.game, kind.length).seats
    except Refused:  # The site no longer has this game or length.
        return
    assert seats is not None
    free = list(waiting)
    for entry in waiting:
        if entry not in free:
            continue
        group = facts.company_of(entry, free, seats)
        if len(group) < seats:
            if not facts.is_due(entry):
                continue
            group = facts.company_of(entry, [each for each in free if each.fill_after is not None], seats)
            if len(group) == 1 and entry.user_id in facts.playing:
                continue
        free = [each for each in free if each not in group]
        yield group


def _seat_or_log(kind: Kind, group: Sequence[QueueEntry]) -> bool:
    try:
        return seat(kind, [entry.user_id for entry in group])
    except Refused as refusal:  # Something has changed since. The next run groups them again.
        log.info("A table of %s did not begin: %s", kind.game, refusal)
        return False


@transaction.atomic
def seat(kind: Kind, user_ids: Sequence[int]) -> bool:
    """Open a table for users who wait for this kind of match; the rest are bots. Call the users. Raise Refused.

    Return whether it was opened: not if one of them has left the queue or has been seated in the meantime.
    """
    users = User.objects.select_for_update(no_key=True).filter(pk__in=user_ids).order_by("pk")
    user_by_key = {user.pk: user for user in users}
    entries = QueueEntry.objects.select_for_update().filter(user__in=user_ids, match=None, **kind._asdict())
    entry_by_key = {entry.user_id: entry for entry in entries.order_by("user")}
    if len(entry_by_key) < len(user_ids):
        return False
    requests = [_seat_request(entry_by_key[key]) for key in user_ids]
    setup = usual_setup(kind.game, kind.length)
    assert setup.seats is not None
    bots = setup.seats - len(user_ids)
    terms = Terms(speed=SPEED, rated=kind.rated) if len(user_ids) > 1 else AMONG_FRIENDS
    with ExitStack() as rooms, calling_players():
        for key in sorted(user_ids):
            rooms.enter_context(room_for(user_by_key[key]))
        opened = open_table(user_by_key[user_ids[0]], replace(setup, bots=bots), terms, requests[0])
        for key, request in zip(user_ids[1:], requests[1:], strict=True):
            opened = sit_down(user_by_key[key], opened.code, request)
    QueueEntry.objects.filter(user__in=user_ids).update(match=opened.pk, seen_at=timezone.now())
    return True


def _seat_request(entry: QueueEntry) -> SeatRequest:
    return SeatRequest(entropy_hash=entry.entropy_hash, origin=Origin(entry.address))
