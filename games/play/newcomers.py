"""Newcomers, members and guests: for a while they may send few messages and invitations, and no links.

This lasts for their first hours and until they have finished some matches, so that a new account to pester people costs
time.
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

# Addresses with or without "https://". Without a path, only names under domains that are common in chats.
LINK = re.compile(
    r"\w://|\bwww\s*\.|[^\W_][\w-]*\.[a-z]{2,24}[/:?#]\S"
    r"|[^\W_][\w-]*\s?\.\s?(?:com|net|org|info|biz|io|gg|co|me|tv|app|dev|xyz|top|club|shop|site|online|link|click|live|ru|cn|ly)\b",
    re.IGNORECASE,
)
REFUSALS = {  # By action of settings.RATE_LIMITS.
    "talk": lazy("You’re new here, so you can send only a few lines at first. Wait a while."),
    "comment": lazy("You’re new here, so you can send only a few comments at first. Wait a while."),
    "message": lazy("You’re new here, so you can send only a few messages at first. Wait a while."),
    "invite": lazy("You’re new here, so you can send only a few invitations at first. Wait a while."),
}


class TooMuchAtFirst(Refused):
    """A newcomer has exceeded a limit for newcomers."""

    status = 429


def new_until(user: User) -> str:
    """Return until when a user counts as a newcomer, as a sentence; "" if they no longer do.

    They do in their first hours, and until they have finished some matches.
    """
    first_hours_end = user.date_joined + timedelta(hours=settings.NEWCOMER_HOURS)
    is_in_first_hours = first_hours_end > timezone.now()
    matches_needed = 0  # The number of matches that they must finish first; 0 if they have.
    if settings.NEWCOMER_MATCHES:
        # Guides and other matches that count for nothing are left out.
        finished = Seat.objects.filter(counting("match__"), user=user, left_at=None, match__status=Match.Status.OVER)
        if finished.order_by()[: settings.NEWCOMER_MATCHES].count() < settings.NEWCOMER_MATCHES:
            matches_needed = settings.NEWCOMER_MATCHES
    when = Lazy(moment, first_hours_end)
    if is_in_first_hours and matches_needed:
        one = "You are new until {when} and until you have finished a match."
        many = "You are new until {when} and until you have finished {number} matches."
        return lazy_count(matches_needed, one, many, when=when)
    if is_in_first_hours:
        return lazy("You are new until {when}.", when=when)
    if matches_needed:
        one = "You are new until you have finished a match."
        many = "You are new until you have finished {number} matches."
        return lazy_count(matches_needed, one, many)
    return ""


def demand_pace(user: User, action: str) -> None:
    """Count an action of a user, such as a chat message. Raise TooMuchAtFirst if a newcomer does that too often.

    action: a key of REFUSALS. For users who are no longer new, nothing is counted here.
    """
    if (until := new_until(user)) and not allow_user(user, f"{action}_new"):
        raise TooMuchAtFirst(lazy("{sentence} {until}", sentence=REFUSALS[action], until=until))


def demand_no_link(user: User, text: str) -> None:
    """Raise Refused if a newcomer's text has a link, as advertisements have."""
    # Normalised, so that full-width letters and other variants are found too.
    if LINK.search(unicodedata.normalize("NFKC", text)) and (until := new_until(user)):
        sentence = lazy("You’re new here, so you can’t write links yet. Leave the link out.")
        raise Refused(lazy("{sentence} {until}", sentence=sentence, until=until))
