"""Which tables wait for whom. Whom each awaits is remembered by its revision, so that asking again costs one query."""

from collections import OrderedDict
from collections.abc import Collection, Iterable

from django.db.models import Prefetch

from games.catalog import CHANCE
from games.models import Match, Seat
from games.play import memory, store
from games.play.snapshot import Snapshot

REMEMBERED = 20_000  # matches
SEATS = Prefetch("seats", queryset=Seat.objects.select_related("user"))

_awaited: OrderedDict[int, tuple[int, int | None]] = OrderedDict()  # by match: its revision, and the user or None


def forget() -> None:
    """Drop what is remembered, for tests."""
    _awaited.clear()


def awaited(snapshot: Snapshot) -> int | None:
    """The user, by their key, for whom a match waits: others who play there do, or the clock; else None."""
    if snapshot.guide or snapshot.paused_until:
        return None
    people = [seat for seat in snapshot.seats if seat.is_person and seat.user_id is not None and not seat.left]
    if snapshot.to_act == CHANCE:
        waits = snapshot.speed.is_slow and snapshot.waits_for_go_ahead()
        return people[0].user_id if waits and len(people) == 1 else None
    if not snapshot.waits_for_person() or not (snapshot.speed.is_timed or len(people) > 1):
        return None
    seat = snapshot.seats[snapshot.to_act]  # type: ignore[index]  # a player's seat, so a number
    return seat.user_id if seat in people else None


def waiting(user_ids: Collection[int]) -> dict[int, list[str]]:
    """{user: codes} of the tables that wait for these users, by their keys; who is awaited nowhere is left out."""
    seats = Seat.objects.filter(user__in=user_ids, left_at=None, match__status=Match.Status.PLAYING, match__guide=False)
    rows = list(seats.order_by("match").values_list("user", "match", "match__revision", "match__code"))
    for code in {code for *_, code in rows}:
        if known := memory.recent(code):
            _note(known)
    awaited_at = awaited_by_match({match: revision for _, match, revision, _ in rows})
    found: dict[int, list[str]] = {}
    for user, match, _, code in rows:
        if awaited_at.get(match) == user:
            found.setdefault(user, []).append(code)
    return found


def count(user) -> int:
    """How many tables wait for a user."""
    return len(waiting([user.pk]).get(user.pk, ())) if user.is_authenticated else 0


def awaited_by_match(revisions: dict[int, int]) -> dict[int, int | None]:
    """{match: user or None} of matches by their keys, whose revisions were just read."""
    unknown = [match for match, revision in revisions.items() if _awaited.get(match, (-1,))[0] < revision]
    for snapshot in _snapshots(unknown):
        _note(snapshot)
    found = {match: known[1] for match in revisions if (known := _awaited.get(match))}
    while len(_awaited) > REMEMBERED:
        _awaited.popitem(last=False)
    return found


def _note(snapshot: Snapshot) -> None:
    """Remember whom a match awaits."""
    if _awaited.get(snapshot.pk, (-1,))[0] < snapshot.revision:
        _awaited[snapshot.pk] = snapshot.revision, awaited(snapshot)
        _awaited.move_to_end(snapshot.pk)


def _snapshots(matches: Iterable[int]) -> Iterable[Snapshot]:
    if matches:
        for match in Match.objects.filter(pk__in=matches).prefetch_related(SEATS):
            known = memory.recent(match.code)
            fresh = known is not None and known.revision >= match.revision
            yield known if fresh else store.snapshot_of(match, match.seats.all())
