"""Friendships, follows and blocks: how users change them, and lists of them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext

from accounts.models import User
from accounts.people.blocks import is_apart
from accounts.people.models import Block, Follow, Friendship
from accounts.sanctions import why_suspended
from accounts.signals import parted, rights_changed
from accounts.sorting import by_name

MAX_FRIENDS = 200
MAX_REQUESTS = 50  # unanswered
MAX_FOLLOWS = 200
MAX_BLOCKS = 500
REQUESTS_SHOWN = 50


class NotPossible(Exception):
    """The act is not allowed and has changed nothing. The text is for the player."""


class Relation(NamedTuple):
    """What a user may know of their relation to another user.

    has_asked: the user's request is unanswered. is_asked: the other's request is unanswered.
    """

    are_friends: bool = False
    has_asked: bool = False
    is_asked: bool = False
    follows: bool = False
    has_blocked: bool = False


def relation(user: User, other: User) -> Relation:
    """Return what a user may know of their relation to another: friendship, requests and so on. Three queries."""
    return relations(user, [other.pk])[other.pk]


def relations(user: User, other_ids: Collection[int]) -> dict[int, Relation]:
    """Return what a user may know of their relations to others, by primary key. Three queries."""
    blocked = set(Block.objects.filter(blocker=user, blocked__in=other_ids).values_list("blocked", flat=True))
    followed = set(Follow.objects.filter(follower=user, followed__in=other_ids).values_list("followed", flat=True))
    is_between = Q(asker=user, asked__in=other_ids) | Q(asked=user, asker__in=other_ids)
    friends, askers = set(), {}  # By the other user, who has asked. Such requests are not accepted yet.
    for asker, asked, accepted_at in Friendship.objects.filter(is_between).values_list("asker", "asked", "accepted_at"):
        other = asked if asker == user.pk else asker
        if accepted_at:
            friends.add(other)
        else:
            askers[other] = asker
    return {
        other: Relation(
            are_friends=other in friends,
            has_asked=askers.get(other) == user.pk,
            is_asked=askers.get(other) == other and other not in blocked,
            follows=other in followed,
            has_blocked=other in blocked,
        )
        for other in other_ids
    }


def ask(user: User, other: User) -> bool:
    """Ask another user to be friends, or accept their request. Return whether they are friends now.

    A user whom the other has blocked may ask too, because nothing must reveal the block. Raises NotPossible.
    """
    with _lock_both(user, other):
        _check_member(user)
        _check_member(other)
        if why := why_suspended(user.pk):
            raise NotPossible(why)
        friendship = _friendship(user, other)  # Also a request, by either of them, that is not yet accepted.
        if Block.objects.filter(blocker=user, blocked=other).exists():
            raise NotPossible(_has_blocked(other))
        if friendship is None:
            _check_limit(friends_of(user), MAX_FRIENDS, _too_many_friends)
            _check_limit(Friendship.objects.filter(asker=user, accepted_at=None), MAX_REQUESTS, _too_many_requests)
            Friendship.objects.create(asker=user, asked=other)
            return False
        # If the other user has blocked this one, the request seems to wait for an answer.
        is_asked = friendship.asked_id == user.pk and friendship.accepted_at is None
        if is_asked and not is_apart(user.pk, [other.pk]):
            _check_limit(friends_of(user), MAX_FRIENDS, _too_many_friends)
            _check_limit(friends_of(other), MAX_FRIENDS, partial(_too_many_friends_of, other))
            friendship.accepted_at = timezone.now()
            friendship.save(update_fields=["accepted_at"])
            rights_changed.send(User, user_ids=[user.pk, other.pk])  # Friends may write to each other at a table.
        return friendship.accepted_at is not None


def accept(user: User, other: User) -> None:
    """Accept the friend request of another user, so that they are friends. Raises NotPossible if there is none.

    The request of a user whom they have blocked is hidden from them, so it does not count.
    """
    requests = Friendship.objects.filter(asker=other, asked=user)
    if not requests.exists() or Block.objects.filter(blocker=user, blocked=other).exists():
        words = gettext("{name} hasn’t asked you, or has cancelled the request. You can ask {name} yourself.")
        raise NotPossible(words.format(name=other))
    ask(user, other)  # To ask somebody who has asked makes them friends.


def unfriend(user: User, other: User) -> None:
    """End a friendship, or withdraw or decline a request."""
    _friendships(user, other).delete()
    rights_changed.send(User, user_ids=[user.pk, other.pk])


def follow(user: User, other: User) -> None:
    with _lock_both(user, other):
        _check_member(user)
        _check_member(other)
        if Block.objects.filter(blocker=user, blocked=other).exists():
            raise NotPossible(_has_blocked(other))
        follows = Follow.objects.filter(follower=user)
        if not follows.filter(followed=other).exists():
            _check_limit(follows, MAX_FOLLOWS, _too_many_follows)
            Follow.objects.create(follower=user, followed=other)


def unfollow(user: User, other: User) -> None:
    Follow.objects.filter(follower=user, followed=other).delete()


def block(user: User, other: User) -> None:
    """Block another user: the two no longer meet at a table, and are no longer friends. Raises NotPossible.

    The other user must not notice it. So their unanswered friend request stays, and is only hidden from this user. A
    program (a bot of another user) can't be blocked.
    """
    with _lock_both(user, other):
        if other.is_program:
            raise NotPossible(gettext_lazy("That is a bot. You can block its owner instead."))
        mine = Block.objects.filter(blocker=user)
        if mine.filter(blocked=other).exists():
            return
        _check_limit(mine, MAX_BLOCKS, _too_many_blocks)
        Block.objects.create(blocker=user, blocked=other)
        _friendships(user, other).exclude(asker=other, accepted_at=None).delete()
        Follow.objects.filter(follower=user, followed=other).delete()
        rights_changed.send(User, user_ids=[user.pk, other.pk])
        transaction.on_commit(partial(parted.send, User, user=user, other=other), robust=True)


def unblock(user: User, other: User) -> None:
    Block.objects.filter(blocker=user, blocked=other).delete()


# Lists of users, in the order of the pages


def friends_of(user: User) -> QuerySet[User]:
    """Return a user's friends, in no order."""
    accepted = Friendship.objects.filter(accepted_at__isnull=False)
    theirs = accepted.filter(asker=user).values("asked").union(accepted.filter(asked=user).values("asker"))
    return User.objects.filter(pk__in=theirs)


