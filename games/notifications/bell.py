"""The bell of each page: events for a user, stored once and kept for LIFETIME, and the tables that wait for them."""

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple, Self

from django.conf import settings
from django.db import transaction
from django.db.models import Case, Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Value, When
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User
from accounts.people.models import Block, Friendship
from games.chat import letters
from games.chat.models import ChatSettings, DirectMessage, Mute
from games.comments.models import Comment
from games.kit.language import Lazy, lazy_all
from games.models import Invitation, Match, Seat
from games.notifications.models import BellItem
from games.notifications.models import NotificationKind as Kind
from games.notifications.waiting import waiting_tables

LIFETIME = timedelta(days=60)
SHOWN = 100
LATEST = 3  # The page folds away older items of a kind, unless they are unread.
MAX_ITEMS = 200  # of a user
NOT_STORED = (Kind.TURN, Kind.TEST)  # The tables that wait for a user are read from the matches.
BY_MATCH = (Kind.COMMENT,)  # Later comments on a match renew its row.
BY_PERSON = (Kind.MESSAGE,)
COMMENTS = (Kind.REPLY, Kind.COMMENT)
FREE_TEXT = (Kind.MESSAGE, *COMMENTS)
WORDS = (*FREE_TEXT, Kind.CLUB_NEWS)  # Kinds that a mute hides.
TABLES = (Kind.STARTED, Kind.TEAM, Kind.READY)
AT_TABLE = (*TABLES, Kind.OVER)  # Kinds that the page of the match answers.

# The kinds in the order of the list, with their headings.
LABELS: dict[object, Lazy] = lazy_all(
    {
        Kind.TURN: "Your turn",
        Kind.READY: "Tables that are ready",
        Kind.STARTED: "Tables that have started",
        Kind.TEAM: "Team matches",
        Kind.INVITATION: "Invitations",
        Kind.FRIEND: "Friend requests",
        Kind.MESSAGE: "Messages",
        Kind.REPLY: "Answers to your comments",
        Kind.COMMENT: "Comments on your matches",
        Kind.CHALLENGE: "Your challenges",
        Kind.CLUB_NEWS: "News of your clubs",
        Kind.OVER: "Results",
    }
)

# Sent with `user_ids` after the commit, when the bells of these users may have changed.
rung = Signal()


class Unread(NamedTuple):
    """What a user has not read: the number of events in the bell, and of messages from friends."""

    events: int
    messages: int


class News(NamedTuple):
    """An event to notify users of.

    kind: a NotificationKind. key: identifies the event within its kind, so that it is sent once.
    other_id: the primary key of a user. after: the delay until it is sent elsewhere, if it is still valid then.
    club_id, text: of a club's news. happened_at: if that was before this transaction.
    """

    kind: object
    key: str
    match: Match | None = None
    other_id: int | None = None
    after: timedelta = timedelta()
    comment: Comment | None = None
    club_id: int | None = None
    text: str = ""
    happened_at: datetime | None = None

    @property
    def subject(self) -> str:
        """What later events must be about to renew its row."""
        if self.kind in BY_MATCH and self.match:
            return str(self.match.pk)
        return str(self.other_id) if self.kind in BY_PERSON else self.key


def ring(user_ids: Collection[int], news: News) -> dict[int, int]:
    """Store an event in the bells of these users. Return the key of its row by user. Call this in a transaction."""
    if news.kind in NOT_STORED:
        return {}
    people = User.objects.filter(pk__in=user_ids, is_active=True, is_program=False)
    users = set(people.values_list("pk", flat=True))
    fields: dict[str, object] = {"match": news.match, "other_id": news.other_id, "comment": news.comment}
    fields |= {"club_id": news.club_id, "text": news.text[:200], "at": news.happened_at or timezone.now()}
    rows = BellItem.objects.filter(user__in=users, kind=news.kind, subject=news.subject)
    count = Case(When(read_at=None, then=F("count") + 1), default=Value(1))
    rows.update(count=count, read_at=None, **fields)
    new = users - set(rows.values_list("user", flat=True))
    BellItem.objects.bulk_create(
        # In order, because two transactions that create the same rows in different orders would wait for each other.
        [BellItem(user_id=user, kind=news.kind, subject=news.subject, **fields) for user in sorted(new)],
        ignore_conflicts=True,  # Another transaction may have created the row.
    )
    _drop_oldest(new)
    announce(users)
    return dict(rows.values_list("user", "pk"))


def _drop_oldest(user_ids: Collection[int]) -> None:
    """Delete the oldest rows of users who have more than MAX_ITEMS."""
    counts = BellItem.objects.filter(user__in=user_ids).values("user").annotate(number=Count("pk")).order_by()
    for user in counts.filter(number__gt=MAX_ITEMS).values_list("user", flat=True):
        newest = BellItem.objects.filter(user=user).order_by("-at", "-pk")[:MAX_ITEMS]
        BellItem.objects.filter(user=user).exclude(pk__in=list(newest.values_list("pk", flat=True))).delete()


def announce(user_ids: Collection[int]) -> None:
    """Send the signal `rung` after this transaction."""
    if user_ids:
        transaction.on_commit(partial(rung.send_robust, BellItem, user_ids=set(user_ids)))


