"""What people do to each other: ask, accept, follow, block; and the lists of all that."""

from collections import defaultdict
from collections.abc import Collection
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext

from accounts.models import User
from accounts.people.blocks import is_apart
from accounts.people.models import Block, Follow, Friendship
from accounts.sanctions import why_barred
from accounts.signals import parted, rights_changed

MOST_FRIENDS = 200
MOST_ASKED = 50  # without an answer yet
MOST_FOLLOWED = 200
MOST_BLOCKED = 500
SHOWN_ASKING = 50  # who would be friends, the newest first


class NotPossible(Exception):
    """An act that is not allowed. Its text is shown to the player as it is; it has changed nothing."""


class Standing(NamedTuple):
    """How somebody stands to somebody else, as they may know it."""

    friends: bool = False
    asked: bool = False  # they have asked, and wait
    asks: bool = False  # the other has asked
    follows: bool = False
    blocked: bool = False  # by them


def standing(user: User, other: User) -> Standing:
    """How `user` stands to `other`. Three queries."""
    blocked = Block.objects.filter(blocker=user, blocked=other).exists()
    bond = _bond(user, other)
    return Standing(
        friends=bond is not None and bond.accepted_at is not None,
        asked=bond is not None and bond.accepted_at is None and bond.asker_id == user.pk,
        asks=bond is not None and bond.accepted_at is None and bond.asked_id == user.pk and not blocked,
        follows=Follow.objects.filter(follower=user, followed=other).exists(),
        blocked=blocked,
    )


def ask(user: User, other: User) -> bool:
    """Ask `other` to be friends, or accept where they have asked. Returns whether they are friends now.

    Who is blocked by `other` may ask: nobody is told of it.
    """
    with _both(user, other):
        _demand_member(user)
        _demand_member(other)
        if why := why_barred(user.pk):
            raise NotPossible(why)
        bond = _bond(user, other)
        if Block.objects.filter(blocker=user, blocked=other).exists():
            raise NotPossible(_blocked(other))
        if bond is None:
            _demand_room(friends_of(user), MOST_FRIENDS, _friends_of_yours)
            _demand_room(Friendship.objects.filter(asker=user, accepted_at=None), MOST_ASKED, _unanswered)
            Friendship.objects.create(asker=user, asked=other)
            return False
        if bond.asked_id == user.pk and bond.accepted_at is None and not is_apart(user.pk, [other.pk]):
            _demand_room(friends_of(user), MOST_FRIENDS, _friends_of_yours)
            _demand_room(friends_of(other), MOST_FRIENDS, partial(_friends_of_another, other))
            bond.accepted_at = timezone.now()
            bond.save(update_fields=["accepted_at"])
        return bond.accepted_at is not None


def accept(user: User, other: User) -> None:
    """Be friends with `other`, who has asked for it."""
    asks = Friendship.objects.filter(asker=other, asked=user)
    if not asks.exists() or Block.objects.filter(blocker=user, blocked=other).exists():
        raise NotPossible(
            gettext("{name} hasn’t asked you, or has cancelled the request. You can ask {name} yourself.").format(
                name=other
            )
        )
    ask(user, other)


def unfriend(user: User, other: User) -> None:
    """No friends any more, or no longer asked to be, by whichever of the two."""
    _bonds(user, other).delete()
    rights_changed.send(User, user_ids=[user.pk, other.pk])


def follow(user: User, other: User) -> None:
    with _both(user, other):
        _demand_member(user)
        _demand_member(other)
        if Block.objects.filter(blocker=user, blocked=other).exists():
            raise NotPossible(_blocked(other))
        followed = Follow.objects.filter(follower=user)
        if not followed.filter(followed=other).exists():
            _demand_room(followed, MOST_FOLLOWED, _followed)
            Follow.objects.create(follower=user, followed=other)


def unfollow(user: User, other: User) -> None:
    Follow.objects.filter(follower=user, followed=other).delete()


def block(user: User, other: User) -> None:
    """Never meet `other` again. They aren't told; what they have asked goes on waiting, for them, and is not shown."""
    with _both(user, other):
        if other.is_program:
            raise NotPossible(gettext_lazy("That is a bot. You can block its owner instead."))
        mine = Block.objects.filter(blocker=user)
        if mine.filter(blocked=other).exists():
            return
        _demand_room(mine, MOST_BLOCKED, _most_blocked)
        Block.objects.create(blocker=user, blocked=other)
        _bonds(user, other).exclude(asker=other, accepted_at=None).delete()
        Follow.objects.filter(follower=user, followed=other).delete()
        rights_changed.send(User, user_ids=[user.pk, other.pk])
        transaction.on_commit(partial(parted.send, User, user=user, other=other), robust=True)


def unblock(user: User, other: User) -> None:
    Block.objects.filter(blocker=user, blocked=other).delete()


# Lists, each in the order in which it is shown