def are_friends(user: User, other: User) -> bool:
    return has_friend(user.pk, [other.pk])


def has_friend(user_id: int | None, other_ids: Collection[int]) -> bool:
    """Return whether any of the others is a friend of the user. Anonymous users (None) have no friends."""
    if user_id is None:
        return False
    is_between = Q(asker=user_id, asked__in=other_ids) | Q(asked=user_id, asker__in=other_ids)
    return Friendship.objects.filter(is_between, accepted_at__isnull=False).exists()


def friends_by_user(user_ids: Collection[int]) -> dict[int, set[int]]:
    """Return the friends of each user, as sets of primary keys by primary key. One query."""
    is_theirs = Q(asker__in=user_ids) | Q(asked__in=user_ids)
    friendships = Friendship.objects.filter(is_theirs, accepted_at__isnull=False)
    friends: dict[int, set[int]] = defaultdict(set)
    for asker, asked in friendships.values_list("asker", "asked"):
        friends[asker].add(asked)
        friends[asked].add(asker)
    return friends


def are_all_friends(user_ids: Collection[int]) -> bool:
    """Return whether every two of these users are friends."""
    if len(user_ids) < 2:
        return True
    friendships = Friendship.objects.filter(asker__in=user_ids, asked__in=user_ids, accepted_at__isnull=False)
    return friendships.count() == len(user_ids) * (len(user_ids) - 1) // 2


