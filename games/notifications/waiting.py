"""The tables that wait for each user. A cache by revision of the match keeps this at one query."""

from collections import OrderedDict
from collections.abc import Collection, Iterator

from django.db.models import Prefetch

from accounts.models import User
from games.catalog import CHANCE
from games.models import Match, Seat
from games.play import memory, store
from games.play.snapshot import Snapshot

MAX_REMEMBERED = 20_000  # matches
SEATS = Prefetch("seats", queryset=Seat.objects.select_related("user"))

_awaited: OrderedDict[int, tuple[int, int | None]] = OrderedDict()  # By match: its revision and `awaited_user`.


def forget() -> None:
    """Clear the cache, for tests."""
    _awaited.clear()


def awaited_user(snapshot: Snapshot) -> int | None:
    """Return the primary key of the user who must make a move, or agree to go on, in a match; None for nobody.

    Without a clock and other people it waits for nobody: such a match is played whenever its only player likes.
    """
    if snapshot.guide or snapshot.paused_until:
        return None
    people = [seat for seat in snapshot.seats if seat.is_person and seat.user_id is not None and not seat.left]
    if snapshot.to_act == CHANCE:  # The next deal. In a slow match it may wait until people go on.
        waits = snapshot.speed.is_slow and snapshot.waits_for_go_ahead()
        return people[0].user_id if waits and len(people) == 1 else None  # Of several people we name none.
    is_urgent = snapshot.speed.is_timed or len(people) > 1
    if not snapshot.waits_for_person() or not is_urgent:
        return None
    seat = snapshot.seats[snapshot.to_act]  # type: ignore[index]  # It is not CHANCE, so it is a number.
    return seat.user_id if seat in people else None


def waiting_tables(user_ids: Collection[int]) -> dict[int, list[str]]:
    """Return the codes of the tables that wait for each of these users, by the key of the user.

    Users for whom no table waits are left out.
    """
    seats = Seat.objects.filter(user__in=user_ids, left_at=None, match__status=Match.Status.PLAYING, match__guide=False)
    rows = list(seats.order_by("match").values_list("user", "match", "match__revision", "match__code"))
    for code in {code for *_, code in rows}:  # The memory of this process often saves a query.
        if snapshot := memory.recent(code):
            _remember(snapshot)
    users = awaited_by_match({match: revision for _, match, revision, _ in rows})
    codes: dict[int, list[str]] = {}
    for user, match, _, code in rows:
        if users.get(match) == user:
            codes.setdefault(user, []).append(code)
    return codes


def count(user: User) -> int:
    """Return the number of tables that wait for a user."""
    return len(waiting_tables([user.pk]).get(user.pk, ())) if user.is_authenticated else 0


def awaited_by_match(revisions: dict[int, int]) -> dict[int, int | None]:
    """Return the user who must move or go on in each match, None for nobody. Users and matches are primary keys.

    revisions: for each match a number that each change raises. If the cache has a lower one, the match is read again.
    """
    stale = [match for match, revision in revisions.items() if _cached_revision(match) < revision]
    for snapshot in _snapshots(stale):
        _remember(snapshot)
    users = {}
    for match in revisions:
        if match in _awaited:
            _, users[match] = _awaited[match]
    while len(_awaited) > MAX_REMEMBERED:  # Forget the matches that have not changed for the longest time.
        _awaited.popitem(last=False)
    return users


def _cached_revision(match: int) -> int:
    """Return the revision (number of writes) of a match in the cache, or -1 if it is not there."""
    entry = _awaited.get(match)
    return entry[0] if entry else -1


def _remember(snapshot: Snapshot) -> None:
    """Cache the user that a match waits for, unless the cache has this state of the match or a later one."""
    if _cached_revision(snapshot.pk) < snapshot.revision:
        _awaited[snapshot.pk] = snapshot.revision, awaited_user(snapshot)
        _awaited.move_to_end(snapshot.pk)


def _snapshots(matches: Collection[int]) -> Iterator[Snapshot]:
    """Yield the current states of these matches. Use the memory of this process unless the database is newer."""
    if matches:
        for match in Match.objects.filter(pk__in=matches).prefetch_related(SEATS):
            snapshot = memory.recent(match.code)
            if snapshot is None or snapshot.revision < match.revision:
                snapshot = store.snapshot_of(match, match.seats.all())
            yield snapshot
