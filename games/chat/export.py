"""The export of a user's chat lines, messages, mutes and reports."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable

from accounts.export import Export
from accounts.models import User
from games.chat.models import ChatMessage, DirectMessage, Report
from games.chat.phrases import phrases_of
from games.kit.language import lazy


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield a JSON document for each chat line, message, mute and report of a user, and for each message to them.

    They are for the archive of all data about the user. "after" is the number of moves before a line.
    """
    for line in user.chat_messages.select_related("match").order_by("-pk").iterator():
        phrase = phrases_of(line.match.game).get(line.phrase)
        words = phrase.words if phrase else line.text or line.phrase  # The site may no longer have this phrase.
        yield {"kind": "line", "match": line.match.code, "after": line.move_count, "words": words, "at": line.said_at}
    for message in _messages(user).select_related("sender", "recipient").order_by("-pk").iterator():
        names = {"from": message.sender.username, "to": message.recipient.username}
        yield {"kind": "message"} | names | {"words": message.text, "at": message.sent_at, "read_at": message.read_at}
    for mute in user.mutes.select_related("muted").order_by("-pk"):
        yield {"kind": "muted", "name": mute.muted.username, "since": mute.since}
    for report in user.reports_made.select_related("reported").order_by("-pk"):
        name = report.reported.username if report.reported else None
        about = {"name": name, "reason": report.reason, "note": report.note}
        yield {"kind": "report"} | about | {"at": report.made_at}


def _messages(user: User) -> QuerySet[DirectMessage]:
    """Return the messages from and to a user, without hidden messages from others."""
    return DirectMessage.objects.filter(Q(sender=user) | Q(recipient=user, hidden=False))


def _count(user: User) -> int:
    querysets = (user.chat_messages, _messages(user), user.mutes, user.reports_made)
    return sum(queryset.count() for queryset in querysets)


def _owns(since: datetime) -> Combinable:
    """Return a condition on users: they have said or reported something since then."""
    lines = Exists(ChatMessage.objects.filter(user=OuterRef("pk"), said_at__gte=since))
    return lines | Exists(Report.objects.filter(reporter=OuterRef("pk"), made_at__gte=since))


EXPORTS = [
    Export(
        name="talk",
        description=lazy(
            "What you have said at tables, messages between you and your friends, whom you have muted, and what "
            "you have reported, one JSON document per line. What others have said at your tables is with your matches."
        ),
        count=_count,
        documents=documents,
        is_owner=_owns,
    )
]
