"""Who may be at a table with whom: a block keeps two people from sitting and from watching where the other plays.

A club's tables are for its members, and aren't there for others. Whoever is blocked isn't told: a table of the other is
full for them, and its page isn't there. A window without a login and a second account can't be known for theirs.
"""

from collections.abc import Collection
from typing import NamedTuple

from accounts.models import User
from accounts.people.blocks import apart_by_user, has_blocked, is_apart
from accounts.people.ties import friends_by_user, has_friend
from games.kit.language import lazy
from games.models import Match
from games.play.errors import NO_SUCH_MATCH, NotAllowed, Refused
from games.play.origins import seated_otherwise
from games.play.snapshot import Snapshot

FULL = lazy("All seats at this table are taken. Choose another table.")
MEMBERS_ONLY = lazy("Only members of the club can sit at this table. Join the club first.")
THEIRS = lazy("Somebody you have blocked is at this table, so you can’t see it until the match is over.")
HIDDEN = (THEIRS, NO_SUCH_MATCH)  # why somebody doesn't see a table because of a block


class Sight(NamedTuple):
    """Everything at a table that decides who may look at it. While it is equal, nobody needs to be asked for again.

    Users are named by their keys. The host may have no seat.
    """

    seated: frozenset[int]
    host: int | None = None
    status: str = "playing"  # of Match.Status
    watching: str = "anyone"  # of Match.Watching
    club: int | None = None

    @property
    def company(self) -> frozenset[int]:
        """The keys of the users who are there."""
        return self.seated if self.host is None else self.seated | {self.host}

    @property
    def is_for_friends(self) -> bool:
        return self.status == Match.Status.PLAYING and self.watching == Match.Watching.FRIENDS


Watcher = tuple[int, Sight]  # a user who looks at a table without a seat there


def demand_company(match: Match, user: User) -> None:
    """Raises Refused if a block is between `user` and somebody who sits at a table, or it is a club’s of others.

    Call it within `locked`.
    """
    if match.club_id and not is_member(user.pk, match.club_id):
        raise NotAllowed(MEMBERS_ONLY)
    others = [match.host_id, *match.seats.filter(left_at=None).values_list("user", flat=True)]
    if is_apart(user.pk, others):
        told = has_blocked(user.pk, others)
        raise Refused(lazy("Somebody you have blocked is at this table. Choose another one.") if told else FULL)


def is_member(user_id: int | None, club_id: int) -> bool:
    """Whether somebody is a member of a club that is not closed."""
    if user_id is None:
        return False
    return User.objects.filter(
        pk=user_id, club_memberships__club=club_id, club_memberships__club__closed_at=None
    ).exists()


def company(snapshot: Snapshot) -> frozenset[int]:
    """The keys of the users who are at a table."""
    return looked_with(snapshot).company


def why_unseen(user_id: int | None, snapshot: Snapshot, cookie: str = "") -> str:
    """Why somebody may not see a table, as a sentence; "" where they may. What is over is for all.

    cookie: as games.play.origins has it, of their browser. Where a block is in the way, the answer is one of HIDDEN:
    only of their own block may somebody be told.
    """
    me = snapshot.seat_of(user_id)
    if snapshot.status not in Match.RUNNING or (me and not me.left):
        return ""
    if snapshot.club and not is_member(user_id, snapshot.club.pk):
        return NO_SUCH_MATCH
    if name := seated_otherwise(cookie, user_id, snapshot):
        return lazy(
            "You sit at this table as {name}, so you can’t watch it as somebody else. Log in as {name} to play on.",
            name=name,
        )
    if not _may_watch(user_id, snapshot):
        nobody, friends = (
            ("Nobody may watch this table. Choose another one in the lobby."),
            "Only friends may watch here.",
        )
        return lazy(nobody if snapshot.terms.watching == Match.Watching.OFF else friends)
    there = company(snapshot)
    if user_id is None or not is_apart(user_id, there):
        return ""
    return THEIRS if has_blocked(user_id, there) else NO_SUCH_MATCH


def looked_with(snapshot: Snapshot) -> Sight:
    """Return the Sight of a table."""
    seated = frozenset(seat.user_id for seat in snapshot.seats if seat.user_id is not None and not seat.left)
    club = snapshot.club.pk if snapshot.club else None
    return Sight(seated, snapshot.host_id, snapshot.status, snapshot.terms.watching, club)


def shut_out(watchers: Collection[Watcher]) -> set[Watcher]:
    """Return those whom a block, or the end of a friendship or a membership, keeps from their table.

    As `why_unseen`, for many at once. Three queries at most.
    """
    watchers = [(user_id, sight) for user_id, sight in watchers if sight.status in Match.RUNNING]
    apart = apart_by_user(user_id for user_id, _ in watchers)
    befriended = {user_id for user_id, sight in watchers if sight.is_for_friends}
    friends = friends_by_user(befriended) if befriended else {}
    members = _members(watchers)

    def is_shut_out(user_id: int, sight: Sight) -> bool:
        if sight.club is not None and (user_id, sight.club) not in members:
            return True
        if sight.is_for_friends and not sight.company & friends.get(user_id, set()):
            return True
        return bool(sight.company & apart.get(user_id, frozenset()))

    return {watcher for watcher in watchers if is_shut_out(*watcher)}


def _members(watchers: Collection[Watcher]) -> set[tuple[int, int]]:
    """Return the memberships of watchers in the clubs of their tables: (user, club)."""
    clubs = {sight.club for _, sight in watchers if sight.club is not None}
    if not clubs:
        return set()
    users = User.objects.filter(pk__in={user_id for user_id, sight in watchers if sight.club is not None})
    belonging = users.filter(club_memberships__club__in=clubs, club_memberships__club__closed_at=None)
    return set(belonging.values_list("pk", "club_memberships__club"))


def _may_watch(user_id: int | None, snapshot: Snapshot) -> bool:
    """Whether the host lets somebody without a seat look on. A table that waits for players is seen by all."""
    if snapshot.status == Match.Status.OPEN or snapshot.terms.watching == Match.Watching.ANYONE:
        return True
    return snapshot.terms.watching == Match.Watching.FRIENDS and has_friend(user_id, company(snapshot))
