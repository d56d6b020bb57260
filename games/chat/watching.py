"""The watchers of matches. Every server process records its own, and renews the record while they stay."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils import timezone

from accounts.models import User
from accounts.people.models import Privacy
from accounts.sorting import by_name
from games.chat.models import Spectators
from games.kit.language import say, say_count
from games.models import Match
from games.play.pace import GONE_LIMIT
from games.play.snapshot import Snapshot


class Watchers(NamedTuple):
    """The watchers of a match."""

    users: tuple[User, ...]  # The users who show their presence, by name.
    unnamed: int  # The number of visitors and of users who hide their presence.

    @property
    def total(self) -> int:
        return len(self.users) + self.unnamed

    @property
    def words(self) -> str:
        """Return the watchers in words, such as "Watching: Ana, Boris and 2 more". Visitors have no names."""
        names = ", ".join(user.username for user in self.users)
        if not self.unnamed:
            return say("Watching: {names}", names=names)
        if not names:
            return say_count(self.unnamed, "Watching: {number} visitor", "Watching: {number} visitors")
        one, many = "Watching: {names} and {number} more", "Watching: {names} and {number} more"
        return say_count(self.unnamed, one, many, names=names)


def note(code: str, process: str, users: Collection[int], others: int) -> None:
    """Record who watches a match through one of the server processes, in place of its earlier record.

    code: of the match. process: the name of the process. users: the primary keys of the watchers. others: the number
    of visitors, who have no account.
    """
    match = Match.objects.filter(code=code).values_list("pk", flat=True).first()
    if match is None:  # It has been deleted.
        return
    if users or others:
        fields = {"users": sorted(users), "others": others, "seen_at": timezone.now()}
        Spectators.objects.update_or_create(match_id=match, process=process, defaults=fields)
    else:
        Spectators.objects.filter(match=match, process=process).delete()


def keep(process: str) -> None:
    """Renew the records of the watchers at a process. Delete records that their processes no longer renew."""
    Spectators.objects.filter(process=process).update(seen_at=timezone.now())
    Spectators.objects.filter(seen_at__lt=_oldest_renewal()).delete()


def watchers(snapshot: Snapshot) -> Watchers:
    """Return the watchers of a match, as everybody may see them. Each server process has recorded its own.

    Users who hide their presence are only counted, as visitors are. Players are left out: their pages are open too.
    """
    spectators = Spectators.objects.filter(match=snapshot.pk, seen_at__gte=_oldest_renewal())
    rows = list(spectators.values_list("users", "others"))
    if not rows:
        return Watchers((), 0)
    players = {seat.user_id for seat in snapshot.seats if not seat.left}
    keys = {user for users, _ in rows for user in users} - players
    hidden = set(Privacy.objects.filter(user__in=keys, hides_presence=True).values_list("user", flat=True))
    users = by_name(User.objects.filter(pk__in=keys - hidden, is_active=True))
    return Watchers(tuple(users), len(hidden) + sum(others for _, others in rows))


def _oldest_renewal() -> datetime:
    """Return since when a process must have renewed its record. If it has not, it no longer runs."""
    return timezone.now() - timedelta(seconds=GONE_LIMIT)
