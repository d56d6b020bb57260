"""What has happened that somebody may want to be told.

Invitations, requests to be friends, messages and starts of tables are written down in the very transaction that makes
them. Turns and ends are found by a look: a move of theirs costs what it did, and whoever plays on is told nothing. What
has been looked at is noted together with what was written, so that many processes may look.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils import timezone

from accounts.people import online
from accounts.people.blocks import is_apart, kept_apart_from
from accounts.people.models import Friendship
from games.challenges.models import TeamTable
from games.chat.models import DirectMessage
from games.comments.models import Comment
from games.models import Invitation, Match, Seat, counting
from games.notifications.models import DeliveryMethod, NotificationProgress
from games.notifications.models import NotificationKind as Kind
from games.notifications.outbox import News, put
from games.notifications.standing import people_of, turn_key
from games.notifications.waiting import awaited_by_match
from games.play.pace import GONE_LIMIT, SPEEDS
from games.play.versions import playable_here

SETTLED_AFTER = timedelta(seconds=30)  # at rest, until somebody is told that it is their turn
SEEN_AFTER = timedelta(minutes=2)  # whoever has the table open for so long has seen it
STARTED_AFTER = timedelta(seconds=15)  # a page that is on its way has come by then
WRITTEN_AFTER = timedelta(minutes=3)  # whoever is here has read a message by then, or doesn't want to now
LOOKED_BACK = timedelta(hours=6)  # for matches that have ended
KEPT = timedelta(days=2)  # what was looked at after its end: longer than a look goes back
BATCH = 200  # matches of one look

PATIENT = [speed.slug for speed in SPEEDS.values() if speed.is_slow or not speed.is_timed]


# In the transaction of what has happened: receivers of post_save. `raw` rows come from a fixture: they are not news.


def _of_new(model):
    """Connect a function of a row to the signal of new rows of a model."""

    def connect(tell):
        def receive(instance, created, raw, **_):
            if created and not raw:
                tell(instance)

        post_save.connect(receive, sender=model, weak=False)
        return tell

    return connect


@_of_new(Invitation)
def invited(invitation: Invitation) -> None:
    match = invitation.match
    if not people_of(match) & kept_apart_from(invitation.user):
        put([invitation.user_id], News(Kind.INVITATION, str(match.pk), match=match, other_id=match.host_id))


@_of_new(Friendship)
def asked(friendship: Friendship) -> None:
    asker = friendship.asker_id
    if not is_apart(friendship.asked_id, [asker]):
        put([friendship.asked_id], News(Kind.FRIEND, str(asker), other_id=asker))


@_of_new(DirectMessage)
def wrote(message: DirectMessage) -> None:
    """Tell a reader once of all that somebody writes until they read it."""
    sender, reader = message.sender_id, message.recipient_id
    unread = DirectMessage.objects.filter(sender=sender, recipient=reader, read_at=None).order_by("pk")
    if first := unread.values_list("pk", flat=True).first():
        after = WRITTEN_AFTER if online.here([reader]) else timedelta()
        put([reader], News(Kind.MESSAGE, f"{sender}:{first}", other_id=sender, after=after))


@receiver(post_save, sender=Match)
def started(instance, created, raw, update_fields, **_) -> None:
    """A Match is saved: whole, and as one that is being played, only when it starts."""
    if created or raw or update_fields is not None or instance.status != Match.Status.PLAYING or instance.guide:
        return
    away = instance.seats.filter(connected=False, left_at=None, user__isnull=False, user__is_program=False)
    news = News(Kind.STARTED, str(instance.pk), match=instance, after=STARTED_AFTER)
    put(away.values_list("user", flat=True), news)


@_of_new(TeamTable)
def began_in_teams(table: TeamTable) -> None:
    """Tell those who play there, but not who has begun it."""
    match = table.match
    players = match.seats.filter(user__isnull=False).exclude(user=match.host_id)
    news = News(Kind.TEAM, str(match.pk), match=match, after=STARTED_AFTER)
    put(players.values_list("user", flat=True), news)


@_of_new(Comment)
def replied(comment: Comment) -> None:
    thread = comment.answers
    if thread is not None and thread.author_id != comment.author_id:
        put([thread.author_id], News(Kind.REPLY, str(comment.pk), match=comment.match, other_id=comment.author_id))


# By a look


def look() -> int:
    """Write whom to tell of turns and ends. Returns how many matches were looked at."""
    now = timezone.now()
    return sum(_look_at_turn(match, now) for match in _resting(now)) + sum(map(_look_at_end, _ended(now)))


def _reachable() -> Exists:
    """Of matches: whether somebody who sits there has a way to be told."""
    seats = Seat.objects.filter(match=OuterRef("pk"), left_at=None)
    return Exists(seats.filter(Exists(DeliveryMethod.objects.filter(user=OuterRef("user"), disabled_at=None))))


def _resting(now: datetime) -> list[Match]:
    """The slow matches where nothing has happened for a while and nobody has been told of that yet."""
    told = NotificationProgress.objects.filter(match=OuterRef("pk"), moves__gte=OuterRef("move_count"))
    matches = Match.objects.filter(
        playable_here(),
        _reachable(),
        ~Exists(told),
        counting(),
        status=Match.Status.PLAYING,
        speed__in=PATIENT,
        turn_started_at__lt=now - SETTLED_AFTER,
        paused_until=None,
    )
    return list(matches.order_by("-turn_started_at")[:BATCH])


def _look_at_turn(match: Match, now: datetime) -> bool:
    """Tell whom a match waits for, unless they have it open. Returns whether it need not be looked at again."""
    user_id = awaited_by_match({match.pk: match.revision}).get(match.pk)
    seat = match.seats.filter(user=user_id).first() if user_id else None
    if seat is not None and seat.vacation_until and seat.vacation_until > now:
        return False  # they are told when they are back
    there = seat is not None and seat.connected
    if there and match.turn_started_at > now - SEEN_AFTER:
        return False
    with transaction.atomic():
        if not _note(match, moves=match.move_count):
            return False
        if seat is not None and not there:
            put([user_id], News(Kind.TURN, turn_key(match), match=match))
    return True


def _ended(now: datetime) -> list[Match]:
    """The matches that have ended lately, of which nobody has been told."""
    told = NotificationProgress.objects.filter(match=OuterRef("pk"), over=True)
    matches = Match.objects.filter(
        _reachable(), ~Exists(told), counting(), status=Match.Status.OVER, ended_at__gt=now - LOOKED_BACK
    )
    return list(matches.order_by("ended_at")[:BATCH])


def _look_at_end(match: Match) -> bool:
    """Tell those who were not there when a match ended, and who could be told by then."""
    there = match.ended_at - timedelta(seconds=GONE_LIMIT)
    with transaction.atomic():
        if not _note(match, moves=match.move_count, over=True):
            return False
        seats = match.seats.filter(left_at=None, user__delivery_methods__made_at__lt=match.ended_at).exclude(
            seen_at__gt=there
        )
        users = set(seats.values_list("user", flat=True))
        if users:
            put(users, News(Kind.OVER, str(match.pk), match=match))
    return True


def _note(match: Match, *, moves: int, over: bool = False) -> bool:
    """Note up to where a match has been looked at. Returns whether this process is the one that does.

    It waits for another that is at it; that one's note, once committed, says that there is nothing left to tell.
    """
    NotificationProgress.objects.bulk_create([NotificationProgress(match=match)], ignore_conflicts=True)
    noted = NotificationProgress.objects.filter(match=match)
    if over:
        return noted.filter(over=False).update(moves=moves, over=True) == 1
    return noted.filter(moves__lt=moves).update(moves=moves) == 1


def old(before: datetime):
    """What was noted of matches that ended before a moment, and that no look finds any more."""
    return NotificationProgress.objects.filter(match__ended_at__lt=before)
