"""Blocks between users. A block is silent and works in both directions.

It cannot work on somebody who is not logged in or uses a second account.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import Q

from accounts.models import User
from accounts.people.models import Block


def may_meet(user: User, other: User) -> bool:
    """Return whether neither of two users has blocked the other."""
    return not is_apart(user.pk, [other.pk])


def is_apart(user_id: int | None, other_ids: Collection[int | None]) -> bool:
    """Return whether there is a block between a user and any of the others. Anonymous users (None) have none."""
    if user_id is None or not other_ids:
        return False
    ids = [other_id for other_id in other_ids if other_id is not None]
    return Block.objects.filter(Q(blocker=user_id, blocked__in=ids) | Q(blocked=user_id, blocker__in=ids)).exists()


def has_blocked(user_id: int, other_ids: Collection[int | None]) -> bool:
    """Return whether a user has blocked any of the others. Only the blocker may learn of a block."""
    ids = [other_id for other_id in other_ids if other_id is not None]
    return Block.objects.filter(blocker=user_id, blocked__in=ids).exists()


def own_blocks(user_ids: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return the users that each user has blocked, as sets of primary keys by primary key. One query.

    Users who have blocked nobody are left out.
    """
    blocked: dict[int, set[int]] = defaultdict(set)
    for blocker, other in Block.objects.filter(blocker__in=set(user_ids)).values_list("blocker", "blocked"):
        blocked[blocker].add(other)
    return {user_id: frozenset(others) for user_id, others in blocked.items()}


def apart_by_user(user_ids: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return the users that each user must not meet, because one of the two has blocked the other. One query.

    They are sets of primary keys, by primary key. Users without blocks are left out.
    """
    ids = set(user_ids)
    apart: dict[int, set[int]] = defaultdict(set)
    if ids:
        pairs = Block.objects.filter(Q(blocker__in=ids) | Q(blocked__in=ids)).values_list("blocker", "blocked")
        for blocker, blocked in pairs:
            apart[blocker].add(blocked)
            apart[blocked].add(blocker)
    return {user_id: frozenset(apart[user_id]) for user_id in ids if user_id in apart}


def apart_from(user: User) -> frozenset[int]:
    """Return the primary keys of the users that a user must not meet. An anonymous user may meet everybody."""
    return apart_by_user([user.pk]).get(user.pk, frozenset()) if user.pk else frozenset()
