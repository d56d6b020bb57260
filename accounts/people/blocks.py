"""Who must not meet whom: a block is silent, and holds in both directions.

Who asks through a window without a login, or from a second account, can't be known for who they are.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.db.models import Q

from accounts.models import User
from accounts.people.models import Block


def may_meet(user: User, other: User) -> bool:
    """Whether neither of two users has blocked the other."""
    return not is_apart(user.pk, [other.pk])


def is_apart(user_id: int | None, others: Collection[int | None]) -> bool:
    """Whether somebody must not meet one or more of these users, all by their keys. Nobody known meets everybody."""
    if user_id is None or not others:
        return False
    known = [other for other in others if other is not None]
    return Block.objects.filter(Q(blocker=user_id, blocked__in=known) | Q(blocked=user_id, blocker__in=known)).exists()


def has_blocked(user_id: int, others: Collection[int | None]) -> bool:
    """Whether somebody has blocked one or more of these users themselves, and so may be told."""
    return Block.objects.filter(blocker=user_id, blocked__in=[other for other in others if other is not None]).exists()


def own_blocks(user_ids: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return whom each of these users has blocked themselves, by keys. Users without blocks are left out. One query."""
    blocked: dict[int, set[int]] = defaultdict(set)
    for blocker, other in Block.objects.filter(blocker__in=set(user_ids)).values_list("blocker", "blocked"):
        blocked[blocker].add(other)
    return {user_id: frozenset(others) for user_id, others in blocked.items()}


def kept_apart(user_ids: Iterable[int]) -> dict[int, frozenset[int]]:
    """Whom each of these users must not meet, by their keys; who may meet everybody is left out. One query."""
    asked = set(user_ids)
    apart: dict[int, set[int]] = defaultdict(set)
    if asked:
        pairs = Block.objects.filter(Q(blocker__in=asked) | Q(blocked__in=asked)).values_list("blocker", "blocked")
        for blocker, blocked in pairs:
            apart[blocker].add(blocked)
            apart[blocked].add(blocker)
    return {user_id: frozenset(apart[user_id]) for user_id in asked if user_id in apart}


def kept_apart_from(user: User) -> frozenset[int]:
    """Whom a user must not meet, by their keys; nobody where the user isn't known."""
    return kept_apart([user.pk]).get(user.pk, frozenset()) if user.pk else frozenset()
