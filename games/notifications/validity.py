"""Checks before sending: is a notification still valid, and may its user be notified?"""

from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import User
from accounts.people.blocks import apart_from, is_apart
from accounts.people.models import Friendship
from games.chat import letters
from games.comments.reading import readable_comments
from games.models import Invitation, Match
from games.notifications.bell import COMMENTS
from games.notifications.models import DeliveryMethod, Medium, Notification, NotificationKind
from games.notifications.waiting import waiting_tables

STARTS = (NotificationKind.STARTED, NotificationKind.TEAM)


def mail_address(user: User) -> str:
    """Return the verified mail address of an account, or "" if it has none. Guests have no account."""
    is_verified = (
        user.email and EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()
    )
    return user.email if is_verified and not user.is_guest else ""


def is_logged_out(method: DeliveryMethod) -> bool:
    """Return whether the user has logged out in a browser that gets push messages, or the session there has expired."""
    if method.session is None:  # It is a mail address or a webhook.
        return False
    sessions = Session.objects.filter(session_key=method.session.session_key, expire_date__gt=timezone.now())
    return not sessions.exists()


def is_reachable(method: DeliveryMethod) -> bool:
    """Return whether a user may be notified now: they are not banned, and for mail they have a verified address."""
    return method.user.is_active and (method.medium != Medium.MAIL or bool(mail_address(method.user)))


def filter_valid(method: DeliveryMethod, notifications: list[Notification]) -> tuple[list[str], list[Notification]]:
    """Return the codes of the tables that wait for a user, and the notifications that are still news for the user.

    Of several of one kind about the same match or person, only the last one counts. method: the browser, mail address
    or webhook of the user.
    """
    codes = waiting_tables([method.user_id]).get(method.user_id, [])
    if not is_reachable(method):
        return codes, []
    valid: dict[tuple[str, int | str | None], Notification] = {}  # By kind, and the match or person it is about.
    for notification in notifications:
        if _is_valid(notification, method.user, codes):
            subject = notification.match_id or notification.other_id or notification.key
            if notification.kind in COMMENTS:  # Each comment is news.
                subject = notification.key
            valid[notification.kind, subject] = notification
    # The notification of a start is left out if it is also the user's turn there.
    turns = {match for kind, match in valid if kind == NotificationKind.TURN}
    return codes, [each for (kind, subject), each in valid.items() if kind not in STARTS or subject not in turns]


def _is_valid(notification: Notification, user: User, codes: list[str]) -> bool:
    """Return whether a notification is still news for its user. For example, it may no longer be their turn.

    codes: of the tables that wait for the user.
    """
    kind, match, item = notification.kind, notification.match, notification.item
    if kind == NotificationKind.TEST:
        return True
    if item and item.read_at and item.read_at >= notification.written_at:
        return False  # The user has read it in the bell.
    if kind == NotificationKind.CLUB_NEWS:
        return item is not None and item.club.closed_at is None and item.club.memberships.filter(user=user).exists()
    if kind == NotificationKind.FRIEND:
        requests = Friendship.objects.filter(asker=notification.other_id, asked=user, accepted_at=None)
        return requests.exists() and not is_apart(user.pk, [notification.other_id])
    if kind == NotificationKind.MESSAGE:
        return letters.has_unread(user, notification.other_id)
    return match is not None and _is_valid_at(match, notification, user, codes)


def _is_valid_at(match: Match, notification: Notification, user: User, codes: list[str]) -> bool:
    """Return whether a notification about a match is still news for its user."""
    kind = notification.kind
    if kind in COMMENTS:
        return readable_comments(match.pk, user.pk).filter(pk=notification.key).exists()
    if kind == NotificationKind.CHALLENGE:
        return not is_apart(user.pk, [notification.other_id])
    if kind == NotificationKind.INVITATION:
        has_room = match.status == Match.Status.OPEN and match.full_at is None
        is_invited = has_room and Invitation.objects.filter(match=match, user=user, declined_at=None).exists()
        return is_invited and not people_of(match) & apart_from(user)
    seat = match.seats.filter(user=user, left_at=None).first()
    if seat is None or (seat.connected and match.status == Match.Status.PLAYING):
        return False  # They have left, or see the table.
    if kind == NotificationKind.TURN:
        return match.code in codes and notification.key == turn_key(match)
    if kind == NotificationKind.READY:
        return match.status in Match.RUNNING
    return match.status == (Match.Status.PLAYING if kind in STARTS else Match.Status.OVER)


def turn_key(match: Match) -> str:
    """Return the key of a notification of the present turn."""
    return f"{match.pk}:{match.move_count}"


def people_of(match: Match) -> set[int | None]:
    """Return the primary keys of the players at a table and of its host."""
    return {match.host_id, *match.seats.filter(left_at=None).values_list("user", flat=True)}
