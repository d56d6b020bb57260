"""Friends, follows and blocks in a user's archive."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.expressions import Combinable
from django.utils.translation import gettext_lazy

from accounts.export import Export
from accounts.models import User
from accounts.people.models import Block, Follow, Friendship, Privacy


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield a document for each friend and friend request of a user, and for each user that they follow or block.

    The last document has what they hide from others, if they ever chose that. Who follows or blocks this user is
    private, so it is left out.
    """
    for friendship in _friendships(user).select_related("asker", "asked").order_by("-pk"):
        is_own_request = friendship.asker_id == user.pk
        other = friendship.asked if is_own_request else friendship.asker
        kind = "friend" if friendship.accepted_at else "asked" if is_own_request else "asks"
        yield {"kind": kind, "name": other.username, "since": friendship.accepted_at or friendship.asked_at}
    for follow in user.following.select_related("followed").order_by("-pk"):
        yield {"kind": "follows", "name": follow.followed.username, "since": follow.since}
    for block in user.blocks.select_related("blocked").order_by("-pk"):
        yield {"kind": "blocked", "name": block.blocked.username, "since": block.since}
    for hidden in _privacy(user).values("hides_presence", "hides_name"):
        yield {"kind": "privacy", **hidden}


def _friendships(user: User) -> QuerySet[Friendship]:
    return Friendship.objects.filter(asker=user) | Friendship.objects.filter(asked=user)


def _privacy(user: User) -> QuerySet[Privacy]:
    return Privacy.objects.filter(user=user)


def _is_owner(since: datetime) -> Combinable:
    """Return a condition: the user has followed or blocked somebody since then. Guests have no friends."""
    follows = Exists(Follow.objects.filter(follower=OuterRef("pk"), since__gte=since))
    return follows | Exists(Block.objects.filter(blocker=OuterRef("pk"), since__gte=since))


EXPORTS = [
    Export(
        name="people",
        description=gettext_lazy(
            "Your friends, whom you asked or follow, whom you have blocked, and what you hide from others, one JSON "
            "document per line."
        ),
        count=lambda user: (
            _friendships(user).count() + user.following.count() + user.blocks.count() + _privacy(user).count()
        ),
        documents=documents,
        is_owner=_is_owner,
    )
]