def mark_read(user_id: int, *kinds: object, **fields: object) -> None:
    """Mark events of a user as read: of these kinds, or all; with these values of fields."""
    unread = BellItem.objects.filter(user=user_id, read_at=None, **fields)
    if kinds:
        unread = unread.filter(kind__in=kinds)
    if unread.exists() and unread.update(read_at=timezone.now()):  # Most pages of tables then write nothing.
        announce([user_id])


def withdraw(**fields: object) -> None:
    """Delete the events with these values of fields, and their pending notifications."""
    items = BellItem.objects.filter(**fields)
    announce(list(items.values_list("user", flat=True)))
    items.delete()


def counts(user_ids: Collection[int]) -> dict[int, int]:
    """Return the number of unread events of each of these users, without users who have none. One query."""
    unread = visible_items().filter(user__in=user_ids, read_at=None)
    return dict(unread.values_list("user").annotate(Count("pk", distinct=True)).order_by())


def numbers(user_ids: Collection[int]) -> dict[int, Unread]:
    """Return the numbers of unread events and messages of each of these users."""
    events, messages = counts(user_ids), dict.fromkeys(user_ids, 0)
    waits = DirectMessage.objects.filter(recipient=OuterRef("pk"), read_at=None)
    for user in User.objects.filter(Exists(waits), pk__in=user_ids):  # Most users have no unread message.
        messages[user.pk] = letters.unread_count(user)
    return {user_id: Unread(events.get(user_id, 0), messages[user_id]) for user_id in user_ids}


def visible_items() -> QuerySet[BellItem]:
    """Return the events that their users may see.

    Leave out what was answered elsewhere or withdrawn, and people whom the user has blocked or muted.
    """
    reader, other, match = OuterRef("user"), OuterRef("other"), OuterRef("match")
    blocked = Block.objects.filter(blocker=reader, blocked=other)
    muted = Mute.objects.filter(muter=reader, muted=other)
    requests = Friendship.objects.filter(asker=other, asked=reader, accepted_at=None)
    invitations = Invitation.objects.filter(
        match=match, user=reader, declined_at=None, match__status=Match.Status.OPEN, match__full_at=None
    )
    absent = Seat.objects.filter(match=match, user=reader, left_at=None, connected=False)
    hidden = Q(kind__in=WORDS) & Exists(muted) | Q(comment__hidden=True)
    hidden |= Exists(blocked)  # What rang before its sender blocked the reader stays: blocks are secret.
    if settings.TALK != "free":
        hidden |= Q(kind__in=FREE_TEXT)
    return BellItem.objects.filter(
        ~hidden,
        ~(Q(kind__in=FREE_TEXT) & Exists(ChatSettings.objects.filter(user=reader, phrases_only=True))),
        ~Q(kind=Kind.FRIEND) | Exists(requests),
        ~Q(kind=Kind.INVITATION) | Exists(invitations),
        ~Q(kind__in=TABLES) | Q(match__status__in=Match.RUNNING) & Exists(absent),
        Q(club=None) | Q(club__closed_at=None, club__memberships__user=F("user")),
    )


class Group(NamedTuple):
    """The events of a kind in a user's bell, the latest first."""

    kind: object
    label: Lazy
    events: list[BellItem]  # unread ones, and the latest of the others
    earlier: list[BellItem]  # the others, which the page folds away

    @classmethod
    def of(cls, kind: object, label: Lazy, items: list[BellItem]) -> Self:
        latest = [item for place, item in enumerate(items) if place < LATEST or not item.read_at]
        return cls(kind, label, latest, [item for item in items if item not in latest])


def groups(user: User) -> list[Group]:
    """Return what the bell of a user lists, by kind: the tables that wait for them, then events."""
    users = Prefetch("match__seats", Seat.objects.select_related("user"))
    rows = visible_items().filter(user=user).order_by("-at", "-pk")[:SHOWN]
    links = ("match__host", "match__challenge_play__challenge", "other", "comment", "club")
    items = [*_turns(user), *rows.select_related(*links).prefetch_related(users)]
    by_kind = [Group.of(kind, label, [item for item in items if item.kind == kind]) for kind, label in LABELS.items()]
    return [group for group in by_kind if group.events]


def _turns(user: User) -> list[BellItem]:
    """Return an event, which is not stored, for each table that waits for a user."""
    codes = waiting_tables([user.pk]).get(user.pk, [])
    seats = Prefetch("seats", Seat.objects.select_related("user"))
    matches = Match.objects.filter(code__in=codes).select_related("host").prefetch_related(seats) if codes else []
    return [
        BellItem(user=user, kind=Kind.TURN, match=each, at=each.turn_started_at or each.created_at) for each in matches
    ]


def old_items(now: datetime) -> QuerySet[BellItem]:
    return BellItem.objects.filter(at__lt=now - LIFETIME)


def forget(user: User, **_: object) -> None:
    """Receive `account_closing`: delete the events of a user, and those about them."""
    BellItem.objects.filter(Q(user=user) | Q(other=user)).delete()
