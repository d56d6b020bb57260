"""Who may be at a table with whom: a block keeps two people from sitting and from watching where the other plays.

A club's tables are for its members, and aren't there for others. Whoever is blocked isn't told: a table of the other is
full for them, and its page isn't there. A window without a login and a second account can't be known for theirs.
"""

from accounts.models import User
from accounts.people.blocks import has_blocked, is_apart
from accounts.people.ties import has_friend
from games.kit.language import lazily
from games.models import Match
from games.play.browsers import seated_otherwise
from games.play.errors import NO_SUCH_MATCH, NotAllowed, Refused
from games.play.snapshot import Snapshot

FULL = lazily("All seats at this table are taken.")
MEMBERS_ONLY = lazily("Only members of the club can sit at this table.")
THEIRS = lazily("Somebody you have blocked is at this table, so you can’t see it until the match is over.")
Sight = tuple[frozenset[int], bool, int | None]  # who is there, whether it is played, the club
HIDDEN = (THEIRS, NO_SUCH_MATCH)  # why somebody doesn't see a table because of a block


def demand_company(match: Match, user: User) -> None:
    """Raises Refused if a block is between `user` and somebody who sits at a table, or it is a club’s of others.

    Call it within `locked`.
    """
    if match.club_id and not is_member(user.pk, match.club_id):
        raise NotAllowed(MEMBERS_ONLY)
    others = [match.host_id, *match.seats.filter(left_at=None).values_list("user", flat=True)]
    if is_apart(user.pk, others):
        told = has_blocked(user.pk, others)
        raise Refused(lazily("Somebody you have blocked is at this table, so you can’t join it.") if told else FULL)


def is_member(user_id: int | None, club_id: int) -> bool:
    """Whether somebody is a member of a club that is not closed."""
    if user_id is None:
        return False
    return User.objects.filter(
        pk=user_id, club_memberships__club=club_id, club_memberships__club__closed_at=None
    ).exists()


def company(snapshot: Snapshot) -> frozenset[int]:
    """The keys of the users who are at a table."""
    there = {seat.user_id for seat in snapshot.seats if not seat.left}
    return frozenset(there | {snapshot.host_id}) - {None}  # type: ignore[return-value]


def why_unseen(user_id: int | None, snapshot: Snapshot, cookie: str = "") -> str:
    """Why somebody may not see a table, as a sentence; "" where they may. What is over is for all.

    cookie: as games.play.browsers has it, of their browser. Where a block is in the way, the answer is one of HIDDEN:
    only of their own block may somebody be told.
    """
    me = snapshot.seat_of(user_id)
    if snapshot.status not in Match.RUNNING or (me and not me.left):
        return ""
    if snapshot.club and not is_member(user_id, snapshot.club.pk):
        return NO_SUCH_MATCH
    if name := seated_otherwise(cookie, user_id, snapshot):
        return lazily(
            "You sit at this table as {name}, so you can’t watch it as somebody else. Log in as {name} to play on.",
            name=name,
        )
    if not _may_watch(user_id, snapshot):
        nobody, friends = "Nobody may watch this table.", "Only friends may watch here."
        return lazily(nobody if snapshot.watching == Match.Watching.OFF else friends)
    there = company(snapshot)
    if user_id is None or not is_apart(user_id, there):
        return ""
    return THEIRS if has_blocked(user_id, there) else NO_SUCH_MATCH


def looked_with(snapshot: Snapshot) -> Sight:
    """What the answer to who may see a table depends on: while it is equal, they need not be asked for again."""
    return company(snapshot), snapshot.status == Match.Status.PLAYING, snapshot.club and snapshot.club.pk


def _may_watch(user_id: int | None, snapshot: Snapshot) -> bool:
    """Whether the host lets somebody without a seat look on. A table that waits for players is seen by all."""
    if snapshot.status == Match.Status.OPEN or snapshot.watching == Match.Watching.ANYONE:
        return True
    return snapshot.watching == Match.Watching.FRIENDS and has_friend(user_id, company(snapshot))
