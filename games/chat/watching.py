"""Who looks at a match without a seat: every process says whom it shows it to, and forgets nobody for long."""

from collections.abc import Collection
from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone

from accounts.models import User
from accounts.people.models import Privacy
from games.chat.models import Spectators
from games.kit.language import say, say_count
from games.models import Match
from games.play.pace import GONE_LIMIT
from games.play.snapshot import Snapshot


class Watchers(NamedTuple):
    """Who watches a match."""

    users: tuple[User, ...]  # who may be named, by name
    unnamed: int  # how many hide that they are here, or are nobody known

    @property
    def count(self) -> int:
        return len(self.users) + self.unnamed

    @property
    def words(self) -> str:
        """ "Watching: Ana, Boris and 2 more"."""
        names = ", ".join(user.username for user in self.users)
        if not self.unnamed:
            return say("Watching: {names}", names=names)
        if not names:
            return say_count(self.unnamed, "Watching: {number} visitor", "Watching: {number} visitors")
        one, many = "Watching: {names} and {number} more", "Watching: {names} and {number} more"
        return say_count(self.unnamed, one, many, names=names)


def note(code: str, process: str, users: Collection[int], others: int) -> None:
    """Say whom a process shows a match to: users by their keys, and how many who are nobody known."""
    match = Match.objects.filter(code=code).values_list("pk", flat=True).first()
    if match is None:
        return
    if users or others:
        found = {"users": sorted(users), "others": others, "seen_at": timezone.now()}
        Spectators.objects.update_or_create(match_id=match, process=process, defaults=found)
    else:
        Spectators.objects.filter(match=match, process=process).delete()


def keep(process: str) -> None:
    """Say again what a process has said, and forget those that have said nothing for long."""
    Spectators.objects.filter(process=process).update(seen_at=timezone.now())
    Spectators.objects.filter(seen_at__lt=_unheard_since()).delete()


def watchers(snapshot: Snapshot) -> Watchers:
    """Who watches a match, as everybody may know it."""
    rows = Spectators.objects.filter(match=snapshot.pk, seen_at__gte=_unheard_since()).values_list("users", "others")
    found = list(rows)
    if not found:
        return Watchers((), 0)
    seated = {seat.user_id for seat in snapshot.seats if not seat.left}
    keys = {user for users, _ in found for user in users} - seated
    shy = set(Privacy.objects.filter(user__in=keys, hides_presence=True).values_list("user", flat=True))
    users = User.objects.filter(pk__in=keys - shy, is_active=True).order_by("casefolded_name")
    return Watchers(tuple(users), len(shy) + sum(others for _, others in found))


def _unheard_since():
    return timezone.now() - timedelta(seconds=GONE_LIMIT)
