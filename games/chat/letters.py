"""Messages between friends, as each of the two reads them."""

from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Max, Q
from django.utils import timezone

from accounts.models import User
from games.chat.models import DirectMessage
from games.chat.reading import phrases_only, unwanted_by
from games.chat.reporting import conversation

SHOWN = 200  # messages, the latest
MOST = 100  # conversations


class Conversation(NamedTuple):
    """What somebody and a friend have written, as a line of a list."""

    other: User
    latest: DirectMessage
    unread: int


def conversations(user: User) -> list[Conversation]:
    """The conversations of a user, the latest first. A number of queries that doesn't grow."""
    latest: dict[int, int] = {}
    for mine, theirs in (("sender", "recipient"), ("recipient", "sender")):
        rows = _readable(user).filter(**{mine: user}).values_list(theirs).annotate(Max("pk")).order_by()
        for other, key in rows:
            latest[other] = max(latest.get(other, 0), key)
    keys = sorted(latest.values(), reverse=True)[:MOST]
    found = DirectMessage.objects.filter(pk__in=keys).select_related("sender", "recipient").order_by("-pk")
    waiting = dict(_unread(user).values_list("sender").annotate(Count("pk")).order_by())
    return [
        Conversation(other, message, waiting.get(other.pk, 0))
        for message in found
        for other in [message.recipient if message.sender_id == user.pk else message.sender]
    ]


def read(user: User, other: User) -> list[DirectMessage]:
    """The latest messages between two users, in order; those to `user` count as read now."""
    if not _reads(user):
        return []
    lines = list(conversation(user, other).filter(_shown(user)).order_by("-pk")[:SHOWN])
    unread = [line.pk for line in lines if line.recipient_id == user.pk and line.read_at is None]
    if unread:
        DirectMessage.objects.filter(pk__in=unread).update(read_at=timezone.now())
    return lines[::-1]


def unread_count(user: User) -> int:
    """How many messages wait to be read by a user, of people whom they want to hear."""
    waits = DirectMessage.objects.filter(recipient=user, read_at=None).exists()  # Mostly none does.
    return _unread(user).count() if waits else 0


def has_unread(user: User, other_id: int | None) -> bool:
    """Whether a message of somebody, by their key, waits to be read by a user who wants to hear them."""
    return _unread(user).filter(sender=other_id).exists()


def _unread(user):
    return _readable(user).filter(recipient=user, read_at=None)


def _readable(user):
    """The messages of and to a user that they may read."""
    if not _reads(user):
        return DirectMessage.objects.none()
    unwanted = unwanted_by(user.pk)
    return DirectMessage.objects.filter(_shown(user)).exclude(Q(sender__in=unwanted) | Q(recipient__in=unwanted))


def _shown(user):
    """Of messages: those that no moderator has taken back; one's own are seen all the same."""
    return Q(hidden=False) | Q(sender=user)


def _reads(user):
    return settings.TALK == "free" and user.is_authenticated and not phrases_only([user.pk])
