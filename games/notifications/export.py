"""The bell, subscriptions, delivery methods and notifications in a user's archive."""

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from accounts.export import Export
from accounts.models import User
from games.kit.language import lazy
from games.notifications.delivery_methods import subscriptions_of
from games.notifications.models import BellItem, DeliveryMethod, Notification


def documents(user: User) -> Iterator[dict[str, object]]:
    """Yield JSON documents about the notifications of a user.

    First the kinds that they want by push, mail and webhook, then the addresses to send to, then the recent
    notifications.
    """
    yield {"subscriptions": {medium: sorted(kinds) for medium, kinds in subscriptions_of(user).items()}}
    for method in user.delivery_methods.order_by("-pk"):
        yield {"medium": method.medium, "name": method.name, "address": method.address, "made_at": method.made_at}
    for notice in Notification.objects.filter(method__user=user).select_related("method", "match").order_by("-pk"):
        yield {
            "kind": notice.kind,
            "medium": notice.method.medium,
            "match": notice.match.code if notice.match else None,
            "written_at": notice.written_at,
            "handed_at": notice.handed_at,
        }


def bell_documents(user: User) -> Iterator[dict[str, object]]:
    """Yield a JSON document for each event in a user's bell."""
    for item in user.bell_items.select_related("match", "other", "club").order_by("-at"):
        yield {
            "kind": item.kind,
            "match": item.match.code if item.match else None,
            "person": item.other.username if item.other else None,
            "club": item.club.name if item.club else None,
            "text": item.text,
            "count": item.count,
            "at": item.at,
            "read_at": item.read_at,
        }


EXPORTS = [
    Export(
        name="bell",
        description=lazy("What your bell has told you in the last 60 days, newest first, one JSON document per line."),
        count=lambda user: user.bell_items.count(),
        documents=bell_documents,
        is_owner=lambda since: Exists(BellItem.objects.filter(user=OuterRef("pk")).none()),
    ),
    Export(
        name="notices",
        description=lazy(
            "Your notifications by push, email and webhook, and their addresses, one JSON document per line."
        ),
        count=lambda user: user.delivery_methods.count(),
        documents=documents,
        is_owner=lambda since: Exists(DeliveryMethod.objects.filter(user=OuterRef("pk"), made_at__gte=since)),
    ),
]