def friend_requests_to(user: User) -> list[User]:
    """Return the users whose friend requests to a user are unanswered, the newest first. Leave out blocked users."""
    requests = Friendship.objects.filter(asked=user, accepted_at=None).exclude(asker__blocked_by__blocker=user)
    return [each.asker for each in requests.select_related("asker").order_by("-pk")[:REQUESTS_SHOWN]]


def friend_requests_from(user: User) -> list[User]:
    """Return the users who have not answered a user's friend requests, the newest first."""
    requests = Friendship.objects.filter(asker=user, accepted_at=None).select_related("asked")
    return [each.asked for each in requests.order_by("-pk")]


def followed_users(user: User) -> list[User]:
    """Return the users that a user follows, by name."""
    return by_name(each.followed for each in Follow.objects.filter(follower=user).select_related("followed"))


def blocked_users(user: User) -> list[User]:
    """Return the users that a user has blocked, the latest first."""
    return [each.blocked for each in Block.objects.filter(blocker=user).select_related("blocked").order_by("-pk")]


def _friendships(user: User, other: User) -> QuerySet[Friendship]:
    return Friendship.objects.filter(Q(asker=user, asked=other) | Q(asker=other, asked=user))


def _friendship(user: User, other: User) -> Friendship | None:
    return _friendships(user, other).first()


@contextmanager
def _lock_both(user: User, other: User) -> Iterator[None]:
    """Open a transaction that locks two users, always in the same order. Raises NotPossible if they are the same."""
    if user.pk == other.pk:
        raise NotPossible(gettext_lazy("That is you. Choose somebody else."))
    with transaction.atomic():
        rows = User.objects.select_for_update(no_key=True).filter(pk__in=[user.pk, other.pk])
        list(rows.order_by("pk").values_list("pk"))  # This runs the query, which locks the rows.
        yield


def _check_member(user: User) -> None:
    if user.is_program:
        raise NotPossible(gettext_lazy("That is a bot. You can make friends with its owner instead."))
    if user.is_guest:
        sentence = gettext_lazy("Only people with an account can be friends here. Guests can sign up first.")
        raise NotPossible(sentence)


def _check_limit(rows: QuerySet, limit: int, message: Callable[[int], str]) -> None:
    if rows.count() >= limit:
        raise NotPossible(message(limit))


def _has_blocked(other: User) -> str:
    return gettext("You have blocked {name}. Unblock them first.").format(name=other)


def _too_many_friends(limit: int) -> str:
    one, many = (
        "You have {number} friend, as many as we allow. Remove them first.",
        "You have {number} friends, as many as we allow. Remove one of them first.",
    )
    return ngettext(one, many, limit).format(number=limit)


def _too_many_friends_of(other: User, limit: int) -> str:
    one = "{name} has {number} friend, as many as we allow. You can follow {name} instead."
    many = "{name} has {number} friends, as many as we allow. You can follow {name} instead."
    return ngettext(one, many, limit).format(number=limit, name=other)


def _too_many_requests(limit: int) -> str:
    one = "{number} person hasn’t answered you yet. Wait for them, or cancel the request."
    many = "{number} people haven’t answered you yet. Wait for them, or cancel a request."
    return ngettext(one, many, limit).format(number=limit)


def _too_many_follows(limit: int) -> str:
    one, many = (
        "You follow {number} person, as many as we allow. Unfollow them first.",
        "You follow {number} people, as many as we allow. Unfollow one of them first.",
    )
    return ngettext(one, many, limit).format(number=limit)


def _too_many_blocks(limit: int) -> str:
    one = "You have blocked {number} person, as many as we allow. Unblock them first."
    many = "You have blocked {number} people, as many as we allow. Unblock one of them first."
    return ngettext(one, many, limit).format(number=limit)
