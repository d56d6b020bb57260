"""Find events for the bells of users, and for the other ways to notify them.

Invitations, friend requests, messages, comments and starts of tables write their notifications in their own
transaction. Turns and ends of matches are found by a regular search. Moves stay fast that way, and a player who goes on
playing gets no notification. The search saves its progress together with the notifications, so that several processes
may search at the same time.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, QuerySet
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils import timezone

from accounts.models import User
from accounts.people import online
from accounts.people.blocks import apart_from, is_apart
from accounts.people.models import Friendship
from games.challenges.models import ChallengePlay, TeamTable
from games.chat import letters
from games.chat.models import DirectMessage
from games.comments.models import Comment
from games.models import Invitation, Match, Seat, counting
from games.notifications.bell import mark_read
from games.notifications.models import DeliveryMethod, NotificationProgress
from games.notifications.models import NotificationKind as Kind
from games.notifications.outbox import News, notify, queue
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
    """Return a decorator: the function is then called with each new row of a model. Rows of fixtures do not count."""

    def connect(function: Callable[[M], None]) -> Callable[[M], None]:
        def receive(instance: M, created: bool, raw: bool, **_: object) -> None:
            if created and not raw:  # Django sets `raw` for fixtures.
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
    """Notify a reader of a message, but only once for all unread messages of the same sender.

    The first unread message identifies the notification, and `notify` writes no second one with the same key.
    """
    sender, reader = message.sender_id, message.recipient_id
    unread = DirectMessage.objects.filter(sender=sender, recipient=reader, read_at=None).order_by("pk")
    if first := unread.values_list("pk", flat=True).first():
        # A reader who is online may see it without a notification.
        after = WRITTEN_AFTER if online.here([reader]) else timedelta()
        notify([reader], News(Kind.MESSAGE, f"{sender}:{first}", other_id=sender, after=after))


_calls_players: ContextVar[bool] = ContextVar("calls_players", default=False)


@contextmanager
def calling_players() -> Iterator[None]:
    """Call the players of tables that start within this context: they wait elsewhere, and did not open the table."""
    token = _calls_players.set(True)
    try:
        yield
    finally:
        _calls_players.reset(token)


@receiver(post_save, sender=Match)
def notify_of_start(
    instance: Match, created: bool, raw: bool, update_fields: Iterable[str] | None, **_: object
) -> None:
    """Notify absent players when a match starts. A receiver of `post_save`, which is sent for each change of a match.

    The start is the only change of a match in play that saves all fields, so `update_fields` is None. raw: whether the
    match comes from a fixture.
    """
    saves_all_fields = not created and not raw and update_fields is None
    is_start = saves_all_fields and instance.status == Match.Status.PLAYING
    if not is_start or instance.guide:  # A guide, which teaches a game, has only one player.
        return
    people = instance.seats.filter(left_at=None, user__isnull=False, user__is_program=False)
    connected = dict(people.values_list("user", "connected"))
    away = {user for user, is_here in connected.items() if not is_here}
    is_call = _calls_players.get()
    news = News(Kind.READY if is_call else Kind.STARTED, str(instance.pk), match=instance, after=STARTED_AFTER)
    if len(connected) > 1 or is_call:
        notify(away, news)
    else:  # Most matches with bots: only the player has started them, and opens the page now.
        queue(away, news, {})


@_on_create(TeamTable)
def notify_of_team_match(table: TeamTable) -> None:
    """Notify the players of a team match, except the one who has started it."""
    match = table.match
    players = match.seats.filter(user__isnull=False).exclude(user=match.host_id)
    news = News(Kind.TEAM, str(match.pk), match=match, after=STARTED_AFTER)
    notify(players.values_list("user", flat=True), news)


@_on_create(Comment)
def notify_of_comment(comment: Comment) -> None:
    """Notify the players of a match of a comment, and the author of a comment of a reply to it."""
    if comment.is_private:
        return
    author, thread = comment.author_id, comment.answers
    news = News(Kind.REPLY, str(comment.pk), match=comment.match, other_id=author, comment=comment)
    answered = {thread.author_id} - {author} if thread else set()
    notify(answered, news)
    players = set(comment.match.seats.filter(user__isnull=False).values_list("user", flat=True))
    notify(players - answered - {author}, news._replace(kind=Kind.COMMENT))


# Events that were answered elsewhere


@receiver(letters.was_read)
def note_reading(reader: User, writer: User, **_: object) -> None:
    mark_read(reader.pk, Kind.MESSAGE, other=writer)


@receiver([post_save, post_delete], sender=Friendship)
def note_answer_to_request(instance: Friendship, created: bool = False, **_: object) -> None:
    if not created:
        mark_read(instance.asked_id, Kind.FRIEND, other=instance.asker_id)


@receiver([post_save, post_delete], sender=Invitation)
def note_answer_to_invitation(instance: Invitation, created: bool = False, **_: object) -> None:
    if not created:
        mark_read(instance.user_id, Kind.INVITATION, match=instance.match_id)


def notify_of_club_news(club_id: int, key: str, text: str, user_ids: Collection[int], **_: object) -> None:
    """Notify members of a notice on the board of their club, or of its date. A receiver of `club_news`."""
    notify(user_ids, News(Kind.CLUB_NEWS, key, club_id=club_id, text=text))


# Events that a search finds


def search() -> int:
    """Write the notifications of turns in slow matches and of ends of matches. Call this regularly.

    Return the number of matches that need no further search for now.
    """
    now = timezone.now()
    turn_count = sum(_check_turn(match, now) for match in _matches_with_settled_turn(now))
    end_count = sum(_check_end(match) for match in _matches_that_ended(now))
    play_count = sum(_check_play(play) for play in _challenge_plays_that_ended(now))
    return turn_count + end_count + play_count


def _has_reachable_player() -> Exists:
    """Return a condition for matches: at least one player has a browser, address or webhook to notify."""
    seats = Seat.objects.filter(match=OuterRef("pk"), left_at=None)
    return Exists(seats.filter(Exists(DeliveryMethod.objects.filter(user=OuterRef("user"), disabled_at=None))))


def _matches_with_settled_turn(now: datetime) -> list[Match]:
    """Return slow matches whose present turn has lasted for SETTLED_AFTER, and whose player may need a notification.

    A fast player may move before that, and needs none. Leave out turns that an earlier search has handled: it has saved
    the number of moves. The latest turns come first.
    """
    handled = NotificationProgress.objects.filter(match=OuterRef("pk"), moves__gte=OuterRef("move_count"))
    matches = Match.objects.filter(
        playable_here(),
        _has_reachable_player(),
        ~Exists(handled),
        counting(),
        status=Match.Status.PLAYING,
        speed__in=SLOW_SPEEDS,
        turn_started_at__lt=now - SETTLED_AFTER,
        paused_until=None,
    )
    return list(matches.order_by("-turn_started_at")[:BATCH_SIZE])


def _check_turn(match: Match, now: datetime) -> bool:
    """Notify the user whose turn it is, unless they have the match open.

    Return whether this turn needs no further search. If not, the next search checks it again.
    """
    user_id = awaited_by_match({match.pk: match.revision}).get(match.pk)  # None if it waits for nobody.
    seat = match.seats.filter(user=user_id).first() if user_id else None
    if seat is not None and seat.vacation_until and seat.vacation_until > now:
        return False  # They get the notification after their vacation.
    is_connected = seat is not None and seat.connected
    if is_connected and match.turn_started_at > now - SEEN_AFTER:
        return False  # They may still close the page without having seen that it is their turn.
    with transaction.atomic():
        if not _save_progress(match, moves=match.move_count):
            return False  # Another process has handled this turn.
        if seat is not None and not is_connected:
            notify([seat.user_id], News(Kind.TURN, turn_key(match), match=match))
    return True


def _ended_matches(now: datetime) -> QuerySet[Match]:
    """Return matches that have ended within SEARCH_PERIOD, and whose end no earlier search has handled."""
    handled = NotificationProgress.objects.filter(match=OuterRef("pk"), over=True)
    ended = Match.objects.filter(~Exists(handled), status=Match.Status.OVER, ended_at__gt=now - SEARCH_PERIOD)
    return ended.order_by("ended_at")


def _matches_that_ended(now: datetime) -> list[Match]:
    """Return matches to search for players who were away when they ended."""
    seats = Seat.objects.filter(match=OuterRef("pk"), user__isnull=False, user__is_program=False, left_at=None)
    absent = seats.exclude(seen_at__gt=OuterRef("ended_at") - timedelta(seconds=GONE_LIMIT))
    return list(_ended_matches(now).filter(counting(), Exists(absent))[:BATCH_SIZE])


def _check_end(match: Match) -> bool:
    """Notify the players of a match who were away when it ended. Return False if another process has done so."""
    present_since = match.ended_at - timedelta(seconds=GONE_LIMIT)
    with transaction.atomic():
        if not _save_progress(match, moves=match.move_count, over=True):
            return False
        seats = match.seats.filter(left_at=None, user__isnull=False).exclude(seen_at__gt=present_since)
        news = News(Kind.OVER, str(match.pk), match=match, happened_at=match.ended_at)
        notify(seats.values_list("user", flat=True), news)
    return True


def _challenge_plays_that_ended(now: datetime) -> list[ChallengePlay]:
    """Return plays of challenges that others than the player have made."""
    plays = ChallengePlay.objects.filter(match__in=_ended_matches(now), challenge__made_by__isnull=False)
    return list(plays.exclude(challenge__made_by=F("user")).select_related("challenge", "match")[:BATCH_SIZE])


def _check_play(play: ChallengePlay) -> bool:
    """Notify the author of a challenge that somebody has played it. Return False if another process has done so."""
    match = play.match
    with transaction.atomic():
        if not _save_progress(match, moves=match.move_count, over=True):
            return False
        news = News(Kind.CHALLENGE, str(play.pk), match=match, other_id=play.user_id)
        notify([play.challenge.made_by_id], news)
    return True


def _save_progress(match: Match, *, moves: int, over: bool = False) -> bool:
    """Save that the notifications of a match are written: of its turn after `moves` moves, or of its end if `over`.

    Return False if another process has already done so: then the update finds no row with an earlier progress. It
    waits for the transaction of a process that is writing the same notifications.
    """
    NotificationProgress.objects.bulk_create([NotificationProgress(match=match)], ignore_conflicts=True)
    progress = NotificationProgress.objects.filter(match=match)
    if over:
        return progress.filter(over=False).update(moves=moves, over=True) == 1
    return progress.filter(moves__lt=moves).update(moves=moves) == 1


def old_progress(now: datetime) -> QuerySet[NotificationProgress]:
    """Return the rows about matches that ended so long ago that no search for notifications needs them."""
    return NotificationProgress.objects.filter(match__ended_at__lt=now - PROGRESS_LIFETIME)
