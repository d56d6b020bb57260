"""The board of a club: notices of its leaders, dates among them, and what its members say."""

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User
from games.chat.models import ChatMessage, Report
from games.chat.posting import demand_voice, demand_words, post_in_club
from games.chat.reading import unwanted_by_user
from games.chat.reporting import report_words
from games.chat.wording import clean_lines
from games.clubs import leading
from games.clubs.models import LONGEST_NOTICE, Club, ClubNotice, Membership
from games.kit.language import lazy
from games.notifications import bell
from games.notifications.models import NotificationKind
from games.play import newcomers
from games.play.errors import NotAllowed, Refused

MAX_NOTICES = 50  # The oldest are deleted.
LATEST_DATE = timedelta(days=366)
REMIND_BEFORE = timedelta(hours=24)
HAPPENS_FOR = timedelta(hours=3)  # A date is shown as the next one until then.
MIN_NOTICE = timedelta(hours=1)  # Nobody is reminded of a date that was announced this shortly before.

PAST = lazy("Choose a time that is still to come, within a year.")

# Sent with `code` after the commit, when the page of a club has changed.
changed = Signal()
# Sent with `club_id`, `key`, `text` and `user_ids`, in the transaction that writes a notice or reminds of it.
club_news = Signal()


def announce(club: Club) -> None:
    """Send the signal `changed` after this transaction."""
    transaction.on_commit(partial(changed.send_robust, Club, code=club.code))


@transaction.atomic
def write_notice(membership: Membership, text: object, starts_at: datetime | None = None) -> ClubNotice:
    """Put a notice on the board of a club, as one of its leaders, and notify the others. Raise Refused.

    text: may have several lines. starts_at: the date that the notice announces, or None.
    """
    club = leading.lock_as_leader(membership)
    demand_voice(membership.user)
    demand_words(membership.user)
    words = clean_lines(text, LONGEST_NOTICE)
    newcomers.demand_no_link(membership.user, words)
    now = timezone.now()
    if starts_at and not now < starts_at < now + LATEST_DATE:
        raise Refused(PAST)
    notice = ClubNotice.objects.create(club=club, author=membership.user, text=words, starts_at=starts_at)
    newest = club.notices.order_by("-pk").values("pk")[:MAX_NOTICES]
    club.notices.exclude(pk__in=list(newest.values_list("pk", flat=True))).delete()
    _send_news(notice, str(notice.pk))
    announce(club)
    return notice


@transaction.atomic
def delete_notice(membership: Membership, pk: int) -> None:
    club = leading.lock_as_leader(membership)
    if notice := club.notices.filter(pk=pk).first():
        _withdraw_news(notice)
        notice.delete()
    announce(club)


@transaction.atomic
def write_line(user_id: int | None, code: str, text: object) -> None:
    """Write a line in the chat of a club, given by its code. Raise Refused."""
    # Members are removed with the same lock, so nobody is removed at this moment.
    club = Club.objects.select_for_update(no_key=True).filter(code=code, closed_at=None).first()
    membership = club and club.memberships.filter(user=user_id).select_related("user").first()
    if club is None or membership is None:
        raise NotAllowed(leading.NO_MEMBER)
    post_in_club(membership.user, club.pk, text)
    announce(club)


def report_notice(user: User, notice: ClubNotice, reason: object, note: object) -> None:
    """Report a notice to the moderators. Raise Refused."""
    report_words(user, Report(reported=notice.author, about=f"notice {notice.pk}"), notice.text, reason, note)


def take_back(kind: str, key: str, hidden: bool, **_: object) -> None:
    """Hide a reported notice, or show it again. Draw the page of a club again if a chat line was hidden.

    A receiver of `taken_back`.
    """
    if kind == "line" and (line := ChatMessage.objects.filter(pk=key).select_related("club").first()):
        announce(line.club)
    if kind == "notice" and (notice := ClubNotice.objects.filter(pk=key).select_related("club").first()):
        notice.hidden = hidden
        notice.save(update_fields=["hidden"])
        if hidden:
            _withdraw_news(notice)
        announce(notice.club)


def next_date(notices: Collection[ClubNotice]) -> ClubNotice | None:
    """Return the notice with the next date, which may just have begun."""
    dates = [each for each in notices if each.starts_at and each.starts_at > timezone.now() - HAPPENS_FOR]
    return min(dates, key=lambda each: each.starts_at, default=None)


def remind() -> int:
    """Notify the members of clubs of dates within REMIND_BEFORE, once. Call this regularly. Return the number of dates.

    The update decides which of several processes does it.
    """
    now = timezone.now()
    due = ClubNotice.objects.filter(
        starts_at__gt=now, starts_at__lt=now + REMIND_BEFORE, reminded_at=None, hidden=False, club__closed_at=None
    )
    count = 0
    for notice in due.select_related("club")[:MAX_NOTICES]:
        with transaction.atomic():
            if ClubNotice.objects.filter(pk=notice.pk, reminded_at=None).update(reminded_at=now):
                if notice.starts_at - notice.written_at > REMIND_BEFORE + MIN_NOTICE:
                    _send_news(notice, _reminder_key(notice))
                count += 1
    return count


def _send_news(notice: ClubNotice, key: str) -> None:
    """Send the signal `club_news` about a notice to all members who want to read its author, but not to the author."""
    members = list(notice.club.memberships.exclude(user=notice.author_id).values_list("user", flat=True))
    unwanted = unwanted_by_user(members)
    users = [user for user in members if notice.author_id not in unwanted[user]]
    text = notice.text.partition("\n")[0]
    club_news.send(ClubNotice, club_id=notice.club_id, key=key, text=text, user_ids=users)


def _withdraw_news(notice: ClubNotice) -> None:
    """Remove a notice, and the reminder of its date, from the bells of the members."""
    keys = [str(notice.pk), _reminder_key(notice)]
    bell.withdraw(club=notice.club_id, kind=NotificationKind.CLUB_NEWS, subject__in=keys)


def _reminder_key(notice: ClubNotice) -> str:
    return f"{notice.pk} reminder"
