"""The export of a user's chat lines, messages, mutes, reports and corrections."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import Combinable

from accounts.export import Export
from accounts.models import User
from games.chat.models import ChatMessage, Correction, DirectMessage, Report
from games.chat.phrases import phrases_of
from games.kit.language import lazy


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield a JSON document for each chat line, message, mute, report and correction of a user.

    Messages to them are among these. The documents are for the archive of all data about the user.
    "after" is the number of moves before a line.
    """
    for line in user.chat_messages.select_related("match", "club").order_by("-pk").iterator():
        if line.club:
            yield {"kind": "line", "club": line.club.name, "words": line.text, "at": line.said_at}
            continue
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
    for row in user.corrections.order_by("-pk").values("page", "language", "words", "suggestion", "sent_at", "done_at"):
        yield {"kind": "correction"} | row


def _messages(user: User) -> QuerySet[DirectMessage]:
    """Return the messages from and to a user, without hidden messages from others."""
    return DirectMessage.objects.filter(Q(sender=user) | Q(recipient=user, hidden=False))


def _count(user: User) -> int:
    querysets = (user.chat_messages, _messages(user), user.mutes, user.reports_made, user.corrections)
    return sum(queryset.count() for queryset in querysets)


def _owns(since: datetime) -> Combinable:
    """Return a condition on users: they have said or reported something since then."""
    lines = Exists(ChatMessage.objects.filter(user=OuterRef("pk"), said_at__gte=since))
    reports = Exists(Report.objects.filter(reporter=OuterRef("pk"), made_at__gte=since))
    return lines | reports | Exists(Correction.objects.filter(user=OuterRef("pk"), sent_at__gte=since))


EXPORTS = [
    Export(
        name="talk",
        description=lazy(
            "What you have said at tables and in clubs, messages between you and your friends, whom you have muted, "
            "what you have reported, and the words of this site that you have corrected, one JSON document per line. "
            "What others have said at your tables is with your matches."
        ),
        count=_count,
        documents=documents,
        is_owner=_owns,
    )
]