def friends_of(user: User):
    """The users who are somebody's friends, by name."""
    accepted = Friendship.objects.filter(accepted_at__isnull=False)
    theirs = accepted.filter(asker=user).values("asked").union(accepted.filter(asked=user).values("asker"))
    return User.objects.filter(pk__in=theirs).order_by("casefolded_name")


def are_friends(user: User, other: User) -> bool:
    """Whether two users are friends."""
    return has_friend(user.pk, [other.pk])


def has_friend(user_id: int | None, others: Collection[int]) -> bool:
    """Whether one or more of these users, by their keys, is a friend of somebody's."""
    if user_id is None:
        return False
    bonds = Q(asker=user_id, asked__in=others) | Q(asked=user_id, asker__in=others)
    return Friendship.objects.filter(bonds, accepted_at__isnull=False).exists()


def friends_by_user(user_ids: Collection[int]) -> dict[int, set[int]]:
    """Return the friends of each of these users, all by their keys. One query."""
    bonds = Friendship.objects.filter(Q(asker__in=user_ids) | Q(asked__in=user_ids), accepted_at__isnull=False)
    friends: dict[int, set[int]] = defaultdict(set)
    for asker, asked in bonds.values_list("asker", "asked"):
        friends[asker].add(asked)
        friends[asked].add(asker)
    return friends


def are_all_friends(user_ids: Collection[int]) -> bool:
    """Whether each of these users, by their keys, is a friend of each other."""
    if len(user_ids) < 2:
        return True
    bonds = Friendship.objects.filter(asker__in=user_ids, asked__in=user_ids, accepted_at__isnull=False)
    return bonds.count() == len(user_ids) * (len(user_ids) - 1) // 2


def asking(user: User) -> list[User]:
    """Who waits for an answer of somebody's, the newest first; whom they have blocked is left out."""
    waiting = Friendship.objects.filter(asked=user, accepted_at=None).exclude(asker__blocked_by__blocker=user)
    return [bond.asker for bond in waiting.select_related("asker").order_by("-pk")[:SHOWN_ASKING]]


def asked_by(user: User) -> list[User]:
    """Of whom somebody waits for an answer, the newest first."""
    waiting = Friendship.objects.filter(asker=user, accepted_at=None).select_related("asked")
    return [bond.asked for bond in waiting.order_by("-pk")]


def followed_by(user: User) -> list[User]:
    """Whom somebody follows, by name."""
    follows = Follow.objects.filter(follower=user).select_related("followed").order_by("followed__casefolded_name")
    return [each.followed for each in follows]


def blocked_by(user: User) -> list[User]:
    """Whom somebody has blocked, the latest first."""
    return [each.blocked for each in Block.objects.filter(blocker=user).select_related("blocked").order_by("-pk")]


def _bonds(user, other):
    return Friendship.objects.filter(Q(asker=user, asked=other) | Q(asker=other, asked=user))


def _bond(user, other):
    return _bonds(user, other).first()


@contextmanager
def _both(user, other):
    """A transaction that holds both users' rows, always in the same order. Raises NotPossible for one and the same."""
    if user.pk == other.pk:
        raise NotPossible(gettext_lazy("That is you. Choose somebody else."))
    with transaction.atomic():
        rows = User.objects.select_for_update(no_key=True).filter(pk__in=[user.pk, other.pk])
        list(rows.order_by("pk").values_list("pk"))
        yield


def _demand_member(user):
    if user.is_program:
        raise NotPossible(gettext_lazy("That is a bot. You can make friends with its owner instead."))
    if user.is_guest:
        sentence = gettext_lazy("Only people with an account can be friends here. Guests can sign up first.")
        raise NotPossible(sentence)


def _demand_room(rows, most, words):
    """words: says of that number that it is reached."""
    if rows.count() >= most:
        raise NotPossible(words(most))


def _blocked(other):
    return gettext("You have blocked {name}. Unblock them first.").format(name=other)


def _friends_of_yours(most):
    one, many = "You have {number} friend, as many as we allow.", "You have {number} friends, as many as we allow."
    return ngettext(one, many, most).format(number=most)


def _friends_of_another(other, most):
    one = "{name} has {number} friend, as many as we allow."
    many = "{name} has {number} friends, as many as we allow."
    return ngettext(one, many, most).format(number=most, name=other)


def _unanswered(most):
    one = "{number} person hasn’t answered you yet. Wait for them, or cancel the request."
    many = "{number} people haven’t answered you yet. Wait for them, or cancel a request."
    return ngettext(one, many, most).format(number=most)


def _followed(most):
    one, many = "You follow {number} person, as many as we allow.", "You follow {number} people, as many as we allow."
    return ngettext(one, many, most).format(number=most)


def _most_blocked(most):
    one = "You have blocked {number} person, as many as we allow."
    many = "You have blocked {number} people, as many as we allow."
    return ngettext(one, many, most).format(number=most)
