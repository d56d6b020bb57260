"""Whether what was written still holds when it is to be told, and whether its owner may be told at all."""

from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.people.blocks import apart_from, is_apart
from accounts.people.models import Friendship
from games.chat import letters
from games.comments.reading import readable
from games.models import Invitation, Match
from games.notifications.models import DeliveryMethod, Medium, Notification, NotificationKind
from games.notifications.waiting import waiting

STARTS = (NotificationKind.STARTED, NotificationKind.TEAM)


def address_of_mail(user) -> str:
    """The address to which mails go: the one of the account, if its owner has confirmed it; else ""."""
    confirmed = user.email and EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()
    return user.email if confirmed and not user.is_guest else ""


def is_over(method: DeliveryMethod) -> bool:
    """Whether a browser is no longer logged in."""
    if method.session is None:
        return False
    sessions = Session.objects.filter(session_key=method.session.session_key, expire_date__gt=timezone.now())
    return not sessions.exists()


def is_reachable(method: DeliveryMethod) -> bool:
    """Whether the owner of a way may be told by it now: not banned, and mailed at an address of theirs only."""
    return method.user.is_active and (method.medium != Medium.MAIL or bool(address_of_mail(method.user)))


def standing(method: DeliveryMethod, notices: list[Notification]) -> tuple[list[str], list[Notification]]:
    """(codes, notices): the tables that wait for a way's owner now, and those of the notices that still hold."""
    codes = waiting([method.user_id]).get(method.user_id, [])
    still: dict[tuple[str, int | str | None], Notification] = {}
    for notice in notices if is_reachable(method) else ():
        if _holds(notice, method.user, codes):
            about = (
                notice.key
                if notice.kind == NotificationKind.REPLY
                else notice.match_id or notice.other_id or notice.key
            )
            still[notice.kind, about] = notice
    turns = {match for kind, match in still if kind == NotificationKind.TURN}
    return codes, [notice for (kind, about), notice in still.items() if kind not in STARTS or about not in turns]


def _holds(notice: Notification, user, codes: list[str]) -> bool:
    match = notice.match
    if notice.kind == NotificationKind.TEST:
        return True
    if notice.kind == NotificationKind.FRIEND:
        asks = Friendship.objects.filter(asker=notice.other_id, asked=user, accepted_at=None).exists()
        return asks and not is_apart(user.pk, [notice.other_id])
    if notice.kind == NotificationKind.MESSAGE:
        return letters.has_unread(user, notice.other_id)
    if match is None:
        return False
    if notice.kind == NotificationKind.REPLY:
        return readable(match.pk, user.pk).filter(pk=notice.key).exists()
    if notice.kind == NotificationKind.INVITATION:
        open_still = match.status == Match.Status.OPEN and match.full_at is None
        invited = open_still and Invitation.objects.filter(match=match, user=user, declined_at=None).exists()
        return invited and not people_of(match) & apart_from(user)
    seat = match.seats.filter(user=user, left_at=None).first()
    if seat is None or (seat.connected and match.status == Match.Status.PLAYING):
        return False
    if notice.kind == NotificationKind.TURN:
        return match.code in codes and notice.key == turn_key(match)
    if notice.kind in STARTS:
        return match.status == Match.Status.PLAYING
    return match.status == Match.Status.OVER


def turn_key(match: Match) -> str:
    """What says of a turn which one it is."""
    return f"{match.pk}:{match.move_count}"


def people_of(match: Match) -> set[int | None]:
    """The keys of who sits at a table and of its host."""
    return {match.host_id, *match.seats.filter(left_at=None).values_list("user", flat=True)}
