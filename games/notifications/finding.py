"""Find events that users may want to be notified of.

Invitations, friend requests, messages, comments and starts of tables write their notifications in their own
transaction. Turns and ends of matches are found by a regular search. Moves stay fast that way, and a player who goes on
playing gets no notification. The search saves its progress together with the notifications, so that several processes
may search at the same time.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils import timezone

from accounts.people import online
from accounts.people.blocks import apart_from, is_apart
from accounts.people.models import Friendship
from games.challenges.models import TeamTable
from games.chat.models import DirectMessage
from games.comments.models import Comment
from games.models import Invitation, Match, Seat, counting
from games.notifications.models import DeliveryMethod, NotificationProgress
from games.notifications.models import NotificationKind as Kind
from games.notifications.outbox import News, notify
from games.notifications.validity import people_of, turn_key
from games.notifications.waiting import awaited_by_match
from games.play.pace import GONE_LIMIT, SPEEDS
from games.play.versions import playable_here

SETTLED_AFTER = timedelta(seconds=30)  # A turn must have lasted this long.
SEEN_AFTER = timedelta(minutes=2)  # A player who has had the table open for this long has seen that it is their turn.
STARTED_AFTER = timedelta(seconds=15)  # By then the page of a player who is coming has opened its socket.
WRITTEN_AFTER = timedelta(minutes=3)  # By then a reader who is online has read a message, or does not want to.
SEARCH_PERIOD = timedelta(hours=6)  # We look for matches that ended in this time.
PROGRESS_LIFETIME = timedelta(days=2)  # after the end of a match, which must be longer than SEARCH_PERIOD
BATCH_SIZE = 200  # matches per search

SLOW_SPEEDS = [speed.slug for speed in SPEEDS.values() if speed.is_slow or not speed.is_timed]


# Events that write their notifications themselves


def _on_create[M: Model](model: type[M]) -> Callable[[Callable[[M], None]], Callable[[M], None]]:
    """Decorate a function to be called with each new row of a model. Rows of fixtures do not count."""

    def connect(function: Callable[[M], None]) -> Callable[[M], None]:
        def receive(instance: M, created: bool, raw: bool, **_: object) -> None:
            if created and not raw:
                function(instance)

        post_save.connect(receive, sender=model, weak=False)
        return function

    return connect


@_on_create(Invitation)
def notify_of_invitation(invitation: Invitation) -> None:
    match = invitation.match
    if not people_of(match) & apart_from(invitation.user):
        notify([invitation.user_id], News(Kind.INVITATION, str(match.pk), match=match, other_id=match.host_id))


@_on_create(Friendship)
def notify_of_friend_request(friendship: Friendship) -> None:
    asker = friendship.asker_id
    if not is_apart(friendship.asked_id, [asker]):
        notify([friendship.asked_id], News(Kind.FRIEND, str(asker), other_id=asker))


@_on_create(DirectMessage)
def notify_of_message(message: DirectMessage) -> None:
    """Notify a reader once of all unread messages of a sender."""
    sender, reader = message.sender_id, message.recipient_id
    unread = DirectMessage.objects.filter(sender=sender, recipient=reader, read_at=None).order_by("pk")
    if first := unread.values_list("pk", flat=True).first():
        after = WRITTEN_AFTER if online.here([reader]) else timedelta()
        notify([reader], News(Kind.MESSAGE, f"{sender}:{first}", other_id=sender, after=after))


@receiver(post_save, sender=Match)
def notify_of_start(
    instance: Match, created: bool, raw: bool, update_fields: Iterable[str] | None, **_: object
) -> None:
    """Notify absent players when a match starts. Only the start saves all fields of a match that is being played."""
    if created or raw or update_fields is not None or instance.status != Match.Status.PLAYING or instance.guide:
        return
    away = instance.seats.filter(connected=False, left_at=None, user__isnull=False, user__is_program=False)
    news = News(Kind.STARTED, str(instance.pk), match=instance, after=STARTED_AFTER)
    notify(away.values_list("user", flat=True), news)


@_on_create(TeamTable)
def notify_of_team_match(table: TeamTable) -> None:
    """Notify the players of a team match, except the one who has started it."""
    match = table.match
    players = match.seats.filter(user__isnull=False).exclude(user=match.host_id)
    news = News(Kind.TEAM, str(match.pk), match=match, after=STARTED_AFTER)
    notify(players.values_list("user", flat=True), news)


@_on_create(Comment)
def notify_of_reply(comment: Comment) -> None:
    thread = comment.answers
    if thread is not None and thread.author_id != comment.author_id:
        notify([thread.author_id], News(Kind.REPLY, str(comment.pk), match=comment.match, other_id=comment.author_id))


# Events that a search finds


def search() -> int:
    """Write notifications of turns and ends. Return the number of matches that need no further search for now."""
    now = timezone.now()
    return sum(_check_turn(match, now) for match in _matches_with_settled_turn(now)) + sum(
        map(_check_end, _matches_that_ended(now))
    )


def _has_reachable_player() -> Exists:
    """Return a condition for matches: at least one player can be notified."""
    seats = Seat.objects.filter(match=OuterRef("pk"), left_at=None)
    return Exists(seats.filter(Exists(DeliveryMethod.objects.filter(user=OuterRef("user"), disabled_at=None))))


def _matches_with_settled_turn(now: datetime) -> list[Match]:
    """Return slow matches without a move for a while whose present turn has not been searched."""
    progress = NotificationProgress.objects.filter(match=OuterRef("pk"), moves__gte=OuterRef("move_count"))
    matches = Match.objects.filter(
        playable_here(),
        _has_reachable_player(),
        ~Exists(progress),
        counting(),
        status=Match.Status.PLAYING,
        speed__in=SLOW_SPEEDS,
        turn_started_at__lt=now - SETTLED_AFTER,
        paused_until=None,
    )
    return list(matches.order_by("-turn_started_at")[:BATCH_SIZE])


def _check_turn(match: Match, now: datetime) -> bool:
    """Notify the user whose turn it is, unless they have the match open.

    Return whether this turn needs no further search.
    """
    user_id = awaited_by_match({match.pk: match.revision}).get(match.pk)
    seat = match.seats.filter(user=user_id).first() if user_id else None
    if seat is not None and seat.vacation_until and seat.vacation_until > now:
        return False  # They get the notification after their vacation.
    is_connected = seat is not None and seat.connected
    if is_connected and match.turn_started_at > now - SEEN_AFTER:
        return False
    with transaction.atomic():
        if not _save_progress(match, moves=match.move_count):
            return False
        if seat is not None and not is_connected:
            notify([seat.user_id], News(Kind.TURN, turn_key(match), match=match))
    return True


def _matches_that_ended(now: datetime) -> list[Match]:
    """Return matches that have ended recently and whose end has not been searched."""
    progress = NotificationProgress.objects.filter(match=OuterRef("pk"), over=True)
    matches = Match.objects.filter(
        _has_reachable_player(),
        ~Exists(progress),
        counting(),
        status=Match.Status.OVER,
        ended_at__gt=now - SEARCH_PERIOD,
    )
    return list(matches.order_by("ended_at")[:BATCH_SIZE])


def _check_end(match: Match) -> bool:
    """Notify the players who were away at the end of a match and already had a delivery method."""
    seen_since = match.ended_at - timedelta(seconds=GONE_LIMIT)
    with transaction.atomic():
        if not _save_progress(match, moves=match.move_count, over=True):
            return False
        seats = match.seats.filter(left_at=None, user__delivery_methods__made_at__lt=match.ended_at).exclude(
            seen_at__gt=seen_since
        )
        users = set(seats.values_list("user", flat=True))
        if users:
            notify(users, News(Kind.OVER, str(match.pk), match=match))
    return True


def _save_progress(match: Match, *, moves: int, over: bool = False) -> bool:
    """Save how far a match has been searched. Return False if another process has already done so.

    This waits for the transaction of another process that is searching the same match.
    """
    NotificationProgress.objects.bulk_create([NotificationProgress(match=match)], ignore_conflicts=True)
    progress = NotificationProgress.objects.filter(match=match)
    if over:
        return progress.filter(over=False).update(moves=moves, over=True) == 1
    return progress.filter(moves__lt=moves).update(moves=moves) == 1


def old_progress(now: datetime) -> QuerySet[NotificationProgress]:
    """Return the progress of matches that ended so long ago that no search finds them."""
    return NotificationProgress.objects.filter(match__ended_at__lt=now - PROGRESS_LIFETIME)
