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
from games.kit.words import joined
from games.models import Match, Seat, counting
from games.play.errors import Refused

# An address with or without "https://"; of names without a path only those under the domains that are common in chats.
LINK = re.compile(
    r"\w://|\bwww\s*\.|[^\W_][\w-]*\.[a-z]{2,24}[/:?#]\S"
    r"|[^\W_][\w-]*\s?\.\s?(?:com|net|org|info|biz|io|gg|co|me|tv|app|dev|xyz|top|club|shop|site|online|link|click|live|ru|cn|ly)\b",
    re.IGNORECASE,
)
FEW = {
    "talk": "lines",
    "comment": "comments",
    "message": "messages",
    "invite": "invitations",
}  # by action of settings.RATE_LIMITS


class TooMuchAtFirst(Refused):
    """Somebody who is new here does more than they may."""

    status = 429


def new_until(user: User) -> str:
    """How long somebody counts as new here, "until …"; "" for who no longer does."""
    ends = []
    day_over = user.date_joined + timedelta(hours=settings.NEWCOMER_HOURS)
    if day_over > timezone.now():
        ends.append(f"until {moment(day_over)}")
    if settings.NEWCOMER_MATCHES:
        over = Seat.objects.filter(counting("match__"), user=user, left_at=None, match__status=Match.Status.OVER)
        if over.order_by()[: settings.NEWCOMER_MATCHES].count() < settings.NEWCOMER_MATCHES:
            matches = "a match" if settings.NEWCOMER_MATCHES == 1 else f"{settings.NEWCOMER_MATCHES} matches"
            ends.append(f"until you have finished {matches}")
    return joined(ends)


def demand_pace(user: User, action: str) -> None:
    """Count one more of these acts of somebody who is new. Raises TooMuchAtFirst where there were too many.

    action: a key of FEW.
    """
    if (until := new_until(user)) and not allow_user(user, f"{action}_new"):
        raise TooMuchAtFirst(f"You’re new here, so you can send only a few {FEW[action]} {until}. Wait a while.")


def demand_no_link(user: User, text: str) -> None:
    """Raises Refused for a text with a link of somebody who is new."""
    if LINK.search(unicodedata.normalize("NFKC", text)) and (until := new_until(user)):
        raise Refused(f"You’re new here, so you can’t write links {until}.")
