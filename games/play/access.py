"""Who may sit or watch at a table: blocks, friends-only tables and clubs.

A block keeps two people from sitting together, and from watching where the other plays. The blocked user is not told:
for them the table is full, or does not exist. We cannot recognise a second account, or a window without a login.
"""

from collections.abc import Collection
from typing import NamedTuple

from accounts.models import User
from accounts.people.blocks import apart_by_user, has_blocked, is_apart
from accounts.people.ties import friends_by_user, has_friend
from games.kit.language import lazy
from games.models import Match
from games.play.errors import NO_SUCH_MATCH, NotAllowed, Refused
from games.play.origins import find_other_name
from games.play.snapshot import Snapshot

FULL = lazy("All seats at this table are taken. Choose another table.")
MEMBERS_ONLY = lazy("Only members of the club can sit at this table. Join the club first.")
THEIRS = lazy("Somebody you have blocked is at this table, so you can’t see it until the match is over.")
BLOCK_REASONS = (THEIRS, NO_SUCH_MATCH)  # The answers of `why_hidden` to users whom a block keeps out.


class Access(NamedTuple):
    """Everything at a table that decides who may watch it. As long as it is equal, watchers need no new check.

    Users are given by their primary keys. The host may have no seat.
    """

    seated: frozenset[int]
    host: int | None = None
    status: str = "playing"  # of Match.Status
    watching: str = "anyone"  # of Match.Watching
    club: int | None = None

    @property
    def people(self) -> frozenset[int]:
        """The users at the table."""
        return self.seated if self.host is None else self.seated | {self.host}

    @property
    def is_for_friends(self) -> bool:
        return self.status == Match.Status.PLAYING and self.watching == Match.Watching.FRIENDS


Watcher = tuple[int, Access]  # a user without a seat, and the table that they look at


def demand_access(match: Match, user: User) -> None:
    """Raise Refused if `user` may not sit at a table. Call it within `locked`, so that nobody else sits down.

    Only members may sit at a club's table, and nobody may sit with somebody whom they have blocked or who has blocked
    them.
    """
    if match.club_id and not is_member(user.pk, match.club_id):
        raise NotAllowed(MEMBERS_ONLY)
    people = [match.host_id, *match.seats.filter(left_at=None).values_list("user", flat=True)]
    if is_apart(user.pk, people):
        blocked = lazy("Somebody you have blocked is at this table. Choose another one.")
        # Users must not learn who has blocked them, so for them the table is full.
        raise Refused(blocked if has_blocked(user.pk, people) else FULL)


def is_member(user_id: int | None, club_id: int) -> bool:
    """Return whether a user is a member of a club that has not been closed."""
    if user_id is None:
        return False
    members = User.objects.filter(club_memberships__club=club_id, club_memberships__club__closed_at=None)
    return members.filter(pk=user_id).exists()


def people_at(snapshot: Snapshot) -> frozenset[int]:
    """Return the primary keys of the users at a table."""
    return access_of(snapshot).people


def why_hidden(user_id: int | None, snapshot: Snapshot, cookie: str = "") -> str:
    """Return why a user may not see a table, as a sentence; "" if they may. Everybody may see what is over.

    snapshot: the match at that table. cookie: signed, it lists the tables at which this browser has sat, so that nobody
    watches their own table from a second account. If the user and somebody at the table have blocked each other, the
    sentence is one of BLOCK_REASONS.
    """
    seat = snapshot.seat_of(user_id)
    plays_here = seat is not None and not seat.left
    if plays_here or snapshot.status not in Match.RUNNING:
        return ""
    if snapshot.club and not is_member(user_id, snapshot.club.pk):
        return NO_SUCH_MATCH  # A club's tables are hidden from others.
    if name := find_other_name(cookie, user_id, snapshot):
        as_guest = "You sit at this table as the guest {name}, so you can’t watch it as somebody else."
        as_member = (
            "You sit at this table as {name}, so you can’t watch it as somebody else. Log in as {name} to play on."
        )
        is_guest = any(seat.name == name and seat.kind == "guest" for seat in snapshot.seats)
        return lazy(as_guest if is_guest else as_member, name=name)
    if not _may_watch(user_id, snapshot):
        nobody = "Nobody may watch this table. Choose another one in the lobby."
        friends = "Only friends may watch here. Choose another table in the lobby."
        return lazy(nobody if snapshot.terms.watching == Match.Watching.OFF else friends)
    people = people_at(snapshot)
    if user_id is None or not is_apart(user_id, people):  # No block keeps them away from anybody here.
        return ""
    # Users never learn who has blocked them, so for them there is no such match.
    return THEIRS if has_blocked(user_id, people) else NO_SUCH_MATCH


def access_of(snapshot: Snapshot) -> Access:
    """Return the facts of a table that decide who may watch it: its users, its host's wishes and its club."""
    seated = frozenset(seat.user_id for seat in snapshot.seats if seat.user_id is not None and not seat.left)
    club = snapshot.club.pk if snapshot.club else None
    return Access(seated, host=snapshot.host_id, status=snapshot.status, watching=snapshot.terms.watching, club=club)


def excluded_watchers(watchers: Collection[Watcher]) -> set[Watcher]:
    """Return the watchers who may no longer see their table: blocked, no longer friends or no longer members.

    watchers: pairs of a user's primary key and the Access of their table: the facts that decide who may watch it. The
    rules are those of `why_hidden`, but all watchers together take at most three queries.
    """
    watchers = [(user_id, access) for user_id, access in watchers if access.status in Match.RUNNING]
    apart = apart_by_user(user_id for user_id, _ in watchers)  # The users whom a block keeps away, by user.
    watchers_of_friends = {user_id for user_id, access in watchers if access.is_for_friends}
    friends = friends_by_user(watchers_of_friends) if watchers_of_friends else {}
    memberships = _memberships(watchers)

    def is_excluded(user_id: int, access: Access) -> bool:
        if access.club is not None and (user_id, access.club) not in memberships:
            return True
        if access.is_for_friends and not access.people & friends.get(user_id, set()):  # No friend is at the table.
            return True
        return bool(access.people & apart.get(user_id, frozenset()))  # Somebody at the table is to be kept away.

    return {watcher for watcher in watchers if is_excluded(*watcher)}


def _memberships(watchers: Collection[Watcher]) -> set[tuple[int, int]]:
    """Return which watchers are members of the clubs of their tables, as pairs of user and club."""
    clubs = {access.club for _, access in watchers if access.club is not None}
    if not clubs:
        return set()
    users = User.objects.filter(pk__in={user_id for user_id, access in watchers if access.club is not None})
    members = users.filter(club_memberships__club__in=clubs, club_memberships__club__closed_at=None)
    return set(members.values_list("pk", "club_memberships__club"))


def _may_watch(user_id: int | None, snapshot: Snapshot) -> bool:
    """Return whether the host lets a user without a seat watch. Everybody may see a table that waits for players."""
    if snapshot.status == Match.Status.OPEN or snapshot.terms.watching == Match.Watching.ANYONE:
        return True
    return snapshot.terms.watching == Match.Watching.FRIENDS and has_friend(user_id, people_at(snapshot))
