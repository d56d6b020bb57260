"""Who is new here, account or guest: for a while they send few messages and invitations, and write no links.

That holds for their first hours and until they have finished some matches, whichever takes longer: an account made to
pester people costs time.
"""

import re
import unicodedata
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from accounts.limits import allow_user
from accounts.models import User
from accounts.sanctions import moment
from games.kit.language import Lazy, lazy, lazy_count
from games.models import Match, Seat, counting
from games.play.errors import Refused

# An address with or without "https://"; of names without a path only those under the domains that are common in chats.
LINK = re.compile(
    r"\w://|\bwww\s*\.|[^\W_][\w-]*\.[a-z]{2,24}[/:?#]\S"
    r"|[^\W_][\w-]*\s?\.\s?(?:com|net|org|info|biz|io|gg|co|me|tv|app|dev|xyz|top|club|shop|site|online|link|click|live|ru|cn|ly)\b",
    re.IGNORECASE,
)
FEW = {  # by action of settings.RATE_LIMITS
    "talk": lazy("You’re new here, so you can send only a few lines at first. Wait a while."),
    "comment": lazy("You’re new here, so you can send only a few comments at first. Wait a while."),
    "message": lazy("You’re new here, so you can send only a few messages at first. Wait a while."),
    "invite": lazy("You’re new here, so you can send only a few invitations at first. Wait a while."),
}


class TooMuchAtFirst(Refused):
    """Somebody who is new here does more than they may."""

    status = 429


def new_until(user: User) -> str:
    """How long somebody counts as new here, as a sentence; "" for who no longer does."""
    day_over = user.date_joined + timedelta(hours=settings.NEWCOMER_HOURS)
    hours, matches = day_over > timezone.now(), 0
    if settings.NEWCOMER_MATCHES:
        over = Seat.objects.filter(counting("match__"), user=user, left_at=None, match__status=Match.Status.OVER)
        if over.order_by()[: settings.NEWCOMER_MATCHES].count() < settings.NEWCOMER_MATCHES:
            matches = settings.NEWCOMER_MATCHES
    when = Lazy(moment, day_over)
    if hours and matches:
        one = "You are new until {when} and until you have finished a match."
        many = "You are new until {when} and until you have finished {number} matches."
        return lazy_count(matches, one, many, when=when)
    if hours:
        return lazy("You are new until {when}.", when=when)
    if matches:
        one, many = (
            "You are new until you have finished a match.",
            "You are new until you have finished {number} matches.",
        )
        return lazy_count(matches, one, many)
    return ""


def demand_pace(user: User, action: str) -> None:
    """Count one more of these acts of somebody who is new. Raises TooMuchAtFirst where there were too many.

    action: a key of FEW.
    """
    if (until := new_until(user)) and not allow_user(user, f"{action}_new"):
        raise TooMuchAtFirst(lazy("{sentence} {until}", sentence=FEW[action], until=until))


def demand_no_link(user: User, text: str) -> None:
    """Raises Refused for a text with a link of somebody who is new."""
    if LINK.search(unicodedata.normalize("NFKC", text)) and (until := new_until(user)):
        sentence = lazy("You’re new here, so you can’t write links yet.")
        raise Refused(lazy("{sentence} {until}", sentence=sentence, until=until))
