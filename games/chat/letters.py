"""Messages between friends, as each of them reads them."""

from typing import NamedTuple

from django.conf import settings
from django.db.models import Count, Max, Q, QuerySet
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User
from games.chat.models import DirectMessage
from games.chat.reading import phrases_only, unwanted_by
from games.chat.reporting import conversation

# Sent with `reader` and `writer`, users, when the reader has read messages.
was_read = Signal()

SHOWN = 200  # Latest messages of a conversation.
MOST = 100  # Conversations of a user.


class Conversation(NamedTuple):
    """A line of the list of conversations."""

    other: User
    latest: DirectMessage
    unread: int


def conversations(user: User) -> list[Conversation]:
    """Return the conversations of a user with friends, each with its latest message, the latest first.

    The number of queries does not depend on the number of conversations.
    """
    latest_keys: dict[int, int] = {}  # By user, the key of the latest message from or to them.
    for own_field, other_field in (("sender", "recipient"), ("recipient", "sender")):
        rows = _readable(user).filter(**{own_field: user}).values_list(other_field).annotate(Max("pk")).order_by()
        for other_id, key in rows:
            latest_keys[other_id] = max(latest_keys.get(other_id, 0), key)
    keys = sorted(latest_keys.values(), reverse=True)[:MOST]
    messages = DirectMessage.objects.filter(pk__in=keys).select_related("sender", "recipient").order_by("-pk")
    unread_counts = dict(_unread(user).values_list("sender").annotate(Count("pk")).order_by())
    lines = []
    for message in messages:
        other = message.recipient if message.sender_id == user.pk else message.sender
        lines.append(Conversation(other, message, unread_counts.get(other.pk, 0)))
    return lines


def read(user: User, other: User) -> list[DirectMessage]:
    """Return the latest messages between two users, in order, and mark the messages to `user` as read."""
    if not _reads_messages(user):
        return []
    lines = list(conversation(user, other).filter(_visible_to(user)).order_by("-pk")[:SHOWN])
    unread = [line.pk for line in lines if line.recipient_id == user.pk and line.read_at is None]
    if unread:
        DirectMessage.objects.filter(pk__in=unread).update(read_at=timezone.now())
        was_read.send(DirectMessage, reader=user, writer=other)
    return lines[::-1]


def unread_count(user: User) -> int:
    """Return the number of a user's unread messages, without messages from users whom they have blocked or muted."""
    # Most users have no unread message, so this saves the longer query.
    waits = DirectMessage.objects.filter(recipient=user, read_at=None).exists()
    return _unread(user).count() if waits else 0


def has_unread(user: User, other_id: int | None) -> bool:
    """Return whether a user has an unread message from another, whom they have not blocked or muted."""
    return _unread(user).filter(sender=other_id).exists()


def _unread(user: User) -> QuerySet[DirectMessage]:
    return _readable(user).filter(recipient=user, read_at=None)


def _readable(user: User) -> QuerySet[DirectMessage]:
    """Return the messages from and to a user that they may read and want to: they can block or mute others."""
    if not _reads_messages(user):
        return DirectMessage.objects.none()
    unwanted = unwanted_by(user.pk)
    return DirectMessage.objects.filter(_visible_to(user)).exclude(Q(sender__in=unwanted) | Q(recipient__in=unwanted))


def _visible_to(user: User) -> Q:
    """Return a filter for messages that no moderator has hidden. Users still see their own hidden messages."""
    return Q(hidden=False) | Q(sender=user)


def _reads_messages(user: User) -> bool:
    """Return whether the site and the user allow messages in free text."""
    return settings.TALK == "free" and user.is_authenticated and not phrases_only([user.pk])
